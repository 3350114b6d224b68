// SPDX-License-Identifier: Apache-2.0
// An observer receives the same numbers as the run's result, to the last cycle.
#include "model/core/observer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <systemc>
#include <utility>

#include "isa/dialects/source.h"
#include "model/observers.h"
#include "model/run.h"
#include "tests/support/files.h"
#include "tests/support/layers.h"
#include "tests/support/suite.h"
#include "traces/region.h"

namespace shflsim::model {
namespace observer_test {

/// Adds up each static instruction's result from the observer's events alone.
class Rebuilt final : public Observer {
 public:
  explicit Rebuilt(size_t lines) : instructions(lines) {}

  void warp_started(const ResidentWarp& warp, Cycle now) override { started[warp.index] = now; }
  void warp_left(const ResidentWarp& warp, Cycle now) override {
    EXPECT_EQ(stands_at_.at(warp.index), now) << "the states reach to the end";
    finish[warp.index] = now;
  }
  void block_started(uint32_t /*block*/, uint32_t /*sm*/, Cycle /*now*/) override { ++blocks; }
  void block_left(uint32_t /*block*/, uint32_t /*sm*/, Cycle /*now*/) override { --blocks; }
  void stood(const ResidentWarp& warp, uint32_t index, WarpState state, Cycle from,
             Cycle to) override {
    const auto at = stands_at_.emplace(warp.index, started.at(warp.index)).first;
    EXPECT_EQ(at->second, from) << "no gap, nothing twice";
    EXPECT_LT(from, to);
    at->second = to;
    instructions.at(index).states.at(static_cast<size_t>(state)) += to - from;
  }
  void issued(const ResidentWarp& /*warp*/, const Issue& issue) override {
    InstructionStats& stats = instructions.at(issue.index);
    ++stats.issued;
    stats.lanes += static_cast<uint64_t>(__builtin_popcount(issue.lanes));
    dual_issued += issue.is_second ? 1 : 0;
    const bool is_new = issues_.emplace(key(issue.id), issue).second;
    EXPECT_TRUE(is_new) << "an id is given once";
    EXPECT_EQ(issue.id.number, next_number_[issue.id.warp]++);
  }
  void entered(InstructionId id, Stage stage, Cycle from) override {
    const auto last = stages_.find(key(id));
    if (last != stages_.end()) {
      EXPECT_LT(last->second.first, stage);
      EXPECT_LE(last->second.second, from);
    }
    stages_[key(id)] = {stage, from};
    if (stage == Stage::kQueue) queued_.insert(key(id));
  }
  void left_queue(InstructionId id, Cycle now) override {
    EXPECT_LT(issues_.at(key(id)).cycle, now);
    EXPECT_EQ(queued_.erase(key(id)), 1u) << "once";
  }
  void sources_read(InstructionId id, Cycle cycle) override {
    EXPECT_LT(issues_.at(key(id)).cycle, cycle);
  }
  void passes(InstructionId id, Cycle first, uint32_t count, uint32_t /*interval*/) override {
    moved[issues_.at(key(id)).index] += count;
    EXPECT_LE(issues_.at(key(id)).cycle, first);
  }
  void done(InstructionId id, Cycle result) override {
    const Issue& issue = issues_.at(key(id));
    InstructionStats& stats = instructions.at(issue.index);
    const Cycle latency = result - issue.cycle;
    stats.latency_min = stats.results == 0 ? latency : std::min(stats.latency_min, latency);
    stats.latency_max = std::max(stats.latency_max, latency);
    stats.latency_sum += latency;
    ++stats.results;
    const auto stage = stages_.find(key(id));
    if (stage == stages_.end()) return;
    EXPECT_EQ(stage->second.first, Stage::kUnit);
    EXPECT_LE(stage->second.second, result);
    stages_.erase(stage);
  }

  bool is_over() const { return stages_.empty() && queued_.empty() && blocks == 0; }

  std::vector<InstructionStats> instructions;
  std::map<uint32_t, Cycle> started;
  std::map<uint32_t, Cycle> finish;
  std::map<uint32_t, uint64_t> moved;  ///< passes and wavefronts, by line
  uint64_t dual_issued = 0;
  int blocks = 0;

 private:
  using Key = std::pair<uint32_t, uint32_t>;
  static Key key(InstructionId id) { return {id.warp, id.number}; }

