// SPDX-License-Identifier: Apache-2.0
#include "report/run/head.h"

#include <gtest/gtest.h>

#include <sstream>

#include "report/run/columns.h"
#include "report/run/report.h"
#include "tests/report/sample_run.h"
#include "tests/support/layers.h"

namespace shflsim::report {
namespace head_test {

using Strings = std::vector<std::string>;

Machine shipped(const std::string& config, const Strings& settings = {}) {
  const model::ConfigLayers layers = test::layers_of(config, settings);
  return machine_of(layers);
}

std::string text_of(const Machine& machine) {
  std::ostringstream out;
  write_machine(out, machine);
  return out.str();
}

TEST(Head, U2kNamesMachineNetworkOverridesAndHowManyValuesAreAssumed) {
  Machine machine{"gm107+mine.cfg", {"shuffle.lanes=16"}, {}};
  machine.values = {{"shuffle.network", "ring", "", "", "assumed: as GH100", "", ""},
                    {"shuffle.lanes", "16", "lanes", "command line", "set by the user", "", ""},
                    {"sm.max_warps", "64", "", "", "vendor: a guide", "", ""},
                    {"fetch.ahead", "4", "", "", "assumed", "", ""}};
  EXPECT_EQ(text_of(machine),
            "  machine: gm107+mine.cfg, network ring, shuffle.lanes=16; 2 of 4 values assumed and "
            "in use\n");
}

TEST(Head, C9CountsAssumedValuesWhereTheyCanAct) {
  const Machine machine = shipped("gh100");
  const auto acts = [&](const std::string& key) {
    for (const model::ConfigValue& value : machine.values) {
      if (value.key == key) return can_act(value, machine.values);
    }
    ADD_FAILURE() << key;
    return false;
  };
  EXPECT_TRUE(acts("global_memory.l1_assumed_rate"));
  EXPECT_TRUE(acts("shuffle.latency"));
  EXPECT_FALSE(acts("shuffle.banked.banks")) << "of a network that is not chosen";
  EXPECT_FALSE(acts("scheduler.two_level.pool")) << "of a policy that is not chosen";
  EXPECT_FALSE(acts("control.pixbar")) << "of issue codes that Hopper does not have";
  EXPECT_FALSE(acts("technology.mux_energy")) << "a price";
  EXPECT_FALSE(acts("energy.issue")) << "of a chip whose energies are not known";
  EXPECT_FALSE(acts("technology.lane_pitch")) << "of the depth of a crossbar";
  EXPECT_FALSE(acts("shuffle.depth"));
  const Machine timed = shipped("gh100", {"shuffle.network=banked"});
  for (const model::ConfigValue& value : timed.values) {
    const bool acts_now = value.key == "technology.clock" || value.key == "shuffle.banked.banks" ||
                          value.key == "shuffle.depth";
    EXPECT_TRUE(!acts_now || can_act(value, timed.values)) << value.key;
    if (value.key == "technology.mux_energy") {
      EXPECT_FALSE(can_act(value, timed.values)) << "a price";
    }
  }
}

TEST(Head, NamesANetworkThatWasSetOnce) {
  const std::string text =
      text_of(shipped("gm107", {"shuffle.network=banked", "shuffle.banked.banks=4"}));
  EXPECT_EQ(text.find("  machine: gm107, network banked, shuffle.banked.banks=4; "), 0u) << text;
}

TEST(Head, WithoutAnOriginSaysNothingOfOne) {
  std::ostringstream out;
  write_input(out, {});
  write_machine(out, {});
  EXPECT_EQ(out.str(), "");
}

TEST(Head, U2iSaysThatCodeWasLoweredHere) {
  traces::Trace trace = test::sample_trace();
  EXPECT_EQ(remarks_on(trace), Strings{});
  trace.code.is_lowered = true;
  EXPECT_EQ(remarks_on(trace),
            Strings{"lowered from PTX by shflsim " + std::string(tool_version()) +
                    ", not by ptxas: other instructions, other cycles"});
}

TEST(Head, U3_4SaysThatLanesWereGuessed) {
  traces::Trace trace = test::sample_trace();
  trace.findings.push_back({1, 0, 0, 1, traces::kGuessedLanes + std::string("; identity")});
  EXPECT_EQ(remarks_on(trace),
            Strings{"lanes are guessed where the trace does not say which ones a SHFL reads; "
                    "--unknown-lanes chooses how"});
}

TEST(Head, AMeasuredMachineLeadsToItsAccuracy) {
  const Strings remarks = remarks_on(shipped("gh100"));
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0].find(" values measured on the chip itself; docs/accuracy.md says how"),
            std::string("gh100: 108").size())
      << remarks[0];
  EXPECT_EQ(remarks_on(shipped("gm107")), Strings{});
}

TEST(Head, U3_2CodeOfOneFamilyOnAMachineOfAnotherIsRemarked) {
  const traces::Trace trace = test::sample_trace();  // SPA 5.0
  EXPECT_EQ(remarks_on(trace, shipped("gm107")), Strings{});
  EXPECT_EQ(remarks_on(trace, shipped("gv100")),
            Strings{"gv100: code of SPA 5.0 on a machine of Volta or later"});
}

}  // namespace head_test
}  // namespace shflsim::report
