// SPDX-License-Identifier: Apache-2.0
// Stores and atomics to global memory: on their way out of the SM.
#include <algorithm>

#include "model/core/facts.h"
#include "model/global_memory/global_memory.h"
#include "model/global_memory/later.h"

namespace shflsim::model {
namespace {

/// The L2 may be this many cycles behind with writes before the next access waits (measured:
/// fence_behind, 16 stores of 32 warps, 1,357 cycles more than without stores).
constexpr Cycle kBacklog = 1350;

constexpr uint64_t kDrainParts = 100;  // parts of a cycle

/// Further latency of an atomic of more bytes per lane, beside that of its operands (measured:
/// behind_stores.csv.gz of tests/data/h200/2026-11-30, `atomics`, one lane: 14 in all of 8 bytes,
/// 22 of 16, 37 of 16 that are compared).
Cycle later_of_atomic(uint32_t bytes) {
  if (bytes <= 4) return 0;
  return bytes <= 8 ? 5 : 9;
}

/// Further time of each step of a compare-and-swap of more than 4 bytes (measured: the same rows of
/// 32 lanes, 4.4 cycles a step, 2.3 of an exchange).
constexpr Cycle kSwapStep = 2;

bool swaps_wide(const MioRequest& request) {
  return request.facts->access.swaps && request.facts->access_bytes > 4;
}

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
  const size_t merged = waiting_.merges.add(access, request.issued);
  for (size_t i = merged; i < access.lines.size(); ++i) {
    const LineTouch& touch = access.lines[i];
    const LineRequest written{sm_, touch.line, touch.sector_mask(), touch.is_partial(), now};
    taken = std::max(taken, chip->write(written, now));
    counts_[request.static_index].dram_written += chip->written_back(sm_);
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
  const Cycle leaves = std::max(now, drained_);  // behind earlier stores
  Cycle taken = leaves;
  Cycle back = leaves;
  for (const LineTouch& touch : access.lines) {
    l1_.drop(touch.line);
    const LineRequest updated{sm_, touch.line, touch.sector_mask(), touch.is_partial(), now};
    const MemoryPort::Updated update =
        chip->update(updated, {touch.atomic_steps, !request.facts->is_store}, now);
    const Cycle starts = std::max(leaves, update.starts);
    taken = std::max(taken, starts);
    counts_[request.static_index].dram_bytes += update.dram_bytes;
    counts_[request.static_index].dram_written += chip->written_back(sm_);
    const Cycle there = std::max(starts, update.there);
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
  const Cycle step = params_.atomic_interval + (swaps_wide(request) ? kSwapStep : 0);
  return back + params_.atomic_latency + later_of_atomic(request.facts->access_bytes) +
         Cycle{steps - 1} * step;
}

/// Sends an access through the store buffer, which takes this many hundredths of a cycle.
void GlobalMemory::leave(const WarpAccess& access, uint64_t hundredths, GlobalMemoryCounts* counts,
                         Cycle now) {
  counts->l2_bytes += uint64_t{access.sectors} * kSectorBytes;
  drains_ += hundredths;
  drained_ = std::max(drained_, now) + drains_ / kDrainParts;
  drains_ %= kDrainParts;
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

}  // namespace shflsim::model
