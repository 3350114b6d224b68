// SPDX-License-Identifier: Apache-2.0
// The choices of each policy from literal candidates.
#include "model/scheduler/scheduling_policy.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace shflsim::model {
namespace scheduling_policy_test {

/// Parameter values by key; the other parameters have their least value.
using Settings = std::map<std::string, std::string>;

std::unique_ptr<SchedulingPolicy> make_policy(const std::string& name,
                                              const Settings& settings = {},
                                              unsigned sub_partition = 0) {
  PolicyChoice choice;
  ParameterList list;
  choice.list(list);
  for (const Parameter& parameter : list.all()) {
    const auto named = settings.find(parameter.key);
    if (parameter.word != nullptr)
      *parameter.word = name;
    else
      *parameter.number = named == settings.end()
                              ? parameter.least
                              : static_cast<uint32_t>(std::stoul(named->second));
  }
  return choice.make(sub_partition);
}

/// Four warps that started in the order of the slots 2, 0, 1, 3.
IssueCandidates four_warps(SlotMask eligible, unsigned last) {
  IssueCandidates candidates;
  candidates.eligible = eligible;
  candidates.last = last;
  candidates.last_ago = 1;
  candidates.age = {1, 2, 0, 3};
  return candidates;
}

/// Lets the warps of the slots issue one after the other, each as the only candidate.
void issue(SchedulingPolicy* policy, const std::vector<unsigned>& slots, IssueCandidates* of) {
  IssueCandidates alone = *of;
  for (const unsigned slot : slots) {
    alone.eligible = slot_bit(slot);
    policy->choose(alone);
    of->last = alone.last = slot;
    of->issued = alone.issued |= slot_bit(slot);
  }
}

/// The slots that a policy chooses if the same warps can issue each time.
std::vector<unsigned> choices(SchedulingPolicy& policy, SlotMask eligible, unsigned count) {
  std::vector<unsigned> chosen;
  IssueCandidates candidates = four_warps(eligible, 3);
  for (unsigned i = 0; i < count; ++i) {
    chosen.push_back(policy.choose(candidates));
    candidates.last = chosen.back();
    candidates.issued |= slot_bit(candidates.last);
    candidates.last_ago = 17;
  }
  return chosen;
}

TEST(SchedulingPolicy, AGreedyOneStaysWithEachWarpOfThePreviousCycle) {
  for (const char* const name :
       {"greedy_then_oldest", "greedy_then_youngest", "greedy_then_random"}) {
    const auto policy = make_policy(name);
    EXPECT_TRUE(policy->is_greedy) << name;
    for (unsigned last = 0; last < 4; ++last)
      EXPECT_EQ(policy->choose(four_warps(0b1111, last)), last) << name;
  }
  for (const char* const name : {"loose_round_robin", "two_level"})
    EXPECT_FALSE(make_policy(name)->is_greedy) << name;
}

TEST(SchedulingPolicy, AStatelessOneChoosesTheSameBehindAnyOtherChoice) {
  for (const char* const name : {"greedy_then_oldest", "greedy_then_youngest"}) {
    const auto policy = make_policy(name);
    EXPECT_TRUE(policy->is_stateless) << name;
    const unsigned before = policy->choose(four_warps(0b0111, 3));
    EXPECT_EQ(policy->choose(four_warps(0b0010, 2)), 1u) << name;
    EXPECT_EQ(policy->choose(four_warps(0b0111, 3)), before) << name;
  }
  for (const char* const name : {"greedy_then_random", "loose_round_robin", "two_level"})
    EXPECT_FALSE(make_policy(name)->is_stateless) << name;
}

TEST(GreedyThenOldest, StaysThenTakesTheWarpThatCameFirst) {
  const auto policy = make_policy("greedy_then_oldest");
  EXPECT_EQ(policy->choose(four_warps(0b1011, 3)), 3u);
  EXPECT_EQ(policy->choose(four_warps(0b1011, 2)), 0u);
  EXPECT_EQ(policy->choose(four_warps(0b1111, 2)), 2u);
}

TEST(GreedyThenYoungest, StaysThenTakesTheWarpThatCameLast) {
  const auto policy = make_policy("greedy_then_youngest");
  EXPECT_EQ(policy->choose(four_warps(0b1011, 0)), 0u);
  EXPECT_EQ(policy->choose(four_warps(0b1011, 2)), 3u);
  EXPECT_EQ(policy->choose(four_warps(0b0111, 3)), 1u);
}

TEST(Greedy, LeavesAWarpThatYieldsWhereAnotherCanIssue) {
  const auto policy = make_policy("greedy_then_oldest");
  IssueCandidates yields = four_warps(0b1010, 3);
  yields.last_yields = true;
  EXPECT_EQ(policy->choose(yields), 1u);
  yields.eligible = 0b1000;
  EXPECT_EQ(policy->choose(yields), 3u);
}

TEST(LooseRoundRobin, TakesTheNextSlotThatCanIssue) {
  const auto policy = make_policy("loose_round_robin");
  EXPECT_EQ(policy->choose(four_warps(0b1011, 0)), 1u);
  EXPECT_EQ(policy->choose(four_warps(0b1011, 1)), 3u);
  EXPECT_EQ(policy->choose(four_warps(0b1011, 3)), 0u);
  EXPECT_EQ(policy->choose(four_warps(0b0010, 1)), 1u);
}

TEST(LooseRoundRobin, EndsWithTheLastSlot) {
  const auto policy = make_policy("loose_round_robin");
  EXPECT_EQ(policy->choose(four_warps(slot_bit(15) | slot_bit(4), 15)), 4u);
}

TEST(TwoLevel, TakesItsActiveWarpsInTurn) {
  const auto policy = make_policy("two_level", {{"scheduler.two_level.pool", "2"}});
  EXPECT_EQ(policy->choose(four_warps(0b0001, 3)), 0u);  // two become active if none can issue
  EXPECT_EQ(policy->choose(four_warps(0b0100, 0)), 2u);
  EXPECT_EQ(choices(*policy, 0b1111, 4), (std::vector<unsigned>{0, 2, 0, 2}));
}

TEST(TwoLevel, ReplacesTheLeastRecentActiveWarpWhereNoneCanIssue) {
  const auto policy = make_policy("two_level", {{"scheduler.two_level.pool", "2"}});
  EXPECT_EQ(choices(*policy, 0b0011, 2), (std::vector<unsigned>{0, 0}));
  EXPECT_EQ(policy->choose(four_warps(0b0010, 0)), 1u);
  EXPECT_EQ(policy->choose(four_warps(0b1000, 1)), 3u);  // replaces 0
  EXPECT_EQ(policy->choose(four_warps(0b1111, 3)), 1u);
}

TEST(GreedyThenRandom, StaysWithTheLastWarpOverItsReachUnlessItYields) {
  const auto policy = make_policy("greedy_then_random");
  IssueCandidates candidates = four_warps(0b1111, 1);
  issue(policy.get(), {3, 0, 2, 1}, &candidates);
  EXPECT_EQ(policy->choose(candidates), 1u);
  candidates.last_ago = 2;
  EXPECT_EQ(policy->choose(candidates), 3u);  // a pool of one: the least recent
  const auto reaching =
      make_policy("greedy_then_random", {{"scheduler.greedy_then_random.reach", "3"}});
  issue(reaching.get(), {3, 0, 2, 1}, &candidates);
  candidates.last_ago = 3;
  EXPECT_EQ(reaching->choose(candidates), 1u);
  candidates.last_yields = true;
  EXPECT_EQ(reaching->choose(candidates), 3u);
  candidates.last_yields = false;
  candidates.last_ago = 4;
  EXPECT_EQ(reaching->choose(candidates), 3u);
}

TEST(GreedyThenRandom, DrawsNoneWhereTheLastWarpYields) {
  const auto policy =
      make_policy("greedy_then_random", {{"scheduler.greedy_then_random.pool", "4"}});
  IssueCandidates candidates = four_warps(0b1111, 1);
  issue(policy.get(), {2, 0, 3, 1}, &candidates);
  candidates.last_yields = true;
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(policy->choose(candidates), 2u);
  candidates.eligible = 0b0010;
  EXPECT_EQ(policy->choose(candidates), 1u);
}

TEST(GreedyThenRandom, TakesWarpsOfTheBlockThatCameFirst) {
  const auto policy =
      make_policy("greedy_then_random", {{"scheduler.greedy_then_random.pool", "4"}});
  IssueCandidates candidates = four_warps(0b1111, 1);
  candidates.last_ago = 17;
  candidates.block = {9, 7, 8, 7};
  candidates.oldest = 0b1010;
  for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(policy->choose(candidates) % 2, 1u);
  candidates.eligible = 0b0101;
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(policy->choose(candidates), 2u);
  candidates.eligible = 0b0001;
  EXPECT_EQ(policy->choose(candidates), 0u);
}

TEST(GreedyThenRandom, TakesTheLeastRecentInTurnFromAPoolOfOne) {
  const auto policy = make_policy("greedy_then_random");
  EXPECT_EQ(choices(*policy, 0b1111, 6), (std::vector<unsigned>{3, 0, 1, 2, 3, 0}));
}

TEST(GreedyThenRandom, DrawsAnotherSequenceInEachSubPartitionAndForEachSeed) {
  const Settings pool = {{"scheduler.greedy_then_random.pool", "4"}};
  const Settings seeded = {{"scheduler.greedy_then_random.pool", "4"},
                           {"scheduler.greedy_then_random.seed", "7"}};
  using Slots = std::vector<unsigned>;
  EXPECT_EQ(choices(*make_policy("greedy_then_random", pool), 15, 8),
            (Slots{3, 3, 0, 2, 1, 0, 0, 3}));
  EXPECT_EQ(choices(*make_policy("greedy_then_random", pool, 1), 15, 8),
            (Slots{3, 3, 1, 0, 1, 1, 0, 1}));
  EXPECT_EQ(choices(*make_policy("greedy_then_random", seeded), 15, 8),
            (Slots{3, 2, 2, 1, 3, 2, 2, 0}));
}

/// A minimal policy. This class and the line that adds it are all that it needs.
class Fixed final : public SchedulingPolicy {
 public:
  struct Params {
    uint32_t first = 0;
    void list(ParameterList& list) {
      list.number("scheduler.toy_fixed.first", &first, 0, kMostSlots - 1, "", "slot preferred");
    }
  };

  Fixed(const Params& params, unsigned /*sub_partition*/) : first_(params.first) {}

  unsigned choose(const IssueCandidates& candidates) override {
    if (has_slot(candidates.eligible, first_)) return first_;
    return static_cast<unsigned>(__builtin_ctz(candidates.eligible));
  }

 private:
  const uint32_t first_;
};

const bool fixed_registered = SchedulingPolicies::add<Fixed>("toy_fixed", "prefers one slot");

TEST(ToyPolicy, IsThereByItsNameWithItsParameter) {
  EXPECT_EQ(make_policy("toy_fixed")->choose(four_warps(0b1111, 2)), 0u);
  const auto policy = make_policy("toy_fixed", {{"scheduler.toy_fixed.first", "3"}});
  EXPECT_EQ(policy->choose(four_warps(0b1111, 2)), 3u);
  EXPECT_EQ(policy->choose(four_warps(0b0110, 2)), 1u);
}

}  // namespace scheduling_policy_test
}  // namespace shflsim::model
