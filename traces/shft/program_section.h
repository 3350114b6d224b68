// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "isa/machine/machine.h"
#include "traces/shft/bytes.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// The launch that a trace is of.
struct LaunchShape {
  isa::Extent grid;   ///< in blocks
  isa::Extent block;  ///< in threads
  isa::UpRule up_rule = isa::UpRule::kMaxLane;
  /// What another format says of the trace, for the way back.
  std::map<std::string, std::string> notes = {};
};

/// A number that stands for the code: equal words and control bits (texts, for Volta and later)
/// give equal numbers. FNV-1a.
uint64_t code_identity(const Trace& trace);

/// The program section: everything of a trace that was there before it ran. Warps, lane maps and
/// findings are not in it.
std::string program_bytes(const Trace& trace, const LaunchShape& shape);
/// Throws InputError, with the section's place, for what no writer writes.
void read_program(ByteReader in, Trace* trace, LaunchShape* shape);

}  // namespace shflsim::traces
