// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/options/option_list.h"
#include "model/config/config.h"

namespace shflsim::cli {

constexpr const char* kDefaultMachine = "gm107";

/// `--config` and `--set`, the same for every command.
struct MachineChoice : OptionGroup {
  Strings configs;
  Strings settings;

  /// `help` follows "machine or overlay: a shipped name or a file; repeatable" in the help text.
  void list(OptionList& list, const char* help = " (default gm107)");
  bool is_made() const { return !configs.empty(); }

  /// The machines that `--config` (or `machine` if there is none) and `--set` describe. A config
  /// that leaves parameters open is an overlay of the machine before it, A+B is one machine, and a
  /// further complete config is a further machine. `--set` applies to all machines.
  std::vector<model::ConfigLayers> machines(const std::string& machine) const;
  /// The machine of a command that takes one. Throws InputError if the options name several.
  model::ConfigLayers layers(const std::string& machine = kDefaultMachine) const;
};

}  // namespace shflsim::cli