  std::map<uint32_t, Cycle> stands_at_;
  std::map<uint32_t, uint32_t> next_number_;
  std::map<Key, Issue> issues_;
  std::set<Key> queued_;
  std::map<Key, std::pair<Stage, Cycle>> stages_;
};

void expect_equal(const InstructionStats& heard, const InstructionStats& said) {
  EXPECT_EQ(heard.states, said.states);
  EXPECT_EQ(heard.issued, said.issued);
  EXPECT_EQ(heard.lanes, said.lanes);
  EXPECT_EQ(heard.results, said.results);
  EXPECT_EQ(heard.latency_min, said.latency_min);
  EXPECT_EQ(heard.latency_max, said.latency_max);
  EXPECT_EQ(heard.latency_sum, said.latency_sum);
}

/// The result has no latency if nothing can depend on an instruction; the observer has one.
void forget_latency(InstructionStats* stats) {
  stats->results = stats->latency_sum = stats->latency_min = stats->latency_max = 0;
}

void expect_all_is_heard(const traces::Trace& trace, const ConfigLayers& layers, unsigned sms = 1) {
  const RunResult unobserved = run(trace, layers, sms);
  Rebuilt heard(trace.code.lines.size());
  const RunResult result = run(trace, layers, sms, &heard);
  EXPECT_EQ(result.cycles, unobserved.cycles);
  for (size_t i = 0; i < result.instructions.size(); ++i) {
    SCOPED_TRACE(trace.code.lines[i].text);
    const isa::Footprint& footprint = trace.code.lines[i].footprint;
    const bool has_result =
        footprint.write_count != 0 || footprint.predicates_written != 0 || footprint.writes_carry;
    if (!has_result) forget_latency(&heard.instructions[i]);
    expect_equal(heard.instructions[i], unobserved.instructions[i]);
    expect_equal(heard.instructions[i], result.instructions[i]);
    const uint64_t least = trace.code.lines[i].is_shuffle() ? result.instructions[i].issued : 0;
    EXPECT_GE(heard.moved[static_cast<uint32_t>(i)], least);
  }
  EXPECT_EQ(heard.dual_issued, result.dual_issued);
  ASSERT_EQ(heard.finish.size(), result.warps.size());
  for (size_t w = 0; w < result.warps.size(); ++w)
    EXPECT_EQ(heard.finish.at(static_cast<uint32_t>(w)), result.warps[w].finish);
  EXPECT_TRUE(heard.is_over());
}

class ObservedKernel : public ::testing::TestWithParam<std::string> {};

TEST_P(ObservedKernel, IsHeardAsItsResultSays) {
  const traces::Trace trace = test::kernel_trace("kernels.cubin", GetParam());
  expect_all_is_heard(trace, test::layers_of("gm107"));
  expect_all_is_heard(trace,
                      test::layers_of("gm107", {"shuffle.network=banked", "mio.queue_depth=2"}), 2);
}

const std::string kKernels[] = {
    "reduce_xor",      "reduce_down",         "scan_inclusive",   "scan_exclusive",
    "scan_reverse",    "scan_inclusive_pred", "broadcast",        "segments",
    "index_dynamic",   "quad_derivatives",    "block_reduce_min", "bitonic_sort",
    "grid_stride_dot", "divergent_half",      "smem_shuffle",     "stencil7"};

INSTANTIATE_TEST_SUITE_P(Kernels, ObservedKernel, ::testing::ValuesIn(kKernels),
                         [](const auto& test) { return test.param; });

class ObservedSuite : public ::testing::TestWithParam<std::string> {};

TEST_P(ObservedSuite, IsHeardAsItsResultSays) {
  const traces::Trace trace = test::suite_trace(GetParam());
  expect_all_is_heard(trace, test::layers_of("gm107"));
  expect_all_is_heard(trace, test::layers_of("gm107", {"special_function.queued=1",
                                                       "register_file.late_reads=freeze"}));
  expect_all_is_heard(trace, test::layers_of("gh100", {"mio.arbitration=shared_pipe"}));
  const traces::Trace block = test::suite_trace(GetParam(), 8);
  expect_all_is_heard(block, test::layers_of("gm107"));
  expect_all_is_heard(block, test::layers_of("gh100", {"mio.arbitration=shared_pipe"}));
}

INSTANTIATE_TEST_SUITE_P(Suite, ObservedSuite, ::testing::ValuesIn(test::suite_names()),
                         [](const auto& test) { return test.param; });

class ObservedSingle : public ::testing::TestWithParam<std::string> {};

TEST_P(ObservedSingle, IsHeardAsItsResultSays) {
  const traces::Trace trace = test::shipped_trace("traces/" + GetParam() + ".sass", 4);
  expect_all_is_heard(trace, test::layers_of("gm107"));
  expect_all_is_heard(trace, test::layers_of("gh100", {"mio.arbitration=shared_pipe"}));
}

INSTANTIATE_TEST_SUITE_P(Singles, ObservedSingle, ::testing::ValuesIn(test::single_names()),
                         [](const auto& test) { return test.param; });

class ObservedRegion : public ::testing::TestWithParam<std::string> {};

TEST_P(ObservedRegion, IsHeardAsItsResultSays) {
  const std::string path = test::source_path("tests/data/h200/bench.sm90.cuobjdump.txt.gz");
  const isa::Code code = isa::open_source(path)->code(GetParam());
  for (const uint32_t warps : {1u, 6u, 32u}) {
    traces::RegionOptions options;
    options.warps = warps;
    expect_all_is_heard(traces::region_trace(code, options), test::layers_of("gh100"));
  }
}

INSTANTIATE_TEST_SUITE_P(H200, ObservedRegion,
                         ::testing::Values("lat_shfl_bfly_imm", "thr_shfl_bfly_ilp8", "bar_sync",
                                           "empty"),
                         [](const auto& test) { return test.param; });

/// Does not follow instructions, and counts the other events.
class Coarse final : public Observer {
 public:
  bool follows_instructions() const override { return false; }
  void reached(Cycle now) override { last = now; }
  void warp_started(const ResidentWarp& /*warp*/, Cycle /*now*/) override { ++started; }
  void warp_left(const ResidentWarp& /*warp*/, Cycle /*now*/) override { ++left; }
  void issued(const ResidentWarp& /*warp*/, const Issue& /*issue*/) override { ++issues; }

