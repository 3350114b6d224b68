// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/core/facts.h"
#include "traces/trace.h"

namespace shflsim::model {

/// Cycles that a copy of 16 bytes a lane past the L1 takes of the L1, which writes its data into
/// shared memory. `row`: isa::CopiedLane of each lane.
///
/// Eight lanes together copy parts: the bytes that go from one line of memory to one line of shared
/// memory. In a cycle a line of memory gives one part, and a line of shared memory takes one. A
/// part of several lanes whose sectors do not stay sectors takes two (measured: behind.csv.gz of
/// tests/data/h200/2026-11-30, cg). If the row has no targets, lines are assumed to stay lines.
uint32_t copy_cycles(const traces::LaneAddresses& row, isa::LaneMask lanes);

}  // namespace shflsim::model
