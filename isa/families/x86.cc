// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "isa/families/lane_family.h"

namespace shflsim::isa {
namespace {

const LaneCost kAcross = {3, "3 cycles, one a cycle, on Intel's cores (assumed: docs/lanes.md)"};
const LaneCost kWithin = {1, "1 cycle, within 128 bits, on Intel's cores (assumed: docs/lanes.md)"};

/// Sources of the operations whose lane numbers are in a register: `index` of the result's lane.
LaneMove x86_by_register(const std::string& name, const std::vector<uint32_t>& index,
                         unsigned lanes) {
  LaneMove move(lanes);
  const bool bytes = name == "vpshufb";
  const bool two = name == "vpermi2d";
  move.bits = bytes ? 8 : 32;
  move.operands = two ? 2 : 1;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const uint32_t by = index[lane];
    LaneSource& to = move.source[0][lane];
    if (name == "vpermilps") {
      to = LaneSource::of((lane & ~3u) + (by & 3));
    } else if (bytes) {  // within 16 bytes; 0 if bit 7 is set
      to = (by & 0x80) != 0 ? LaneSource::zero() : LaneSource::of((lane & ~15u) + (by & 15));
    } else {
      to = LaneSource::of(by % lanes, two ? by / lanes & 1 : 0);
    }
  }
  return move;
}

/// Sources of the operations with an immediate.
LaneMove x86_by_number(const std::string& name, uint32_t number, unsigned lanes) {
  LaneMove move(lanes);
  move.operands = name == "vperm2i128" || name == "valignd" ? 2 : 1;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    LaneSource& to = move.source[0][lane];
    if (name == "vpshufd") {
      to = LaneSource::of((lane & ~3u) + (number >> 2 * (lane & 3) & 3));
    } else if (name == "vpermq") {  // pairs of lanes, within 256 bits
      to = LaneSource::of((lane & ~7u) + 2 * (number >> (lane & 6) & 3) + (lane & 1));
    } else if (name == "vperm2i128") {
      const uint32_t select = number >> lane / 4 * 4 & 15;
      to = (select & 8) != 0 ? LaneSource::zero()
                             : LaneSource::of((select & 1) * 4 + lane % 4, select >> 1 & 1);
    } else {  // valignd: the second operand's lanes are the lower ones
      const unsigned place = lane + number % lanes;
      to = LaneSource::of(place % lanes, place < lanes ? 1 : 0);
    }
  }
  return move;
}

/// The number of lanes of the named register: lanes of 32 bits, for vpshufb of 8 bits.
unsigned x86_lanes(const LaneText& text) {
  const LaneToken& token = text.operand(0);
  const char letter = token.text[0];
  const unsigned lanes = letter == 'x' ? 4 : letter == 'y' ? 8 : letter == 'z' ? 16 : 0;
  if (lanes == 0 || token.text.substr(1, 2) != "mm")
    text.reject(token, "expected a register such as ymm0");
  for (size_t index = 0; index + 1 < text.operands() || index < 2; ++index)
    text.register_number(text.operand(index), token.text.substr(0, 3), 31);
  return lanes * (text.operation() == "vpshufb" ? 4 : 1);
}

LaneInstruction read_x86(const LaneText& text, const LaneContext& context) {
  const std::string& name = text.operation();
  const bool pair = name == "vperm2i128" || name == "valignd";
  const bool numbered = pair || name == "vpshufd" || name == "vpermq";
  text.expect(pair ? 4 : 3, pair ? 4 : 3);
  const unsigned lanes = x86_lanes(text);
  if (lanes != context.lanes)
    text.reject(text.operand(0), fmt::format("{} lanes; expected --lane-count {}", lanes, lanes));
  if ((name == "vperm2i128" && lanes != 8) || ((name == "vpermd" || name == "vpermq") && lanes < 8))
    text.reject(text.operand(0), "no such width of " + name + "; expected ymm");
  if (context.active != all_lanes_of(lanes))
    text.reject("--lanes with an operation without a mask; expected all lanes");
  std::string shown = name;
  for (size_t index = 0; index < text.operands(); ++index)
    shown += (index == 0 ? " " : ", ") + text.operand(index).text;
  const LaneToken& last = text.operand(text.operands() - 1);
  LaneMove move(lanes);
  if (numbered) {
    move = x86_by_number(name, text.number(last, 0, 255), lanes);
  } else {
    // vpermd takes lane numbers first; the others take them last or, vpermi2d, from the result.
    const size_t index = name == "vpermd" ? 1 : name == "vpermi2d" ? 0 : 2;
    move = x86_by_register(name, text.values(text.operand(index), context), lanes);
  }
  const bool within = name == "vpshufd" || name == "vpermilps" || name == "vpshufb";
  return {shown, {}, {move}, within ? kWithin : kAcross};
}

std::vector<LaneCandidate> x86_candidates(const LaneMove& wanted) {
  std::vector<LaneCandidate> list;
  if (wanted.lanes > 16) return list;
  const char letter = wanted.lanes == 4 ? 'x' : wanted.lanes == 8 ? 'y' : 'z';
  std::vector<uint32_t> index;
  for (unsigned lane = 0; lane < wanted.lanes; ++lane) {
    const LaneSource& from = wanted.source[0][lane];
    index.push_back(from.is_lane() ? from.lane + wanted.lanes * from.operand : lane);
  }
  for (unsigned by = 0; by < 256; ++by) {
    list.push_back({fmt::format("vpshufd {0}mm0, {0}mm1, {1}", letter, by)});
    if (letter != 'x') list.push_back({fmt::format("vpermq {0}mm0, {0}mm1, {1}", letter, by)});
  }
  if (letter != 'x')
    list.push_back({fmt::format("vpermd {0}mm0, {0}mm1, {0}mm2", letter),
                    {{fmt::format("{}mm1", letter), index}}});
  if (wanted.operands == 2)
    list.push_back({fmt::format("vpermi2d {0}mm0, {0}mm1, {0}mm2", letter),
                    {{fmt::format("{}mm0", letter), index}}});
  return list;
}

const bool x86_registered = LaneFamilies::add(
    {"x86",
     "x86 AVX2 and AVX-512: lanes of 32 bits, of bytes for vpshufb",
     {8, 4, 16, 32, 64},
     {"vpermd", "vpermi2d", "vpermilps", "vpshufb", "vpshufd", "vpermq", "vperm2i128", "valignd"},
     read_x86,
     x86_candidates});

}  // namespace
}  // namespace shflsim::isa
