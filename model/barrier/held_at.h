// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/codec/instruction.h"

namespace shflsim::model {

/// Where and how a warp waits until others release it.
struct HeldAt {
  isa::OpKind kind = isa::OpKind::kPlain;
  /// Other lanes of the warp are elsewhere: the warp polls the phase.
  bool has_others = false;
  /// The wait has a time limit, and other lanes are elsewhere: the warp sleeps instead of polling.
  bool sleeps = false;
  uint32_t limit = 0;  ///< that limit in nanoseconds; 0: not known
};

}  // namespace shflsim::model
