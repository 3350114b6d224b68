// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/global_memory/global_memory.h"

namespace shflsim::model {
namespace {

/// The driver chooses the smallest sufficient carve-out of those in the CUDA guide.
uint32_t carveout_for(uint32_t shared_bytes) {
  constexpr uint32_t kBytes = 1024;
  for (const uint32_t size : {0u, 8u, 16u, 32u, 64u, 100u, 132u, 164u, 196u}) {
    if (size * kBytes >= shared_bytes) return size * kBytes;
  }
  return 228 * kBytes;
}

}  // namespace

void L1StorageParams::list(ParameterList& out) {
  out.number("global_memory.l1_storage", &bytes, 0, 1048576, "bytes",
             "storage of an SM for L1 and shared memory together");
  out.number("global_memory.l1_carveout", &carveout, 0, 1048576, "bytes",
             "largest part of this storage that may be shared memory");
  out.number("global_memory.l1_reserved", &reserved, 0, 1048576, "bytes",
             "part of this storage that is neither L1 nor shared memory");
  out.number(
      "global_memory.l1_candidates", &candidates, 1, 4096, "lines",
      "lines drawn at random for a replacement; the least recently used of them is replaced");
  out.together(
      {"global_memory.l1_storage", "global_memory.l1_carveout", "global_memory.l1_reserved"},
      [this] { return uint64_t{carveout} + reserved <= bytes; },
      "a carve-out and a reserved part that fit into the storage");
}

void FenceParams::list(ParameterList& out) {
  out.number("global_memory.fence", &chip, 0, 65536, "cycles",
             "time from MEMBAR.GPU to the next issue of the warp");
  out.number("global_memory.fence_accessed", &accessed, 0, 65536, "cycles",
             "further time if the SM has read or written global memory since its last fence");
  out.number(
      "global_memory.fence_far", &far, 0, 65536, "cycles",
      "further time beyond this if one of the lines has its home in the other half of the L2");
  out.number("global_memory.fence_apart", &apart, 0, 65536, "cycles",
             "time from this further time's end until fences go on that came during it");
  out.number("global_memory.fence_wait", &wait, 0, 65536, "cycles",
             "part of a fence's time in which the warp sits out a fixed latency (state wait)");
  out.number("global_memory.fence_interval", &interval, 0, 65536, "cycles",
             "time between two fences that leave the SM; those that warps issue in between leave "
             "together; 0: each leaves alone and at once");
  out.number("global_memory.fence_system", &system, 0, 65536, "cycles",
             "time from MEMBAR.SYS to the next issue of the warp");
}

void KnownStoreParams::list(ParameterList& out) {
  out.number("global_memory.store_line", &line, 0, 10000, "cycles / 100",
             "with known addresses: least time for each line that leaves");
  out.number("global_memory.store_merged", &merged, 0, 32, "lines",
             "of a store that leaves together with the warp's last one, to the same sectors; 0: "
             "each store leaves by itself");
  out.number("global_memory.store_rows", &rows, 0, 1024, "rows",
             "with known addresses: rows of 128 bytes that stores hold until they have left; the "
             "next access waits for room; 0: those of store_buffer times store_drain cycles");
  out.number(
      "global_memory.store_places", &stores, 0, 1024, "warp instructions",
      "stores to more lines than they have rows, or to local memory, that may hold rows at a "
      "time; 0: as many as the rows hold");
  out.flag("global_memory.store_exit", &exit,
           "1: a warp exits after the last sector of its stores with known addresses; 0: before "
           "it");
  out.number(
      "global_memory.known_beats", &beats, 0, 8, "beats",
      "with known addresses: beats of the shared pipe that a store takes, which is read ahead "
      "if they are several, and each of which holds the pipe for a cycle; 0: one, which holds it "
      "for `interval`");
  out.number("global_memory.outstanding", &outstanding, 0, 65536, "sectors",
             "sectors written by an SM that may wait for the L2 when their warps exit; 0: those of "
             "512 cycles");
  out.number(
      "global_memory.outstanding_atomics", &outstanding_atomics, 0, 65536, "sectors",
      "the same for atomics: sectors, and lanes on one word; has no effect if outstanding is "
      "0");
  out.number(
      "global_memory.waiting", &waiting, 0, 1024, "warp instructions",
      "accesses with known addresses that the L1 holds while earlier atomics cannot leave the SM");
}

void GlobalMemoryParams::list_stores(ParameterList& out) {
  out.number("global_memory.store_buffer", &store_buffer, 0, 4096, "warp instructions",
             "stores that wait to leave the SM; 0: no limit");
  out.number("global_memory.store_drain", &store_drain, 0, 256, "cycles",
             "time between two stores of one line that leave the buffer");
  out.number(
      "global_memory.store_sector", &store_sector, 0, 256, "cycles",
      "with known addresses: time for each sector that leaves, and for each partly written line");
  out.number(
      "global_memory.store_latency", &store_latency, 1, 4096, "cycles",
      "time from the start of a store, or of an atomic without result, until its warp may exit");
  out.number("global_memory.unknown_beats", &unknown_store.beats, 0, 8, "beats",
             "without known addresses: beats of the shared pipe that a store takes, which is read "
             "ahead if they are several; 0: one, which holds the pipe for `interval`");
}

void GlobalMemoryParams::list(ParameterList& out) {
  out.number("global_memory.latency", &latency, 1, 4096, "cycles",
             "time from the start to the use of the result, for an L1 miss that hits in the L2");
  out.number("global_memory.dram_latency", &dram_latency, 1, 4096, "cycles",
             "time from the start to the use of the result, for an L2 miss");
  out.number("global_memory.interval", &interval, 1, 256, "cycles",
             "time between two warp instructions");
  out.number("global_memory.l1_hit_rate", &l1_hit_rate, 0, 100, "percent",
             "share of loads that hit in the L1; tags: the L1's tags decide for loads with known "
             "addresses")
      .word_instead = "tags";
  out.number("global_memory.l1_assumed_rate", &l1_assumed_rate, 0, 100, "percent",
             "share of loads without known addresses that hit in the L1, if l1_hit_rate is tags");
  out.number("global_memory.idle_latency", &idle_latency, 0, 4096, "cycles",
             "latency of a load that no lane executes; 0: that of others");
  out.number("global_memory.l1_latency", &l1_latency, 1, 4096, "cycles",
             "time from the start to the use of the result, for an L1 hit");
  out.number(
      "global_memory.l1_interval", &l1_interval, 1, 256, "cycles",
      "time between two wavefronts of loads; for loads without known addresses, of L1 hits only");
  out.choice("global_memory.l1_loads", &l1_loads, {"all", "read_only"},
             "loads whose lines the L1 keeps");
  l1_storage.list(out);
  out.number("global_memory.l1_part", &l1_part, 0, 64, "cycles",
             "further time for each wavefront that the parts of a wide load take beyond those of "
             "the whole load");
  out.number("global_memory.loads_in_flight", &loads_in_flight, 0, 65536, "warp instructions",
             "loads with known addresses that wait for their data; 0: no limit");
  out.number("global_memory.l2_bytes", &l2_bytes, 1, 65536, "bytes per cycle",
             "bandwidth from the L2 to one SM");
  out.number("global_memory.atomic_latency", &atomic_latency, 1, 4096, "cycles",
             "ATOM: time from the start to the use of the result");
  out.number("global_memory.atomic_interval", &atomic_interval, 0, 64, "cycles",
             "ATOM: further time for each further lane on one word, and for each further sector");
  list_stores(out);
  known_store.list(out);
  fence.list(out);
  chip.list(out);
}

uint32_t L1StorageParams::lines(uint32_t shared_bytes) const {
  const uint32_t taken = reserved + std::min(carveout_for(shared_bytes), carveout);
  return (bytes - std::min(bytes, taken)) / kLineBytes;
}

void ChipMemoryParams::list_dram(ParameterList& out) {
  out.number("global_memory.chip_bytes", &chip_bytes, 1, 65536, "bytes per cycle",
             "bandwidth of the DRAM between refreshes, for all SMs together");
  out.number("global_memory.dram_refresh", &dram_refresh, 0, 65536, "cycles",
             "time in which a channel of the DRAM is refreshed and passes nothing");
  out.number("global_memory.dram_refresh_interval", &dram_refresh_interval, 0, 1048576, "cycles",
             "time from a refresh of a channel to the next; 0: none");
  out.number("global_memory.dram_writes", &dram_writes, 0, 1024, "KiB",
             "bytes from the L2 that a channel of the DRAM writes together; 0: each line as it "
             "comes");
  out.number("global_memory.dram_burst", &dram_burst, 32, 128, "bytes",
             "bytes that the DRAM reads together, at an aligned address")
      .step = Step::kDoubling;
}

void ChipMemoryParams::list(ParameterList& out) {
  list_dram(out);
  out.number("global_memory.l2_capacity", &l2_capacity, 0, 1048576, "KiB", "capacity of the L2");
  out.flag("global_memory.l2_warm", &l2_warm,
           "1: the L2 holds what is accessed for the first time, until it is full");
  out.number("global_memory.l2_copies", &l2_copies, 0, 100, "percent",
             "share of pages that both halves of the L2 hold: 100 if earlier launches have read "
             "them, 50 if copies on the GPU have written them");
  out.flag("global_memory.l2_restored", &l2_restored,
           "1: the launch's buffers have been copied from others on the GPU before it, one after "
           "another");
  out.number("global_memory.l2_restored_far", &l2_restored_far, 0, 50, "percent",
             "share of such lines that are in the other half of the L2 only, for an SM");
  out.number(
      "global_memory.l2_restored_piece", &l2_restored_piece, 0, 1024, "KiB",
      "bytes that an SM copies together at least, the first of a buffer by one of SM 0's half "
      "of the L2; 0: a KiB, so that l2_restored_far is right");
  out.number("global_memory.l2_requests", &l2_requests, 0, 4096, "requests per cycle",
             "sector reads that the L2 accepts from all SMs together, and as many sector writes; "
             "0: no limit");
  out.number("global_memory.l2_slices", &l2_slices, 1, 1024, "slices",
             "slices that share these requests by address; 1: the requests wait for each other");
  out.number("global_memory.l2_misses", &l2_misses, 0, 65536, "sectors",
             "sectors of a slice that wait for its channel of the DRAM; while there are more, its "
             "other reads wait behind them; 0: no limit");
  out.number("global_memory.gpc_reads", &gpc_reads, 0, 65536, "bytes per cycle",
             "bandwidth of reads from the L2 to the SMs of a GPC; 0: no limit");
  out.number("global_memory.gpc_writes", &gpc_writes, 0, 65536, "bytes per cycle",
             "bandwidth of writes from the SMs of a GPC to the L2; 0: no limit");
  out.number("global_memory.cpcs", &cpcs, 1, 8, "CPCs",
             "groups of TPCs in a GPC that get equal shares of its writes, and of the reads and "
             "the atomics of a slice");
  out.number("global_memory.far_latency", &far_latency, 0, 4096, "cycles",
             "further latency of data in the other half of the L2, or behind it in DRAM; 0: the L2 "
             "is not divided");
  out.number("global_memory.atomic_word", &atomic_word, 0, 100000, "cycles / 100",
             "time between two atomics of any SMs in the same slice of the L2");
  out.number("global_memory.fence_turn", &fence_turn, 0, 100000, "cycles / 100",
             "time between two fences of any SMs that the L2 passes; 0: it passes them together");
  out.number("global_memory.line_write", &line_write, 0, 4096, "cycles",
             "time in which a line of the L2 that is written passes no read or other write; 0: "
             "reads do not wait");
}

}  // namespace shflsim::model
