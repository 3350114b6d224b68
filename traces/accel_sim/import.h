// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "traces/accel_sim/unknown_lanes.h"
#include "traces/launch_shape.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// Reads an Accel-Sim kernel trace and writes it as a .shft file; memory is needed for the code,
/// not for the trace. Each instruction is timed by its class, dependences by scoreboard; SHFL's
/// destination, which the tracer lists as its first source, is put right. Throws InputError for
/// what cannot be read or written.
void import_traceg(const std::string& path, const std::string& shft, UnknownLanes unknown);

/// Reads an Accel-Sim kernel trace by way of a .shft file in the folder for temporary files, which
/// is gone once it is open. `unknown_lanes`: what UnknownLanes takes.
Trace open_traceg(const std::string& path, const std::string& unknown_lanes, LaunchShape* shape);

}  // namespace shflsim::traces
