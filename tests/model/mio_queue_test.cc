// SPDX-License-Identifier: Apache-2.0
#include "model/mio/mio_queue.h"

#include <gtest/gtest.h>

#include <vector>

namespace shflsim::model {
namespace mio_queue_test {

constexpr unsigned kSubPartition = 2;

MioParams three_entries() {
  MioParams params;
  params.queue_depth = 3;
  params.global_depth = 2;
  params.issue_latency = 4;
  params.collect_base = 1;
  params.collect_operand = 2;
  params.read_release = 5;
  return params;
}

Facts with_operands(uint8_t operands, isa::Pipe pipe = isa::Pipe::kShuffle) {
  Facts facts;
  facts.pipe = pipe;
  facts.footprint.read_count = operands;
  return facts;
}

/// The arbiter, as the queue sees it.
class Heads : public MioHeads {
 public:
  void head_came(unsigned sub_partition, const MioHead& head, Cycle now) override {
    EXPECT_EQ(sub_partition, kSubPartition);
    ready.push_back(head.ready);
    came.push_back(now);
  }
  void came_apart(unsigned sub_partition, const MioRequest& /*request*/, Cycle now) override {
    EXPECT_EQ(sub_partition, kSubPartition);
    apart.push_back(now);
  }
  std::vector<Cycle> ready;
  std::vector<Cycle> came;
  std::vector<Cycle> apart;
};

class Queue {
 public:
  explicit Queue(const MioParams& params = three_entries())
      : queue_("queue", params, kSubPartition) {
    queue_.arbiter.bind(heads_);
  }
  /// Adds an instruction in the cycle in which it issues.
  void push(const Facts& facts, Cycle now, uint32_t index = 0) {
    MioRequest request;
    request.facts = &facts;
    request.issued = now;
    request.static_index = index;
    queue_.push(request, now);
  }
  MioHead pop(Cycle now) { return queue_.pop(now); }

  Heads heads_;
  MioQueue queue_;
  const Facts none_ = with_operands(0);
  const Facts three_ = with_operands(3);
  const Facts global_ = with_operands(0, isa::Pipe::kGlobal);
};

TEST(MioQueue, ItsHeadHasItsOperandsWhenTheyAreCollected) {
  Queue queue;
  queue.push(queue.none_, 10);
  queue.pop(20);
  queue.push(queue.three_, 30);
  EXPECT_EQ(queue.heads_.ready, (std::vector<Cycle>{10 + 4 + 1, 30 + 4 + 1 + 3 * 2}));
}

TEST(MioQueue, WhatPassesItTakesNoRoom) {
  Queue queue;
  MioRequest request;
  request.facts = &queue.none_;
  queue.push(queue.none_, 10);
  queue.push(queue.none_, 11);
  for (Cycle now = 12; now < 16; ++now) queue.queue_.pass(request, now);
  EXPECT_EQ(queue.heads_.apart, (std::vector<Cycle>{12, 13, 14, 15}));
  EXPECT_EQ(queue.queue_.full(16), 0u);
}

TEST(MioQueue, TellsTheArbiterOnlyOfHeadsThatFindItEmpty) {
  Queue queue;
  queue.push(queue.none_, 10);
  queue.push(queue.none_, 11);
  EXPECT_EQ(queue.heads_.came, std::vector<Cycle>{10});
  queue.pop(20);
  queue.pop(21);
  queue.push(queue.none_, 30);
  EXPECT_EQ(queue.heads_.came, (std::vector<Cycle>{10, 30}));
}

TEST(MioQueue, CollectsTheOperandsOfWhatWaitedFromThePopOn) {
  Queue queue;
  queue.push(queue.none_, 10);
  queue.push(queue.three_, 11);
  EXPECT_EQ(queue.pop(20).ready, 20u + 7);
}

TEST(MioQueue, CollectsNoOperandsBeforeAnInstructionHasCome) {
  Queue queue;
  queue.push(queue.none_, 10);
  queue.push(queue.three_, 19);
  EXPECT_EQ(queue.pop(20).ready, 23u + 7);
}

TEST(MioQueue, CollectsTheOperandsOfOneInstructionAtATime) {
  Queue queue;
  queue.push(queue.three_, 10);
  queue.pop(12);  // before its operands have arrived, in 21
  queue.push(queue.none_, 13);
  EXPECT_EQ(queue.heads_.ready.back(), 22u);
}

TEST(MioQueue, IsFirstInFirstOutAllTheWayAroundItsEntries) {
  Queue queue;
  queue.push(queue.none_, 0, 0);
  for (uint32_t index = 1; index <= 7; ++index) {
    queue.push(queue.none_, index, index);
    EXPECT_EQ(queue.pop(index).request->static_index, index);
  }
  EXPECT_EQ(queue.pop(10).request, nullptr);
}

constexpr uint32_t kNone = 0;
constexpr uint32_t kGlobal = resource_bit(Resource::kGlobalQueue);
constexpr uint32_t kAll = resource_bit(Resource::kQueue) | kGlobal;

TEST(MioQueue, HasRoomForAsManyAsItHasEntries) {
  Queue queue;
  for (Cycle now = 10; now < 13; ++now) {
    EXPECT_EQ(queue.queue_.full(now), kNone);
    queue.push(queue.none_, now);
  }
  EXPECT_EQ(queue.queue_.full(20), kAll);
  EXPECT_EQ(queue.queue_.room_from(), kNever);
  queue.pop(20);
  EXPECT_EQ(queue.queue_.full(20), kNone);
}

TEST(MioQueue, AnEntryIsFreeSomeCyclesBehindItsInstruction) {
  MioParams params = three_entries();
  params.place_back = 5;
  Queue queue(params);
  for (Cycle now = 10; now < 13; ++now) queue.push(queue.none_, now);
  queue.pop(20);
  queue.pop(22);
  EXPECT_EQ(queue.queue_.full(24), kAll);
  EXPECT_EQ(queue.queue_.room_from(), 25u);
  EXPECT_EQ(queue.queue_.full(25), kNone);
  queue.push(queue.none_, 25);
  EXPECT_EQ(queue.queue_.room_from(), 27u);
}

TEST(MioQueue, HoldsFewerOfGlobalMemory) {
  Queue queue;
  queue.push(queue.global_, 10);
  EXPECT_EQ(queue.queue_.full(21), kNone);
  queue.push(queue.global_, 11);
  EXPECT_EQ(queue.queue_.full(21), kGlobal);
  queue.pop(20);
  EXPECT_EQ(queue.queue_.full(21), kNone);
  queue.push(queue.global_, 21);
  EXPECT_EQ(queue.queue_.full(21), kGlobal);
}

TEST(MioQueue, ReleasesAReadNoSoonerThanOneOperandTakes) {
  EXPECT_EQ(Queue().queue_.shortest_read(), 4u + 2 + 5);
}

}  // namespace mio_queue_test
}  // namespace shflsim::model
