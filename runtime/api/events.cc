// SPDX-License-Identifier: Apache-2.0
// Events have modelled time: the time of the launches before them.
#include <algorithm>
#include <set>

#include "runtime/api/streams.h"

namespace shflsim::runtime {
namespace {

constexpr unsigned kDisableTiming = 2;  // cudaEventDisableTiming

std::set<Event*>& made_events() {
  static auto* const all = new std::set<Event*>;
  return *all;
}

}  // namespace

bool is_event(Event* event) { return made_events().count(event) != 0; }

void record(Context& context, Event* event) {
  event->is_recorded = true;
  event->time_us = context.now_us();
}

SHFLSIM_API Error cudaEventCreateWithFlags(Event** event, unsigned flags) {
  return call([&](Context&) {
    constexpr unsigned kKnownFlags = 7;  // blocking, without timing, between processes
    if (event == nullptr || (flags & ~kKnownFlags) != 0) return kInvalidValue;
    *event = new Event{flags};
    made_events().insert(*event);
    return kSuccess;
  });
}
SHFLSIM_API Error cudaEventCreate(Event** event) { return cudaEventCreateWithFlags(event, 0); }

SHFLSIM_API Error cudaEventDestroy(Event* event) {
  return call([&](Context&) {
    if (made_events().erase(event) == 0) return kInvalidResourceHandle;
    delete event;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaEventRecord(Event* event, Stream* handle) {
  return call([&](Context& context) {
    Stream* const stream = stream_of(handle);
    if (!is_event(event) || stream == nullptr) return kInvalidResourceHandle;
    event->capture = stream->capture;
    event->last = stream->last;
    if (stream->capture == nullptr) record(context, event);
    return kSuccess;
  });
}
SHFLSIM_API Error cudaEventRecordWithFlags(Event* event, Stream* stream, unsigned /*flags*/) {
  return cudaEventRecord(event, stream);
}

SHFLSIM_API Error cudaEventSynchronize(Event* event) {
  return call_waiting(
      [&](Context&) { return is_event(event) ? kSuccess : kInvalidResourceHandle; });
}
SHFLSIM_API Error cudaEventQuery(Event* event) { return cudaEventSynchronize(event); }

SHFLSIM_API Error cudaEventElapsedTime(float* milliseconds, Event* start, Event* end) {
  return call_waiting([&](Context&) {
    if (milliseconds == nullptr) return kInvalidValue;
    if (!is_event(start) || !is_event(end)) return kInvalidResourceHandle;
    const bool has_times = ((start->flags | end->flags) & kDisableTiming) == 0;
    if (!has_times || !start->is_recorded || !end->is_recorded) return kInvalidResourceHandle;
    *milliseconds = static_cast<float>((end->time_us - start->time_us) / 1000);
    return kSuccess;
  });
}

/// A stream that waits for a captured event becomes captured too.
SHFLSIM_API Error cudaStreamWaitEvent(Stream* handle, Event* event, unsigned flags) {
  return call([&](Context&) {
    Stream* const stream = stream_of(handle);
    if (stream == nullptr || !is_event(event)) return kInvalidResourceHandle;
    if (flags > 1) return kInvalidValue;
    if (event->capture == nullptr) return kSuccess;
    if (stream->capture == nullptr) {
      stream->capture = event->capture;
      stream->last = event->last;
      return kSuccess;
    }
    std::vector<GraphNode*>& last = stream->last;
    for (GraphNode* node : event->last) {
      if (std::find(last.begin(), last.end(), node) == last.end()) last.push_back(node);
    }
    return kSuccess;
  });
}

}  // namespace shflsim::runtime
