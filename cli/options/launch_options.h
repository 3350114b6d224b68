// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "cli/options/option_list.h"
#include "isa/machine/machine.h"

namespace shflsim::cli {

/// `--warps`, the size of a block or of a replayed region.
struct WarpCount : OptionGroup {
  std::optional<uint32_t> count;
};

/// A launch as the command line or the launch line of a file describes it.
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

/// The results of a launch that are written to files. Only the command line sets these.
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
