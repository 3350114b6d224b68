// SPDX-License-Identifier: Apache-2.0
// Loads of global memory: the L1, and the port to the L2.
#include <algorithm>

#include "model/core/facts.h"
#include "model/global_memory/global_memory.h"
#include "model/global_memory/later.h"

namespace shflsim::model {
namespace {

/// Requests of loads that wait in the L1 for the SM's port to the L2 while it takes the next access
/// (assumed: a load of 32 lines; loads of whole rows hardly wait in front of the L1).
constexpr Cycle kRequests = 32;

bool goes_past_l1(const GlobalMemoryParams& params, AccessKind kind) {
  if (kind == AccessKind::kPastL1Load) return true;
  return params.l1_loads == "read_only" && kind != AccessKind::kReadOnlyLoad;
}

}  // namespace

MioCompletion GlobalMemory::load(const MioRequest& request, const WarpAccess& access, Cycle now) {
  GlobalMemoryCounts& counts = counts_[request.static_index];
  const bool has_passed = loads_have_passes && !request.facts->copies_past_l1();
  const Cycle begin = blocked_.served_from(now) - (has_passed ? load_passes(request) - 1 : 0);
  const Cycle last = begin + Cycle{access.wavefronts - 1} * params_.l1_interval +
                     Cycle{access.part_wavefronts - access.wavefronts} * params_.l1_part +
                     (access.tag_cycles - 1) + later_by(request.facts->access_bytes);
  MioCompletion loaded = done_at(last + params_.l1_latency);
  const bool has_rate = params_.l1_hit_rate != Parameter::kWord;
  const bool passes = goes_past_l1(params_, request.facts->access.kind);
  const bool hit = has_rate && !passes && rate_.hits();
  if (has_rate && !passes) rate_.use(hit);
  if (hit) {
    counts.l1_hits += access.sectors;
    return loaded;
  }
  const LineLoad how{!has_rate && !passes, access.lines.size() == 1,
                     !passes || !request.facts->loads_to_shared};
  for (const LineTouch& touch : access.lines) {
    const MioCompletion line = load_line(touch, how, &counts, now, last);
    if (line.result >= loaded.result) loaded = line;
  }
  if (loads_have_passes)
    free_ = std::max(free_, std::max(port_free_ / params_.l2_bytes, kRequests) - kRequests);
  return loaded;
}

/// Returns when the sectors of the line can be used.
MioCompletion GlobalMemory::load_line(const LineTouch& touch, const LineLoad& how,
                                      GlobalMemoryCounts* counts, Cycle now, Cycle leaves) {
  const unsigned wanted = touch.sector_mask();
  TagStore::Entry* const known = how.tags_decide ? l1_.find(touch.line) : nullptr;
  const unsigned missing = known == nullptr ? wanted : wanted & ~known->sectors;
  const auto misses = static_cast<unsigned>(__builtin_popcount(missing));
  counts->l1_hits += touch.sectors() - misses;
  counts->l1_misses += misses;
  if (misses == 0) return done_at(known->ready);
  const bool is_scattered = !how.is_one && misses == 1;
  const MioCompletion fetched =
      fetch({sm_, touch.line, missing, false, leaves, is_scattered}, how.needs_room, counts, now);
  TagStore::Entry* const entry =
      known == nullptr && how.tags_decide ? l1_.insert(touch.line) : known;
  if (entry == nullptr) return fetched;
  entry->sectors |= wanted;
  entry->ready = std::max(entry->ready, fetched.result);
  return entry->ready == fetched.result ? fetched : done_at(entry->ready);
}

/// Requests sectors through the SM's port to the L2, one request per cycle at most (measured:
/// gathers.csv, gather_cg_1_8m_s1). The latencies are those of one line. What goes to shared memory
/// past the L1 has its place there, and is requested as fast as its bytes come (measured:
/// behind.csv.gz, cg of 16 sectors in 16 lines: 5 to 8 cycles).
MioCompletion GlobalMemory::fetch(const LineRequest& request, bool needs_room,
                                  GlobalMemoryCounts* counts, Cycle now) {
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
  counts->dram_written += chip->written_back(sm_);
  const Cycle latency = fetched.dram_bytes == 0 ? params_.latency : params_.dram_latency;
  const Cycle far = fetched.is_far ? params_.chip.far_latency : 0;
  const Cycle ready = later_by(fetched.starts + latency + far, fetched.distance);
  if (needs_room && params_.known_store.outstanding != 0)
    coming_.room = coming_.lines.add(1, ready);
  MioCompletion completion = done_at(ready + behind_writes(now));
  completion.fill = fetched.fill;
  return completion;
}

}  // namespace shflsim::model
