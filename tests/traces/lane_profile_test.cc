// SPDX-License-Identifier: Apache-2.0
#include "traces/lane_profile.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <ostream>

#include "isa/base/input_error.h"

namespace shflsim::traces {
namespace lane_profile_test {

/// A profile in a file that is deleted with the object.
class ProfileFile {
 public:
  explicit ProfileFile(const std::string& text)
      : path_(testing::TempDir() + std::to_string(getpid()) + ".profile.lanes") {
    std::ofstream(path_) << text;
  }
  ProfileFile(const ProfileFile&) = delete;
  ProfileFile& operator=(const ProfileFile&) = delete;
  ~ProfileFile() { std::remove(path_.c_str()); }
  LaneProfile read() const { return read_lane_profile(path_); }
  /// "line:column: what" of the first fault; "" if there is none.
  std::string fault() const {
    try {
      read();
      return "";
    } catch (const InputError& error) {
      const std::string line = error.faults().front().line();
      return line.substr(line.find(path_) == 0 ? path_.size() + 1 : 0);
    }
  }

 private:
  std::string path_;
};

/// The source lane of each lane, -1 if it has none.
std::vector<int> sources_of(const CountedMove& move) {
  std::vector<int> sources;
  const isa::LaneMove& step = move.steps.at(0);
  for (unsigned lane = 0; lane < step.lanes; ++lane)
    sources.push_back(step.source[0][lane].is_lane() ? step.source[0][lane].lane : -1);
  return sources;
}

TEST(LaneProfileFile, HasMovesOfEveryKind) {
  const LaneProfile profile = ProfileFile(
                                  "lanes 1\n"
                                  "source a program  # and no comment\n"
                                  "hash sha256 0123\nhash sha256 4567\n"
                                  "arch sm_89\ncounted static\n\n"
                                  "family first 3  # three kernels\n"
                                  "12 bfly 0x1 0x1f\n"
                                  "4 up 2 0x1800 mask=0xff before=FADD after=FFMA\n"
                                  "family \"a name\" 1\n"
                                  "0 idx 3 31\n"
                                  "1 \"SHFL.DOWN PT, R1, R0, 0x4, 0x1f\"\r\n"
                                  "total 17\n")
                                  .read();
  EXPECT_EQ(profile.source, "a program  # and no comment");
  EXPECT_EQ(profile.hashes, (std::vector<std::string>{"sha256 0123", "sha256 4567"}));
  EXPECT_EQ(profile.arch, isa::Arch::kSm89);
  EXPECT_TRUE(profile.is_static);
  EXPECT_EQ(profile.lanes, 32u);
  EXPECT_EQ(profile.count(), 17u);
  ASSERT_EQ(profile.families.size(), 2u);
  EXPECT_EQ(profile.families[0].name, "first");
  EXPECT_EQ(profile.families[0].kernels, 3u);
  EXPECT_EQ(profile.families[0].count(), 16u);
  EXPECT_EQ(profile.families[1].name, "a name");
  const CountedMove& up = profile.families[0].moves[1];
  EXPECT_EQ(up.text, "up 0x2 0x1800 mask=0xff");
  EXPECT_EQ(up.before, "FADD");
  EXPECT_EQ(up.after, "FFMA");
  std::vector<int> expected = {0, 1, 0, 1, 2, 3, 4, 5};
  expected.resize(32, -1);
  EXPECT_EQ(sources_of(up), expected);
  EXPECT_EQ(sources_of(profile.families[0].moves[0])[6], 7);
  EXPECT_EQ(sources_of(profile.families[1].moves[0]), std::vector<int>(32, 3));
  EXPECT_EQ(sources_of(profile.families[1].moves[1])[27], 31);
  EXPECT_EQ(sources_of(profile.families[1].moves[1])[28], 28);
}

TEST(LaneProfileFile, HasMovesOfOtherMachinesAndWidths) {
  const LaneProfile profile =
      ProfileFile(
          "lanes 1\nwidth 64\nfamily dpp 1\n"
          "2 \"v_mov_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf\"\n"
          "total 2\n")
          .read();
  const std::vector<int> sources = sources_of(profile.families[0].moves[0]);
  ASSERT_EQ(sources.size(), 64u);
  EXPECT_EQ(sources[0], -1);
  EXPECT_EQ(sources[1], 0);
  EXPECT_EQ(sources[16], -1);
  EXPECT_EQ(sources[63], 62);
  const LaneProfile narrow =
      ProfileFile("lanes 1\nwidth 4\nfamily quads 1\n9 map 3,-,1,0\ntotal 9\n").read();
  EXPECT_EQ(sources_of(narrow.families[0].moves[0]), (std::vector<int>{3, -1, 1, 0}));
}

TEST(LaneProfileFile, IsWrittenAsItIsRead) {
  const std::string text =
      "lanes 1\nsource s\nhash h\narch sm_90\ncounted executed\nwidth 32\n"
      "family \"a b\" 2\n7 bfly 0x10 0x1f before=FADD after=FADD\n1 idx 0x0 0x1f mask=0x1\n"
      "family c 1\n3 down 0x1 0x1c1f\ntotal 11\n";
  EXPECT_EQ(text_of(ProfileFile(text).read()), text);
}

struct BadProfile {
  const char* text;
  const char* fault;
};

TEST(LaneProfileFile, WithAFaultIsRefusedByItsPlace) {
  const std::string head = "lanes 1\nfamily f 1\n";
  const BadProfile all[] = {
      {"", "1:1: is empty; expected 'lanes 1'"},
      {"# nothing\n", "1:1: is empty; expected 'lanes 1'"},
      {"SHFL\n", "1:1: is no lane profile; expected 'lanes 1'"},
      {"lanes 2\n", "1:7: version '2'; expected 1"},
      {"lanes\n", "1:1: ends here; expected version 1"},
      {"lanes 1 2\n", "1:9: '2' is too much; expected nothing behind '1'"},
      {"lanes 1\n", "1:1: has no total at its end; expected 'total COUNT'"},
      {"lanes 1\nsource\n", "2:1: 'source' of nothing; expected a text"},
      {"lanes 1\narch sm_1\n", "2:6: "},
      {"lanes 1\ncounted often\n", "2:9: counted 'often'; expected executed or static"},
      {"lanes 1\nwidth 33\n", "2:7: width 33; expected 4, 8, 16, 32 or 64"},
      {"lanes 1\nwidth 128\n", "2:7: "},
      {"lanes 1\nfamly f 1\n", "2:1: 'famly' is no word of a profile; did you mean 'family'?"},
      {"lanes 1\nfamily f\n", "2:8: ends here; expected a number of kernels"},
      {"lanes 1\nfamily f -1\n", "2:10: "},
      {"lanes 1\n3 bfly 1 0x1f\n", "2:1: a move of no family; expected 'family' first"},
      {"FAMILY f 1\n", "3:8: family 'f' is there already; expected it once"},
      {"HEADwidth 64\n", "3:1: 'width' behind a family; expected it before the first one"},
      {"HEAD1 bfly 32 0x1f\n", "3:8: "},
      {"HEAD1 bfly 1 0x2000\n", "3:10: "},
      {"HEAD1 bfly 1\n", "3:8: ends here; expected a clamp and segment mask"},
      {"HEAD1 swap 1 2\n", "3:3: 'swap' is no move; expected idx, up, down, bfly, map, or an "},
      {"HEAD1 map 0,1\n", "3:7: 2 sources; expected 32"},
      {"HEAD1 map 0,32,2\n", "3:9: "},
      {"HEAD1 bfly 1 0x1f mask=x\n", "3:15: "},
      {"HEAD1 bfly 1 0x1f mask=0x1ffffffff\n", "3:15: "},
      {"HEAD1 bfly 1 0x1f later\n", "3:15: 'later'; expected mask=MASK, before=NAME or after=NAME"},
      {"HEAD1 \"SHFL.BFLY PT, R1, R0, 0x1\"\n", "3:"},
      {"HEAD1 \"v_mov_b32_dpp v0, v1 row_shr:99\"\n", "3:"},
      {"HEAD2000000000000 bfly 1 0x1f\n", "3:1: "},
      {"HEAD1000000000000 bfly 1 0x1f\n1 bfly 1 0x1f\n", "4:1: the sum of the counts of"},
      {"HEAD2 bfly 1 0x1f\ntotal 3\n", "4:7: total 3; expected 2, the sum"},
      {"HEADtotal 0\n1 bfly 1 0x1f\n", "4:1: behind the total; expected nothing"},
  };
  for (const BadProfile& each : all) {
    std::string text = each.text;
    if (text.rfind("HEAD", 0) == 0) text = head + text.substr(4);
    if (text.rfind("FAMILY", 0) == 0) text = head + "family" + text.substr(6);
    EXPECT_EQ(ProfileFile(text).fault().rfind(each.fault, 0), 0u)
        << each.text << ": " << ProfileFile(text).fault();
  }
}

/// Patterns of every mode and segment with all, some or no lanes, and a map that is no pattern.
TEST(MoveText, OfALaneMapIsReadAsThatMap) {
  std::string text = "lanes 1\nfamily f 1\n";
  std::vector<isa::LaneMap> maps;
  const auto add = [&](isa::ShuffleMode mode, const isa::LaneMap& map) {
    maps.push_back(map);
    text += "1 " + move_text(mode, map) + "\n";
  };
  for (const auto mode : {isa::ShuffleMode::kIdx, isa::ShuffleMode::kUp, isa::ShuffleMode::kDown,
                          isa::ShuffleMode::kBfly}) {
    for (uint32_t sb = 0; sb < 32; ++sb) {
      for (uint32_t width = 1; width <= 32; width *= 2) {
        isa::LaneValues index;
        isa::LaneValues clamp;
        index.fill(sb);
        clamp.fill((32 - width) << 8 | (mode == isa::ShuffleMode::kUp ? 0 : 31));
        for (const isa::LaneMask executing : {isa::kAllLanes, 0x0000ffffu, 0x80000001u, 0u})
          add(mode, isa::lane_map(mode, index, clamp, executing));
      }
    }
  }
  isa::LaneMap reversed;
  reversed.executing = 0x7fffffff;
  for (unsigned lane = 0; lane < 32; ++lane)
    reversed.source[lane] = static_cast<uint8_t>(lane * lane % 32);
  add(isa::ShuffleMode::kIdx, reversed);
  EXPECT_EQ(text.substr(text.rfind("1 map")),
            "1 map 0,1,4,9,16,25,4,17,0,17,4,25,16,9,4,1,0,1,4,9,16,25,4,17,0,17,4,25,16,9,4,-\n");
  const LaneProfile profile = ProfileFile(text + "total " + std::to_string(maps.size())).read();
  ASSERT_EQ(profile.families[0].moves.size(), maps.size());
  for (size_t at = 0; at < maps.size(); ++at)
    EXPECT_EQ(profile.families[0].moves[at].steps[0], move_of(maps[at])) << at;
}

}  // namespace lane_profile_test
}  // namespace shflsim::traces
