// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/core/facts.h"
#include "traces/trace.h"

namespace shflsim::model {

/// Cycles for which a copy of 16 bytes a lane that bypasses the L1 occupies it while its data is
/// written into shared memory. `row`: isa::CopiedLane of each lane.
///
/// Eight lanes together copy parts: the bytes that go from one line of memory to one line of shared
/// memory. In a cycle a line of memory delivers one part, and a line of shared memory receives one.
/// A part of several lanes that does not keep its alignment to sectors takes two cycles (measured:
/// behind.csv.gz of tests/data/h200/2026-11-30, cg). If the row has no targets, each line is
/// assumed to be copied to one line.
uint32_t copy_cycles(const traces::LaneAddresses& row, isa::LaneMask lanes);

}  // namespace shflsim::model
