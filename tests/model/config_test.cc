// SPDX-License-Identifier: Apache-2.0
#include "model/config/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "isa/base/input_error.h"
#include "model/run.h"
#include "tests/support/layers.h"

namespace shflsim::model {
namespace config_test {

using ::testing::HasSubstr;

/// Config files in a folder that belongs to the test.
class Config : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_ / "inner");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  /// The value of sm.a, b or c, as "value | origin | source".
  std::string value(const std::string& file, const std::string& key) {
    ConfigLayers layers;
    layers.add_file((folder_ / file).string());
    uint32_t a = 0;
    uint32_t b = 0;
    uint32_t c = 0;
    ParameterList list;
    list.number("sm.a", &a, 0, 9, "", "");
    list.number("sm.b", &b, 0, 9, "", "");
    list.number("sm.c", &c, 0, 9, "", "");
    for (const ConfigValue& one : layers.apply(list)) {
      if (one.key == key) return one.value + " | " + one.origin + " | " + one.source;
    }
    return "";
  }

  std::filesystem::path folder_;
};

TEST_F(Config, WhatIsKnownOfAnotherChipIsAssumed) {
  write("gx100.cfg",
        "[sm]\na = 1  # measured: a loop\nb = 2  # vendor: a guide\nc = 3  # assumed: any\n");
  write("inner/gx107.cfg", "assume = ../gx100\n");
  EXPECT_EQ(value("inner/gx107.cfg", "sm.a"), "1 | gx100.cfg:2 | assumed: as measured on GX100");
  EXPECT_EQ(value("inner/gx107.cfg", "sm.b"), "2 | gx100.cfg:3 | assumed: as GX100");
  EXPECT_EQ(value("inner/gx107.cfg", "sm.c"), "3 | gx100.cfg:4 | assumed: any");
}

TEST_F(Config, WhatTheOtherChipIncludesKeepsItsSource) {
  write("inner/all.cfg", "[sm]\na = 1  # published: of all\nb = 1  # published: of all\n");
  write("gx100.cfg", "include = inner/all\n[sm]\nb = 2  # published: a paper\nc = 3  # measured\n");
  write("gx107.cfg", "assume = gx100\n[sm]\nc = 4  # vendor: a guide\n");
  EXPECT_EQ(value("gx107.cfg", "sm.a"), "1 | all.cfg:2 | published: of all");
  EXPECT_EQ(value("gx107.cfg", "sm.b"), "2 | gx100.cfg:3 | assumed: as GX100");
  EXPECT_EQ(value("gx107.cfg", "sm.c"), "4 | gx107.cfg:3 | vendor: a guide");
}

TEST_F(Config, AChipThatIsAssumedHasToBeThere) {
  write("gx107.cfg", "assume = gx100\n");
  try {
    value("gx107.cfg", "sm.a");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("gx107.cfg:1:1: no config '"));
  }
}

