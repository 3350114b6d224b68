// SPDX-License-Identifier: Apache-2.0
#include "isa/lanes/lane_map.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/files.h"

namespace shflsim::isa {
namespace lane_map_test {

constexpr std::array<ShuffleMode, 4> kModes = {ShuffleMode::kIdx, ShuffleMode::kUp,
                                               ShuffleMode::kDown, ShuffleMode::kBfly};
constexpr size_t kResultsPerMode = size_t{32} * 32 * 32 * kLanes;  // index, clamp, mask, lane

LaneValues same_in_all_lanes(uint32_t value) {
  LaneValues values{};
  values.fill(value);
  return values;
}

uint32_t control_operand(uint32_t clamp, uint32_t mask) { return (mask << 8) | clamp; }

/// A lane's result in the recording's form: source lane, predicate in bit 7.
uint8_t result_byte(const LaneMap& map, unsigned lane) {
  const unsigned in_range = (map.in_range >> lane) & 1u;
  return static_cast<uint8_t>(map.source[lane] | (in_range << 7));
}

/// Results of `mode` in the recording's order: index, clamp, mask, lane, the last the fastest.
std::vector<uint8_t> all_results(ShuffleMode mode) {
  std::vector<uint8_t> results;
  results.reserve(kResultsPerMode);
  for (uint32_t setting = 0; setting < 32 * 32 * 32; ++setting) {
    const LaneValues sb = same_in_all_lanes(setting >> 10);
    const LaneValues sc = same_in_all_lanes(control_operand((setting >> 5) & 31, setting & 31));
    const LaneMap map = lane_map(mode, sb, sc, kAllLanes);
    for (unsigned lane = 0; lane < kLanes; ++lane) results.push_back(result_byte(map, lane));
  }
  return results;
}

/// The results of silicon: 4,194,304 bytes, one mode after the other.
std::string recorded_results() {
  return test::read_file(test::data_path("shfl_semantics/exhaustive.bin.gz"));
}

/// The number of results of `mode` that equal the recorded ones.
size_t equal_results(ShuffleMode mode, const std::string& recorded) {
  const std::vector<uint8_t> computed = all_results(mode);
  const size_t offset = static_cast<size_t>(mode) * kResultsPerMode;
  size_t equal = 0;
  for (size_t i = 0; i < computed.size(); ++i) {
    if (computed[i] == static_cast<uint8_t>(recorded.at(offset + i))) ++equal;
  }
  return equal;
}

/// A recorded SHFL. Lanes without a row did not execute.
struct Recording {
  ShuffleMode mode = ShuffleMode::kIdx;
  LaneMask executing = 0;
  LaneValues a{};
  LaneValues b{};
  LaneValues c{};
  LaneValues d{};
  LaneMask p = 0;

