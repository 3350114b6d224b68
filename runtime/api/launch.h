// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/api/streams.h"
#include "runtime/device/launcher.h"

namespace shflsim::runtime {

struct Dim3 {
  unsigned x, y, z;
};

struct LaunchShape {
  Dim3 grid;
  Dim3 block;
  size_t shared_bytes;  ///< dynamic
  bool is_cooperative;
  Dim3 cluster = {1, 1, 1};
};

/// An attribute of a launch. This struct and the next are as the binary interface has them.
struct LaunchAttribute {
  static constexpr int kCooperative = 2;
  static constexpr int kClusterDimension = 4;
  int id;
  char pad[4];
  union {
    char bytes[64];
    int cooperative;
    unsigned cluster[3];
  } value;
};

struct LaunchConfig {
  Dim3 grid;
  Dim3 block;
  size_t shared_bytes;
  Stream* stream;
  const LaunchAttribute* attributes;
  unsigned count;
};

LaunchShape shape_of(const LaunchConfig& config);

struct PreparedLaunch {
  Kernel* kernel = nullptr;
  LaunchSpec spec;
};

/// The error for a function that is not a kernel: CUDA 13 takes it for a handle.
Error no_kernel(const void* function);

/// Reads the arguments and checks the launch of a host function or of a kernel's handle.
Error make_spec(Context& context, const void* function, const LaunchShape& shape, void** arguments,
                PreparedLaunch* made);

}  // namespace shflsim::runtime
