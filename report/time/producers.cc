// SPDX-License-Identifier: Apache-2.0
#include "report/time/producers.h"

#include <algorithm>

namespace shflsim::report {
namespace {

using model::Cycle;
using model::WarpState;

bool has_bit(unsigned mask, unsigned bit) { return bit < 8 && (mask >> bit & 1u) != 0; }

bool writes(const isa::Footprint& footprint, unsigned reg) {
  return reg >= footprint.first_write &&
         reg < unsigned{footprint.first_write} + footprint.write_count;
}
bool reads_of(const isa::Footprint& reader, const isa::Footprint& writer) {
  bool reads = false;
  reader.for_each_read([&](unsigned index) { reads |= writes(writer, index); });
  return reads;
}
bool write_the_same(const isa::Footprint& one, const isa::Footprint& other) {
  for (unsigned i = 0; i < one.write_count; ++i) {
    if (writes(other, one.first_write + i)) return true;
  }
  return false;
}

/// True if `later` uses or overwrites a result of `earlier`.
bool needs_result(const isa::Footprint& later, const isa::Footprint& earlier) {
  const unsigned predicates = later.predicates_read | later.predicates_written;
  return reads_of(later, earlier) || write_the_same(later, earlier) ||
         (predicates & earlier.predicates_written) != 0 ||
         (later.reads_carry && earlier.writes_carry);
}

/// Bit 0: the multiply-add pipe, bit 1: the fixed-point pipe. Some operations may use either of
/// them.
unsigned hardware_of(isa::Pipe pipe) {
  switch (pipe) {
    case isa::Pipe::kFmai:
    case isa::Pipe::kMultiply:
    case isa::Pipe::kWideMultiply: return 1;
    case isa::Pipe::kFxu: return 2;
    case isa::Pipe::kFmaiFxu: return 3;
    default: return 0;
  }
}

bool shares_hardware(isa::Pipe one, isa::Pipe other) {
  return one == other || (hardware_of(one) & hardware_of(other)) != 0;
}

template <class Map, class Key>
std::optional<Issued> found_in(const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? std::nullopt : std::optional<Issued>(found->second);
}

}  // namespace

void Producers::warp_started(const model::ResidentWarp& warp) {
  if (warps_.size() <= warp.index) warps_.resize(warp.index + 1);
  warps_[warp.index].who = warp;
}

void Producers::issued(const model::ResidentWarp& warp, const model::Issue& issue) {
  Warp& its = warps_[warp.index];
  const Issued now{issue.id, issue.index, issue.cycle};
  // Warps that waited for these have issued.
  const Cycle before = its.last ? its.last->cycle : 0;
  its.pending.erase(std::remove_if(its.pending.begin(), its.pending.end(),
                                   [before](const Pending& each) {
                                     return each.result < before && each.read < before;
                                   }),
                    its.pending.end());
  const isa::CodeLine& line = code_.lines[issue.index];
  its.pending.push_back({now, isa::is_mio(line.pipe) ? model::kNever : issue.cycle, issue.cycle});
  its.last = now;
  SubPartition& its_part = sub_partitions_[place_of(warp)];
  its_part.last = its_part.last_on[line.pipe] = now;
  if (line.is_block_barrier()) last_at_barrier_[warp.block] = now;
}

Producers::Pending* Producers::pending_of(model::InstructionId id) {
  std::vector<Pending>& all = warps_[id.warp].pending;
  const auto found = std::find_if(all.rbegin(), all.rend(), [id](const Pending& each) {
    return each.issued.id.number == id.number;
  });
  return found == all.rend() ? nullptr : &*found;
}

void Producers::left_queue(model::InstructionId id) {
  const Pending* pending = pending_of(id);
  if (pending != nullptr)
    sub_partitions_[place_of(warps_[id.warp].who)].left_queue = pending->issued;
}

void Producers::sources_read(model::InstructionId id, Cycle cycle) {
  if (Pending* pending = pending_of(id); pending != nullptr) pending->read = cycle;
}

void Producers::done(model::InstructionId id, Cycle result) {
  Pending* pending = pending_of(id);
  if (pending == nullptr) return;
  pending->result = result;
  if (pending->read == model::kNever) pending->read = pending->issued.cycle;
}

/// The cycle until which `earlier` keeps `line` from issuing; 0 if it does not.
Cycle Producers::holds_until(const Pending& earlier, const isa::CodeLine& line) const {
  const isa::CodeLine& before = code_.lines[earlier.issued.index];
  Cycle until = 0;
  if (code_.has_control) {
    const unsigned mask = line.control.wait_mask | line.scoreboard_wait.mask;
    if (has_bit(mask, before.control.write_barrier)) until = earlier.result;
    if (has_bit(mask, before.control.read_barrier)) until = std::max(until, earlier.read);
    return until;
  }
  if (needs_result(line.footprint, before.footprint)) until = earlier.result;
  if (reads_of(before.footprint, line.footprint)) until = std::max(until, earlier.read);
  return until;
}

std::optional<Issued> Producers::on_scoreboard(const Warp& warp, uint32_t index) const {
  std::optional<Issued> last;
  Cycle longest = 0;
  for (const Pending& each : warp.pending) {
    const Cycle until = holds_until(each, code_.lines[index]);
    if (until == 0 || until < longest) continue;
    longest = until;
    last = each.issued;
  }
  return last;
}

/// The last issue to a pipe that shares hardware with `pipe`.
std::optional<Issued> Producers::last_on(const SubPartition& part, isa::Pipe pipe) {
  std::optional<Issued> last;
  for (const auto& [its, issued] : part.last_on) {
    if (shares_hardware(its, pipe) && (!last || last->cycle <= issued.cycle)) last = issued;
  }
  return last;
}

std::optional<Issued> Producers::last_of(uint32_t warp) const {
  return warp < warps_.size() ? warps_[warp].last : std::nullopt;
}

std::optional<Issued> Producers::of(const model::ResidentWarp& warp, uint32_t index,
                                    WarpState state) const {
  const Warp& its = warps_[warp.index];
  const auto part = sub_partitions_.find(place_of(warp));
  const bool is_first = part == sub_partitions_.end();
  switch (state) {
    case WarpState::kShortScoreboard:
    case WarpState::kLongScoreboard: return on_scoreboard(its, index);
    case WarpState::kWait: {
      if (code_.has_control) return its.last;
      const std::optional<Issued> producer = on_scoreboard(its, index);
      return producer ? producer : its.last;
    }
    case WarpState::kDrain: {
      const auto last =
          std::max_element(its.pending.begin(), its.pending.end(),
                           [](const Pending& a, const Pending& b) { return a.result < b.result; });
      return last == its.pending.end() ? its.last : last->issued;
    }
    case WarpState::kBarrier: return found_in(last_at_barrier_, warp.block);
    case WarpState::kDispatchStall:
    case WarpState::kNotSelected: return is_first ? std::nullopt : part->second.last;
    case WarpState::kMathPipeThrottle:
    case WarpState::kGmma:
      return is_first ? std::nullopt : last_on(part->second, code_.lines[index].pipe);
    case WarpState::kMioThrottle:
    case WarpState::kLgThrottle: return is_first ? std::nullopt : part->second.left_queue;
    default: return its.last;
  }
}

}  // namespace shflsim::report
