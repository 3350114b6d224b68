// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <limits>
#include <queue>
#include <vector>

#include "model/dependence/dependence.h"

namespace shflsim::model {
namespace {

constexpr unsigned kBarriers = 6;

class ControlBits final : public Dependence {
 public:
  ControlBits(const DependenceParams& params, unsigned slots) : params_(params), slots_(slots) {}

  WarpState blocker(unsigned slot, const Facts& facts, Cycle now) const override {
    (void)now;
    const Slot& warp = slots_[slot];
    const unsigned waits = facts.control.wait_mask & warp.pending;
    if (waits != 0) return kind_of(warp, waits);
    for (unsigned sb = 0; facts.depbar_mask >> sb != 0; ++sb) {
      const bool named = ((facts.depbar_mask >> sb) & 1u) != 0;
      if (named && warp.count[sb] > facts.depbar_most) return kind_of(warp, 1u << sb);
    }
    return WarpState::kSelected;
  }

  void issued(unsigned slot, const Facts& facts, Cycle now) override {
    constexpr uint8_t kNone = isa::Control::kNoBarrier;
    if ((facts.control.write_barrier & facts.control.read_barrier) == kNone) return;
    for (const uint8_t sb : {facts.control.write_barrier, facts.control.read_barrier}) {
      if (sb >= kBarriers) continue;
      push({now + params_.barrier_delay, slot, sb, +1, facts.pipe == isa::Pipe::kGlobal});
    }
    if (next_change_ <= now) apply_until(now);
  }

  void sources_read(unsigned slot, const Facts& facts, Cycle cycle) override {
    release(slot, facts.control.read_barrier, cycle);
  }
  void result_ready(unsigned slot, const Facts& facts, Cycle cycle) override {
    release(slot, facts.control.write_barrier, cycle);
  }

  void reset(unsigned slot) override { slots_[slot] = Slot{}; }

 protected:
  void apply_until(Cycle now) override {
    for (; !changes_.empty() && changes_.top().cycle <= now; changes_.pop()) apply(changes_.top());
    next_change_ = changes_.empty() ? std::numeric_limits<Cycle>::max() : changes_.top().cycle;
  }

 private:
  struct Slot {
    std::array<uint16_t, kBarriers> count{};
    uint8_t pending = 0;  ///< bit n: SBn is above zero
    uint8_t is_long = 0;  ///< bit n: SBn was last set by a global-memory operation
  };

  struct Change {
    Cycle cycle;
    unsigned slot;
    uint8_t barrier;
    int8_t step;
    bool is_long;
    // Earliest first; within a cycle, what is set before what is released.
    bool operator<(const Change& other) const {
      return cycle != other.cycle ? cycle > other.cycle : step < other.step;
    }
  };

  static WarpState kind_of(const Slot& warp, unsigned waits) {
    return (waits & warp.is_long) != 0 ? WarpState::kLongScoreboard : WarpState::kShortScoreboard;
  }

  void release(unsigned slot, uint8_t barrier, Cycle cycle) {
    if (barrier < kBarriers) push({cycle, slot, barrier, -1, false});
  }

  void push(const Change& change) {
    changes_.push(change);
    next_change_ = changes_.top().cycle;
  }

  void apply(const Change& change) {
    Slot& warp = slots_[change.slot];
    touched_ |= slot_bit(change.slot);
    const uint8_t bit = static_cast<uint8_t>(1u << change.barrier);
    warp.count[change.barrier] = static_cast<uint16_t>(warp.count[change.barrier] + change.step);
    warp.pending = static_cast<uint8_t>(warp.count[change.barrier] != 0 ? warp.pending | bit
                                                                        : warp.pending & ~bit);
    if (change.step < 0) return;
    warp.is_long = static_cast<uint8_t>(change.is_long ? warp.is_long | bit : warp.is_long & ~bit);
  }

  const DependenceParams params_;
  std::vector<Slot> slots_;
  std::priority_queue<Change> changes_;
};

}  // namespace

std::unique_ptr<Dependence> make_control_bits(const DependenceParams& params, unsigned slots) {
  return std::make_unique<ControlBits>(params, slots);
}

}  // namespace shflsim::model
