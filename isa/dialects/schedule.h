// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/code/program.h"

namespace shflsim::isa {

/// kPairs: neighbours that can (isa/dialects/pairs.h) are issued in one cycle.
enum class Issue : uint8_t { kSingle, kPairs };

/// Gives every instruction its control: stall counts for fixed latencies, a write barrier to each
/// result of variable latency, a read barrier to sources that are overwritten later, and the waits
/// for both. Scoreboards may stay pending across forward branches; all are waited for before a
/// branch that goes backward or to an unknown target. `.reuse` marks are kept. The distances are
/// those of isa/code/latency.h.
void choose_control(Program* program, Issue issue = Issue::kSingle);

/// Fills the last bundle with NOPs.
void pad_bundles(Program* program);

}  // namespace shflsim::isa
