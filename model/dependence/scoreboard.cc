// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <vector>

#include "model/dependence/dependence.h"

namespace shflsim::model {
namespace {

constexpr unsigned kRegisters = 256;
constexpr unsigned kPredicates = 8;

class Scoreboard final : public Dependence {
 public:
  Scoreboard(const sc_core::sc_module_name& name, const MathLatencies& latencies)
      : Dependence(name), latencies_(latencies), slots_(kMostSlots) {}

  const char* kind() const override { return "Scoreboard"; }
  const char* hardware() const override { return "register scoreboard of each warp"; }

  /// Results of fixed latency are known at issue.
  DependenceNeeds needs(const Facts& facts) const override {
    return {facts.bits.uses, true, !is_fixed_math(facts.pipe)};
  }

  WarpState blocker(unsigned slot, const Facts& facts, Cycle now) override {
    Slot& warp = slots_[slot];
    if (warp.is_settled(facts.footprint, now)) {
      if (warp.unknown == 0 && warp.others_settled <= now) warp.others = 0;
      pending_[slot] = warp.recent | warp.others;
      return WarpState::kSelected;
    }
    Wait wait;
    const isa::Footprint& footprint = facts.footprint;
    const Cycle sooner = sooner_by(facts.pipe);
    footprint.for_each_read([&](unsigned index) { wait.on(seen(warp.registers[index], sooner)); });
    for (unsigned i = 0; i < footprint.write_count; ++i) {
      wait.on(warp.registers[footprint.first_write + i]);
      wait.on(warp.readers[footprint.first_write + i].pending());
    }
    const unsigned predicates = footprint.predicates_read | footprint.predicates_written;
    for (unsigned p = 0; predicates >> p != 0; ++p) {
      if (((predicates >> p) & 1u) != 0) wait.on(warp.predicates[p]);
    }
    if (footprint.reads_carry) wait.on(warp.carry);
    if (wait.until <= now) return WarpState::kSelected;
    wake_at(wait.until, slot);
    return wait.state;
  }

  void issued(unsigned slot, const Facts& facts, Cycle now) override {
    if (is_mio(facts.pipe)) return sent(slot, facts, now);
    Slot& warp = slots_[slot];
    const isa::Footprint& footprint = facts.footprint;
    const Cycle result = now + latencies_.fixed(facts);
    if (warp.settled <= now) warp.recent = 0;
    warp.recent |= facts.bits.writes;
    pending_[slot] = warp.recent | warp.others;
    warp.settled = std::max({warp.settled, result, now + latencies_.math});
    set_registers(&warp, footprint, {result, WarpState::kWait});
    if (footprint.writes_carry) warp.carry = {now + latencies_.math, WarpState::kWait};
    if (footprint.predicates_written == 0) return;
    const Cycle predicate = now + latencies_.predicate;
    set_predicates(&warp, footprint, {predicate, WarpState::kWait});
    warp.settled = std::max(warp.settled, predicate);
  }

  /// The instruction enters the queue to the shared units; the time of its result is not known yet.
  void sent(unsigned slot, const Facts& facts, Cycle now) {
    Slot& warp = slots_[slot];
    const isa::Footprint& footprint = facts.footprint;
    const WarpState state = waits_for(facts.pipe);
    if (warp.settled <= now) warp.recent = 0;
    set_registers(&warp, footprint, {kNever, state});
    set_predicates(&warp, footprint, {kNever, state});
    if (footprint.writes_carry) warp.carry = {now + latencies_.math, WarpState::kWait};
    warp.others |= facts.bits.reads | facts.bits.writes;
    pending_[slot] = warp.recent | warp.others;
    warp.unknown += 2;  // its sources and its result
    if (footprint.writes_carry) warp.settle_others(now + latencies_.math);
    footprint.for_each_read([&](unsigned index) {
      Readers& readers = warp.readers[index];
      ++readers.unread;
      readers.state = state;
    });
  }

  void sources_read(unsigned slot, const Facts& facts, Cycle cycle) override {
    Slot& warp = slots_[slot];
    const bool is_counted = is_mio(facts.pipe);
    facts.footprint.for_each_read([&](unsigned index) {
      Readers& readers = warp.readers[index];
      if (is_counted) --readers.unread;
      readers.until = std::max(readers.until, cycle);
    });
    warp.others |= facts.bits.reads;
    pending_[slot] |= facts.bits.reads;
    if (is_counted) --warp.unknown;
    warp.settle_others(cycle);
    touch(waiting_ & slot_bit(slot));
  }

  void result_ready(unsigned slot, const Facts& facts, Cycle cycle) override {
    Slot& warp = slots_[slot];
    set_registers(&warp, facts.footprint, {cycle, waits_for(facts.pipe)});
    set_predicates(&warp, facts.footprint, {cycle, waits_for(facts.pipe)});
    warp.others |= facts.bits.writes;
    pending_[slot] |= facts.bits.writes;
    if (is_mio(facts.pipe)) --warp.unknown;
    warp.settle_others(cycle);
    touch(waiting_ & slot_bit(slot));
  }

