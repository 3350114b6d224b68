// SPDX-License-Identifier: Apache-2.0
// Attributes of kernels, and how many of their blocks fit on an SM.
#include <algorithm>

#include "isa/base/bounded.h"
#include "isa/code/launch_layout.h"
#include "runtime/api/launch.h"

namespace shflsim::runtime {
namespace {

constexpr int kMostDynamicShared = 8;  // cudaFuncAttributeMaxDynamicSharedMemorySize
constexpr int kCarveout = 9;           // cudaFuncAttributePreferredSharedMemoryCarveout
constexpr int kLargeClusters = 14;     // cudaFuncAttributeNonPortableClusterSizeAllowed
constexpr int kClusterPolicy = 15;     // cudaFuncAttributeClusterSchedulingPolicyPreference
constexpr int kPortableCluster = 8, kLargestCluster = 16;  // blocks, of sm_90 and later

/// As in the binary interface.
struct FunctionAttributes {
  size_t shared_bytes;
  size_t constant_bytes;
  size_t local_bytes;
  int most_threads;
  int registers;
  int ptx_version;
  int binary_version;
  int caches_globals;
  int most_dynamic_shared;
  int carveout;
  int cluster[5];
  int has_large_clusters;
  int reserved[16];
};

/// Calls f(context, kernel) after reading the kernel's program.
template <class F>
Error of_kernel(const void* function, F f) {
  return call([&](Context& context) {
    Kernel* const kernel = context.kernel(function);
    if (kernel == nullptr) return no_kernel(function);
    const Error error = context.prepare(*kernel);
    return error == kSuccess ? f(context, *kernel) : error;
  });
}

int most_threads(const Machine& machine, const Kernel& kernel) {
  uint64_t threads = kernel.most_threads != 0 ? kernel.most_threads : kMostThreads;
  while (threads > isa::kLanes &&
         machine.blocks_of_sm({threads, kernel.program->registers, 0}) == 0)
    threads -= isa::kLanes;
  return static_cast<int>(threads);
}

int most_dynamic_shared(const Kernel& kernel) {
  const int standard = static_cast<int>(isa::LaunchLayout::kMostStaticShared) -
                       static_cast<int>(kernel.program->shared_bytes);
  return std::max(standard, kernel.most_dynamic_shared);
}

Error active_blocks(int* blocks, const void* function, int threads, size_t shared_bytes) {
  return of_kernel(function, [&](Context& context, Kernel& kernel) {
    if (blocks == nullptr || threads <= 0) return kInvalidValue;
    const uint64_t shared = kernel.program->shared_bytes + uint64_t{shared_bytes};
    const bool fits =
        threads <= static_cast<int>(kMostThreads) && shared <= context.machine().most_shared();
    *blocks = fits ? static_cast<int>(context.machine().blocks_of_sm(
                         {static_cast<uint64_t>(threads), kernel.program->registers, shared,
                          kernel.program->barriers}))
                   : 0;
    return kSuccess;
  });
}

}  // namespace

SHFLSIM_API Error cudaFuncGetAttributes(FunctionAttributes* attributes, const void* function) {
  return of_kernel(function, [&](Context& context, Kernel& kernel) {
    if (attributes == nullptr) return kInvalidValue;
    const isa::Program& program = *kernel.program;
    const int version = static_cast<int>(context.machine().arch);
    *attributes = {};
    attributes->shared_bytes = program.shared_bytes;
    attributes->local_bytes = program.local_bytes;
    const auto constants = program.constants.find(3);
    if (constants != program.constants.end()) attributes->constant_bytes = constants->second.size();
    attributes->most_threads = most_threads(context.machine(), kernel);
    attributes->registers = static_cast<int>(program.registers);
    attributes->ptx_version = version;
    attributes->binary_version = version;
    attributes->most_dynamic_shared = most_dynamic_shared(kernel);
    attributes->carveout = kernel.carveout;
    attributes->has_large_clusters = kernel.has_large_clusters ? 1 : 0;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaFuncSetAttribute(const void* function, int attribute, int value) {
  return of_kernel(function, [&](Context& context, Kernel& kernel) {
    if (attribute == kCarveout) {
      if (value < -1 || value > 100) return kInvalidValue;
      kernel.carveout = value;
      return kSuccess;
    }
    if (attribute == kLargeClusters) {
      kernel.has_large_clusters = value != 0;
      return kSuccess;
    }
    if (attribute == kClusterPolicy) return kSuccess;
    if (attribute != kMostDynamicShared) return kInvalidValue;
    const auto most = static_cast<int64_t>(context.machine().most_shared());
    if (value < 0 || value + int64_t{kernel.program->shared_bytes} > most) return kInvalidValue;
    kernel.most_dynamic_shared = value;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaFuncSetCacheConfig(const void* function, int /*config*/) {
  return of_kernel(function, [](Context&, Kernel&) { return kSuccess; });
}
SHFLSIM_API Error cudaFuncSetSharedMemConfig(const void* function, int /*config*/) {
  return of_kernel(function, [](Context&, Kernel&) { return kSuccess; });
}
SHFLSIM_API Error cudaFuncGetName(const char** name, const void* function) {
  return of_kernel(function, [&](Context&, Kernel& kernel) {
    *name = kernel.name.c_str();
    return kSuccess;
  });
}
SHFLSIM_API Error cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset,
                                       size_t* size) {
  return of_kernel(function, [&](Context&, Kernel& kernel) {
    if (index >= kernel.program->parameters.size()) return kInvalidValue;
    const isa::Program::Parameter& parameter = kernel.program->parameters[index];
    *offset = parameter.offset;
    if (size != nullptr) *size = parameter.size;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                                int threads, size_t shared_bytes) {
  return active_blocks(blocks, function, threads, shared_bytes);
}
SHFLSIM_API Error cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int threads, size_t shared_bytes, unsigned /*flags*/) {
  return active_blocks(blocks, function, threads, shared_bytes);
}

/// The shared memory that each block can have if an SM is to hold this many blocks.
SHFLSIM_API Error cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function,
                                                            int blocks, int /*threads*/) {
  return of_kernel(function, [&](Context& context, Kernel& kernel) {
    if (bytes == nullptr || blocks <= 0) return kInvalidValue;
    const Machine& machine = context.machine();
    const uint64_t of_block = machine.shared_bytes / static_cast<uint64_t>(blocks) /
                              std::max<uint64_t>(1, machine.shared_unit) * machine.shared_unit;
    const uint64_t taken = machine.shared_reserved + kernel.program->shared_bytes;
    const uint64_t left = of_block > taken ? of_block - taken : 0;
    *bytes = std::min(left, static_cast<uint64_t>(most_dynamic_shared(kernel)));
    return kSuccess;
  });
}

SHFLSIM_API Error cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function,
                                                       const LaunchConfig* config) {
  return of_kernel(function, [&](Context& context, Kernel& kernel) {
    if (blocks == nullptr || config == nullptr) return kInvalidValue;
    const bool has_clusters = context.machine().arch >= 90;
    const int most = kernel.has_large_clusters ? kLargestCluster : kPortableCluster;
    *blocks = has_clusters ? most : 1;
    return kSuccess;
  });
}
/// The number that fits on the SMs, without regard to groups of SMs.
SHFLSIM_API Error cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                                 const LaunchConfig* config) {
  return of_kernel(function, [&](Context& context, Kernel& kernel) {
    if (clusters == nullptr || config == nullptr) return kInvalidValue;
    const LaunchShape shape = shape_of(*config);
    const Machine& machine = context.machine();
    const uint64_t threads = uint64_t{shape.block.x} * shape.block.y * shape.block.z;
    const uint64_t blocks = uint64_t{shape.cluster.x} * shape.cluster.y * shape.cluster.z;
    if (threads == 0 || threads > kMostThreads || blocks == 0) return kInvalidValue;
    const uint64_t of_sm = machine.blocks_of_sm({threads, kernel.program->registers,
                                                 kernel.program->shared_bytes + shape.shared_bytes,
                                                 kernel.program->barriers});
    *clusters = static_cast<int>(of_sm * machine.chip_sms / blocks);
    return kSuccess;
  });
}

}  // namespace shflsim::runtime
