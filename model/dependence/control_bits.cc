// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "model/core/sorted_queue.h"
#include "model/dependence/dependence.h"

namespace shflsim::model {
namespace {

constexpr unsigned kScoreboards = 6;
constexpr unsigned kCounters = kScoreboards + 1;  ///< and isa::kGroupScoreboard

class ControlBits final : public Dependence {
 public:
  ControlBits(const sc_core::sc_module_name& name, const DependenceParams& params)
      : Dependence(name), params_(params) {}

  const char* kind() const override { return "ControlBits"; }
  const char* hardware() const override { return "scoreboards SB0..SB5 that the compiler names"; }

  DependenceNeeds needs(const Facts& facts) const override {
    const isa::Control& control = facts.control;
    const bool sets = control.write_barrier < kScoreboards || control.read_barrier < kScoreboards ||
                      facts.group_product.ends_group;
    return {uint64_t{control.wait_mask} | facts.scoreboard_wait.mask, sets, sets};
  }

  WarpState blocker(unsigned slot, const Facts& facts, Cycle /*now*/) override {
    const Slot& warp = slots_[slot];
    const uint64_t waits = facts.control.wait_mask & pending_[slot];
    if (waits != 0) return kind_of(warp, waits);
    for (unsigned sb = 0; facts.scoreboard_wait.mask >> sb != 0; ++sb) {
      const bool named = ((facts.scoreboard_wait.mask >> sb) & 1u) != 0;
      if (named && warp.count[sb] > facts.scoreboard_wait.most) return kind_of(warp, 1u << sb);
    }
    return WarpState::kSelected;
  }

  void issued(unsigned slot, const Facts& facts, Cycle now) override {
    const Cycle seen = now + params_.barrier_delay;
    set_at(seen, slot, facts, facts.control.write_barrier);
    set_at(seen, slot, facts, facts.control.read_barrier);
    if (facts.group_product.ends_group) set_at(seen, slot, facts, isa::kGroupScoreboard);
  }

  void sources_read(unsigned slot, const Facts& facts, Cycle cycle) override {
    release_at(cycle, slot, facts.control.read_barrier, params_.behind_result != 0);
  }
  void result_ready(unsigned slot, const Facts& facts, Cycle cycle) override {
    if (facts.group_product.ends_group) release_at(cycle, slot, isa::kGroupScoreboard);
    release_at(cycle, slot, facts.control.write_barrier);
  }

  /// The previous warp may have ended before the release of a read barrier.
  void reset(unsigned slot) override {
    const auto is_of_slot = [slot](const Change& change) { return change.slot == slot; };
    slots_[slot] = Slot{};
    pending_[slot] = 0;  // bit n: the count of SBn is not zero
    behind_result_[slot].fill(0);
    sets_.remove_if(is_of_slot);
    releases_.remove_if(is_of_slot);
  }

 protected:
  void apply_until(Cycle now) override {
    while (true) {
      const Cycle next_set = sets_.next();
      const Cycle next_release = releases_.next();
      next_change_ = std::min(next_set, next_release);
      if (next_change_ > now) return;
      next_set <= next_release ? see_set() : release();
    }
  }

 private:
  struct Slot {
    std::array<uint16_t, kCounters> count{};
    uint8_t is_long = 0;  ///< bit n: a global-memory operation has set SBn since it was zero
  };

  struct Change {
    Cycle cycle;
    unsigned slot;
    uint8_t scoreboard;
    bool is_long;
    bool waits = false;  ///< behind a result of the cycle before
  };

  static WarpState kind_of(const Slot& warp, uint64_t waits) {
    if (waits >> isa::kGroupScoreboard != 0)
      return WarpState::kBarrier;  // measured: samples of an H100
    return (waits & warp.is_long) != 0 ? WarpState::kLongScoreboard : WarpState::kShortScoreboard;
  }

  void set_at(Cycle cycle, unsigned slot, const Facts& facts, uint8_t scoreboard) {
    if (scoreboard >= kCounters) return;
    const Change change{cycle, slot, scoreboard, facts.is_long};
    if (params_.barrier_delay == 0) return set(change);
    sets_.push(change);
    next_change_ = std::min(next_change_, cycle);
  }

  void release_at(Cycle cycle, unsigned slot, uint8_t scoreboard, bool waits = false) {
    if (scoreboard >= kCounters) return;
    releases_.push({cycle, slot, scoreboard, false, waits});
    next_change_ = std::min(next_change_, cycle);
  }

  void see_set() {
    set(sets_.front());
    touched_ |= slot_bit(sets_.front().slot);
    sets_.pop();
  }

  void release() {
    const Change change = releases_.front();
    releases_.pop();
    Cycle& behind_result = behind_result_[change.slot][change.scoreboard];
    if (change.waits && change.cycle == behind_result) return release_later(change);
    if (!change.waits) behind_result = change.cycle + 1;
    count(change, -1);
    touched_ |= slot_bit(change.slot);
  }

  [[gnu::noinline]] void release_later(const Change& change) {
    releases_.push({change.cycle + 1, change.slot, change.scoreboard, false, true});
  }

  void set(const Change& change) {
    Slot& warp = slots_[change.slot];
    const uint8_t bit = static_cast<uint8_t>(1u << change.scoreboard);
    if (warp.count[change.scoreboard] == 0) warp.is_long &= static_cast<uint8_t>(~bit);
    if (change.is_long) warp.is_long |= bit;
    count(change, +1);
  }

  /// A release may precede the cycle in which the set is seen: the count is below zero until then.
  void count(const Change& change, int step) {
    uint16_t& count = slots_[change.slot].count[change.scoreboard];
    count = static_cast<uint16_t>(count + step);
    const uint64_t bit = uint64_t{1} << change.scoreboard;
    uint64_t& pending = pending_[change.slot];
    pending = count != 0 ? pending | bit : pending & ~bit;
  }

  const DependenceParams params_;
  std::array<Slot, kMostSlots> slots_{};
  /// The cycle behind the last result of each scoreboard.
  std::array<std::array<Cycle, kCounters + 1>, kMostSlots> behind_result_{};
  SortedQueue<Change> sets_;
  SortedQueue<Change> releases_;
};

}  // namespace

std::unique_ptr<Dependence> make_control_bits(const char* name, const DependenceParams& params) {
  return std::make_unique<ControlBits>(name, params);
}

}  // namespace shflsim::model
