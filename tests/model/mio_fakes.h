// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <set>
#include <systemc>
#include <utility>
#include <vector>

#include "model/mio/mio_arbiter.h"
#include "model/mio/mio_params.h"

namespace shflsim::model {

/// An event: the sub-partition and the cycle.
using Event = std::pair<unsigned, Cycle>;
using Events = std::vector<Event>;

/// A unit that accepts a request every `interval` cycles.
class FakeUnit : public MioUnit {
 public:
  static constexpr Cycle kLatency = 20;

  Cycle free_from(unsigned /*sub_partition*/, Cycle now) const override {
    return std::max(now, free);
  }
  MioCompletion start(unsigned sub_partition, const MioRequest& /*request*/, Cycle now) override {
    starts.emplace_back(sub_partition, now);
    free = now + interval;
    MioCompletion completion;
    completion.result = now + kLatency;
    return completion;
  }
  uint32_t beats(const MioRequest& request) override { return request.wavefronts; }
  uint32_t passes(const MioRequest& request) override {
    return has_passes ? request.wavefronts : 0;
  }
  uint32_t load_passes(const MioRequest& /*request*/) override { return load_count; }
  Cycle make_room(const MioRequest& /*request*/, Cycle now) override { return std::max(now, room); }
  uint32_t hold(const MioRequest& /*request*/, Cycle now) override {
    slots.push_back(now);
    return held;
  }

  Cycle free = 0;
  uint32_t interval = 1;
  uint32_t held = 1;
  bool has_passes = false;  ///< behind the pipe; otherwise beats and passes are one
  uint32_t load_count = 0;  ///< passes as a load from global memory
  Cycle room = 0;           ///< first cycle with room for data
  Events starts;
  std::vector<Cycle> slots;  ///< cycles in which hold() was called
};

/// A sub-partition's queue that records what the arbiter reports. An instruction reaches the head
/// of the queue with its operands in cycle `ready`.
class FakeSubPartition : public MioSource, public MioReturn, public BankUse {
 public:
  MioHead head() const {
    return waiting.empty() ? MioHead{} : MioHead{&waiting.front().first, waiting.front().second};
  }
  MioHead pop(Cycle now) override {
    pops.push_back(now);
    waiting.pop_front();
    return head();
  }
  void sources_read(const MioRequest& /*request*/, Cycle cycle) override { reads.push_back(cycle); }
  void completed(const MioRequest& /*request*/, const MioCompletion& completion) override {
    results.push_back(completion.result);
  }
  void left_queue() override { ++left; }
  void take_port(uint8_t index, Cycle at) override { taken.insert({index, at}); }

  std::deque<std::pair<MioRequest, Cycle>> waiting;
  std::set<std::pair<unsigned, Cycle>> taken;  ///< register and cycle
  std::vector<Cycle> pops;
  std::vector<Cycle> reads;
  std::vector<Cycle> results;
  unsigned left = 0;
};

/// An arbiter between four queues and four units.
template <class Arbiter>
class ArbiterBench {
 public:
  explicit ArbiterBench(const MioParams& params) : arbiter("arbiter", params) {
    arbiter.unit[static_cast<size_t>(isa::Pipe::kShared)].bind(shared);
    arbiter.unit[static_cast<size_t>(isa::Pipe::kShuffle)].bind(shuffle);
    arbiter.unit[static_cast<size_t>(isa::Pipe::kGlobal)].bind(global);
    arbiter.unit[static_cast<size_t>(isa::Pipe::kXu)].bind(special);
    arbiter.unit[static_cast<size_t>(isa::Pipe::kSpecial)].bind(special);
    for (unsigned s = 0; s < kSubPartitions; ++s) {
      arbiter.queue[s].bind(part[s]);
      arbiter.back[s].bind(part[s]);
      arbiter.banks[s].bind(part[s]);
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  /// Puts an instruction into the queue that issues at `issued` and has its operands at `ready`.
  void put(unsigned sub_partition, const Facts& facts, Cycle issued, Cycle ready = 0,
           uint32_t wavefronts = 1) {
    MioRequest request;
    request.facts = &facts;
    request.issued = issued;
    request.wavefronts = wavefronts;
    put(sub_partition, request, issued, ready);
  }
  void put(unsigned sub_partition, const MioRequest& request, Cycle issued, Cycle ready = 0) {
    FakeSubPartition& to = part[sub_partition];
    to.waiting.emplace_back(request, ready);
    if (to.waiting.size() == 1) arbiter.head_came(sub_partition, to.head(), issued);
  }
  /// An instruction that does not wait in the queue issues.
  void pass(unsigned sub_partition, const Facts& facts, Cycle issued) {
    MioRequest request;
    request.facts = &facts;
    request.issued = issued;
    arbiter.came_apart(sub_partition, request, issued);
  }
  void run(Cycle from, Cycle to) {
    for (Cycle now = from; now <= to; ++now) {
      const bool is_due = arbiter.due() <= now;
      EXPECT_TRUE(!arbiter.evaluate(now) || is_due);
      EXPECT_GT(arbiter.due(), now);
    }
  }

  FakeUnit shared;
  FakeUnit shuffle;
  FakeUnit global;
  FakeUnit special;
  std::array<FakeSubPartition, kSubPartitions> part;
  Arbiter arbiter;
};

inline Facts request_to(isa::Pipe pipe, uint8_t operands = 1) {
  Facts facts;
  facts.pipe = pipe;
  facts.footprint.read_count = operands;
  for (uint8_t i = 0; i < operands; ++i) facts.footprint.reads[i].index = i;
  return facts;
}

/// An operand is read every 2 cycles, from 4 cycles after the issue on.
inline MioParams pipe_params() {
  MioParams params;
  params.issue_latency = 4;
  params.collect_operand = 2;
  params.read_release = 5;
  params.global_release = 3;
  params.store_release = 2;
  params.beat_interval = 2;
  params.buffer_operands = 4;
  return params;
}

}  // namespace shflsim::model
