// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "traces/launch_shape.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// Writes a trace as an Accel-Sim kernel trace, compressed with xz if `compress`. A trace that was
/// imported from this format keeps its header, tracer version, immediates and source lines; blank
/// lines and the order of the header's lines are those of the tracer. Values of registers (version
/// 6) and clusters are left out. Any other trace is written as version 5, with the registers and
/// the last immediate that the tracer would take from its code: the format cannot express
/// predicates, lane maps and control bits. Opcodes are those that Accel-Sim knows (peer_names.h). A
/// trace of bulk copies is refused.
void export_traceg(const Trace& trace, const LaunchShape& shape, const std::string& path,
                   bool compress);

}  // namespace shflsim::traces