  Cycle last = 0;
  unsigned started = 0;
  unsigned left = 0;
  unsigned issues = 0;
};

TEST(Observer, ThatDoesNotFollowInstructionsHearsOfWarpsAndTime) {
  const traces::Trace trace = test::kernel_trace("kernels.cubin", "bitonic_sort");
  Coarse coarse;
  const RunResult result = run(trace, test::layers_of("gm107"), 1, &coarse);
  EXPECT_EQ(coarse.started, 32u);
  EXPECT_EQ(coarse.left, 32u);
  EXPECT_EQ(coarse.issues, 0u);
  EXPECT_GT(coarse.last, 0u);
  EXPECT_LE(coarse.last, result.cycles);
}

/// Has a module in the run's simulation, which checks the simulation's time.
class Beside final : public Observer {
 public:
  class Clock : public sc_core::sc_module {
   public:
    Clock(const sc_core::sc_module_name& name, Beside* owner) : sc_module(name), owner_(*owner) {
      SC_HAS_PROCESS(Clock);
      SC_METHOD(tick);
    }
    ~Clock() override { owner_.is_gone = true; }

   private:
    void tick() {
      EXPECT_EQ(sc_core::sc_time_stamp(), owner_.ticks * kCycle);
      if (++owner_.ticks < 500) next_trigger(kCycle);
    }
    const sc_core::sc_time kCycle{1, sc_core::SC_NS};
    Beside& owner_;
  };

  std::shared_ptr<void> elaborate(const traces::Trace& trace, const RunResult& result) override {
    EXPECT_EQ(trace.code.name, "reduce_down");
    EXPECT_EQ(result.sms, 1u);
    EXPECT_FALSE(result.config.empty());
    return std::make_shared<Clock>("clock", this);
  }
  void reached(Cycle now) override {
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(static_cast<double>(now), sc_core::SC_NS));
    EXPECT_FALSE(is_gone);
  }

  unsigned ticks = 0;
  bool is_gone = false;
};

TEST(Observer, HasModulesOfItsOwnInTheSimulation) {
  const traces::Trace trace = test::suite_trace("reduce_down");
  Beside beside;
  Observers all;
  Coarse coarse;
  all.add(&coarse);
  all.add(&beside);
  const RunResult result = run(trace, test::layers_of("gm107"), 1, all.combined());
  EXPECT_EQ(beside.ticks, 500u);
  EXPECT_TRUE(beside.is_gone);
  EXPECT_EQ(result.cycles, run(trace, test::layers_of("gm107")).cycles);
}

TEST(Observer, SeveralHearTheSame) {
  const traces::Trace trace = test::suite_trace("reduce_down");
  Rebuilt one(trace.code.lines.size());
  Rebuilt other(trace.code.lines.size());
  Coarse coarse;
  Observers all;
  EXPECT_EQ(all.combined(), nullptr);
  all.add(&coarse);
  EXPECT_EQ(all.combined(), &coarse);
  all.add(nullptr);
  all.add(&one);
  all.add(&other);
  const RunResult result = run(trace, test::layers_of("gm107"), 1, all.combined());
  for (size_t i = 0; i < result.instructions.size(); ++i) {
    expect_equal(one.instructions[i], result.instructions[i]);
    expect_equal(other.instructions[i], result.instructions[i]);
  }
  EXPECT_EQ(coarse.left, 1u);
  EXPECT_GT(coarse.issues, 0u);
}

}  // namespace observer_test
}  // namespace shflsim::model
