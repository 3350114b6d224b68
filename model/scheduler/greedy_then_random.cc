// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/scheduler/scheduling_policy.h"

namespace shflsim::model {
namespace {

/// Stays with the warp that issued last, if that was at most `reach` issue cycles ago. If its
/// control bits ask for another warp, takes the warp that has not issued for the longest time
/// (measured: scripts/lab/hw/arbitration.py, alu_2_eighth). Otherwise, warps of the block that
/// started first have priority (measured: scripts/lab/hw/chip, spread.csv): draws one of the `pool`
/// of them that have not issued for the longest time. The draw models an unknown arbitration:
/// within a block neither the oldest nor the least recent warp has priority, and warps drift apart.
class GreedyThenRandom final : public SchedulingPolicy {
 public:
  struct Params {
    uint32_t reach = 0;
    uint32_t pool = 0;
    uint32_t seed = 0;

    void list(ParameterList& list) {
      list.number("scheduler.greedy_then_random.reach", &reach, 1, 16, "cycles",
                  "the warp that issued last continues if its stall count is at most this");
      list.number("scheduler.greedy_then_random.pool", &pool, 1, kMostSlots, "warps",
                  "otherwise one of this many least recently issued warps is drawn");
      list.number("scheduler.greedy_then_random.seed", &seed, 0, 4294967295u, "",
                  "seed of the random sequence");
    }
  };

  GreedyThenRandom(const Params& params, unsigned sub_partition)
      : SchedulingPolicy(true),
        reach_(params.reach),
        pool_(params.pool),
        state_(params.seed + 77u * sub_partition) {}

  unsigned choose(const IssueCandidates& candidates) override {
    if (order_ >> kTop != candidates.last) note_last(candidates.last);
    const bool can_stay = has_slot(candidates.eligible, candidates.last);
    const bool wants_to = !candidates.last_yields && candidates.last_ago <= reach_;
    return can_stay && wants_to ? candidates.last : choose_anew(candidates, can_stay);
  }

 private:
  /// Not a part of choose(), which mostly stays with its warp and then needs few registers.
  [[gnu::noinline]] unsigned choose_anew(const IssueCandidates& candidates, bool can_stay) {
    if (can_stay && candidates.last_yields) return longest_waiting(candidates);
    const uint64_t number = draw();
    const SlotMask first = candidates.of_oldest_block();
    const auto warps = static_cast<uint32_t>(__builtin_popcount(first));
    const auto drawn = static_cast<uint32_t>(number % std::min(warps, pool_));
    return waits_for_longest(first, candidates.issued, drawn);
  }
  /// Returns the eligible warp that issued longest ago, other than the last one if possible.
  unsigned longest_waiting(const IssueCandidates& candidates) const {
    const SlotMask others = candidates.eligible & ~slot_bit(candidates.last);
    return others == 0 ? candidates.last : waits_for_longest(others, candidates.issued, 0);
  }

  /// The slot that issued longest ago, after skipping this many. Warps that have not issued come
  /// first, then those whose issues were not recorded; lower slots precede higher ones.
  unsigned waits_for_longest(SlotMask slots, SlotMask issued, uint32_t but) const {
    const SlotMask known = slots & issued & noted_;
    if (slots != known) {
      for (SlotMask others : {slots & ~issued, slots & issued & ~noted_}) {
        for (; others != 0; others &= others - 1) {
          if (but-- == 0) return static_cast<unsigned>(__builtin_ctz(others));
        }
      }
    }
    for (uint64_t order = order_ >> first_;; order >>= kBits) {
      const auto slot = static_cast<unsigned>(order & ((1u << kBits) - 1));
      if (has_slot(known, slot) && but-- == 0) return slot;
    }
  }

  /// Moves the slot to the top of the order.
  void note_last(unsigned slot) {
    if (!has_slot(noted_, slot)) first_ -= kBits;
    noted_ |= slot_bit(slot);
    constexpr uint64_t kOnes = 0x1111111111111111;
    const uint64_t others = order_ ^ kOnes * slot;  // four bits are 0: its own
    const uint64_t own = (others - kOnes) & ~others & kOnes << (kBits - 1);
    const uint64_t below = ((own & ~(own - 1)) >> (kBits - 1)) - 1;
    order_ = (order_ & below) | (order_ >> kBits & ~below) | uint64_t{slot} << kTop;
  }

  /// The upper bits of Knuth's 64-bit linear congruential generator (MMIX).
  uint64_t draw() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return state_ >> 33;
  }

  static constexpr unsigned kBits = 4;  ///< bits of a slot in the order
  static constexpr unsigned kTop = (kMostSlots - 1) * kBits;

  const uint32_t reach_;
  const uint32_t pool_;
  uint64_t state_;
  uint64_t order_ = 0xFEDCBA9876543210;        ///< slots by their last issues, the latest on top
  SlotMask noted_ = slot_bit(kMostSlots - 1);  ///< slots that have been on top
  unsigned first_ = kTop;                      ///< place of the lowest of these
};

const bool greedy_then_random_registered = SchedulingPolicies::add<GreedyThenRandom>(
    "greedy_then_random",
    "stays with a warp while it can issue and wants to, then draws one of the least recent ones");

}  // namespace
}  // namespace shflsim::model
