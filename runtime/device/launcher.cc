// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/launcher.h"

#include <algorithm>
#include <memory>
#include <new>

#include "isa/base/bounded.h"
#include "isa/base/launch_error.h"
#include "isa/code/launch_layout.h"
#include "model/run.h"
#include "traces/live_launch.h"

namespace shflsim::runtime {
namespace {

constexpr uint32_t kMostGridYz = 65535;  // CUDA C++ Programming Guide, "Technical Specifications"
constexpr uint32_t kMostBlockZ = 64;     // the same table
constexpr uint32_t kMostGridX = 0x7FFFFFFF;
constexpr uint32_t kMostPortableCluster = 8;  // CUDA C++ Programming Guide, "Clusters"

Error error_of(isa::LaunchFault fault) {
  switch (fault) {
    case isa::LaunchFault::kAddress: return kIllegalAddress;
    case isa::LaunchFault::kAlignment: return kMisalignedAddress;
    case isa::LaunchFault::kTrap: return kLaunchFailure;
    case isa::LaunchFault::kAssert: return kAssert;
    case isa::LaunchFault::kEndless: return kLaunchTimeout;
    case isa::LaunchFault::kOther: break;
  }
  return kNotSupported;
}

isa::Launch launch_of(const Kernel& kernel, const LaunchSpec& spec, const Machine& machine) {
  isa::Launch launch;
  launch.grid = spec.grid;
  launch.block = spec.block;
  launch.cluster = spec.cluster;
  launch.shared_bytes = static_cast<uint32_t>(spec.shared_bytes);
  launch.parameters = spec.parameters;
  kernel.module->give_variables(*kernel.program, &launch);
  launch.is_cooperative = spec.is_cooperative;
  launch.chip_sms = static_cast<uint32_t>(machine.chip_sms);
  launch.number = spec.number;
  launch.local_bytes = std::max(launch.local_bytes, uint32_t{kernel.program->local_bytes});
  return launch;
}

LaunchRow row_of(const Kernel& kernel, const LaunchSpec& spec, const Machine& machine) {
  LaunchRow row;
  row.kernel = kernel.name;
  row.machine = machine.name;
  row.grid = {spec.grid.x, spec.grid.y, spec.grid.z};
  row.block = {spec.block.x, spec.block.y, spec.block.z};
  row.shared_bytes = static_cast<uint32_t>(spec.shared_bytes);
  row.clock_mhz = static_cast<double>(machine.clock_mhz);
  return row;
}

/// The SMs that time a launch: all blocks of a cooperative launch must be resident.
unsigned sms_for(const isa::Program& program, const isa::Launch& launch, const Machine& machine) {
  if (!launch.is_cooperative) return machine.sms;
  const uint64_t shared = program.shared_bytes + uint64_t{launch.shared_bytes};
  const uint64_t of_sm = std::max<uint64_t>(
      1, machine.blocks_of_sm({launch.block.count(), program.registers, shared, program.barriers}));
  const uint64_t needed = (launch.grid.count() + of_sm - 1) / of_sm;
  return static_cast<unsigned>(std::max<uint64_t>(machine.sms, needed));
}

/// Executes the launch while it is timed. If it cannot be timed to its end, it is still executed,
/// and its row has a remark.
isa::Outcome time_launch(const isa::Program& program, const isa::Launch& launch,
                         isa::DeviceMemory& memory, const isa::MachineOptions& how,
                         const Machine& machine, LaunchRow* row) {
  const auto live = std::make_shared<const traces::LiveLaunch>(program, launch, memory, how);
  try {
    const unsigned sms = sms_for(program, launch, machine);
    const model::RunResult result =
        model::run(traces::live_trace(program, launch, live), machine.layers, sms);
    row->cycles = result.cycles;
    if (sms != machine.sms)
      row->remark = "timed on " + std::to_string(sms) + " SMs, which hold all its blocks";
    if (!result.stopped_by.empty()) row->remark = "timed until " + result.stopped_by;
  } catch (const isa::LaunchError&) {
    throw;
  } catch (const InputError& error) {
    if (live->has_begun()) throw;
    row->remark = error.what();
  } catch (const model::Deadlock& error) {
    row->remark = error.what();
  } catch (const std::bad_alloc&) {
    row->remark = "not timed: out of memory";
  }
  live->finish();
  return live->outcome();
}

isa::Outcome execute(const isa::Program& program, const isa::Launch& launch,
                     isa::DeviceMemory& memory, const isa::MachineOptions& how) {
  isa::StepObserver nobody;
  return isa::execute(program, launch, memory, nobody, how);
}

}  // namespace

namespace {

/// True for clusters that the code or the grid does not allow.
bool has_wrong_clusters(const Kernel& kernel, const LaunchSpec& spec) {
  const isa::Arch arch = kernel.program->arch;
  if (isa::number_of(arch) >= 90 && !isa::launch_layout(arch).runs_clusters)
    return false;  // the machine refuses to execute them, and says so
  isa::Launch shape;
  shape.grid = spec.grid;
  shape.cluster = spec.cluster;
  try {
    isa::cluster_of(*kernel.program, shape);
  } catch (const InputError&) {
    return true;
  }
  return false;
}

}  // namespace

Error refusal_of(const Kernel& kernel, const LaunchSpec& spec, const Machine& machine) {
  const isa::Extent& grid = spec.grid;
  const isa::Extent& block = spec.block;
  const bool is_empty = grid.count() == 0 || block.count() == 0;
  const bool is_large = grid.x > kMostGridX || grid.y > kMostGridYz || grid.z > kMostGridYz ||
                        block.count() > kMostThreads || block.z > kMostBlockZ;
  if (is_empty || is_large) return kInvalidConfiguration;
  const isa::Program& program = *kernel.program;
  const uint64_t shared = program.shared_bytes + uint64_t{spec.shared_bytes};
  const uint64_t most =
      std::max<uint64_t>(isa::LaunchLayout::kMostStaticShared,
                         program.shared_bytes + static_cast<uint64_t>(kernel.most_dynamic_shared));
  if (shared > most) return kInvalidValue;
  const uint64_t blocks =
      machine.blocks_of_sm({block.count(), program.registers, shared, program.barriers});
  const bool is_too_wide = kernel.most_threads != 0 && block.count() > kernel.most_threads;
  if (is_too_wide) return kInvalidValue;  // as on an H100
  if (blocks == 0) return kLaunchOutOfResources;
  const bool is_large_cluster = spec.cluster.count() > kMostPortableCluster;
  if (is_large_cluster && !kernel.has_large_clusters) return kInvalidClusterSize;
  if (has_wrong_clusters(kernel, spec)) return kInvalidClusterSize;
  return kSuccess;
}

Launched run_launch(const Kernel& kernel, const LaunchSpec& spec, const Machine& machine,
                    const ExecOptions& options, isa::DeviceMemory& memory) {
  Launched done;
  done.row = row_of(kernel, spec, machine);
  const isa::Launch launch = launch_of(kernel, spec, machine);
  isa::MachineOptions how;
  how.step_limit = options.step_limit;
  how.print = [&done](const std::string& text) { done.printed += text; };
  try {
    const isa::Program& program = *kernel.program;
    done.row.warp_instructions =
        (options.has_timing ? time_launch(program, launch, memory, how, machine, &done.row)
                            : execute(program, launch, memory, how))
            .warp_instructions;
  } catch (const isa::LaunchError& error) {
    done.error = error_of(error.fault());
    done.message = error.what();
  } catch (const InputError& error) {
    done.error = kNotSupported;
    done.message = error.what();
  }
  if (done.error != kSuccess) done.row.remark = done.message;
  return done;
}

}  // namespace shflsim::runtime
