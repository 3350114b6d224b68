// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "isa/machine/operations.h"

namespace shflsim::isa {

/// One instruction of the program, prepared for execution.
struct Prepared {
  Operation operation;
  bool tests_cc = false;     ///< runs only in lanes for which its CC test holds
  bool has_members = false;  ///< check_members() has something to check
  /// Neither affects other warps nor depends on them.
  bool is_own = false;
  /// is_own, and neither reads a clock nor takes time.
  bool is_private = false;
  /// May affect warps of other blocks or depend on them.
  bool reaches_others = true;
  /// Behind a check of a phase: instructions that a warp executes while it waits for the phase.
  uint32_t passes = 0;
  /// Registers whose values BitActivity samples: the result, else a source.
  uint8_t observed = 0;
  uint8_t observed_count = 0;
};

/// Prepares the whole program. Raises an InputError for the first instruction that the machine
/// cannot execute, that jumps outside the kernel or reads a constant that the launch lacks.
std::vector<Prepared> prepare(const Grid& grid);

}  // namespace shflsim::isa
