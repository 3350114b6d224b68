// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "cli/options/option_list.h"
#include "isa/machine/machine.h"

namespace shflsim::cli {

/// `--warps`, which says how large a block or a replayed region is.
struct WarpCount : OptionGroup {
  std::optional<uint32_t> count;
};

/// A launch as the command line or a launch line in a file describes it.
struct LaunchOptions : OptionGroup {
  isa::Extent grid;
  std::optional<isa::Extent> block;
  WarpCount warps;
  uint32_t shared_bytes = 0;  ///< dynamic
  isa::Extent cluster;
  bool is_cooperative = false;
  std::optional<std::string> constants;
  Strings arguments;
  Strings buffers;
  Strings registers;
  bool allows_undefined_registers = false;

  void list(OptionList& list);
};

/// What to write of a launch's outcome. Only the command line says this.
struct SaveOptions : OptionGroup {
  Strings buffers;
  Strings registers;

  void list(OptionList& list);
};

/// How code is executed.
struct ExecutionOptions : OptionGroup {
  uint64_t max_instructions = isa::MachineOptions::kStepLimit;

  void list(OptionList& list);
  isa::MachineOptions machine(bool keeps_registers = false) const;
};

}  // namespace shflsim::cli
