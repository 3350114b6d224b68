// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/core/observer.h"
#include "report/run/columns.h"
#include "report/run/window.h"

namespace shflsim::report {

/// A way to show a run in a file.
class View {
 public:
  virtual ~View() = default;
  /// Restricts the view to a part of the run; call it before the run. False for a view without a
  /// time axis.
  virtual bool show(const Window& /*window*/) { return false; }
  /// The observer of the run, which the view owns; nullptr if the result is enough.
  virtual model::Observer* observer() { return nullptr; }
  /// The file's content, after the run. Equal runs give equal bytes.
  virtual std::string content(const Run& run) = 0;
};

/// All views by name; each registers itself in its own file:
///   const bool registered = Views::add<Json>("json", "everything, as one JSON object");
class Views {
 public:
  struct Entry {
    std::string help;
    std::function<std::unique_ptr<View>()> make;
  };
  template <class Its>
  static bool add(const char* name, const char* help) {
    table()[name] = {help, [] { return std::make_unique<Its>(); }};
    return true;
  }
  static std::map<std::string, Entry>& table();
  static std::vector<std::string> names();
};

}  // namespace shflsim::report
