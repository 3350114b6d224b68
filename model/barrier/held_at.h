// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/codec/instruction.h"

namespace shflsim::model {

/// Where and how a warp waits until others release it.
struct HeldAt {
  isa::OpKind kind = isa::OpKind::kPlain;
  bool has_others =
      false;            ///< other lanes of the warp are elsewhere, so that it polls the phase...
  bool sleeps = false;  ///< ...or sleeps, if the wait has a time limit
};

}  // namespace shflsim::model
