// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/options/option_list.h"

namespace shflsim::cli {

/// The options that every command takes, before or after its verb.
struct CommonOptions : OptionGroup {
  enum class Color : char { kAuto, kAlways, kNever };
  enum class Progress : char { kAuto, kPlain, kNone };

  bool help = false;
  bool help_all = false;
  bool version = false;
  bool quiet = false;
  bool verbose = false;
  std::string log_file;
  Color color = Color::kAuto;
  Progress progress = Progress::kAuto;

  static constexpr const char* kTitle = "common";
  void list(OptionList& list);
  /// Sets up standard output and standard error as the options and the environment demand.
  void apply() const;
};

/// The arguments, with the options before the verb moved behind it.
Strings verb_first(const Strings& arguments);

}  // namespace shflsim::cli
