// SPDX-License-Identifier: Apache-2.0
#include "sweep/what_if.h"

#include <gtest/gtest.h>

#include "model/run.h"
#include "report/run/design_cost.h"
#include "tests/support/layers.h"
#include "tests/support/suite.h"

namespace shflsim::sweep {
namespace what_if_test {

struct Machine {
  std::string config;
  std::vector<std::string> settings;
};

class WhatIfs : public ::testing::TestWithParam<Machine> {};

/// The what-ifs have the cycles of runs with --set.
TEST_P(WhatIfs, EqualRunsWithTheirSettings) {
  const auto& [config, settings] = GetParam();
  const model::ConfigLayers layers = test::layers_of(config, settings);
  for (const char* kernel : {"random_gather", "block_reduce"}) {
    const traces::Trace trace = test::suite_trace(kernel, 8);
    const model::RunResult result = model::run(trace, layers);
    std::vector<report::WhatIf> all = shuffle_what_ifs(result, report::shuffles_of(trace, result));
    all.push_back({"", {"mio.queue_depth=1", "shuffle.latency=3"}, {}, ""});
    run_what_ifs({trace, layers, 1}, 2, &all);
    EXPECT_GE(all.size(), 3u);
    for (const report::WhatIf& what_if : all) {
      model::ConfigLayers changed = layers;
      for (const std::string& setting : what_if.settings) changed.add_setting(setting);
      ASSERT_TRUE(what_if.cycles.has_value()) << what_if.name << what_if.error;
      EXPECT_EQ(*what_if.cycles, model::run(trace, changed).cycles) << what_if.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Machines, WhatIfs,
    ::testing::Values(Machine{"gm107", {}}, Machine{"gh100", {}},
                      Machine{"gm107", {"shuffle.network=banked"}},
                      Machine{"gh100", {"shuffle.network=ring", "shuffle.lanes=1"}},
                      Machine{"gm107", {"shuffle.network=shared_memory", "shuffle.lanes=8"}}));

std::vector<std::string> names_of(const std::vector<report::WhatIf>& all) {
  std::vector<std::string> names;
  for (const report::WhatIf& what_if : all) names.push_back(what_if.name);
  return names;
}

TEST(WhatIf, AreThoseOfTheMachineAndOfWhatTheRunCounted) {
  using Names = std::vector<std::string>;
  const traces::Trace trace = test::suite_trace("random_gather", 8);
  const auto of = [&](const std::vector<std::string>& settings) {
    return names_of(shuffle_what_ifs(model::run(trace, test::layers_of("gh100", settings)), 1));
  };
  EXPECT_EQ(of({}), (Names{"at half rate", "at no latency", "with twice the units"}));
  EXPECT_EQ(of({"shuffle.lanes=16"}),
            (Names{"at half rate", "at no latency", "with twice the lanes"}));
  EXPECT_EQ(
      of({"shuffle.network=banked"}),
      (Names{"at half rate", "at no latency", "with twice the ports", "without port conflicts"}));
}

TEST(WhatIf, DependOnTheLengthOfTheRunAndNotOnTheClock) {
  const traces::Trace trace = test::suite_trace("random_gather", 8);
  model::RunResult result = model::run(trace, test::layers_of("gh100"));
  result.warp_instructions = kShortRun;
  EXPECT_EQ(shuffle_what_ifs(result, 1).size(), 3u);
  result.warp_instructions = kShortRun + 1;
  EXPECT_EQ(names_of(shuffle_what_ifs(result, 1)), std::vector<std::string>{"at half rate"});
  EXPECT_TRUE(shuffle_what_ifs(result, 0).empty());
}

TEST(WhatIf, BegunBesideTheRunIsTheFirstOfTheRunAndNoOther) {
  const traces::Trace trace = test::suite_trace("random_gather", 8);
  const model::ConfigLayers layers = test::layers_of("gh100");
  const Subject subject{trace, layers, 1};
  std::vector<report::WhatIf> all = {{"at half rate", {"shuffle.lanes=16"}, {}, ""},
                                     {"at no latency", {"shuffle.latency=1"}, {}, ""}};
  take_begun(subject, begun_what_if(subject), &all);
  ASSERT_TRUE(all[0].cycles.has_value());
  EXPECT_EQ(*all[0].cycles,
            model::run(trace, test::layers_of("gh100", {"shuffle.lanes=16"})).cycles);
  EXPECT_FALSE(all[1].cycles.has_value());
  run_what_ifs(subject, 1, &all);
  EXPECT_TRUE(all[1].cycles.has_value());

  all = {{"at half rate", {"shuffle.interval=2"}, {}, ""}};
  take_begun(subject, begun_what_if(subject), &all);
  EXPECT_FALSE(all[0].cycles.has_value());
}

TEST(WhatIf, SayWhyAMachineCannotRun) {
  const traces::Trace trace = test::suite_trace("random_gather", 8);
  const model::ConfigLayers layers = test::layers_of("gh100");
  std::vector<report::WhatIf> all = {{"", {"shuffle.cluster=2"}, {}, ""}};
  run_what_ifs({trace, layers, 1}, 1, &all);
  EXPECT_FALSE(all[0].cycles.has_value());
  EXPECT_NE(all[0].error.find("shuffle.cluster"), std::string::npos);
}

}  // namespace what_if_test
}  // namespace shflsim::sweep
