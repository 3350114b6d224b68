// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/code/latency.h"

namespace shflsim::isa {

// isa/code/latency.h's answers for sm_70 and later (docs/sources.md, "Latencies").

unsigned volta_distance(const Instruction& producer, Carrier carrier, const Instruction& reader,
                        bool guards);
bool volta_needs_scoreboard(const Instruction& instruction);
unsigned volta_queue(const Instruction& instruction);

}  // namespace shflsim::isa
