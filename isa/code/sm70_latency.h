// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/code/latency.h"

namespace shflsim::isa {

// isa/code/latency.h's answers for sm_70 and later (docs/sources.md, "Latencies").

unsigned sm70_distance(const Instruction& producer, Carrier carrier, const Instruction& reader,
                       bool guards);
bool sm70_needs_scoreboard(const Instruction& instruction);
unsigned sm70_queue(const Instruction& instruction);

}  // namespace shflsim::isa