/// The message of the InputError that `read` throws; "" if none.
std::string error_of(const std::function<void()>& read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST_F(Config, A18FilesThatIncludeOneAnotherManyTimesAreNotReadWithoutEnd) {
  for (int i = 0; i < 8; ++i) {
    std::string text;
    for (int n = 0; n < 30; ++n) text += "include = c" + std::to_string(i + 1) + "\n";
    write("c" + std::to_string(i) + ".cfg", text);
  }
  write("c8.cfg", "[sm]\na = 1  # measured\n");
  EXPECT_THAT(error_of([this] { value("c0.cfg", "sm.a"); }),
              HasSubstr("files include more than 256 files in all; expected fewer"));
}

TEST_F(Config, A18ACircleOfIncludesIsRefused) {
  write("c0.cfg", "include = c1\n");
  write("c1.cfg", "include = c0\n");
  EXPECT_THAT(error_of([this] { value("c0.cfg", "sm.a"); }),
              HasSubstr("files include one another without end"));
}

TEST_F(Config, A9ANameThatIsTooLongOrACircleOfLinksIsNotThere) {
  std::filesystem::create_symlink("loop.cfg", folder_ / "loop.cfg");
  write("c0.cfg", "include = loop\n");
  write("c1.cfg", "include = " + std::string(300, 'a') + "\n");
  EXPECT_THAT(error_of([this] { value("c0.cfg", "sm.a"); }), HasSubstr("c0.cfg:1:1: no config '"));
  EXPECT_THAT(error_of([this] { value("c1.cfg", "sm.a"); }), HasSubstr("c1.cfg:1:1: no config '"));
  EXPECT_THAT(error_of([this] { value("loop.cfg", "sm.a"); }), HasSubstr("loop.cfg: "));
  EXPECT_THAT(error_of([] { ConfigLayers().add_file(std::string(300, 'a')); }),
              HasSubstr("no config 'aaa"));
}

TEST_F(Config, APipeIsNotIncluded) {
  ASSERT_EQ(mkfifo((folder_ / "pipe.cfg").c_str(), 0600), 0);
  write("c0.cfg", "include = pipe\n");
  EXPECT_THAT(error_of([this] { value("c0.cfg", "sm.a"); }), HasSubstr("c0.cfg:1:1: no config '"));
}

TEST_F(Config, ANameWithAZeroByteIsNoFile) {
  write("pipe.cfg", "[sm]\na = 1  # measured\n");
  write("c0.cfg", "include = pipe.cfg" + std::string("\0", 1) + "x\n");
  EXPECT_THAT(error_of([this] { value("c0.cfg", "sm.a"); }), HasSubstr("has a zero byte"));
}

TEST(Default, IsTheValueOfAComponentOutsideTheTreeWhereNoConfigSetsIt) {
  uint32_t buses = 0;
  ParameterList list;
  list.number("shuffle.mine.buses", &buses, 1, 32, "buses", "").by_default("4", "assumed: any");
  ConfigLayers layers;
  EXPECT_TRUE(layers.sets_all(list));
  const ConfigValue value = layers.apply(list).front();
  EXPECT_EQ(buses, 4u);
  EXPECT_EQ(value.value + " | " + value.origin + " | " + value.source,
            "4 | default | assumed: any");
  layers.add_setting("shuffle.mine.buses=8");
  layers.apply(list);
  EXPECT_EQ(buses, 8u);
}

TEST(Default, NoShippedComponentHasOne) {
  for (const Parameter& parameter : parameters())
    EXPECT_EQ(parameter.default_value, "") << parameter.key;
}

TEST(ShippedConfigs, SayOfEachValueWhatItRestsOn) {
  for (const std::string& name : shipped_configs()) {
    for (const ConfigValue& value : effective_config(test::layers_of(name))) {
      const std::string kind = value.source.substr(0, value.source.find(':'));
      EXPECT_THAT(kind, ::testing::AnyOf("measured", "vendor", "published", "assumed"))
          << name << " " << value.key << ": " << value.source;
      EXPECT_TRUE(kind != "measured" || name == "gh100" || name == "h100" || name == "h200")
          << name << " " << value.key;
    }
  }
}

/// The message of the InputError about gm107 with these settings; "" if none.
std::string said_of(const std::vector<std::string>& settings) {
  try {
    effective_config(test::layers_of("gm107", settings));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(DeclaredRanges, A26AreTheAcceptedOnes) {
  EXPECT_EQ(said_of({"shuffle.hierarchical.group=16"}), "");
  EXPECT_EQ(
      said_of({"shuffle.hierarchical.group=32"}),
      "command line: shuffle.hierarchical.group = 32 is out of range; expected a power of two "
      "from 2 to 16 (lanes)");
  EXPECT_EQ(
      said_of({"shuffle.cluster=3", "shuffle.shares_pipe=0"}),
      "command line: shuffle.cluster = 3 is out of range; expected a power of two from 1 to 4 "
      "(sub-partitions)");
}

TEST(DeclaredRanges, A10WarpsAreSharedOutToFourSubPartitions) {
  EXPECT_EQ(said_of({"sm.max_warps=8"}), "");
  EXPECT_EQ(
      said_of({"sm.max_warps=6"}),
      "command line: sm.max_warps = 6 is out of range; expected 4 to 64 in steps of 4 (warps)");
}

TEST(DeclaredRanges, A21AnL15HoldsABlock) {
  EXPECT_EQ(said_of({"fetch.l15_bytes=0", "fetch.l15_lines=2", "fetch.line_bytes=128"}), "");
  EXPECT_EQ(said_of({"fetch.l15_bytes=256", "fetch.l15_lines=2", "fetch.line_bytes=128"}), "");
  EXPECT_EQ(
      said_of({"fetch.l15_bytes=255", "fetch.l15_lines=2", "fetch.line_bytes=128"}),
      "command line: fetch.l15_bytes = 255 and fetch.l15_lines = 2 and fetch.line_bytes = 128 "
      "do not go together; expected no L1.5, or one of at least a block: fetch.l15_lines * "
      "fetch.line_bytes");
}

TEST(DeclaredRanges, A26ValuesThatAreNoHardwareTogetherAreNamedTogether) {
  EXPECT_EQ(said_of({"shuffle.banked.banks=8", "shuffle.banked.ports=4"}), "");
  EXPECT_EQ(
      said_of({"shuffle.banked.banks=8", "shuffle.banked.ports=8"}),
      "command line: shuffle.banked.banks = 8 and shuffle.banked.ports = 8 do not go together; "
      "expected no more ports than a bank has lanes: 32 / shuffle.banked.banks");
  EXPECT_EQ(said_of({"technology.clock=14534"}), "");
  EXPECT_EQ(said_of({"technology.clock=14535"}),
            "command line: technology.clock = 14535 and technology.library = asap7 do not go "
            "together; expected a cycle longer than a register of the library takes");
  EXPECT_EQ(said_of({"shuffle.shares_pipe=0", "shuffle.cluster=1"}), "");
  EXPECT_EQ(
      said_of({"shuffle.shares_pipe=1", "shuffle.cluster=1"}),
      "command line: shuffle.shares_pipe = 1 and shuffle.cluster = 1 do not go together; "
      "expected shuffle.cluster = 4 with shuffle.shares_pipe = 1: shared memory has one pipe");
}

}  // namespace config_test
}  // namespace shflsim::model
