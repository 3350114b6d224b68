// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/core/parameter.h"

namespace shflsim::model {

/// Clusters of blocks: one barrier, and ways to each other's shared memory.
struct ClusterParams {
  uint32_t barrier = 0;
  uint32_t barrier_hold = 0;
  uint32_t fence = 0;
  uint32_t shared_latency = 0;
  uint32_t latency = 0;
  uint32_t row = 0;
  uint32_t atomic_row = 0;
  uint32_t arrival = 0;
  uint32_t copy_latency = 0;
  uint32_t copy_cycles = 0;

  void list(ParameterList& out) {
    out.number("cluster.barrier", &barrier, 1, 4096, "cycles",
               "from a cluster's last arrival at its barrier to the next issue of a waiting warp");
    out.number("cluster.barrier_hold", &barrier_hold, 0, 64, "cycles",
               "more for each other warp of the block");
    out.number("cluster.fence", &fence, 0, 4096, "cycles",
               "of a fence of the GPU in a launch of clusters, whatever its warp has written");
    out.number("cluster.shared_latency", &shared_latency, 1, 4096, "cycles",
               "of a load of the block's own shared memory by a generic address");
    out.number("cluster.latency", &latency, 1, 4096, "cycles",
               "of a load of another block's shared memory");
    out.number("cluster.row", &row, 1, 1024, "cycles",
               "from one access to another block's shared memory to the next");
    out.number("cluster.atomic_row", &atomic_row, 1, 1024, "cycles", "the same of an atomic");
    out.number("cluster.arrival", &arrival, 0, 4096, "cycles",
               "from an arrival at another block's barrier until the barrier has it");
    out.number(
        "cluster.copy_latency", &copy_latency, 0, 4096, "cycles",
        "from the issue of a copy or a store to another block until its barrier hears of its "
        "first bytes");
    out.number("cluster.copy_cycles", &copy_cycles, 0, 1024, "cycles a KiB",
               "of a copy to another block");
  }
};

}  // namespace shflsim::model
