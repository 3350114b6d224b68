// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/device/copy.h"
#include "runtime/device/stream.h"

namespace shflsim::runtime {

/// Memory with rows and slices. These structs are as the binary interface has them.
struct PitchedPointer {
  void* pointer;
  size_t pitch;
  size_t width;
  size_t height;  ///< rows per slice
};
struct Extent3D {
  size_t width;  ///< bytes
  size_t height;
  size_t depth;
};
struct Copy3D {
  struct Place {
    size_t x;
    size_t y;
    size_t z;
  };
  void* from_array;
  Place from_place;
  PitchedPointer from;
  void* to_array;
  Place to_place;
  PitchedPointer to;
  Extent3D extent;
  int kind;
};

/// Copies slice by slice; kNotSupported for arrays.
Work copying_volume(const Copy3D& copy);

}  // namespace shflsim::runtime