  void reset(unsigned slot) override {
    slots_[slot] = Slot{};
    pending_[slot] = 0;
    waiting_ &= ~slot_bit(slot);
  }

 protected:
  void apply_until(Cycle now) override {
    next_change_ = kNever;
    for_each_slot(waiting_ & ~touched_, [&](unsigned slot) {
      if (wake_[slot] <= now)
        touched_ |= slot_bit(slot);
      else
        next_change_ = std::min(next_change_, wake_[slot]);
    });
    waiting_ &= ~touched_;
  }

 private:
  static bool is_fixed_math(isa::Pipe pipe) {
    return !is_mio(pipe) && pipe != isa::Pipe::kDouble && pipe != isa::Pipe::kBranch &&
           pipe != isa::Pipe::kFrontEnd;
  }

  struct Pending {
    Cycle until = 0;
    WarpState state = WarpState::kWait;
  };
  /// The readers of a register, behind the MIO queue.
  struct Readers {
    Cycle until = 0;
    WarpState state = WarpState::kWait;
    uint32_t unread = 0;  ///< readers whose read cycle is not yet known

    Pending pending() const { return {unread == 0 ? until : kNever, state}; }
  };
  struct Slot {
    std::array<Pending, kRegisters> registers{};  ///< until written
    std::array<Readers, kRegisters> readers{};
    std::array<Pending, kPredicates> predicates{};
    Pending carry;

    // Which of these may be pending, in the form of RegisterBits; pending_ has the sum.
    uint64_t recent = 0;  ///< results of fixed latency, all ready at `settled`
    uint64_t others = 0;
    Cycle settled = 0;
    Cycle others_settled = 0;  ///< when all others with a known time are ready
    uint32_t unknown = 0;      ///< results and sources whose time is unknown

    void settle_others(Cycle cycle) { others_settled = std::max(others_settled, cycle); }

    /// True if nothing that the instruction uses is pending at `now`.
    bool is_settled(const isa::Footprint& footprint, Cycle now) const {
      Cycle until = footprint.reads_carry || footprint.writes_carry ? carry.until : 0;
      const auto look_at = [&](unsigned index) {
        until = std::max({until, registers[index].until, readers[index].pending().until});
      };
      footprint.for_each_read(look_at);
      for (unsigned i = 0; i < footprint.write_count; ++i) look_at(footprint.first_write + i);
      unsigned used = footprint.predicates_read | footprint.predicates_written;
      for (; used != 0; used &= used - 1)
        until = std::max(until, predicates[static_cast<size_t>(__builtin_ctz(used))].until);
      return until <= now;
    }
  };
  struct Wait {
    Cycle until = 0;
    WarpState state = WarpState::kWait;
    void on(const Pending& pending) {
      if (pending.until <= until) return;
      until = pending.until;
      state = pending.state;
    }
  };

  /// The state of a warp that waits for a result of the shared units or of double precision.
  static WarpState waits_for(isa::Pipe pipe) {
    return pipe == isa::Pipe::kGlobal ? WarpState::kLongScoreboard : WarpState::kShortScoreboard;
  }

  static void set_registers(Slot* warp, const isa::Footprint& footprint, Pending result) {
    Pending* first = &warp->registers[footprint.first_write];
    if (footprint.write_count == 1) {
      *first = result;
      return;
    }
    for (Pending* each = first; each != first + footprint.write_count; ++each) *each = result;
  }
  static void set_predicates(Slot* warp, const isa::Footprint& footprint, Pending result) {
    for (unsigned written = footprint.predicates_written; written != 0; written &= written - 1)
      warp->predicates[static_cast<size_t>(__builtin_ctz(written))] = result;
  }

  /// Cycles by which pipes that read operands later than math pipes can issue earlier.
  Cycle sooner_by(isa::Pipe reader) const {
    const bool is_shared = reader == isa::Pipe::kShuffle || reader == isa::Pipe::kShared ||
                           reader == isa::Pipe::kDouble;
    const bool is_global = reader == isa::Pipe::kGlobal || reader == isa::Pipe::kXu;
    if (!is_shared && !is_global) return 0;
    const uint32_t latency = is_shared ? latencies_.shared : latencies_.global;
    return latencies_.math - std::min(latency, latencies_.math);
  }
  /// Adjusts a result of fixed latency; only such results have kWait.
  static Pending seen(Pending result, Cycle sooner) {
    if (result.state == WarpState::kWait) result.until -= std::min(sooner, result.until);
    return result;
  }

  /// A wait ends with the last awaited result; results without a known time will be reported.
  void wake_at(Cycle cycle, unsigned slot) {
    wake_[slot] = cycle;
    waiting_ |= slot_bit(slot);
    next_change_ = std::min(next_change_, cycle);
  }

  const MathLatencies latencies_;
  std::vector<Slot> slots_;
  std::array<Cycle, kMostSlots> wake_{};  ///< cycle in which each slot of waiting_ wakes
  SlotMask waiting_ = 0;
};

}  // namespace

std::unique_ptr<Dependence> make_scoreboard(const char* name, const MathLatencies& latencies) {
  return std::make_unique<Scoreboard>(name, latencies);
}

}  // namespace shflsim::model
