// SPDX-License-Identifier: Apache-2.0
#include "model/global_memory/global_memory.h"

#include <algorithm>

#include "isa/machine/address_space.h"
#include "model/core/facts.h"

namespace shflsim::model {
namespace {

/// A warp may exit this many cycles before the L2 accepts its last write, which waits on the way
/// (measured: soft; drain in the launches of tests/data/h100/2026-11-26).
constexpr Cycle kAhead = 512;

/// The L2 may be this many cycles behind with writes before the next access waits (measured:
/// fence_behind, 16 stores of 32 warps, 1,357 cycles more than without stores).
constexpr Cycle kBacklog = 1350;

/// Requests of loads that wait in the L1 for the SM's port to the L2 while it takes the next access
/// (assumed: a load of 32 lines; loads of whole rows hardly wait in front of the L1).
constexpr Cycle kRequests = 32;

constexpr uint32_t kOneWord = 4;

constexpr uint64_t kDrainParts = 100;  // parts of a cycle

Cycle later_by(Cycle time, int cycles) {
  return cycles < 0 ? time - static_cast<Cycle>(-cycles) : time + static_cast<Cycle>(cycles);
}

/// Further latency of a load of several words per lane, measured on an H200 with one lane and with
/// lanes on one word.
Cycle later_by(uint32_t bytes) {
  if (bytes <= 4) return 0;
  return bytes <= 8 ? 1 : 4;
}

/// Further latency of an atomic of more bytes per lane (measured: wide_atomics.txt.gz of
/// tests/data/h200/2026-11-29, one lane: 13 of 8 bytes; 28 to 34 of vectors and 16 bytes).
Cycle later_of_atomic(uint32_t bytes) {
  if (bytes <= 4) return 0;
  return bytes <= 8 ? 13 : 31;
}

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
}

GlobalMemory::GlobalMemory(const sc_core::sc_module_name& name, const GlobalMemoryParams& params,
                           const ClusterParams& cluster, uint32_t shared_bytes, unsigned sm)
    : Unit(name),
      chip("chip"),
      params_(params),
      cluster_(cluster),
      sm_(sm),
      l1_(params.l1_lines(shared_bytes), std::max(1u, params.l1_candidates)),
      outstanding_(params.known_store.outstanding),
      outstanding_atomics_(params.known_store.outstanding_atomics),
      blocked_(params.known_store.waiting),
      coming_{Outstanding(std::max(1u, params.l1_lines(shared_bytes)) - 1),
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

/// The memory that the generic address of the lowest lane refers to.
Reach reach_of(uint64_t address, uint32_t rank) {
  if (!isa::kSm70Windows.holds_shared(address)) return Reach::kMemory;
  return rank_at(address) == rank ? Reach::kOwnBlock : Reach::kOtherBlock;
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
  const uint64_t address = addresses[static_cast<unsigned>(__builtin_ctz(lanes))];
  const Reach reach = reach_of(address, clusters_.ranks[warp]);
  expected_[place].reach = reach;
  expected_[place].slot = warp;
  expected_[place].own_block = clusters_.firsts[warp] + clusters_.ranks[warp];
  if (reach == Reach::kOtherBlock)
    expected_[place].block = clusters_.firsts[warp] + static_cast<uint32_t>(rank_at(address));
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
  MioCompletion completion;
  completion.result = start_known(request, expected_[request.payload], now);
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

namespace {

/// Stores to more lines than they have rows, and to local memory (measured: jumps.csv of
/// tests/data/h200/2026-11-24, 8 warps).
bool takes_store_place(const MioRequest& request, const WarpAccess& access) {
  return request.facts->access.is_local ||
         access.lines.size() > StoreRows::rows_of(request.facts->access_bytes);
}

}  // namespace

/// A guarded store without known address is assumed to have few active lanes, so that it does not
/// fill the buffer.
Cycle GlobalMemory::make_room(const MioRequest& request, Cycle now) {
  if (!request.facts->is_store) return now;
  if (request.payload != MioRequest::kNone) {
    const bool takes_place = takes_store_place(request, expected_[request.payload]);
    return std::max(now, waiting_.rows.room_for(request.facts->access_bytes, takes_place));
  }
  if (request.facts->is_guarded || params_.store_buffer == 0) return now;
  const uint32_t rows = StoreRows::rows_of(request.facts->access_bytes);
  drained_ = std::max(drained_, now) + Cycle{rows} * params_.store_drain;
  const Cycle capacity = Cycle{params_.store_buffer} * params_.store_drain;
  return std::max(now + capacity, drained_) - capacity;
}

/// Accesses shared memory by a generic address: another block's or the block's own. Accesses of
/// more than 4 bytes to the own memory take as long as hits in the L1 (measured: wmma_double), and
/// so do atomics, which leave the sum to the code behind them (measured: barriers_with_steps of
/// tests/data/h100/hopper_fourth).
Cycle GlobalMemory::start_shared(const MioRequest& request, const WarpAccess& access, Cycle now) {
  const bool is_atomic = request.facts->access.kind == AccessKind::kAtomic;
  free_ = now + params_.l1_interval;
  count(params_.l1_interval);
  if (is_atomic && access.reach == Reach::kOtherBlock && ways != nullptr) {
    const uint64_t steps = std::max(1u, access.atomic_steps);
    const ClusterWays::Times times =
        ways->pass(access.own_block, access.block, steps * cluster_.atomic_step,
                   steps * cluster_.atomic_there, now);
    clusters_.done = std::max(clusters_.done, times.done);
    free_ = std::max({free_, times.sent, std::max(times.done, kAhead) - kAhead});
    return request.facts->is_store ? now + params_.store_latency : times.done + cluster_.latency;
  }
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

Cycle GlobalMemory::start_known(const MioRequest& request, const WarpAccess& access, Cycle now) {
  if (access.reach != Reach::kMemory) return start_shared(request, access, now);
  GlobalMemoryCounts& counts = counts_[request.static_index];
  counts.global_wavefronts += access.wavefronts;
  counts.global_sectors += access.sectors;
  const AccessKind kind = request.facts->access.kind;
  const bool is_load = kind != AccessKind::kStore && kind != AccessKind::kAtomic;
  const uint32_t busy = is_load ? access.wavefronts * params_.l1_interval : params_.interval;
  free_ = now + (is_load && loads_have_passes ? params_.l1_interval : busy);
  count(busy);
  free_ = std::max(free_, blocked_.add(now));
  if (is_load) {
    const Cycle ready = load(request, access, now);
    free_ = std::max(free_, coming_.loads.add(now, ready));
    return ready;
  }
  const Cycle sent = now + std::max(1u, store_beats(request)) - 1;  // the last beat
  return kind == AccessKind::kStore ? store(request, access, sent) : atomic(request, access, sent);
}

namespace {

bool goes_past_l1(const GlobalMemoryParams& params, AccessKind kind) {
  if (kind == AccessKind::kPastL1Load) return true;
  return params.l1_loads == "read_only" && kind != AccessKind::kReadOnlyLoad;
}

}  // namespace

Cycle GlobalMemory::load(const MioRequest& request, const WarpAccess& access, Cycle now) {
  GlobalMemoryCounts& counts = counts_[request.static_index];
  const bool has_passed = loads_have_passes && !request.facts->copies_past_l1();
  const Cycle begin = blocked_.served_from(now) - (has_passed ? load_passes(request) - 1 : 0);
  const Cycle last = begin + Cycle{access.wavefronts - 1} * params_.l1_interval +
                     Cycle{access.part_wavefronts - access.wavefronts} * params_.l1_part +
                     (access.tag_cycles - 1) + later_by(request.facts->access_bytes);
  Cycle result = last + params_.l1_latency;
  const bool has_rate = params_.l1_hit_rate != Parameter::kWord;
  const bool passes = goes_past_l1(params_, request.facts->access.kind);
  const bool hit = has_rate && !passes && rate_.hits();
  if (has_rate && !passes) rate_.use(hit);
  if (hit) {
    counts.l1_hits += access.sectors;
    return result;
  }
  const LineLoad how{!has_rate && !passes, access.lines.size() == 1,
                     !passes || !request.facts->loads_to_shared};
  for (const LineTouch& touch : access.lines)
    result = std::max(result, load_line(touch, how, &counts, now, last));
  if (loads_have_passes)
    free_ = std::max(free_, std::max(port_free_ / params_.l2_bytes, kRequests) - kRequests);
  return result;
}

/// Returns when the sectors of the line can be used.
Cycle GlobalMemory::load_line(const LineTouch& touch, const LineLoad& how,
                              GlobalMemoryCounts* counts, Cycle now, Cycle leaves) {
  const unsigned wanted = touch.sector_mask();
  TagStore::Entry* const known = how.tags_decide ? l1_.find(touch.line) : nullptr;
  const unsigned missing = known == nullptr ? wanted : wanted & ~known->sectors;
  const auto misses = static_cast<unsigned>(__builtin_popcount(missing));
  counts->l1_hits += touch.sectors() - misses;
  counts->l1_misses += misses;
  if (misses == 0) return known->ready;
  const bool is_scattered = !how.is_one && misses == 1;
  const Cycle ready =
      fetch({sm_, touch.line, missing, false, leaves, is_scattered}, how.needs_room, counts, now);
  TagStore::Entry* const entry =
      known == nullptr && how.tags_decide ? l1_.insert(touch.line) : known;
  if (entry == nullptr) return ready;
  entry->sectors |= wanted;
  entry->ready = std::max(entry->ready, ready);
  return entry->ready;
}

/// Requests sectors through the SM's port to the L2, one request per cycle at most (measured:
/// gathers.csv, gather_cg_1_8m_s1). The latencies are those of one line. What goes to shared memory
/// past the L1 has its place there, and is requested as fast as its bytes come (measured:
/// behind.csv.gz, cg of 16 sectors in 16 lines: 5 to 8 cycles).
Cycle GlobalMemory::fetch(const LineRequest& request, bool needs_room, GlobalMemoryCounts* counts,
                          Cycle now) {
  const auto sectors = static_cast<uint64_t>(__builtin_popcount(request.sectors));
  const uint64_t bytes = sectors * kSectorBytes;
  const uint64_t start = std::max(
      std::max(request.leaves, needs_room ? coming_.room : 0) * params_.l2_bytes, port_free_);
  port_free_ = start + (needs_room ? std::max<uint64_t>(bytes, params_.l2_bytes) : bytes);
  counts->l2_bytes += bytes;
  LineRequest leaving = request;
  leaving.leaves = start / params_.l2_bytes;
  const MemoryPort::Fetched fetched = chip->fetch(leaving, now);
  chip->note(sm_, request.line);
  counts->dram_bytes += fetched.dram_bytes;
  const Cycle latency = fetched.dram_bytes == 0 ? params_.latency : params_.dram_latency;
  const Cycle far = fetched.is_far ? params_.chip.far_latency : 0;
  const Cycle ready = later_by(fetched.starts + latency + far, fetched.distance);
  if (needs_room && params_.known_store.outstanding != 0)
    coming_.room = coming_.lines.add(1, ready);
  return ready + behind_writes(now);
}

namespace {

/// Time in which the lines of a store from `first` on leave the SM, in hundredths of cycles. A line
/// with a sector that is written in part takes a sector's time more (measured: stores.csv.gz,
/// patterns 2 and 7; merges.txt.gz of tests/data/h200/2026-11-30, one to four such sectors).
uint64_t time_of(const WarpAccess& access, size_t first, const GlobalMemoryParams& params) {
  uint64_t all = 0;
  for (size_t i = first; i < access.lines.size(); ++i) {
    const LineTouch& touch = access.lines[i];
    const uint64_t sectors = touch.sectors() + (touch.is_partial() ? 1 : 0);
    all += std::max<uint64_t>(kDrainParts * sectors * params.store_sector, params.known_store.line);
  }
  return all;
}

}  // namespace

Cycle GlobalMemory::store(const MioRequest& request, const WarpAccess& access, Cycle now) {
  Cycle taken = now;
  const size_t merged = waiting_.merges.add(access, now);
  for (size_t i = merged; i < access.lines.size(); ++i) {
    const LineTouch& touch = access.lines[i];
    const LineRequest written{sm_, touch.line, touch.sector_mask(), touch.is_partial(), now};
    taken = std::max(taken, chip->write(written, now));
  }
  leave(access, time_of(access, merged, params_), &counts_[request.static_index], now);
  waiting_.merges.leaves_at(access.slot, drained_);
  if (waiting_.rows.is_limit())
    free_ = std::max(free_, waiting_.rows.add(request.facts->access_bytes,
                                              takes_store_place(request, access), drained_));
  else
    block_if_full(now);
  taken_ = std::max(taken_, taken);
  if (taken > now + kBacklog) free_ = std::max(free_, taken - kBacklog);
  const Cycle left = params_.known_store.exit == 0 ? now : drained_;
  return std::max(left, done(&outstanding_, taken, access.sectors + access.partial_lines, now));
}

Cycle GlobalMemory::atomic(const MioRequest& request, const WarpAccess& access, Cycle now) {
  const uint32_t steps = std::max(1u, access.atomic_steps);
  Cycle taken = now;
  Cycle back = now;
  for (const LineTouch& touch : access.lines) {
    l1_.drop(touch.line);
    const LineRequest updated{sm_, touch.line, touch.sector_mask(), touch.is_partial(), now};
    const MemoryPort::Updated update =
        chip->update(updated, {touch.atomic_steps, !request.facts->is_store}, now);
    taken = std::max(taken, update.starts);
    counts_[request.static_index].dram_bytes += update.dram_bytes;
    const Cycle there = std::max(update.starts, update.there);
    const Cycle far = update.is_far ? params_.chip.far_latency : 0;
    const Cycle dram = update.dram_bytes != 0 ? params_.dram_later() : 0;
    back = std::max(back, later_by(there + far + dram, update.distance));
  }
  leave(access, kDrainParts * access.atomic_steps * params_.store_sector,
        &counts_[request.static_index], now);
  block_if_full(now);
  const Cycle left = done(&outstanding_atomics_, taken, steps, now);
  if (params_.known_store.outstanding == 0) {
    drained_ = std::max(drained_, taken);
    block_if_full(now);
  } else {
    blocked_.block_until(left - params_.store_latency);
  }
  if (request.facts->is_store)
    return params_.known_store.exit == 0 ? left : std::max(left, drained_);
  return back + params_.atomic_latency + later_of_atomic(request.facts->access_bytes) +
         Cycle{steps - 1} * params_.atomic_interval;
}

/// Sends an access through the store buffer, which takes this many hundredths of a cycle.
void GlobalMemory::leave(const WarpAccess& access, uint64_t hundredths, GlobalMemoryCounts* counts,
                         Cycle now) {
  counts->l2_bytes += uint64_t{access.sectors} * kSectorBytes;
  drains_ += hundredths;
  drained_ = std::max(drained_, now) + drains_ / kDrainParts;
  drains_ %= kDrainParts;
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

/// Returns when a warp may exit if the L2 accepts `count` of its writes or atomics at `taken`.
Cycle GlobalMemory::done(Outstanding* outstanding, Cycle taken, uint32_t count, Cycle now) {
  const Cycle room = params_.known_store.outstanding == 0 ? std::max(taken, kAhead) - kAhead
                                                          : outstanding->add(count, taken);
  return std::max(now + params_.store_latency, room);
}

/// If the store buffer is full, the next access waits for room.
void GlobalMemory::block_if_full(Cycle now) {
  if (params_.store_buffer == 0) return;
  const Cycle capacity = Cycle{params_.store_buffer} * params_.store_drain;
  if (drained_ > now + capacity) free_ = std::max(free_, drained_ - capacity);
}

/// Loads with addresses take one for each pass over the banks of the L1.
uint32_t GlobalMemory::beats(const MioRequest& request) {
  const uint32_t stores = store_beats(request);
  if (stores != 0) return stores;
  const AccessKind kind = request.facts->access.kind;
  const bool is_load = kind != AccessKind::kStore && kind != AccessKind::kAtomic;
  const bool is_known = request.payload != MioRequest::kNone;
  if (!is_known || !is_load || expected_[request.payload].reach != Reach::kMemory) return 1;
  if (loads_have_passes) return 1;
  return expected_[request.payload].wavefronts;
}

/// The last pass starts a load; a copy past the L1 starts in its first cycle.
uint32_t GlobalMemory::load_passes(const MioRequest& request) {
  const AccessKind kind = request.facts->access.kind;
  const bool is_load = kind != AccessKind::kStore && kind != AccessKind::kAtomic;
  const bool is_known = request.payload != MioRequest::kNone;
  if (!is_known || !is_load || expected_[request.payload].reach != Reach::kMemory) return 0;
  const WarpAccess& access = expected_[request.payload];
  if (request.facts->copies_past_l1()) return access.copy_cycles;
  return access.part_wavefronts * params_.l1_interval;
}

uint32_t GlobalMemory::hold(const MioRequest& request, Cycle /*now*/) {
  if (store_beats(request) != 0) return 1;
  if (request.payload == MioRequest::kNone) return interval_of(request, params_, rate_.hits());
  return request.facts->is_store ? params_.interval : params_.l1_interval;
}

}  // namespace shflsim::model
