// SPDX-License-Identifier: Apache-2.0
#include "isa/check/hazards.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/form.h"

namespace shflsim::isa {
namespace {

/// Cycles until the warp's next instruction (docs/sources.md, "Issue codes", rounded down).
int interval_of(const Control& control) {
  static constexpr int kMeasured[] = {15, 6, 8, 12};
  if (control.dual_issue()) return 0;
  if (control.issue_code >= 28) return kMeasured[control.issue_code - 28];
  return std::max(1, static_cast<int>(control.stall()));
}

template <class F>
void for_each_bit(unsigned mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(__builtin_ctz(mask)));
}

template <class T>
bool holds(const std::vector<T>& list, T value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

std::string scoreboard_expected(uint8_t scoreboard, const char* kind) {
  if (scoreboard == Control::kNoScoreboard)
    return fmt::format("a {} barrier there and a wait for it", kind);
  return fmt::format("a wait for SB{}", scoreboard);
}

}  // namespace

std::string Hazards::name_of(Resource resource) {
  if (resource == kCarry) return "CC";
  return resource >= kFirstPredicate ? fmt::format("P{}", resource - kFirstPredicate)
                                     : fmt::format("R{}", resource);
}

std::string Hazards::place_of(uint32_t index) const {
  const Instruction& instruction = program_->code[index];
  return fmt::format("{} at 0x{:04x}", facts(instruction.op).name, instruction.address);
}

// --- scoreboards
// ----------------------------------------------------------------------------------

/// Sources are read in the order of a queue as well.
void Hazards::close_reads(size_t flight) {
  const unsigned queue = result_queue(program_->code[flights_[flight].index]);
  for (size_t i = 0; i < flight && queue != 0; ++i) {
    if (result_queue(program_->code[flights_[i].index]) == queue) flights_[i].read_open = false;
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

/// All but the last `still_flying` instructions that hold the scoreboard have released it.
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

/// DEPBAR.LE leaves the last ones of a scoreboard on their way; a set is waited for as a whole.
void Hazards::wait_in_front(const Instruction& depbar) {
  const bool counts = (depbar.word.low >> 29 & 1u) != 0;
  if (counts) {
    arrive(depbar[Mod::k_sb], static_cast<size_t>(depbar[Role::kC].value));
  }
  for_each_bit(depbar.word.low & 0x3F,
               [&](unsigned scoreboard) { arrive(static_cast<uint8_t>(scoreboard), 0); });
}

/// The block's stores to shared memory are done behind a block barrier, so their sources are read.
void Hazards::pass_block_barrier(const Instruction& bar) {
  for (Flight& flight : flights_) {
    if (result_queue(program_->code[flight.index]) == result_queue(bar)) flight.read_open = false;
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
                                   return now_ - each.issued >= int64_t{kLongestDistance};
                                 }),
                  arriving_.end());
}

// --- reads and writes --------------------------------------------------------------------------

void Hazards::check_deliveries(const Effects& effects, Problem* problem) const {
  for (auto flight = flights_.rbegin(); flight != flights_.rend(); ++flight) {
    if (!flight->written_open) continue;
    for (const Resource resource : effects.reads) {
      const LaneMask concerned = flight->lanes & effects.lanes_of(resource);
      if (concerned == 0 || !holds(flight->writes, resource)) continue;
      const uint8_t scoreboard = program_->code[flight->index].control.write_barrier;
      *problem = {
          fmt::format("reads {} before the {} has delivered it; expected {}", name_of(resource),
                      place_of(flight->index), scoreboard_expected(scoreboard, "write")),
          concerned};
      return;
    }
  }
}

void Hazards::check_distances(const Instruction& instruction, const Effects& effects,
                              Problem* problem) const {
  const OpFacts& reader = facts(instruction.op);
  for (const Resource resource : effects.reads) {
    const Carrier carrier = resource == kCarry            ? Carrier::kCarry
                            : resource >= kFirstPredicate ? Carrier::kPredicate
                                                          : Carrier::kRegister;
    const int64_t distance = least_distance(carrier, reader.pipe);
    for (const Arriving& each : arriving_) {
      const LaneMask concerned = each.lanes & effects.lanes_of(resource);
      if (each.resource != resource || concerned == 0 || now_ - each.issued >= distance) continue;
      *problem = {
          fmt::format("reads {} {} cycle{} after the {} on its way to {}; expected {} at "
                      "least",
                      name_of(resource), now_ - each.issued, now_ - each.issued == 1 ? "" : "s",
                      place_of(each.index), reader.name, distance),
          concerned};
      return;
    }
  }
}

/// Results of one queue come in order, and so do its reads: only those of other queues collide.
void Hazards::check_writes(const Instruction& instruction, const Effects& effects,
                           Problem* problem) const {
  const unsigned queue = is_timed_by_scoreboard(instruction) ? result_queue(instruction) : 0;
  for (const Flight& flight : flights_) {
    const Instruction& earlier = program_->code[flight.index];
    const LaneMask concerned = flight.lanes & effects.lanes;
    if (concerned == 0 || (queue != 0 && result_queue(earlier) == queue)) continue;
    for (const Resource resource : effects.writes) {
      const bool undelivered = flight.written_open && holds(flight.writes, resource);
      const bool unread = flight.read_open && holds(flight.reads, resource);
      if (!undelivered && !unread) continue;
      const bool by_write = undelivered || !flight.holds_read;
      const uint8_t scoreboard =
          by_write ? earlier.control.write_barrier : earlier.control.read_barrier;
      *problem = {
          fmt::format("overwrites {} before the {} has {} it; expected {}", name_of(resource),
                      place_of(flight.index), undelivered ? "delivered" : "read",
                      scoreboard_expected(scoreboard, undelivered ? "write" : "read")),
          concerned};
      return;
    }
  }
}

void Hazards::note(uint32_t index, const Effects& effects) {
  const Instruction& instruction = program_->code[index];
  for (Arriving& each : arriving_) {
    if (holds(effects.writes, each.resource)) each.lanes &= ~effects.lanes;
  }
  if (!is_timed_by_scoreboard(instruction)) {
    for (const Resource resource : effects.writes) {
      arriving_.push_back({resource, index, now_, effects.lanes});
    }
    return;
  }
  Flight flight;
  flight.index = index;
  flight.issued = now_;
  flight.lanes = effects.lanes;
  for (const Resource resource : effects.reads) {
    if (resource < kFirstPredicate) flight.reads.push_back(resource);
  }
  flight.writes = effects.writes;
  flight.read_open = effects.lanes != 0 && !flight.reads.empty();
  flight.written_open = effects.lanes != 0 && !flight.writes.empty();
  flight.holds_read = instruction.control.read_barrier != Control::kNoScoreboard;
  flight.holds_write = instruction.control.write_barrier != Control::kNoScoreboard;
  flights_.push_back(std::move(flight));
}

Hazards::Effects Hazards::effects_of(const Instruction& instruction, LaneMask active,
                                     LaneMask lanes) {
  const Footprint found = footprint(instruction);
  Effects effects;
  effects.active = active;
  effects.lanes = lanes;
  const auto predicate = [](unsigned p) { return static_cast<Resource>(kFirstPredicate + p); };
  if (instruction.guard != kPT) effects.guard = predicate(instruction.guard);
  for (unsigned i = 0; i < found.read_count; ++i) effects.reads.push_back(found.reads[i].index);
  for (unsigned i = 0; i < found.write_count; ++i) {
    const unsigned written = found.first_write + i;
    if (written < kRZ) effects.writes.push_back(static_cast<Resource>(written));
  }
  for_each_bit(found.predicates_read, [&](unsigned p) { effects.reads.push_back(predicate(p)); });
  for_each_bit(found.predicates_written,
               [&](unsigned p) { effects.writes.push_back(predicate(p)); });
  if (found.reads_carry) effects.reads.push_back(kCarry);
  if (found.writes_carry) effects.writes.push_back(kCarry);
  return effects;
}

Hazards::Problem Hazards::step(uint32_t index, LaneMask active, LaneMask lanes) {
  const Instruction& instruction = program_->code[index];
  const Effects effects = effects_of(instruction, active, lanes);
  Problem problem;
  wait(instruction, active, &problem);
  if (instruction.op == Op::kDEPBAR) wait_in_front(instruction);
  if (instruction.op == Op::kBAR) pass_block_barrier(instruction);
  forget_closed();
  if (problem.what.empty()) check_deliveries(effects, &problem);
  if (problem.what.empty()) check_distances(instruction, effects, &problem);
  if (problem.what.empty()) check_writes(instruction, effects, &problem);
  note(index, effects);
  now_ += interval_of(instruction.control);
  return problem;
}

}  // namespace shflsim::isa
