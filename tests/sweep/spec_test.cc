// SPDX-License-Identifier: Apache-2.0
#include "sweep/spec.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace shflsim::sweep {
namespace spec_test {

using testing::ElementsAre;

constexpr const char* kGood = R"(# a sweep
[sweep]
input  = a/*.sass, b.cubin:k   ; two
config = gm107, gh100
keep   = cycles, rows, ipc
seconds = 2.5
memory_mib = 512
[axis]
shuffle.network = crossbar, banked
shuffle.lanes   = 8..32 step 8
[zip]
mio.queue_depth = 4, 8
shuffle.queue_depth = 0, 2
[exclude]
1 = shuffle.network = banked and shuffle.lanes = 8
[set]
sm.watchdog = 200000
)";

class SweepFile : public testing::Test {
 protected:
  SweepFile() : path_(testing::TempDir() + "sweep_file." + std::to_string(getpid())) {}
  ~SweepFile() override { std::filesystem::remove(path_); }

  Spec read(const std::string& text) {
    std::ofstream(path_) << text;
    return read_spec(path_);
  }
  /// The faults, one line each, without the file's name.
  std::string error_of(const std::string& text) {
    try {
      read(text);
    } catch (const InputError& error) {
      std::string what = error.what();
      for (size_t at = what.find(path_); at != std::string::npos; at = what.find(path_))
        what.erase(at, path_.size());
      return what;
    }
    return "";
  }
  /// The error in the valid file with one line replaced.
  std::string error_with(const std::string& line, const std::string& instead) {
    std::string text = kGood;
    const size_t at = text.find(line);
    EXPECT_NE(at, std::string::npos) << line;
    return error_of(text.replace(at, line.size(), instead));
  }

  const std::string path_;
};

TEST_F(SweepFile, SaysWhatIsRun) {
  const Spec spec = read(kGood);
  ASSERT_EQ(spec.inputs.size(), 2u);
  EXPECT_EQ(spec.inputs[1].value, "b.cubin:k");
  EXPECT_EQ(spec.inputs[1].column, 20u);
  EXPECT_EQ(spec.configs.size(), 2u);
  EXPECT_THAT(spec.keep, ElementsAre("cycles", "ipc"));
  EXPECT_TRUE(spec.keeps_rows);
  EXPECT_EQ(spec.seconds, 2.5);
  EXPECT_EQ(spec.memory_mib, 512u);
  EXPECT_THAT(spec.axes[1].values, ElementsAre("8", "16", "24", "32"));
  EXPECT_THAT(spec.keys(), ElementsAre("shuffle.network", "shuffle.lanes", "mio.queue_depth",
                                       "shuffle.queue_depth"));
  EXPECT_EQ(spec.excludes.front().value, "shuffle.network = banked and shuffle.lanes = 8");
  EXPECT_EQ(spec.settings.front().value, "200000");
}

struct Mistake {
  const char* line;
  const char* instead;
  const char* error;  ///< the whole message or its beginning
};

class EachMistake : public SweepFile, public testing::WithParamInterface<Mistake> {};

TEST_P(EachMistake, IsOneLineWithItsPlace) {
  const std::string error = error_with(GetParam().line, GetParam().instead);
  EXPECT_EQ(error.substr(0, std::string(GetParam().error).size()), GetParam().error);
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
}

constexpr Mistake kMistakes[] = {
    {"[axis]", "[axes]", ":9:1: unknown section [axes]; did you mean 'axis'?"},
    {"[sweep]", "[sweep", ":2:1: section without its ']'"},
    {"[sweep]\n", "", ":2:1: 'input' in front of the first section; expected [sweep]"},
    {"config =", "confg =", ":4:1: unknown key 'confg'; did you mean 'config'?"},
    {"config = gm107, gh100", "config = gm107,, gh100", ":4:16: config has an empty item"},
    {"gm107, gh100", "", ":4:1: 'config' has no value"},
    {"seconds = 2.5", "seconds", ":6:1: 'seconds' has no '='"},
    {"2.5", "0", ":6:11: seconds = '0'; expected a number above 0"},
    {"2.5", "fast", ":6:11: seconds = 'fast'; expected a number above 0"},
    {"512", "0", ":7:14: memory_mib = 0; expected 1 or more"},
    {"512", "-1", ":7:14: memory_mib"},
    {"cycles,", "cycle,", ":5:10: no metric 'cycle'; did you mean 'cycles'?"},
    {"shuffle.lanes   =", "shuffle.lane =", ":10:1: unknown key 'shuffle.lane'; did you mean"},
    {"8..32 step 8", "8..64 step 8", ":10:19: shuffle.lanes = 40 is out of range; expected"},
    {"8..32 step 8", "32..8", ":10:19: '32..8' goes down"},
    {"8..32 step 8", "8..32 stp 8", ":10:19: '8..32 stp 8' is no range"},
    {"8..32 step 8", "8, 16, 8", ":10:26: shuffle.lanes has the value 8 twice"},
    {"8..32 step 8", "", ":10:1: 'shuffle.lanes' has no value"},
    {"crossbar, banked\n", "crossbar, bankd\n", ":9:29: shuffle.network = 'bankd' is unknown"},
    {"0, 2\n", "0, 2, 4\n", ":13:23: shuffle.queue_depth has 3 values; expected 2, as mio.queue_"},
    {"mio.queue_depth =", "shuffle.lanes =", ":12:17: shuffle.lanes is set or varied twice"},
    {"sm.watchdog = 200000", "sm.watchdog = 1000, 2000", ":17:15: sm.watchdog is set to several"},
    {"sm.watchdog = 200000", "shuffle.lanes = 8", ":10:19: shuffle.lanes is set or varied twice"},
    {"seconds = 2.5", "config = gm107", ":6:1: 'config' stands twice in [sweep]"},
};

INSTANTIATE_TEST_SUITE_P(Sweep, EachMistake, testing::ValuesIn(kMistakes));

TEST_F(SweepFile, TellsSeveralFaultsAtOnce) {
  EXPECT_EQ(error_of("[sweep]\nconfg = x\n[axis]\nshuffle.lane = 8\n"),
            ":2:1: unknown key 'confg'; did you mean 'config'?\n"
            ":4:1: unknown key 'shuffle.lane'; did you mean 'shuffle.lanes'?");
}

TEST_F(SweepFile, KeepsMetricsByPattern) {
  const Spec spec = read("[sweep]\ninput = a\nkeep = cycles, stall_b*\n");
  EXPECT_THAT(spec.keep, testing::Contains("stall_barrier"));
  EXPECT_THAT(spec.keep, testing::Not(testing::Contains("stall_wait")));
}

TEST_F(SweepFile, NeedsAnInput) {
  EXPECT_EQ(error_of("[axis]\nshuffle.lanes = 8\n"),
            ": names no input; expected input = FILES in [sweep]");
}

TEST_F(SweepFile, IsToldFromCodeAndLaunchFilesByItsFirstSection) {
  const auto is_one = [this](const std::string& text) {
    std::ofstream(path_) << text;
    return is_spec(path_);
  };
  EXPECT_TRUE(is_one("; about\n\n [sweep]  # first\n"));
  EXPECT_TRUE(is_one("[swep]\n"));
  EXPECT_FALSE(is_one("[launch]\n"));
  EXPECT_FALSE(is_one("code = x.sass\n[launch]\n"));
  EXPECT_FALSE(is_one("SHFL.IDX PT, R0, R0, 0x0, 0x1f;\n"));
  EXPECT_FALSE(is_one(""));
}

}  // namespace spec_test
}  // namespace shflsim::sweep
