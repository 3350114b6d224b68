// SPDX-License-Identifier: Apache-2.0
#include "model/sm/sm_params.h"

namespace shflsim::model {

void SmParams::list(ParameterList& out) {
  blocks.list(out);
  out.number("sm.watchdog", &watchdog, 1000, 100000000, "cycles",
             "a run without progress for this long is ended");
  control.list(out);
  fetch.list(out);
  scheduler.list(out);
  dependence.list(out);
  latencies.list(out);
  register_file.list(out);
  math.list(out);
  group_products.list(out);
  mio.list(out);
  network.list(out);
  shuffle.list(out);
  shared_memory.list(out);
  special_function.list(out);
  special_register.list(out);
  constant_memory.list(out);
  global_memory.list(out);
  barrier.list(out);
  branch.list(out);
  copy_engine.list(out);
  cluster.list(out);
  energy.list(out);
}

ShuffleParams SmParams::shuffle_in_depth() const {
  return with_depth(shuffle, network, network.technology().lane_pitch);
}

FetchParams SmParams::fetch_of_launch() const {
  FetchParams of_launch = fetch;
  if (global_memory.chip.l2_warm != 0) of_launch.launch_latency = 0;
  return of_launch;
}

ConstantMemoryParams SmParams::constants_of_launch() const {
  ConstantMemoryParams of_launch = constant_memory;
  if (global_memory.chip.l2_warm != 0) of_launch.cold_latency = 0;
  return of_launch;
}

GlobalMemoryParams SmParams::memory_of(const traces::Trace& trace) const {
  GlobalMemoryParams memory = global_memory;
  if (trace.by_cluster.empty() || cluster.fence == 0) return memory;
  memory.fence.chip = cluster.fence;
  memory.fence.accessed = 0;
  return memory;
}

}  // namespace shflsim::model
