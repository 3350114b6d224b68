// SPDX-License-Identifier: Apache-2.0
#include "model/config/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "isa/input_error.h"
#include "model/run.h"

namespace shflsim::model {
namespace {

using ::testing::HasSubstr;

/// Config files in a folder of the test's own.
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

 private:
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

TEST(ShippedConfigs, SayOfEachValueWhatItRestsOn) {
  for (const std::string& name : shipped_configs()) {
    ConfigLayers layers;
    layers.add_file(name);
    for (const ConfigValue& value : effective_config(layers)) {
      const std::string kind = value.source.substr(0, value.source.find(':'));
      EXPECT_THAT(kind, ::testing::AnyOf("measured", "vendor", "published", "assumed"))
          << name << " " << value.key << ": " << value.source;
      EXPECT_TRUE(kind != "measured" || name == "gh100") << name << " " << value.key;
    }
  }
}

}  // namespace
}  // namespace shflsim::model
