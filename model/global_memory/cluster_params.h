// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/core/parameter.h"

namespace shflsim::model {

/// Clusters of blocks: their barrier, and paths to the shared memory of other blocks.
struct ClusterParams {
  uint32_t barrier = 0;
  uint32_t barrier_hold = 0;
  uint32_t fence = 0;
  uint32_t shared_latency = 0;
  uint32_t latency = 0;
  uint32_t row = 0;
  uint32_t atomic_step = 0;
  uint32_t atomic_there = 0;
  uint32_t atomic_word = 0;
  uint32_t word_there = 0;
  uint32_t sent_ahead = 0;
  uint32_t arrival = 0;
  uint32_t sent_latency = 0;
  uint32_t sent_sector = 0;
  uint32_t sent_row = 0;
  uint32_t copy_latency = 0;
  uint32_t copy_cycles = 0;

  void list(ParameterList& out) {
    out.number(
        "cluster.barrier", &barrier, 1, 4096, "cycles",
        "time from the last arrival at the cluster's barrier to the next issue of a waiting warp");
    out.number("cluster.barrier_hold", &barrier_hold, 0, 64, "cycles",
               "further time for each further warp of the block");
    out.number("cluster.fence", &fence, 0, 4096, "cycles",
               "time of a fence of GPU scope in a launch with clusters, whether or not its warp "
               "has accessed memory; 0: as without clusters");
    out.number("cluster.shared_latency", &shared_latency, 1, 4096, "cycles",
               "latency of a load from the block's own shared memory by a generic address");
    out.number("cluster.latency", &latency, 1, 4096, "cycles",
               "latency of a load from another block's shared memory");
    out.number("cluster.row", &row, 1, 1024, "cycles",
               "time between two accesses to another block's shared memory");
    out.number("cluster.atomic_step", &atomic_step, 1, 10000, "cycles / 100",
               "time of an SM to send a step of atomics on another block's shared memory; a row of "
               "32 words has four, and lanes on one word follow each other");
    out.number("cluster.atomic_there", &atomic_there, 1, 10000, "cycles / 100",
               "time of the other SM to do it");
    out.number("cluster.atomic_word", &atomic_word, 0, 10000, "cycles / 100",
               "least time between two steps that an SM sends for one word");
    out.number("cluster.word_there", &word_there, 0, 10000, "cycles / 100",
               "least time of the other SM between two steps on one word");
    out.number("cluster.sent_ahead", &sent_ahead, 0, 4096, "cycles",
               "time of atomics on other blocks' memory that wait to be sent before they hold up "
               "later accesses");
    out.number("cluster.arrival", &arrival, 0, 4096, "cycles",
               "time from an arrival at another block's mbarrier until the mbarrier counts it");
    out.number("cluster.sent_latency", &sent_latency, 0, 4096, "cycles",
               "time from a store or sum with an mbarrier (STAS, REDAS) until its first bytes "
               "reach another SM");
    out.number("cluster.sent_sector", &sent_sector, 0, 1024, "cycles",
               "further time for each 32 bytes behind the first, up to 128 bytes");
    out.number("cluster.sent_row", &sent_row, 0, 1024, "cycles",
               "time of the other SM for each 128 bytes of all of them");
    out.number("cluster.copy_latency", &copy_latency, 0, 4096, "cycles",
               "time from the issue of a copy to another block until the first bytes "
               "reach its mbarrier");
    out.number("cluster.copy_cycles", &copy_cycles, 0, 1024, "cycles a KiB",
               "copy to another block: time for each KiB");
  }
};

}  // namespace shflsim::model