  LaneMap map() const { return lane_map(mode, b, c, executing); }
};

void add_lane(Recording* recording, uint64_t lane, const std::string& d, const std::string& p) {
  recording->executing |= 1u << lane;
  recording->d.at(lane) = static_cast<uint32_t>(test::number_of(d, 16));
  if (p == "1") recording->p |= 1u << lane;
}

std::vector<std::vector<std::string>> rows_of(const std::string& name) {
  const std::vector<std::string> lines = test::lines_of(test::read_file(test::data_path(name)));
  std::vector<std::vector<std::string>> rows;
  rows.reserve(lines.size());
  for (const std::string& line : lines) rows.push_back(test::fields_of(line, ','));
  rows.erase(rows.begin());  // the columns' names
  return rows;
}

/// Columns mode,warp,lane,a,b,c,d,p: every lane of a warp has its own operands.
std::vector<Recording> wild_recordings() {
  std::map<std::tuple<uint64_t, uint64_t>, Recording> recordings;
  for (const auto& row : rows_of("shfl_semantics/wild.csv.gz")) {
    const uint64_t mode = test::number_of(row.at(0), 10);
    const uint64_t lane = test::number_of(row.at(2), 10);
    Recording& recording = recordings[{mode, test::number_of(row.at(1), 10)}];
    recording.mode = kModes.at(mode);
    recording.a.at(lane) = static_cast<uint32_t>(test::number_of(row.at(3), 16));
    recording.b.at(lane) = static_cast<uint32_t>(test::number_of(row.at(4), 16));
    recording.c.at(lane) = static_cast<uint32_t>(test::number_of(row.at(5), 16));
    add_lane(&recording, lane, row.at(6), row.at(7));
  }
  std::vector<Recording> list;
  for (const auto& entry : recordings) list.push_back(entry.second);
  return list;
}

/// Columns mode,active,b,c,lane,d,p: all lanes have equal operands; a lane's value is 0xA000+lane.
std::vector<Recording> inactive_recordings() {
  using Key = std::tuple<uint64_t, uint64_t, uint64_t, uint64_t>;
  std::map<Key, Recording> recordings;
  for (const auto& row : rows_of("shfl_semantics/inactive.csv.gz")) {
    const Key key{test::number_of(row.at(0), 10), test::number_of(row.at(1), 16),
                  test::number_of(row.at(2), 10), test::number_of(row.at(3), 16)};
    Recording& recording = recordings[key];
    recording.mode = kModes.at(std::get<0>(key));
    for (unsigned lane = 0; lane < kLanes; ++lane) recording.a[lane] = 0xA000u + lane;
    recording.b = same_in_all_lanes(static_cast<uint32_t>(std::get<2>(key)));
    recording.c = same_in_all_lanes(static_cast<uint32_t>(std::get<3>(key)));
    add_lane(&recording, test::number_of(row.at(4), 10), row.at(5), row.at(6));
  }
  std::vector<Recording> list;
  for (const auto& [key, recording] : recordings) {
    EXPECT_EQ(recording.executing, std::get<1>(key)) << "a row is missing";
    list.push_back(recording);
  }
  return list;
}

TEST(LaneMap, EqualsSiliconInAllOf4194304Results) {
  const std::string recorded = recorded_results();
  ASSERT_EQ(recorded.size(), 4194304u);
  size_t equal = 0;
  for (const ShuffleMode mode : kModes) equal += equal_results(mode, recorded);
  EXPECT_EQ(equal, 4194304u);
}

TEST(LaneMap, IgnoresOperandBitsOutsideItsFieldsAndTakesEachLanesOwn) {
  size_t lanes_checked = 0;
  for (const Recording& recording : wild_recordings()) {
    ASSERT_EQ(recording.executing, kAllLanes);
    const LaneMap map = recording.map();
    EXPECT_EQ(map.in_range, recording.p);
    EXPECT_EQ(map.undefined, 0u);
    for (unsigned lane = 0; lane < kLanes; ++lane, ++lanes_checked) {
      EXPECT_EQ(recording.a[map.source[lane]], recording.d[lane]) << "lane " << lane;
    }
  }
  EXPECT_EQ(lanes_checked, 32768u);
}

TEST(LaneMap, FlagsEveryReadOfALaneThatDoesNotExecuteAndEqualsSiliconElsewhere) {
  size_t defined = 0;
  size_t undefined = 0;
  for (const Recording& recording : inactive_recordings()) {
    const LaneMap map = recording.map();
    EXPECT_EQ(map.in_range & recording.executing, recording.p);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (((recording.executing >> lane) & 1u) == 0) continue;
      const bool is_undefined = ((map.undefined >> lane) & 1u) != 0;
      // Silicon returned 0 from lanes that did not execute; no lane's own value is 0.
      EXPECT_EQ(is_undefined ? 0 : recording.a[map.source[lane]], recording.d[lane]);
      ++(is_undefined ? undefined : defined);
    }
  }
  EXPECT_EQ(defined + undefined, 4276u);
  EXPECT_GT(defined, 0u);
  EXPECT_GT(undefined, 0u);
}

TEST(LaneMap, MarksUndefinedOnlyInLanesThatExecute) {
  const LaneValues from_lane_7 = same_in_all_lanes(7);
  const LaneValues clamp_31 = same_in_all_lanes(0x1F);
  const LaneMap map = lane_map(ShuffleMode::kIdx, from_lane_7, clamp_31, 0x0000FF0Fu);
  EXPECT_EQ(map.executing, 0x0000FF0Fu);
  EXPECT_EQ(map.undefined, 0x0000FF0Fu);
  EXPECT_EQ(map.in_range, kAllLanes);
}

TEST(LaneMap, ALaneOutOfRangeReadsItselfAndIsDefined) {
  const LaneMap map = lane_map(ShuffleMode::kUp, same_in_all_lanes(1), same_in_all_lanes(0), 1u);
  EXPECT_EQ(map.source[0], 0u);
  EXPECT_EQ(map.in_range & 1u, 0u);
  EXPECT_EQ(map.undefined, 0u);
}

TEST(LaneMap, AButterflyWithoutBoundsIsItsOwnInverse) {
  for (uint32_t distance = 0; distance < 32; ++distance) {
    const LaneMap map = lane_map(ShuffleMode::kBfly, same_in_all_lanes(distance),
                                 same_in_all_lanes(0x1F), kAllLanes);
    EXPECT_EQ(map.in_range, kAllLanes);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      EXPECT_EQ(map.source[map.source[lane]], lane);
    }
  }
}

}  // namespace lane_map_test
}  // namespace shflsim::isa
