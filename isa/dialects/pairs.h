// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/codec/form.h"

namespace shflsim::isa {

/// Whether ptxas lets two neighbours of SPA 5.0 code issue in one cycle where the second waits for
/// nothing of the first: math of single precision or integers with what is no math, on another
/// dispatch unit. In its code for tests/data/sm50 and tests/data/corpus 958 of 973 pairs are such,
/// the other 15 with double precision; calls, MEMBAR and NOP are never the second.
inline bool may_pair(const Instruction& first, const Instruction& second) {
  const Pipe math = facts(first.op).pipe;
  const bool begins = is_math(math) && math != Pipe::kDouble;
  const bool stays_alone = second.op == Op::kCAL || second.op == Op::kJCAL ||
                           second.op == Op::kMEMBAR || second.op == Op::kNOP;
  return begins && !is_math(facts(second.op).pipe) && !stays_alone;
}

}  // namespace shflsim::isa
