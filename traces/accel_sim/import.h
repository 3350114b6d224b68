// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "traces/accel_sim/unknown_lanes.h"
#include "traces/launch_shape.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// Reads an Accel-Sim kernel trace, once from its start to its end; memory is needed for the code,
/// not for the trace. Each instruction is timed by its class, dependences by scoreboard; SHFL's
/// destination, which the tracer lists as its first source, is put right. What the run can do
/// without, a limit out of range or blocks that are not there, is a warning of the code. Throws
/// InputError for what cannot be read.
Trace open_traceg(const std::string& path, UnknownLanes unknown, LaunchShape* shape);

}  // namespace shflsim::traces
