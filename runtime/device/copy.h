// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/device/errors.h"
#include "runtime/device/heap.h"

namespace shflsim::runtime {

/// Source and destination of a copy, with the runtime's numbers.
enum class CopyKind : int {
  kHostToHost = 0,
  kHostToDevice = 1,
  kDeviceToHost = 2,
  kDeviceToDevice = 3,
  kDefault = 4,
};

/// Rows of bytes in memory.
struct Rows {
  uint64_t address;
  size_t pitch;  ///< bytes from one row to the next
};
struct RowShape {
  size_t width;  ///< bytes
  size_t rows = 1;
};

/// Copies rows between device and host addresses. An address in no allocation is ordinary host
/// memory.
Error copy_rows(const Heap& heap, const Rows& to, const Rows& from, const RowShape& shape,
                CopyKind kind);
inline Error copy(const Heap& heap, uint64_t to, uint64_t from, size_t size, CopyKind kind) {
  return copy_rows(heap, {to, size}, {from, size}, {size}, kind);
}

/// Fills rows of an allocation with units of 1, 2 or 4 bytes.
Error fill_rows(const Heap& heap, const Rows& to, const RowShape& shape, uint32_t value,
                unsigned unit_bytes);

}  // namespace shflsim::runtime
