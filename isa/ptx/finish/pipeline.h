// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "isa/dialects/source.h"
#include "isa/ptx/finish/assemble.h"

namespace shflsim::isa::ptx {

/// The text of functions after one of the passes.
class Dump {
 public:
  /// Throws InputError if no pass has the name.
  explicit Dump(const std::string& pass);

  const std::string& pass() const { return pass_; }
  void add(const std::string& lines) { text_ += lines; }
  const std::string& text() const { return text_; }

 private:
  std::string pass_;
  std::string text_;
};

/// The function after all passes. `dump` receives the lines after the pass that it names, and may
/// be nullptr.
PlacedFunction placed_function(Code code, const std::string& name, Lowering lowering,
                               const Position& where, Dump* dump);

}  // namespace shflsim::isa::ptx
