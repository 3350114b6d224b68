// SPDX-License-Identifier: Apache-2.0
// A process may call model::run any number of times.
#include "model/run.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <memory>
#include <string>

#include "isa/base/input_error.h"
#include "tests/support/code_trace.h"
#include "tests/support/deadlock.h"
#include "tests/support/layers.h"

namespace shflsim::model {
namespace run_test {

const char* const kCode = "FADD R1, R1, R1\nFADD R1, R1, R1\nEXIT\n";
constexpr Cycle kCycles = 8;  // FADD at 0 and 6, EXIT at 7

const char* const kSlowCode = "LDG.E R2, [R4] &wr=0 ?trans2\nFADD R3, R2, R2 &req={0}\nEXIT\n";
ConfigLayers impatient() {
  return test::layers_of("gm107", {"global_memory.latency=4096", "sm.watchdog=1000"});
}

/// Steps that can be read at first, and then no longer.
class BrokenOff final : public traces::StepSource {
 public:
  std::unique_ptr<traces::StepCursor> open(size_t) const override {
    return std::make_unique<Cursor>();
  }
  const std::vector<isa::LaneMap>& lane_maps() const override { return lane_maps_; }

 private:
  class Cursor final : public traces::StepCursor {
   public:
    bool advance(traces::WarpTrace* part) override {
      if (!part->steps.empty()) throw InputError("the trace breaks off");
      part->steps = {{0, isa::kAllLanes, traces::Step::kNone}};
      return true;
    }
  };

  std::vector<isa::LaneMap> lane_maps_;
};

traces::Trace breaks_off() {
  traces::Trace trace = test::trace_of(kCode);
  trace.warps.front().steps.clear();
  trace.source = std::make_shared<BrokenOff>();
  return trace;
}

TEST(Run, IsTheSameHoweverManyWentBefore) {
  const traces::Trace trace = test::trace_of(kCode);
  for (unsigned sms = 1; sms < 4; ++sms)
    EXPECT_EQ(run(trace, test::layers_of("gm107"), sms).cycles, kCycles);
  EXPECT_EQ(run(trace, test::layers_of("gm107", {"math.latency=9"})).cycles, kCycles + 3);
  EXPECT_EQ(run(trace, test::layers_of("gm107")).cycles, kCycles);
}

TEST(Run, SaysWhatIsWrongWithATraceThatCannotBeReadOn) {
  try {
    run(breaks_off(), test::layers_of("gm107"));
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "the trace breaks off");
  }
}

TEST(Run, IsNotChangedByAnEarlierOneThatFailed) {
  EXPECT_THROW(run(breaks_off(), test::layers_of("gm107")), InputError);
  EXPECT_THROW(run(test::barrier_that_one_misses(), test::layers_of("gm107")), Deadlock);
  EXPECT_THROW(run(test::trace_of(kCode), test::layers_of("gm107", {"no.key=1"})), InputError);
  EXPECT_EQ(run(test::trace_of(kCode), test::layers_of("gm107")).cycles, kCycles);
}

/// LDG issues at 0 and starts at 5, FADD issues at 4101, EXIT a cycle later.
TEST(Run, A26WhatIsUnderWayIsNoDeadlockHoweverLongItTakes) {
  EXPECT_EQ(run(test::trace_of(kSlowCode), impatient()).cycles, 4103u);
}

TEST(Run, A35AWarpThatStartsLateIsNoDeadlock) {
  traces::Trace trace = test::trace_of(kCode);
  trace.warps.front().start = 5000;
  EXPECT_EQ(run(trace, impatient()).cycles, 5000 + kCycles);
}

TEST(Run, LeavesNothingBehind) {
  const traces::Trace trace = test::trace_of(kCode);
  const ConfigLayers layers = test::layers_of("gm107");
  for (unsigned i = 0; i < 20; ++i) run(trace, layers);
  const size_t before = mallinfo2().uordblks;
  for (unsigned i = 0; i < 200; ++i) run(trace, layers);
  EXPECT_LT(mallinfo2().uordblks, before + 200 * 64);
}

}  // namespace run_test
}  // namespace shflsim::model
