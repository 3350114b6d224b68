// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/global_memory/global_memory.h"

namespace shflsim::model {
namespace {

/// The driver takes the smallest carve-out that is large enough, of those in the CUDA guide.
uint32_t carveout_for(uint32_t shared_bytes) {
  constexpr uint32_t kBytes = 1024;
  for (const uint32_t size : {0u, 8u, 16u, 32u, 64u, 100u, 132u, 164u, 196u}) {
    if (size * kBytes >= shared_bytes) return size * kBytes;
  }
  return 228 * kBytes;
}

}  // namespace

void FenceParams::list(ParameterList& out) {
  out.number("global_memory.fence", &chip, 0, 65536, "cycles",
             "from MEMBAR.GPU to the warp's next issue");
  out.number("global_memory.fence_written", &written, 0, 65536, "cycles",
             "more where the warp has written global memory since its last fence");
  out.number("global_memory.fence_system", &system, 0, 65536, "cycles",
             "from MEMBAR.SYS to the warp's next issue");
}

void GlobalMemoryParams::list(ParameterList& out) {
  out.number("global_memory.latency", &latency, 1, 4096, "cycles",
             "start to the result's use, of what the L1 does not have and the L2 has");
  out.number("global_memory.dram_latency", &dram_latency, 1, 4096, "cycles",
             "start to the result's use, of what the L2 does not have");
  out.number("global_memory.interval", &interval, 1, 256, "cycles",
             "from one warp instruction to the next");
  out.number("global_memory.l1_hit_rate", &l1_hit_rate, 0, 100, "percent",
             "of the loads, that the L1 has; tags: its tags decide where addresses are known")
      .word_instead = "tags";
  out.number("global_memory.l1_assumed_rate", &l1_assumed_rate, 0, 100, "percent",
             "of the loads without addresses, that the L1 has where l1_hit_rate is no number");
  out.number("global_memory.l1_latency", &l1_latency, 1, 4096, "cycles",
             "start to the result's use, of what the L1 has");
  out.number("global_memory.l1_interval", &l1_interval, 1, 256, "cycles",
             "from a wavefront of a load to the next; without addresses, of what the L1 has");
  out.choice("global_memory.l1_loads", &l1_loads, {"all", "read_only"},
             "which loads the L1 keeps lines of");
  out.number("global_memory.l1_storage", &l1_storage, 0, 1048576, "bytes",
             "of an SM's storage for L1 and shared memory together");
  out.number("global_memory.l1_carveout", &l1_carveout, 0, 1048576, "bytes",
             "of that for shared memory at the most");
  out.number("global_memory.l1_reserved", &l1_reserved, 0, 1048576, "bytes", "of that for neither");
  out.number("global_memory.l1_candidates", &l1_candidates, 1, 4096, "lines",
             "drawn where one has to go, of which the least recently used goes");
  out.number("global_memory.l1_part", &l1_part, 0, 64, "cycles",
             "later result for each wavefront more of a wide load's parts than of the whole");
  out.number("global_memory.l2_bytes", &l2_bytes, 1, 65536, "bytes per cycle",
             "that one SM gets from the L2");
  out.number("global_memory.atomic_latency", &atomic_latency, 1, 4096, "cycles",
             "ATOM: start to the result's use");
  out.number("global_memory.atomic_interval", &atomic_interval, 0, 64, "cycles",
             "later result for each lane more on one word, and each sector more");
  out.number("global_memory.store_buffer", &store_buffer, 0, 4096, "warp instructions",
             "stores that wait to leave the SM; 0: no limit");
  out.number("global_memory.store_drain", &store_drain, 0, 256, "cycles",
             "from one store of a line that leaves the buffer to the next");
  out.number("global_memory.store_sector", &store_sector, 0, 256, "cycles",
             "with addresses: for each sector that leaves, and each line written in part");
  out.number("global_memory.store_latency", &store_latency, 1, 4096, "cycles",
             "start of a store, or of an atomic without result, until its warp may leave");
  out.number("global_memory.full_interval", &full_interval, 1, 256, "cycles",
             "from one store to the next instruction while the buffer is full");
  fence.list(out);
  chip.list(out);
  out.together(
      {"global_memory.l1_storage", "global_memory.l1_carveout", "global_memory.l1_reserved"},
      [this] { return uint64_t{l1_carveout} + l1_reserved <= l1_storage; },
      "a carve-out and a reserved part that fit into the storage");
}

uint32_t GlobalMemoryParams::l1_lines(uint32_t shared_bytes) const {
  const uint32_t taken = l1_reserved + std::min(carveout_for(shared_bytes), l1_carveout);
  return (l1_storage - std::min(l1_storage, taken)) / kLineBytes;
}

}  // namespace shflsim::model
