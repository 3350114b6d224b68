// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "model/dependence/dependence.h"
#include "model/dependence/slot_calendar.h"

namespace shflsim::model {
namespace {

constexpr Cycle kNever = std::numeric_limits<Cycle>::max();
constexpr unsigned kRegisters = 256;
constexpr unsigned kPredicates = 8;

class Scoreboard final : public Dependence {
 public:
  Scoreboard(const DependenceParams& params, unsigned slots) : params_(params), slots_(slots) {}

  DependenceNeeds needs(const Facts& /*facts*/) const override { return {}; }

  WarpState blocker(unsigned slot, const Facts& facts, Cycle now) const override {
    Wait wait;
    const Slot& warp = slots_[slot];
    const isa::Footprint& footprint = facts.footprint;
    for (unsigned i = 0; i < footprint.read_count; ++i)
      wait.on(warp.registers[footprint.reads[i].index]);
    for (unsigned i = 0; i < footprint.write_count; ++i) {
      wait.on(warp.registers[footprint.first_write + i]);
      wait.on(warp.readers[footprint.first_write + i]);
    }
    const unsigned predicates = footprint.predicates_read | footprint.predicates_written;
    for (unsigned p = 0; predicates >> p != 0; ++p) {
      if (((predicates >> p) & 1u) != 0) wait.on(warp.predicates[p]);
    }
    if (footprint.reads_carry) wait.on(warp.carry);
    return wait.until > now ? wait.state : WarpState::kSelected;
  }

  void issued(unsigned slot, const Facts& facts, Cycle now) override {
    Slot& warp = slots_[slot];
    const isa::Footprint& footprint = facts.footprint;
    const bool fixed = !is_mio(facts.pipe);
    const WarpState state = fixed                              ? WarpState::kWait
                            : facts.pipe == isa::Pipe::kGlobal ? WarpState::kLongScoreboard
                                                               : WarpState::kShortScoreboard;
    set_results(&warp, footprint, {fixed ? now + params_.math_latency : kNever, state},
                {fixed ? now + params_.predicate_latency : kNever, state});
    if (footprint.writes_carry) warp.carry = {now + params_.math_latency, WarpState::kWait};
    if (fixed) return remember_fixed(slot, footprint, now);
    for (unsigned i = 0; i < footprint.read_count; ++i)
      warp.readers[footprint.reads[i].index] = {kNever, state};
  }

  void sources_read(unsigned slot, const Facts& facts, Cycle cycle) override {
    for (unsigned i = 0; i < facts.footprint.read_count; ++i) {
      Pending& reader = slots_[slot].readers[facts.footprint.reads[i].index];
      reader.until = reader.until == kNever ? cycle : std::max(reader.until, cycle);
    }
    remember(slot, cycle);
  }

  void result_ready(unsigned slot, const Facts& facts, Cycle cycle) override {
    const WarpState state =
        facts.pipe == isa::Pipe::kGlobal ? WarpState::kLongScoreboard : WarpState::kShortScoreboard;
    set_results(&slots_[slot], facts.footprint, {cycle, state}, {cycle, state});
    remember(slot, cycle);
  }

  void reset(unsigned slot) override { slots_[slot] = Slot{}; }

 protected:
  void apply_until(Cycle now) override {
    touched_ |= due_.take(now);
    next_change_ = due_.next();
  }

 private:
  struct Pending {
    Cycle until = 0;
    WarpState state = WarpState::kWait;
  };
  struct Slot {
    std::array<Pending, kRegisters> registers{};  ///< until written
    std::array<Pending, kRegisters> readers{};    ///< until read by what is behind the MIO queue
    std::array<Pending, kPredicates> predicates{};
    Pending carry;
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

  static void set_results(Slot* warp, const isa::Footprint& footprint, Pending result,
                          Pending predicate) {
    for (unsigned i = 0; i < footprint.write_count; ++i)
      warp->registers[footprint.first_write + i] = result;
    for (unsigned p = 0; footprint.predicates_written >> p != 0; ++p) {
      if (((footprint.predicates_written >> p) & 1u) != 0) warp->predicates[p] = predicate;
    }
  }

  /// Every cycle in which a wait can end is kept, so that the model may sleep until it.
  void remember(unsigned slot, Cycle cycle) {
    touched_ |= slot_bit(slot);
    due_.add(cycle, slot_bit(slot));
    next_change_ = due_.next();
  }

  void remember_fixed(unsigned slot, const isa::Footprint& footprint, Cycle now) {
    const bool writes = footprint.write_count != 0 || footprint.writes_carry;
    due_.add(now + params_.math_latency, writes ? slot_bit(slot) : 0);
    due_.add(now + params_.predicate_latency,
             footprint.predicates_written != 0 ? slot_bit(slot) : 0);
    next_change_ = due_.next();
  }

  const DependenceParams params_;
  std::vector<Slot> slots_;
  SlotCalendar due_;
};

}  // namespace

std::unique_ptr<Dependence> make_scoreboard(const DependenceParams& params, unsigned slots) {
  return std::make_unique<Scoreboard>(params, slots);
}

}  // namespace shflsim::model
