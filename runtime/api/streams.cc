// SPDX-License-Identifier: Apache-2.0
// Streams. Work is done at the time of the call, so that there is nothing to wait for.
#include "runtime/api/streams.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace shflsim::runtime {
namespace {

constexpr int kLeastPriority = 0;
constexpr int kGreatestPriority = -5;  // as on an H100

std::set<Stream*>& made_streams() {
  static auto* const all = new std::set<Stream*>;
  return *all;
}

Error make_stream(Stream** stream, unsigned flags, int priority) {
  return call([&](Context&) {
    static uint64_t last_id = 2;
    constexpr unsigned kNonBlocking = 1;  // cudaStreamNonBlocking
    if (stream == nullptr || flags > kNonBlocking) return kInvalidValue;
    *stream = new Stream{flags, priority, ++last_id};
    made_streams().insert(*stream);
    return kSuccess;
  });
}

}  // namespace

Stream* stream_of(Stream* handle) {
  static auto* const default_stream = new Stream{0, 0, 1};
  static auto* const thread_stream = new Stream{0, 0, 2};
  const auto number = reinterpret_cast<uintptr_t>(handle);
  if (number < 2) return default_stream;
  if (number == 2) return thread_stream;
  return made_streams().count(handle) != 0 ? handle : nullptr;
}

void end_capture(const Graph* graph) {
  const auto end = [graph](Stream* stream) {
    if (stream->capture == graph) stream->capture = nullptr;
  };
  for (Stream* stream : made_streams()) end(stream);
  end(stream_of(nullptr));
}

Error do_in(Context& context, Stream* handle, NodeKind kind, Work work) {
  Stream* const stream = stream_of(handle);
  if (stream == nullptr) return kInvalidResourceHandle;
  if (stream->capture == nullptr) return work(context);
  stream->last = {stream->capture->add(kind, std::move(work), std::move(stream->last))};
  return kSuccess;
}

SHFLSIM_API Error cudaStreamCreate(Stream** stream) { return make_stream(stream, 0, 0); }
SHFLSIM_API Error cudaStreamCreateWithFlags(Stream** stream, unsigned flags) {
  return make_stream(stream, flags, 0);
}
SHFLSIM_API Error cudaStreamCreateWithPriority(Stream** stream, unsigned flags, int priority) {
  const int allowed = std::min(std::max(priority, kGreatestPriority), kLeastPriority);
  return make_stream(stream, flags, allowed);
}

SHFLSIM_API Error cudaStreamDestroy(Stream* stream) {
  return call([&](Context&) {
    if (made_streams().erase(stream) == 0) return kInvalidResourceHandle;
    delete stream;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaStreamSynchronize(Stream* stream) {
  return call_waiting([&](Context&) {
    Stream* const found = stream_of(stream);
    if (found == nullptr) return kInvalidResourceHandle;
    if (found->capture == nullptr) return kSuccess;
    found->capture->is_invalid = true;
    return kStreamCaptureUnsupported;
  });
}
SHFLSIM_API Error cudaStreamQuery(Stream* stream) { return cudaStreamSynchronize(stream); }

SHFLSIM_API Error cudaStreamGetFlags(Stream* stream, unsigned* flags) {
  return call([&](Context&) {
    const Stream* const found = stream_of(stream);
    if (found == nullptr) return kInvalidResourceHandle;
    *flags = found->flags;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaStreamGetPriority(Stream* stream, int* priority) {
  return call([&](Context&) {
    const Stream* const found = stream_of(stream);
    if (found == nullptr) return kInvalidResourceHandle;
    *priority = found->priority;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaStreamGetId(Stream* stream, unsigned long long* id) {
  return call([&](Context&) {
    const Stream* const found = stream_of(stream);
    if (found == nullptr) return kInvalidResourceHandle;
    *id = found->id;
    return kSuccess;
  });
}

/// Sets attributes of caches and synchronisation, which have no effect here.
SHFLSIM_API Error cudaStreamSetAttribute(Stream* stream, int attribute, const void* value) {
  return call([&](Context&) {
    Stream* const found = stream_of(stream);
    if (found == nullptr) return kInvalidResourceHandle;
    if (value == nullptr) return kInvalidValue;
    std::memcpy(found->attributes[attribute].data(), value, sizeof found->attributes[attribute]);
    return kSuccess;
  });
}
SHFLSIM_API Error cudaStreamGetAttribute(Stream* stream, int attribute, void* value) {
  return call([&](Context&) {
    Stream* const found = stream_of(stream);
    if (found == nullptr) return kInvalidResourceHandle;
    if (value == nullptr) return kInvalidValue;
    const auto& bytes = found->attributes[attribute];
    std::memcpy(value, bytes.data(), bytes.size());
    return kSuccess;
  });
}
SHFLSIM_API Error cudaStreamCopyAttributes(Stream* to, Stream* from) {
  return call([&](Context&) {
    if (stream_of(to) == nullptr || stream_of(from) == nullptr) return kInvalidResourceHandle;
    stream_of(to)->attributes = stream_of(from)->attributes;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaStreamGetDevice(Stream* /*stream*/, int* device) {
  *device = 0;
  return kSuccess;
}

SHFLSIM_API Error cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = kLeastPriority;
  if (greatest != nullptr) *greatest = kGreatestPriority;
  return kSuccess;
}

SHFLSIM_API Error cudaStreamAttachMemAsync(Stream* stream, void* /*memory*/, size_t, unsigned) {
  return call(
      [&](Context&) { return stream_of(stream) != nullptr ? kSuccess : kInvalidResourceHandle; });
}

SHFLSIM_API Error cudaLaunchHostFunc(Stream* stream, void (*function)(void*), void* data) {
  return call([&](Context& context) {
    if (function == nullptr) return kInvalidValue;
    return do_in(context, stream, NodeKind::kHost, [function, data](Context&) {
      function(data);
      return kSuccess;
    });
  });
}

SHFLSIM_API Error cudaStreamAddCallback(Stream* stream, void (*function)(Stream*, Error, void*),
                                        void* data, unsigned /*flags*/) {
  return call([&](Context& context) {
    if (function == nullptr) return kInvalidValue;
    return do_in(context, stream, NodeKind::kHost, [stream, function, data](Context&) {
      function(stream, kSuccess, data);
      return kSuccess;
    });
  });
}

}  // namespace shflsim::runtime
