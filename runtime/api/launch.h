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

struct PreparedLaunch {
  Kernel* kernel = nullptr;
  LaunchSpec spec;
};

/// Reads the arguments and checks the launch of a host function or a kernel's handle.
Error make_spec(Context& context, const void* function, const LaunchShape& shape, void** arguments,
                PreparedLaunch* made);

}  // namespace shflsim::runtime
