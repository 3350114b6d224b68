// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "isa/machine/operations.h"

namespace shflsim::isa {

/// One instruction of the program, made ready to run.
struct Prepared {
  Operation operation;
  bool tests_cc = false;  ///< runs only in lanes for which its CC test holds
  /// Neither changes what another warp sees nor depends on what one does.
  bool is_own = false;
  /// Nor reads or takes time.
  bool is_private = false;
  /// Registers whose values BitActivity looks at: the result, else a source; 0: none.
  uint8_t observed = 0;
  uint8_t observed_count = 0;
};

/// Makes the whole program ready. Raises an InputError for the first instruction that the machine
/// cannot execute, that jumps outside the kernel or reads a constant which the launch lacks.
std::vector<Prepared> prepare(const Grid& grid);

}  // namespace shflsim::isa
