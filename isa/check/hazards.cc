// SPDX-License-Identifier: Apache-2.0
#include "isa/check/hazards.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/codec/form.h"
#include "isa/codec/group_shape.h"

namespace shflsim::isa {
namespace {

/// Cycles until the warp's next instruction (docs/sources.md, "Issue codes", rounded down).
int interval_of(Family family, const Control& control) {
  static constexpr int kMeasured[] = {15, 6, 8, 12};
  const int stall = std::max(1, static_cast<int>(control.stall()));
  if (family == Family::kSm70) return stall;
  if (control.dual_issue()) return 0;
  if (control.issue_code >= 28) return kMeasured[control.issue_code - 28];
  return stall;
}

/// The fields of a DEPBAR; the position of the set depends on the family.
struct DepbarFields {
  bool counts;
  uint8_t scoreboard;
  uint8_t most;
  unsigned set;
};
DepbarFields depbar_fields(const Instruction& depbar) {
  const uint64_t low = depbar.word.low;
  if (family_of(depbar.arch) == Family::kSm70) {
    return {(low >> 47 & 1u) != 0, static_cast<uint8_t>(low >> 44 & 7u),
            static_cast<uint8_t>(low >> 38 & 63u), static_cast<unsigned>(low >> 32 & 63u)};
  }
  return {(low >> 29 & 1u) != 0, depbar[Mod::k_sb], static_cast<uint8_t>(depbar[Role::kC].value),
          static_cast<unsigned>(low & 0x3F)};
}

Carrier carrier_of(Resource resource) {
  if (resource >= kFirstUniformPredicate) return Carrier::kUniformPredicate;
  if (resource >= kFirstUniform) return Carrier::kUniform;
  if (resource == kCarryFlag) return Carrier::kCarry;
  return resource >= kFirstPredicate ? Carrier::kPredicate : Carrier::kRegister;
}

/// A generic atomic operation without an old value writes a predicate that says whether it could
/// use the address; only its read barrier says when (ptxas 13.0, sm_100 and sm_120).
bool reports_by_read_barrier(const Instruction& instruction) {
  return instruction.op == Op::kSm70_ATOM &&
         instruction.control.write_barrier == Control::kNoScoreboard;
}

/// Lanes in which two accesses conflict; for a uniform resource all lanes of the later access.
LaneMask meeting(Resource resource, LaneMask earlier, LaneMask now) {
  if (!is_uniform(resource)) return earlier & now;
  return earlier != 0 ? now : 0;
}

template <class F>
void for_each_bit(unsigned mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(__builtin_ctz(mask)));
}

template <class T>
bool holds(const std::vector<T>& list, T value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// A product of four warps, which is in flight until a WARPGROUP.DEPBAR has waited for its group.
bool is_group_product(const Instruction& instruction) {
  return isa::is_group_product(instruction.op);
}

bool ends_group(const Instruction& product) {
  constexpr uint8_t kNoGroup = 7;  // value of the modifier gsb
  return product[Mod::k_gsb] != kNoGroup;
}

/// True for a sum of two products of groups: products are executed in order.
bool adds_up(const Instruction& earlier, const Instruction& instruction, Resource resource) {
  if (!is_group_product(earlier) || !is_group_product(instruction)) return false;
  const Operand& sums = instruction[Role::kD];
  return resource >= sums.index && resource < sums.index + 0u + sums.count;
}

std::string wait_expected(const Instruction& earlier, uint8_t scoreboard, const char* kind) {
  if (is_group_product(earlier)) return "a WARPGROUP.DEPBAR for its group";
  if (scoreboard == Control::kNoScoreboard)
    return fmt::format("a {} barrier there and a wait for it", kind);
  return fmt::format("a wait for SB{}", scoreboard);
}

}  // namespace

std::string Hazards::place_of(uint32_t index) const {
  const Instruction& instruction = program_->code[index];
  return fmt::format("{} at 0x{:04x}", facts(instruction.op).name, instruction.address);
}

// --- scoreboards
// ----------------------------------------------------------------------------------

void Hazards::close_reads(size_t flight) {
  const unsigned queue = source_queue(program_->code[flights_[flight].index]);
  for (size_t i = 0; i < flight && queue != 0; ++i) {
    if (source_queue(program_->code[flights_[i].index]) == queue) flights_[i].read_open = false;
  }
  flights_[flight].read_open = false;
}

void Hazards::close_writes(size_t flight) {
  close_reads(flight);
  const unsigned queue = result_queue(program_->code[flights_[flight].index]);
  for (size_t i = 0; i < flight && queue != 0; ++i) {
    if (result_queue(program_->code[flights_[i].index]) == queue) flights_[i].written_open = false;
  }
  flights_[flight].written_open = false;
}

/// Releases the scoreboard for all but the last `still_flying` instructions that hold it.
void Hazards::arrive(uint8_t scoreboard, size_t still_flying) {
  std::vector<size_t> holders;
  for (size_t i = 0; i < flights_.size(); ++i) {
    const Control& control = program_->code[flights_[i].index].control;
    const bool by_write = flights_[i].holds_write && control.write_barrier == scoreboard;
    const bool by_read = flights_[i].holds_read && control.read_barrier == scoreboard;
    if (by_write || by_read) holders.push_back(i);
  }
  for (size_t i = 0; i + still_flying < holders.size(); ++i) {
    Flight& flight = flights_[holders[i]];
    const Control& control = program_->code[flight.index].control;
    if (flight.holds_read && control.read_barrier == scoreboard) {
      flight.holds_read = false;
      close_reads(holders[i]);
      if (reports_by_read_barrier(program_->code[flight.index])) close_writes(holders[i]);
    }
    if (flight.holds_write && control.write_barrier == scoreboard) {
      flight.holds_write = false;
      close_writes(holders[i]);
    }
  }
}

void Hazards::wait(const Instruction& instruction, LaneMask active, Problem* problem) {
  for_each_bit(instruction.control.wait_mask, [&](unsigned scoreboard) {
    for (const Flight& flight : flights_) {
      const Control& control = program_->code[flight.index].control;
      const bool held = (flight.holds_write && control.write_barrier == scoreboard) ||
                        (flight.holds_read && control.read_barrier == scoreboard);
      const int64_t behind = now_ - flight.issued;
      if (!held || behind >= int64_t{kScoreboardVisible}) continue;
      *problem = {fmt::format("waits for SB{} {} cycle{} behind the {} that sets it; expected {}",
                              scoreboard, behind, behind == 1 ? "" : "s", place_of(flight.index),
                              kScoreboardVisible),
                  active};
    }
    arrive(static_cast<uint8_t>(scoreboard), 0);
  });
}

/// DEPBAR.LE waits for all but the last operations of one scoreboard, and for all of a set's.
void Hazards::wait_in_front(const Instruction& depbar) {
  const DepbarFields fields = depbar_fields(depbar);
  if (fields.counts) arrive(fields.scoreboard, fields.most);
  for_each_bit(fields.set,
               [&](unsigned scoreboard) { arrive(static_cast<uint8_t>(scoreboard), 0); });
}

/// Completes all but the last groups; products that are in no group yet stay in flight.
void Hazards::wait_for_groups(const Instruction& depbar) {
  const Operand& most = depbar[Role::kB];
  if (!most.is(Operand::Kind::kImmediate)) return;  // WARPGROUP.ARRIVE
  int64_t groups = 0;
  for (auto flight = flights_.rbegin(); flight != flights_.rend(); ++flight) {
    const Instruction& product = program_->code[flight->index];
    if (!is_group_product(product)) continue;
    if (ends_group(product)) ++groups;
    if (groups > most.value) flight->read_open = flight->written_open = false;
  }
}

/// Stores to shared memory are complete after a block barrier, so their sources have been read.
void Hazards::pass_block_barrier(const Instruction& bar) {
  for (Flight& flight : flights_) {
    if (source_queue(program_->code[flight.index]) == source_queue(bar)) flight.read_open = false;
  }
}

void Hazards::forget_closed() {
  flights_.erase(std::remove_if(flights_.begin(), flights_.end(),
                                [](const Flight& flight) {
                                  return !flight.read_open && !flight.written_open &&
                                         !flight.holds_read && !flight.holds_write;
                                }),
                 flights_.end());
  arriving_.erase(std::remove_if(arriving_.begin(), arriving_.end(),
                                 [this](const Arriving& each) {
                                   return now_ - each.issued >= int64_t{kLongestSm70Distance};
                                 }),
                  arriving_.end());
}

// --- reads and writes --------------------------------------------------------------------------

void Hazards::check_deliveries(const Instruction& instruction, const Access& access,
                               Problem* problem) const {
  for (auto flight = flights_.rbegin(); flight != flights_.rend(); ++flight) {
    if (!flight->written_open) continue;
    for (const Resource resource : access.effects.reads) {
      const LaneMask concerned = meeting(resource, flight->lanes, access.reading(resource));
      if (concerned == 0 || !holds(flight->writes, resource)) continue;
      const Instruction& earlier = program_->code[flight->index];
      if (adds_up(earlier, instruction, resource)) continue;
      const uint8_t scoreboard = earlier.control.write_barrier;
      *problem = {
          fmt::format("reads {} before the {} has delivered it; expected {}", name_of(resource),
                      place_of(flight->index), wait_expected(earlier, scoreboard, "write")),
          concerned};
      return;
    }
  }
}

void Hazards::check_distances(const Instruction& instruction, const Access& access,
                              Problem* problem) const {
  const char* reader = facts(instruction.op).name;
  for (const Resource resource : access.effects.reads) {
    for (const Arriving& each : arriving_) {
      if (each.resource != resource) continue;
      const LaneMask concerned = meeting(resource, each.lanes, access.reading(resource));
      const int64_t distance = least_distance(program_->code[each.index], carrier_of(resource),
                                              instruction, resource == access.effects.guard);
      if (concerned == 0 || now_ - each.issued >= distance) continue;
      *problem = {
          fmt::format("reads {} {} cycle{} after the {} on its way to {}; expected {} at "
                      "least",
                      name_of(resource), now_ - each.issued, now_ - each.issued == 1 ? "" : "s",
                      place_of(each.index), reader, distance),
          concerned};
      return;
    }
  }
}

/// Only instructions of different queues can conflict: a queue keeps results and reads in order.
void Hazards::check_writes(const Instruction& instruction, const Access& access,
                           Problem* problem) const {
  const bool is_late = is_timed_by_scoreboard(instruction);
  const unsigned results = is_late ? result_queue(instruction) : 0;
  const unsigned sources = is_late ? source_queue(instruction) : 0;
  for (const Flight& flight : flights_) {
    const Instruction& earlier = program_->code[flight.index];
    const bool delivers_first = results != 0 && result_queue(earlier) == results;
    const bool reads_first = sources != 0 && source_queue(earlier) == sources;
    if (delivers_first && reads_first) continue;
    for (const Resource resource : access.effects.writes) {
      const LaneMask concerned = meeting(resource, flight.lanes, access.lanes);
      const bool undelivered =
          !delivers_first && flight.written_open && holds(flight.writes, resource);
      const bool unread = !reads_first && flight.read_open && holds(flight.reads, resource);
      if (concerned == 0 || (!undelivered && !unread)) continue;
      if (adds_up(earlier, instruction, resource)) continue;
      const bool by_write = undelivered || !flight.holds_read;
      const uint8_t scoreboard =
          by_write ? earlier.control.write_barrier : earlier.control.read_barrier;
      *problem = {
          fmt::format("overwrites {} before the {} has {} it; expected {}", name_of(resource),
                      place_of(flight.index), undelivered ? "delivered" : "read",
                      wait_expected(earlier, scoreboard, undelivered ? "write" : "read")),
          concerned};
      return;
    }
  }
}

void Hazards::note(uint32_t index, const Access& access) {
  const Instruction& instruction = program_->code[index];
  for (Arriving& each : arriving_) {
    if (!holds(access.effects.writes, each.resource)) continue;
    each.lanes &= is_uniform(each.resource) && access.lanes != 0 ? 0 : ~access.lanes;
  }
  if (!is_timed_by_scoreboard(instruction) && !is_group_product(instruction)) {
    for (const Resource resource : access.effects.writes) {
      arriving_.push_back({resource, index, now_, access.lanes});
    }
    return;
  }
  Flight flight;
  flight.index = index;
  flight.issued = now_;
  flight.lanes = access.lanes;
  for (const Resource resource : access.effects.reads) {
    if (resource < kFirstPredicate) flight.reads.push_back(resource);
  }
  flight.writes = access.effects.writes;
  flight.read_open = access.lanes != 0 && !flight.reads.empty();
  flight.written_open = access.lanes != 0 && !flight.writes.empty();
  flight.holds_read = instruction.control.read_barrier != Control::kNoScoreboard;
  flight.holds_write = instruction.control.write_barrier != Control::kNoScoreboard;
  flights_.push_back(std::move(flight));
}

LaneMask Hazards::Access::reading(Resource read) const {
  return read == effects.guard ? active : lanes;
}

Hazards::Problem Hazards::step(uint32_t index, LaneMask active, LaneMask lanes) {
  const Instruction& instruction = program_->code[index];
  const Access access{(*effects_)[index], active, lanes};
  Problem problem;
  wait(instruction, active, &problem);
  const Op op = instruction.op;
  if (op == Op::kDEPBAR || op == Op::kSm70_DEPBAR) wait_in_front(instruction);
  if (op == Op::kSm70_WARPGROUP) wait_for_groups(instruction);
  if (op == Op::kBAR || op == Op::kSm70_BAR) pass_block_barrier(instruction);
  forget_closed();
  if (problem.what.empty()) check_deliveries(instruction, access, &problem);
  if (problem.what.empty()) check_distances(instruction, access, &problem);
  if (problem.what.empty()) check_writes(instruction, access, &problem);
  note(index, access);
  now_ += interval_of(family_of(instruction.arch), instruction.control);
  return problem;
}

}  // namespace shflsim::isa
