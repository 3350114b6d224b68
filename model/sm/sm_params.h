// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/barrier/block_barrier.h"
#include "model/constant_memory/constant_memory.h"
#include "model/copy_engine/copy_engine.h"
#include "model/energy/energy_params.h"
#include "model/global_memory/global_memory.h"
#include "model/shared_memory/shared_memory.h"
#include "model/shuffle/shuffle_unit.h"
#include "model/sm/block_scheduler.h"
#include "model/special_function/special_function.h"
#include "model/special_register/special_register.h"
#include "model/sub_partition/sub_partition.h"

namespace shflsim::model {

/// The parameters of an SM and of its chip, which a config sets.
struct SmParams {
  BlockParams blocks;
  uint32_t watchdog = 0;
  IssueCodeParams control;
  FetchParams fetch;
  SchedulerParams scheduler;
  DependenceParams dependence;
  MathLatencies latencies;
  RegisterFileParams register_file;
  MathParams math;
  GroupProductParams group_products;
  MioParams mio;
  NetworkChoice network;
  ShuffleParams shuffle;
  SharedMemoryParams shared_memory;
  SpecialFunctionParams special_function;
  SpecialRegisterParams special_register;
  ConstantMemoryParams constant_memory;
  GlobalMemoryParams global_memory;
  BarrierParams barrier;
  BranchParams branch;
  CopyEngineParams copy_engine;
  ClusterParams cluster;
  EnergyParams energy;

  /// Lists every key that a config must set.
  void list(ParameterList& out);

  // Parameters as they are for a launch.
  /// If the L2 holds the launch's data, it also holds its code before the launch starts.
  FetchParams fetch_of_launch() const;
  ConstantMemoryParams constants_of_launch() const;
  /// Includes the depth of the network.
  ShuffleParams shuffle_in_depth() const;
  /// Fences of a launch with clusters take the same time, whatever was written.
  GlobalMemoryParams memory_of(const traces::Trace& trace) const;
};

}  // namespace shflsim::model
