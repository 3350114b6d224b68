// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "traces/launch_shape.h"
#include "traces/shft/bytes.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// A hash of the code (FNV-1a): equal words and control bits, or texts if there are no words, have
/// equal numbers.
uint64_t code_identity(const isa::Code& code);

/// The program section: everything known about a trace before execution, without warps, lane maps
/// and findings.
std::string program_bytes(const Trace& trace, const LaunchShape& shape);
/// Throws InputError, with the section's place, for bytes that no writer
/// writes.
void read_program(ByteReader in, Trace* trace, LaunchShape* shape);

}  // namespace shflsim::traces
