// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "traces/launch_shape.h"
#include "traces/shft/bytes.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// A number that identifies the code: equal words and control bits (texts, if there are no
/// words) give equal numbers. FNV-1a.
uint64_t code_identity(const isa::Code& code);

/// The program section: everything of a trace that was there before it ran. Warps, lane maps and
/// findings are not in it.
std::string program_bytes(const Trace& trace, const LaunchShape& shape);
/// Throws InputError, with the section's place, for what no
/// writer writes.
void read_program(ByteReader in, Trace* trace, LaunchShape* shape);

}  // namespace shflsim::traces
