// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/copy.h"

#include <cstring>

namespace shflsim::runtime {
namespace {

/// Source or destination of a copy.
struct End {
  uint8_t* bytes = nullptr;  ///< nullptr if an allocation does not hold all of it
  bool is_allocated = false;
  bool is_device_only = false;
};

End end_of(const Heap& heap, const Rows& rows, const RowShape& shape) {
  const Allocation* const allocation = heap.find(rows.address);
  if (allocation == nullptr) return {reinterpret_cast<uint8_t*>(rows.address), false, false};
  const size_t size = (shape.rows - 1) * rows.pitch + shape.width;
  return {Heap::at(*allocation, rows.address, size), true, allocation->kind == MemoryKind::kDevice};
}

bool allows(CopyKind kind, const End& to, const End& from) {
  switch (kind) {
    case CopyKind::kHostToHost: return !to.is_device_only && !from.is_device_only;
    case CopyKind::kHostToDevice: return to.is_allocated && !from.is_device_only;
    case CopyKind::kDeviceToHost: return !to.is_device_only && from.is_allocated;
    case CopyKind::kDeviceToDevice: return to.is_allocated && from.is_allocated;
    case CopyKind::kDefault: return true;
  }
  return false;
}

}  // namespace

Error copy_rows(const Heap& heap, const Rows& to, const Rows& from, const RowShape& shape,
                CopyKind kind) {
  if (kind < CopyKind::kHostToHost || kind > CopyKind::kDefault) return kInvalidMemcpyDirection;
  if (shape.width == 0 || shape.rows == 0) return kSuccess;
  if (shape.rows > 1 && (to.pitch < shape.width || from.pitch < shape.width)) return kInvalidPitch;
  const End target = end_of(heap, to, shape);
  const End source = end_of(heap, from, shape);
  if (target.bytes == nullptr || source.bytes == nullptr) return kInvalidValue;
  if (!allows(kind, target, source)) return kInvalidValue;
  for (size_t row = 0; row < shape.rows; ++row)
    std::memmove(target.bytes + row * to.pitch, source.bytes + row * from.pitch, shape.width);
  return kSuccess;
}

Error fill_rows(const Heap& heap, const Rows& to, const RowShape& shape, uint32_t value,
                unsigned unit_bytes) {
  if (shape.width == 0 || shape.rows == 0) return kSuccess;
  const End target = end_of(heap, to, shape);
  if (target.bytes == nullptr || !target.is_allocated) return kInvalidValue;
  for (size_t row = 0; row < shape.rows; ++row) {
    uint8_t* const bytes = target.bytes + row * to.pitch;
    if (unit_bytes == 1) {
      std::memset(bytes, static_cast<int>(value), shape.width);
      continue;
    }
    for (size_t at = 0; at + unit_bytes <= shape.width; at += unit_bytes)
      std::memcpy(bytes + at, &value, unit_bytes);
  }
  return kSuccess;
}

}  // namespace shflsim::runtime
