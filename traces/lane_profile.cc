// SPDX-License-Identifier: Apache-2.0
#include "traces/lane_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "isa/base/input_error.h"
#include "isa/lanes/lane_bits.h"

namespace shflsim::traces {
namespace {

constexpr std::array<const char*, 4> kModeWords = {"idx", "up", "down", "bfly"};

/// True if the executing lanes read the same lanes.
bool moves_the_same(const isa::LaneMap& one, const isa::LaneMap& other) {
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
    if (isa::bit_of(one.executing, lane) && one.source[lane] != other.source[lane]) return false;
  }
  return true;
}

isa::LaneMap map_with(isa::ShuffleMode mode, uint32_t sb, uint32_t sc, isa::LaneMask executing) {
  isa::LaneValues index;
  isa::LaneValues clamp;
  index.fill(sb);
  clamp.fill(sc);
  return isa::lane_map(mode, index, clamp, executing);
}

std::string whole_map_text(const isa::LaneMap& map) {
  std::string text = "map ";
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
    if (lane != 0) text += ',';
    text += isa::bit_of(map.executing, lane) ? fmt::format("{}", map.source[lane]) : "-";
  }
  return text;
}

/// A name as one word, quoted if it has blanks or the mark of a comment.
std::string word_text(std::string name) {
  std::replace(name.begin(), name.end(), '"', '\'');
  name = printable(name);
  if (name.empty()) return "unnamed";
  const bool is_word = name.find_first_of(" \t#") == std::string::npos;
  return is_word ? name : '"' + name + '"';
}

void add_line(const CountedMove& move, std::string* text) {
  *text += fmt::format("{} {}", move.count, move.text);
  if (!move.before.empty()) *text += " before=" + move.before;
  if (!move.after.empty()) *text += " after=" + move.after;
  *text += '\n';
}

}  // namespace

uint64_t MoveFamily::count() const {
  uint64_t sum = 0;
  for (const CountedMove& move : moves) sum += move.count;
  return sum;
}

uint64_t LaneProfile::count() const {
  uint64_t sum = 0;
  for (const MoveFamily& family : families) sum += family.count();
  return sum;
}

isa::LaneMove move_of(const isa::LaneMap& map) {
  isa::LaneMove move(isa::kLanes);
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
    if (isa::bit_of(map.executing, lane))
      move.source[0][lane] = isa::LaneSource::of(map.source[lane]);
  }
  return move;
}

std::string move_text(isa::ShuffleMode mode, const isa::LaneMap& map) {
  const uint32_t clamp = mode == isa::ShuffleMode::kUp ? 0 : isa::kWidestClamp;
  for (uint32_t width = isa::kLanes; width != 0; width /= 2) {
    const uint32_t sc = (isa::kLanes - width) << 8 | clamp;
    for (uint32_t sb = 0; sb < width; ++sb) {
      if (!moves_the_same(map, map_with(mode, sb, sc, map.executing))) continue;
      std::string text =
          fmt::format("{} {:#x} {:#x}", kModeWords[static_cast<size_t>(mode)], sb, sc);
      if (map.executing != isa::kAllLanes) text += fmt::format(" mask={:#x}", map.executing);
      return text;
    }
  }
  return whole_map_text(map);
}

std::string text_of(const LaneProfile& profile) {
  std::string text = fmt::format("lanes 1\nsource {}\n", printable(profile.source));
  for (const std::string& hash : profile.hashes) text += "hash " + hash + "\n";
  if (profile.arch) text += "arch " + isa::name_of(*profile.arch) + "\n";
  text += fmt::format("counted {}\nwidth {}\n", profile.is_static ? "static" : "executed",
                      profile.lanes);
  for (const MoveFamily& family : profile.families) {
    text += fmt::format("family {} {}\n", word_text(family.name), family.kernels);
    for (const CountedMove& move : family.moves) add_line(move, &text);
  }
  return text + fmt::format("total {}\n", profile.count());
}

}  // namespace shflsim::traces
