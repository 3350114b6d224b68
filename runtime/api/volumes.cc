// SPDX-License-Identifier: Apache-2.0
// Copies and fills in three dimensions, except for arrays.
#include "runtime/api/volumes.h"

#include "runtime/api/streams.h"

namespace shflsim::runtime {
namespace {

Rows slice_of(const PitchedPointer& memory, const Copy3D::Place& place, size_t slice) {
  const size_t row = (place.z + slice) * memory.height + place.y;
  return {reinterpret_cast<uint64_t>(memory.pointer) + row * memory.pitch + place.x, memory.pitch};
}

Work filling_volume(const PitchedPointer& memory, int value, const Extent3D& extent) {
  return [=](Context& context) {
    for (size_t slice = 0; slice < extent.depth; ++slice) {
      const Error error = fill_rows(context.heap(), slice_of(memory, {}, slice),
                                    {extent.width, extent.height}, static_cast<uint32_t>(value), 1);
      if (error != kSuccess) return error;
    }
    return kSuccess;
  };
}

}  // namespace

Work copying_volume(const Copy3D& copy) {
  return [copy](Context& context) {
    if (copy.from_array != nullptr || copy.to_array != nullptr) return kNotSupported;
    for (size_t slice = 0; slice < copy.extent.depth; ++slice) {
      const Error error =
          copy_rows(context.heap(), slice_of(copy.to, copy.to_place, slice),
                    slice_of(copy.from, copy.from_place, slice),
                    {copy.extent.width, copy.extent.height}, static_cast<CopyKind>(copy.kind));
      if (error != kSuccess) return error;
    }
    return kSuccess;
  };
}

SHFLSIM_API Error cudaMemcpy3D(const Copy3D* copy) {
  return call_waiting([&](Context& context) { return copying_volume(*copy)(context); });
}
SHFLSIM_API Error cudaMemcpy3DAsync(const Copy3D* copy, Stream* stream) {
  return call([&](Context& context) {
    return do_in(context, stream, NodeKind::kMemcpy, copying_volume(*copy));
  });
}
SHFLSIM_API Error cudaMemset3D(PitchedPointer memory, int value, Extent3D extent) {
  return call_waiting(
      [&](Context& context) { return filling_volume(memory, value, extent)(context); });
}
SHFLSIM_API Error cudaMemset3DAsync(PitchedPointer memory, int value, Extent3D extent,
                                    Stream* stream) {
  return call([&](Context& context) {
    return do_in(context, stream, NodeKind::kMemset, filling_volume(memory, value, extent));
  });
}

/// As in the binary interface.
struct ChannelFormat {
  int bits[4];
  int kind;
};
SHFLSIM_API ChannelFormat cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return {{x, y, z, w}, kind};
}

}  // namespace shflsim::runtime
