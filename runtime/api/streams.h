// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "runtime/api/call.h"
#include "runtime/device/stream.h"

namespace shflsim::runtime {

/// The stream of a handle; 0, 1 and 2 are the default streams. nullptr if there is none.
Stream* stream_of(Stream* handle);

/// Ends the capture of all streams that are captured into the graph.
void end_capture(const Graph* graph);

bool is_event(Event* event);
/// Sets the event's time to the current time.
void record(Context& context, Event* event);

/// Does the work, or adds it to the stream's capture.
Error do_in(Context& context, Stream* handle, NodeKind kind, Work work);

}  // namespace shflsim::runtime
