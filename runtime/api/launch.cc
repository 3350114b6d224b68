// SPDX-License-Identifier: Apache-2.0
// Launches of kernels.
#include "runtime/api/launch.h"

#include <algorithm>
#include <cstring>

#include "runtime/api/version.h"

namespace shflsim::runtime {
namespace {

/// The configuration between <<< and >>>, stored until host code asks for it.
struct CallConfiguration {
  Dim3 grid;
  Dim3 block;
  size_t shared_bytes;
  Stream* stream;
};
thread_local std::vector<CallConfiguration> configurations;

std::vector<uint8_t> parameters_of(const isa::Program& program, void** arguments) {
  std::vector<uint8_t> area;
  for (size_t i = 0; i < program.parameters.size(); ++i) {
    const isa::Program::Parameter& each = program.parameters[i];
    area.resize(std::max<size_t>(area.size(), each.offset + each.size));
    std::memcpy(area.data() + each.offset, arguments[i], each.size);
  }
  return area;
}

/// True if all blocks are resident at the same time, as a barrier of the whole grid needs.
bool are_resident(const Kernel& kernel, const LaunchSpec& spec, const Machine& machine) {
  const uint64_t shared = kernel.program->shared_bytes + uint64_t{spec.shared_bytes};
  const uint64_t blocks = machine.blocks_of_sm(
      {spec.block.count(), kernel.program->registers, shared, kernel.program->barriers});
  return spec.grid.count() <= blocks * machine.chip_sms;
}

}  // namespace

LaunchShape shape_of(const LaunchConfig& config) {
  LaunchShape shape{config.grid, config.block, config.shared_bytes, false};
  for (unsigned i = 0; i < config.count; ++i) {
    const LaunchAttribute& each = config.attributes[i];
    if (each.id == LaunchAttribute::kCooperative) shape.is_cooperative = each.value.cooperative;
    const unsigned* const cluster = each.value.cluster;
    if (each.id == LaunchAttribute::kClusterDimension)
      shape.cluster = {cluster[0], cluster[1], cluster[2]};
  }
  return shape;
}

Error no_kernel(const void* function) {
  const bool is_handle = function != nullptr && cudart_version() >= 13000;
  return is_handle ? kInvalidResourceHandle : kInvalidDeviceFunction;
}

Error make_spec(Context& context, const void* function, const LaunchShape& shape, void** arguments,
                PreparedLaunch* made) {
  Kernel* const kernel = context.kernel(function);
  if (kernel == nullptr) return no_kernel(function);
  const Error error = context.prepare(*kernel);
  if (error != kSuccess) return error;
  made->kernel = kernel;
  LaunchSpec& spec = made->spec;
  spec.grid = {shape.grid.x, shape.grid.y, shape.grid.z};
  spec.block = {shape.block.x, shape.block.y, shape.block.z};
  spec.cluster = {shape.cluster.x, shape.cluster.y, shape.cluster.z};
  spec.shared_bytes = shape.shared_bytes;
  spec.is_cooperative = shape.is_cooperative;
  const Error refused = refusal_of(*kernel, spec, context.machine());
  // From CUDA 13 on, all errors of a launch's shape have one code.
  if (refused == kInvalidConfiguration && cudart_version() >= 13000) return kInvalidValue;
  if (refused != kSuccess) return refused;
  if (spec.is_cooperative && !are_resident(*kernel, spec, context.machine()))
    return kCooperativeLaunchTooLarge;
  spec.parameters = parameters_of(*kernel->program, arguments);
  return kSuccess;
}

Error launch(const void* function, const LaunchShape& shape, void** arguments, Stream* stream) {
  return call([&](Context& context) {
    PreparedLaunch made;
    const Error error = make_spec(context, function, shape, arguments, &made);
    if (error != kSuccess) return error;
    return do_in(context, stream, NodeKind::kKernel,
                 [made](Context& its) { return its.launch(*made.kernel, made.spec); });
  });
}

SHFLSIM_API unsigned __cudaPushCallConfiguration(Dim3 grid, Dim3 block, size_t shared_bytes,
                                                 Stream* stream) {
  configurations.push_back({grid, block, shared_bytes, stream});
  return 0;
}

SHFLSIM_API Error __cudaPopCallConfiguration(Dim3* grid, Dim3* block, size_t* shared_bytes,
                                             void* stream) {
  if (configurations.empty()) return noted(kMissingConfiguration);
  const CallConfiguration top = configurations.back();
  configurations.pop_back();
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  std::memcpy(stream, &top.stream, sizeof top.stream);
  return kSuccess;
}

SHFLSIM_API Error cudaLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** arguments,
                                   size_t shared_bytes, Stream* stream) {
  return launch(function, {grid, block, shared_bytes, false}, arguments, stream);
}

SHFLSIM_API Error __cudaLaunchKernel(const void* kernel, Dim3 grid, Dim3 block, void** arguments,
                                     size_t shared_bytes, Stream* stream) {
  return launch(kernel, {grid, block, shared_bytes, false}, arguments, stream);
}

SHFLSIM_API Error cudaLaunchCooperativeKernel(const void* function, Dim3 grid, Dim3 block,
                                              void** arguments, size_t shared_bytes,
                                              Stream* stream) {
  return launch(function, {grid, block, shared_bytes, true}, arguments, stream);
}

SHFLSIM_API Error cudaLaunchKernelExC(const LaunchConfig* config, const void* function,
                                      void** arguments) {
  if (config == nullptr) return noted(kInvalidValue);
  return launch(function, shape_of(*config), arguments, config->stream);
}

SHFLSIM_API Error __cudaGetKernel(Kernel** kernel, const void* function) {
  return call([&](Context& context) {
    *kernel = context.kernel(function);
    return *kernel == nullptr ? no_kernel(function) : kSuccess;
  });
}
SHFLSIM_API Error cudaGetKernel(Kernel** kernel, const void* function) {
  return __cudaGetKernel(kernel, function);
}
SHFLSIM_API Error cudaGetFuncBySymbol(Kernel** kernel, const void* function) {
  return __cudaGetKernel(kernel, function);
}

}  // namespace shflsim::runtime
