// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/codec/instruction.h"

namespace shflsim::isa {

/// Whether ptxas lets two neighbours of SPA 5.0 code issue in one cycle where the second waits for
/// nothing of the first: math of single precision or integers with what is no math, on another
/// dispatch unit. In its code for tests/data/sm50 and tests/data/corpus 958 of 973 pairs are such,
/// the other 15 with double precision; calls, MEMBAR and NOP are never the second.
bool may_pair(const Instruction& first, const Instruction& second);

}  // namespace shflsim::isa
