// SPDX-License-Identifier: Apache-2.0
#include "model/global_memory/global_memory.h"

#include <algorithm>

#include "isa/machine/address_space.h"
#include "model/core/facts.h"
#include "model/global_memory/later.h"

namespace shflsim::model {
namespace {

constexpr uint32_t kOneWord = 4;

}  // namespace

void GlobalMemoryCounts::list(StatList& out) const {
  out.count("global_wavefronts", global_wavefronts, "wavefronts",
            "Global memory: passes over the L1's banks, of accesses whose addresses are known.",
            "");
  out.count("global_sectors", global_sectors, "sectors",
            "Global memory: sectors of 32 bytes that these accesses touch.", "");
  out.count("l1_hits", l1_hits, "sectors", "Loads: sectors that the L1 has.", "");
  out.count("l1_misses", l1_misses, "sectors", "Loads: sectors that come from the L2.", "");
  out.count("l2_bytes", l2_bytes, "bytes", "Global memory: bytes between SM and L2, both ways.",
            "");
  out.count("dram_bytes", dram_bytes, "bytes", "Global memory: bytes that the L2 did not have.",
            "");
  out.count("dram_written", dram_written, "bytes",
            "Global memory: bytes that the L2 wrote back to the DRAM for these accesses.", "");
}

GlobalMemory::GlobalMemory(const sc_core::sc_module_name& name, const GlobalMemoryParams& params,
                           const ClusterParams& cluster, uint32_t shared_bytes, unsigned sm)
    : Unit(name),
      chip("chip"),
      params_(params),
      cluster_(cluster),
      sm_(sm),
      l1_(params.l1_storage.lines(shared_bytes), std::max(1u, params.l1_storage.candidates)),
      outstanding_(params.known_store.outstanding),
      outstanding_atomics_(params.known_store.outstanding_atomics),
      blocked_(params.known_store.waiting),
      coming_{Outstanding(std::max(1u, params.l1_storage.lines(shared_bytes)) - 1),
              LoadsInFlight(params.loads_in_flight)},
      fences_(params.fence.interval),
      flushes_(params.fence.apart),
      waiting_{StoreRows(params.known_store.rows, params.known_store.stores),
               StoreMerges(params.known_store.merged, kWarps)},
      rate_(params.l1_hit_rate == Parameter::kWord ? params.l1_assumed_rate : params.l1_hit_rate) {}

Cycle GlobalMemory::free_from(unsigned /*sub_partition*/, Cycle now) const {
  return std::max(now, free_);
}

namespace {

uint64_t rank_at(uint64_t address) {
  return (address - isa::kSm70Windows.shared) / isa::Windows::kBytes;
}

bool is_elsewhere(uint64_t address, uint32_t rank) {
  return isa::kSm70Windows.holds_shared(address) && rank_at(address) != rank;
}

/// The memory that the generic address of the lowest lane refers to; another block's if any lane's
/// address does.
Reach reach_of(const traces::LaneAddresses& addresses, isa::LaneMask lanes, uint32_t rank) {
  const uint64_t first = addresses[static_cast<unsigned>(__builtin_ctz(lanes))];
  if (!isa::kSm70Windows.holds_shared(first)) return Reach::kMemory;
  for (unsigned lane = 0; lane < isa::kLanes; ++lane)
    if ((lanes >> lane & 1u) != 0 && is_elsewhere(addresses[lane], rank)) return Reach::kOtherBlock;
  return Reach::kOwnBlock;
}

}  // namespace

uint32_t GlobalMemory::expect(const traces::LaneAddresses& addresses, isa::LaneMask lanes,
                              const Facts& facts, unsigned warp) {
  if (unused_.empty()) {
    unused_.push_back(static_cast<uint32_t>(expected_.size()));
    expected_.emplace_back();
  }
  const uint32_t place = unused_.back();
  unused_.pop_back();
  const Reach reach = reach_of(addresses, lanes, clusters_.ranks[warp]);
  expected_[place].reach = reach;
  expected_[place].slot = warp;
  expected_[place].own_block = clusters_.firsts[warp] + clusters_.ranks[warp];
  const bool is_atomic = facts.access.kind == AccessKind::kAtomic;
  expected_[place].wavefronts = 1;
  if (reach != Reach::kMemory && !is_atomic && facts.access_bytes <= kOneWord) return place;
  if (facts.loads_to_shared)
    expected_[place].coalesce_copies(addresses, lanes, facts.access_bytes, facts.access);
  else
    expected_[place].coalesce(addresses, lanes, facts.access_bytes, facts.access,
                              uint64_t{sm_} * kWarps + warp);
  if (reach == Reach::kMemory && (is_atomic || facts.is_store))  // a fence behind it waits for it
    for (const LineTouch& touch : expected_[place].lines) chip->note(sm_, touch.line);
  return place;
}

MioCompletion GlobalMemory::start(unsigned /*sub_partition*/, const MioRequest& request,
                                  Cycle now) {
  if (request.payload == MioRequest::kNone) return start_unknown(request, now);
  const MioCompletion completion = start_known(request, expected_[request.payload], now);
  unused_.push_back(request.payload);
  return completion;
}

namespace {

/// Cycles for which an access without known address takes the unit.
uint32_t interval_of(const MioRequest& request, const GlobalMemoryParams& params, bool hits) {
  return !request.facts->is_store && hits ? params.l1_interval : params.interval;
}

}  // namespace

MioCompletion GlobalMemory::start_unknown(const MioRequest& request, Cycle now) {
  const uint32_t interval = interval_of(request, params_, rate_.hits());
  free_ = now + interval;
  count(interval);
  MioCompletion completion;
  if (request.facts->is_store) {
    chip->take(now);
    completion.result = now + interval;  // done once it has left: nothing waits for it
    return completion;
  }
  if (!request.has_lanes && params_.idle_latency != 0) {
    completion.result = now + params_.idle_latency;
    return completion;
  }
  const bool hit = rate_.hits();
  rate_.use(hit);
  completion.result = hit ? now + params_.l1_latency : chip->take(now) + params_.latency;
  return completion;
}

/// Atomics on other blocks' memory return later than loads; compare-and-swap takes the SMs longer
/// (measured: behind_stores.csv.gz of tests/data/h200/2026-11-30, `apart`).
constexpr Cycle kAtomicReturned = 17;
constexpr Cycle kSwapped = 24;
constexpr uint64_t kSwapHundredths = 400;

/// Atomics on the shared memory of the cluster: each block does its part. The own part takes no
/// time.
Cycle GlobalMemory::start_elsewhere(const MioRequest& request, const WarpAccess& access,
                                    Cycle now) {
  ClusterWays::Times all{now, now};
  const bool swaps = request.facts->access.swaps;
  const uint64_t more = swaps ? kSwapHundredths : 0;
  for (const LineTouch& touch : access.lines) {
    const uint64_t address = touch.line * kLineBytes;
    if (!is_elsewhere(address, clusters_.ranks[access.slot])) continue;
    const uint64_t steps = std::max(1u, touch.atomic_steps);
    const uint64_t block = clusters_.firsts[access.slot] + rank_at(address);
    const ClusterWays::Times times =
        ways->pass(access.own_block, block,
                   {steps * cluster_.atomic_step + more, steps * cluster_.atomic_there + more,
                    uint64_t{touch.atomic_most} * cluster_.atomic_word,
                    uint64_t{touch.atomic_most} * cluster_.word_there},
                   now);
    all = {std::max(all.sent, times.sent), std::max(all.done, times.done)};
  }
  clusters_.done = std::max(clusters_.done, all.done);
  free_ = std::max({free_, std::max<Cycle>(all.sent, cluster_.sent_ahead) - cluster_.sent_ahead,
                    std::max(all.done, kAhead) - kAhead});
  if (request.facts->is_store) return now + params_.store_latency;
  return all.done + cluster_.latency + (swaps ? kSwapped : kAtomicReturned);
}

/// Accesses shared memory by a generic address: another block's or the block's own. Accesses of
/// more than 4 bytes to the own memory take as long as hits in the L1 (measured: wmma_double), and
/// so do atomics, which leave the sum to the code behind them (measured: barriers_with_steps of
/// tests/data/h100/hopper_fourth).
Cycle GlobalMemory::start_shared(const MioRequest& request, const WarpAccess& access, Cycle now) {
  const bool is_atomic = request.facts->access.kind == AccessKind::kAtomic;
  free_ = now + params_.l1_interval;
  count(params_.l1_interval);
  if (is_atomic && access.reach == Reach::kOtherBlock && ways != nullptr)
    return start_elsewhere(request, access, now);
  if (access.reach == Reach::kOwnBlock) {
    const Cycle more = Cycle{access.wavefronts - 1} * params_.l1_interval;
    free_ += more;
    count(more);
    if (request.facts->is_store) return now + more + params_.store_latency;
    const uint32_t bytes = request.facts->access_bytes;
    if (!is_atomic && bytes <= kOneWord) return now + cluster_.shared_latency;
    return now + more + params_.l1_latency + later_by(bytes);
  }
  const Cycle start = std::max(now, clusters_.free);
  clusters_.free = start + cluster_.row;
  free_ = std::max(free_, start);
  return start + (request.facts->is_store ? params_.store_latency : cluster_.latency);
}

namespace {

/// Beats of one cycle that a store takes; 0: it takes one, which may hold the pipe for longer.
uint32_t store_beats(const MioRequest& request, const GlobalMemoryParams& params) {
  if (!request.facts->is_store) return 0;
  if (request.payload != MioRequest::kNone) return params.known_store.beats;
  return params.unknown_store.beats;
}

}  // namespace

MioCompletion GlobalMemory::start_known(const MioRequest& request, const WarpAccess& access,
                                        Cycle now) {
  if (access.reach != Reach::kMemory) return done_at(start_shared(request, access, now));
  GlobalMemoryCounts& counts = counts_[request.static_index];
  counts.global_wavefronts += access.wavefronts;
  counts.global_sectors += access.sectors;
  const AccessKind kind = request.facts->access.kind;
  const bool is_load = isa::is_load(kind);
  const uint32_t busy = is_load ? access.wavefronts * params_.l1_interval : params_.interval;
  free_ = now + (is_load && loads_have_passes ? params_.l1_interval : busy);
  count(busy);
  free_ = std::max(free_, blocked_.add(now));
  if (is_load) {
    const MioCompletion loaded = load(request, access, now);
    free_ = std::max(free_, coming_.loads.add(now, loaded.result));
    return loaded;
  }
  const Cycle sent = now + std::max(1u, store_beats(request, params_)) - 1;  // the last beat
  return done_at(kind == AccessKind::kStore ? store(request, access, sent)
                                            : atomic(request, access, sent));
}

namespace {

/// Cycles that accesses take since the last fence; 0: there are none, or they do not count.
Cycle flush_time(const FenceParams& fence, Reached reached) {
  if (fence.accessed == 0 || reached == Reached::kNothing) return 0;
  return fence.accessed + (reached == Reached::kFar ? fence.far : 0);
}

}  // namespace

Cycle GlobalMemory::fence(Cycle now) {
  const Cycle there = std::max(clusters_.done, now) - now;
  const Cycle leaves = now + fences_.until_left(now);
  if (fences_.is_new()) fenced_ = chip->fence(now) - now;
  const Cycle flushed = flushes_.until_done(now, flush_time(params_.fence, chip->reached(sm_)));
  return flushed + std::max(behind_writes(now), there) + (leaves - now) + fenced_;
}

namespace {

/// True for loads of global memory with known addresses.
bool loads_memory(const MioRequest& request, const std::vector<WarpAccess>& expected) {
  return request.payload != MioRequest::kNone && isa::is_load(request.facts->access.kind) &&
         expected[request.payload].reach == Reach::kMemory;
}

}  // namespace

/// Loads with addresses take one for each pass over the banks of the L1.
uint32_t GlobalMemory::beats(const MioRequest& request) {
  const uint32_t stores = store_beats(request, params_);
  if (stores != 0) return stores;
  if (!loads_memory(request, expected_) || loads_have_passes) return 1;
  return expected_[request.payload].wavefronts;
}

/// The last pass starts a load; a copy past the L1 starts in its first cycle.
uint32_t GlobalMemory::load_passes(const MioRequest& request) {
  if (!loads_memory(request, expected_)) return 0;
  const WarpAccess& access = expected_[request.payload];
  if (request.facts->copies_past_l1()) return access.copy_cycles;
  return access.part_wavefronts * params_.l1_interval;
}

uint32_t GlobalMemory::hold(const MioRequest& request, Cycle /*now*/) {
  if (store_beats(request, params_) != 0) return 1;
  if (request.payload == MioRequest::kNone) return interval_of(request, params_, rate_.hits());
  return request.facts->is_store ? params_.interval : params_.l1_interval;
}

}  // namespace shflsim::model
