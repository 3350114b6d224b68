// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/pass_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "isa/base/input_error.h"
#include "model/shuffle/cell_library.h"
#include "model/shuffle/shuffle_unit.h"
#include "tests/model/shuffle/patterns.h"

namespace shflsim::model {
namespace pass_time_test {

using test::make_network;

Wiring wiring(const char* network, unsigned lanes = isa::kLanes) {
  return make_network(network, {}, lanes)->wiring();
}

/// A library in which a crossbar takes 200 ps, and everything else 100 ps and 10 ps a level.
std::string library(const std::string& change_from = "", const std::string& change_to = "") {
  std::string text = R"({"format": "shflsim-library/1",
 "library": "drawn", "fo4_ps": 20, "register_ps": 50, "flip_flop_um2": 0.25,
 "estimate": {"base_ps": 100, "level_ps": 10},
 "networks": [{"network": "crossbar", "wiring": ")" +
                     wiring("crossbar").fingerprint() + R"(",
   "cell_um2": 1000, "register_um2": 300, "delay_ps": 200, "setup_fj": 5}]})";
  const size_t at = change_from.empty() ? std::string::npos : text.find(change_from);
  if (at != std::string::npos) text.replace(at, change_from.size(), change_to);
  static int number = 0;
  std::string path = testing::TempDir() + "library." + std::to_string(getpid()) + "." +
                     std::to_string(++number) + ".json";
  std::ofstream(path) << text;
  return path;
}

/// Wires of 1.52 sqrt(20 ps * 10 Ohm/um * 0.2 fF/um) = 0.304 ps a micrometre.
Technology technology(uint32_t megahertz) {
  Technology technology;
  technology.library = library();
  technology.clock = megahertz;
  technology.wire_resistance = 10000;
  technology.wire_capacitance = 200;
  return technology;
}

TEST(Pitches, AreOfTheLongestWayAlongTheLanes) {
  struct Row {
    const char* network;
    uint32_t pitches;
  };
  for (const Row& row :
       {Row{"crossbar", 31}, Row{"quad", 3}, Row{"butterfly", 31}, Row{"omega", 57},
        Row{"benes", 61}, Row{"rotator", 61}, Row{"benes_copy", 123}}) {
    EXPECT_EQ(pitches(wiring(row.network)), row.pitches) << row.network;
  }
  EXPECT_EQ(pitches(wiring("shared_memory")), 0u);
}

TEST(PassTime, IsThatOfLogicAndOfAWireWithRepeaters) {
  const PassTime time = pass_time(wiring("crossbar"), technology(1000), 50);
  EXPECT_DOUBLE_EQ(time.logic, 200);
  EXPECT_TRUE(time.is_synthesised);
  EXPECT_NEAR(time.wire, 31 * 50 * 0.304, 1e-6);  // 471 ps
  EXPECT_EQ(time.stages, 1u);                     // 671 ps of 950
  EXPECT_EQ(time.step, 0u);
}

TEST(PassTime, IsEstimatedByLevelsOfWhatWasNotSynthesised) {
  const PassTime time = pass_time(wiring("benes"), technology(1000), 50);
  EXPECT_DOUBLE_EQ(time.logic, 100 + 9 * 10);
  EXPECT_FALSE(time.is_synthesised);
  EXPECT_EQ(time.stages, 2u);  // 190 + 927 ps
}

TEST(PassTime, TakesAsManyClockCyclesAsFitRegistersBetweenThem) {
  const Wiring crossbar = wiring("crossbar");
  EXPECT_EQ(pass_time(crossbar, technology(1386), 50).stages, 1u);  // 671.2 of 671.5 ps
  EXPECT_EQ(pass_time(crossbar, technology(1388), 50).stages, 2u);  // of 670.5 ps
  EXPECT_EQ(pass_time(crossbar, technology(1388), 49).stages, 1u);
  EXPECT_EQ(pass_time(wiring("shared_memory"), technology(1390), 50).stages, 0u);
}

TEST(PassTime, OfNetworksThatHoldValuesHasAStepOfItsOwn) {
  const PassTime pair = pass_time(wiring("butterfly_pair"), technology(1980), 50);
  EXPECT_EQ(pair.step, 2u);  // through one butterfly to its registers
  EXPECT_GT(pass_time(wiring("ring"), technology(1980), 50).step, 0u);
}

TEST(LatencyByDepth, GrowsAndShrinksByStagesBeyondACrossbars) {
  PassTime crossbar;
  crossbar.stages = 2;
  PassTime network;
  network.stages = 4;
  EXPECT_EQ(latency_by_depth(24, network, crossbar), 26u);
  network.stages = 1;
  EXPECT_EQ(latency_by_depth(24, network, crossbar), 23u);
  EXPECT_EQ(latency_by_depth(1, network, crossbar), 1u);
  network.stages = 0;
  EXPECT_EQ(latency_by_depth(24, network, crossbar), 24u) << "no wires of its own";
}

void expect_refused(const std::string& path, const std::string& what) {
  try {
    cell_library(path);
    ADD_FAILURE() << path;
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(path));
    EXPECT_THAT(error.what(), testing::HasSubstr(what));
  }
}

TEST(CellLibrary, ThatIsDamagedIsRefusedInALine) {
  expect_refused("none.json", "none.json");
  expect_refused(library("200,", "200 200,"), ":5: ");
  expect_refused(library("library/1", "library/2"), "shflsim-library/2");
  expect_refused(library("\"fo4_ps\": 20", "\"fo4_ps\": 0"), "fo4_ps");
  expect_refused(library("\"fo4_ps\": 20", "\"fo4\": 20"), "fo4_ps");
  expect_refused(library("0.25", "0"), "flip_flop_um2");
  expect_refused(library("1000", "-1000"), "cell_um2");
  expect_refused(library("1000", "\"much\""), "scripts/rtl/synthesise");
}

}  // namespace pass_time_test
}  // namespace shflsim::model
