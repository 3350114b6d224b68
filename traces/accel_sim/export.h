// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "traces/launch_shape.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// Writes a trace as an Accel-Sim kernel trace, xz-compressed where `compress` says so. A trace
/// that was imported from this format gets its own header, tracer version, immediates and source
/// lines back; blank lines and the order of the header's lines are the tracer's. Values of
/// registers (version 6) and clusters are left out; a trace of bulk copies is refused. Any other
/// trace is written as version 5, with the registers and the last immediate that the tracer would
/// take from its code: the format has no place for predicates, lane maps and control bits.
/// Its opcodes are those that Accel-Sim knows (peer_names.h).
void export_traceg(const Trace& trace, const LaunchShape& shape, const std::string& path,
                   bool compress);

}  // namespace shflsim::traces
