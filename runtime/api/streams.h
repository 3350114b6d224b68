// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "runtime/api/call.h"
#include "runtime/device/stream.h"

namespace shflsim::runtime {

/// The stream behind a handle: 0, 1 and 2 are the default ones. nullptr if there is none.
Stream* stream_of(Stream* handle);

/// Ends the capture of every stream that is captured into the graph.
void end_capture(const Graph* graph);

bool is_event(Event* event);
/// The event has the time of now.
void record(Context& context, Event* event);

/// Does work in a stream, or captures it where the stream is captured.
Error do_in(Context& context, Stream* handle, NodeKind kind, Work work);

}  // namespace shflsim::runtime
