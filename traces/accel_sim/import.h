// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "traces/accel_sim/unknown_lanes.h"
#include "traces/launch_shape.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// Reads an Accel-Sim kernel trace once, from start to end; memory is needed for the code, but not
/// for the steps. Each instruction is timed by its class, with dependences by scoreboard. The
/// destination of a SHFL, which the tracer lists as its first source, is corrected. Errors that do
/// not affect the run, such as a limit out of range or missing blocks, are warnings of the code.
/// Throws InputError for an invalid trace.
Trace open_traceg(const std::string& path, UnknownLanes unknown, LaunchShape* shape);

}  // namespace shflsim::traces
