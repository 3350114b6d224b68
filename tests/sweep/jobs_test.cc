// SPDX-License-Identifier: Apache-2.0
#include "sweep/jobs.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "isa/base/input_error.h"
#include "model/run.h"
#include "sweep/result_bytes.h"
#include "tests/support/code_trace.h"
#include "tests/support/deadlock.h"
#include "tests/support/layers.h"
#include "tests/support/suite.h"
#include "traces/shft/reader.h"
#include "traces/shft/writer.h"

namespace shflsim::sweep {
namespace jobs_test {

using End = Outcome::End;

traces::Trace load() {
  return test::trace_of("LDG.E R2, [R4] &wr=0\nFADD R3, R2, R2 &req={0}\nEXIT\n");
}

/// Ends the process of any reader of its steps.
class Deadly final : public traces::StepSource {
 public:
  std::unique_ptr<traces::StepCursor> open(size_t) const override { std::abort(); }
  const std::vector<isa::LaneMap>& lane_maps() const override { return lane_maps_; }

 private:
  std::vector<isa::LaneMap> lane_maps_;
};

traces::Trace deadly() {
  traces::Trace trace = load();
  trace.source = std::make_shared<Deadly>();
  return trace;
}

/// The trace, read from a file again while it runs.
traces::Trace from_file(const traces::Trace& trace) {
  const std::string path = testing::TempDir() + "jobs_test." + std::to_string(getpid()) + ".shft";
  traces::LaunchShape shape;
  shape.block.x = trace.threads_per_block;
  traces::write_shft(path, trace, shape);
  traces::Trace read = traces::open_shft(path, &shape);
  std::filesystem::remove(path);  // the trace keeps it open
  return read;
}

/// Three traces, one also from a file, each on four machines and on one of these with three SMs.
class Jobs : public ::testing::Test {
 protected:
  Jobs() {
    for (const char* name : {"scan_inclusive", "block_reduce", "fft_32"})
      traces_.push_back(test::suite_trace(name));
    traces_.push_back(from_file(traces_.back()));
    const model::ConfigLayers machines[] = {
        test::layers_of("gm107"), test::layers_of("gm107", {"shuffle.network=banked"}),
        test::layers_of("gh100"), test::layers_of("gh100", {"scheduler.policy=two_level"})};
    for (const traces::Trace& trace : traces_) {
      for (const model::ConfigLayers& layers : machines)
        jobs_.push_back({kept_by_owner(trace), layers});
      jobs_.push_back({kept_by_owner(trace), machines[1], 3});
    }
  }

  std::vector<traces::Trace> traces_;
  std::vector<Job> jobs_;
};

std::vector<std::string> texts_of(const std::vector<Outcome>& outcomes) {
  std::vector<std::string> texts;
  for (const Outcome& outcome : outcomes) {
    texts.push_back(static_cast<char>(outcome.end) + outcome.what + bytes_of(outcome.result));
  }
  return texts;
}

TEST_F(Jobs, AreInOneProcessWhatEachIsAlone) {
  const std::vector<Outcome> together = run_all(jobs_, 1);
  ASSERT_EQ(together.size(), jobs_.size());
  for (size_t i = 0; i < jobs_.size(); ++i) {
    const std::vector<Outcome> alone = run_all({jobs_[i]}, 1);
    EXPECT_EQ(alone[0].end, End::kDone) << alone[0].what;
    EXPECT_NE(alone[0].result.cycles, 0u);
    EXPECT_EQ(texts_of(alone)[0], texts_of({together[i]})[0]) << "job " << i;
  }
}

TEST_F(Jobs, AreWhatTheModelSaysOfThem) {
  const std::vector<Outcome> outcomes = run_all(jobs_, 2);
  for (size_t i = 0; i < jobs_.size(); ++i) {
    model::RunResult result = model::run(*jobs_[i].trace, jobs_[i].layers, jobs_[i].sms);
    result.config.clear();
    EXPECT_EQ(bytes_of(outcomes[i].result), bytes_of(result)) << "job " << i;
  }
}

TEST_F(Jobs, DoNotDependOnTheNumberOfProcesses) {
  const auto loads = std::make_shared<traces::Trace>(load());
  const auto stuck = std::make_shared<traces::Trace>(test::barrier_that_one_misses());
  const auto dies = std::make_shared<traces::Trace>(deadly());
  jobs_.insert(jobs_.begin() + 3, {dies, test::layers_of("gm107")});
  jobs_.insert(jobs_.begin() + 5, {stuck, test::layers_of("gm107")});
  jobs_.push_back({loads, test::layers_of("gm107", {"no.key=1"})});
  const std::vector<std::string> one = texts_of(run_all(jobs_, 1));
  EXPECT_EQ(one, texts_of(run_all(jobs_, 2)));
  EXPECT_EQ(one, texts_of(run_all(jobs_, 5)));
}

TEST(JobFailures, ComeBackAsWhatTheyAre) {
  const auto loads = std::make_shared<traces::Trace>(load());
  const auto stuck = std::make_shared<traces::Trace>(test::barrier_that_one_misses());
  const auto dies = std::make_shared<traces::Trace>(deadly());
  const std::vector<Outcome> outcomes = run_all({{loads, test::layers_of("gm107")},
                                                 {loads, test::layers_of("gm107", {"no.key=1"})},
                                                 {stuck, test::layers_of("gm107")},
                                                 {dies, test::layers_of("gm107")},
                                                 {loads, test::layers_of("gm107")}},
                                                2);
  EXPECT_NO_THROW(throw_failure(outcomes[0], ""));
  EXPECT_THROW(throw_failure(outcomes[1], ""), InputError);
  EXPECT_EQ(outcomes[1].what.find("command line: unknown key 'no.key'"), 0u) << outcomes[1].what;
  EXPECT_THROW(throw_failure(outcomes[2], ""), model::Deadlock);
  EXPECT_EQ(outcomes[2].what.find("no progress; every resident warp waits:"), 0u)
      << outcomes[2].what;
  EXPECT_EQ(outcomes[3].end, End::kBroken);
  EXPECT_EQ(outcomes[3].what, "its process was killed by signal 6");
  EXPECT_EQ(outcomes[4].end, End::kDone);
}

TEST(JobFailures, IncludeThoseOfMakingAJob) {
  const auto unreadable = [](size_t) -> Job { throw InputError("no such trace"); };
  run_each(1, 1, unreadable, [](size_t, const Outcome& outcome) {
    EXPECT_EQ(outcome.end, End::kInputError);
    EXPECT_EQ(outcome.what, "no such trace");
  });
}

TEST(JobFailures, SayWhichJobItWas) {
  try {
    throw_failure({End::kBroken, "its process was killed by signal 6", {}, {}}, "fft on ring: ");
    FAIL() << "expected a runtime_error";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "fft on ring: its process was killed by signal 6");
  }
}

}  // namespace jobs_test
}  // namespace shflsim::sweep
