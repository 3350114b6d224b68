// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/program.h"

namespace shflsim::isa {

/// Gives every instruction its control: stall counts for fixed latencies, a write barrier to each
/// result of variable latency, a read barrier to sources that are overwritten later, and the waits
/// for both. Correct without regard to where a branch comes from: at the end of every basic block
/// nothing is pending. `.reuse` marks stay as they are; nothing is issued in pairs.
///
/// Latencies (maxwell_isa.md 4.2): math to math 6, to the shuffle unit and shared memory 4, to
/// global memory, special functions and conversions 2; a predicate to any use 13; carry 6, tested
/// by a branch 13. Double precision is waited for by barrier, as ptxas does.
void choose_control(Program* program);

/// Fills the last bundle with NOPs.
void pad_bundles(Program* program);

}  // namespace shflsim::isa
