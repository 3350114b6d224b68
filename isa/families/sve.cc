// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "isa/families/lane_family.h"

namespace shflsim::isa {
namespace {

/// SVE's splice and compact with elements of 32 bits, the only operations that have a predicate:
/// p0 says which lanes execute.
LaneMove sve_predicated(bool compacts, const LaneContext& context) {
  LaneMove move(context.lanes);
  move.operands = compacts ? 1 : 2;
  unsigned place = 0;
  const bool any = context.active != 0;
  const unsigned first = any ? static_cast<unsigned>(__builtin_ctzll(context.active)) : 1;
  const unsigned last = any ? 63 - static_cast<unsigned>(__builtin_clzll(context.active)) : 0;
  for (unsigned lane = first; lane <= last; ++lane) {
    if (!compacts || has_bit(context.active, lane)) move.source[0][place++] = LaneSource::of(lane);
  }
  for (unsigned next = 0; place < move.lanes; ++place, ++next)
    move.source[0][place] = compacts ? LaneSource::zero() : LaneSource::of(next, 1);
  return move;
}

/// Element `place` of two concatenated registers.
LaneSource sve_pair(unsigned place, unsigned lanes) {
  return LaneSource::of(place % lanes, place / lanes);
}

LaneMove sve_pairwise(const std::string& name, unsigned lanes) {
  LaneMove move(lanes);
  move.operands = 2;
  const unsigned part = name.back() == '2' ? 1 : 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    LaneSource& to = move.source[0][lane];
    if (name.rfind("zip", 0) == 0) to = LaneSource::of(lane / 2 + part * lanes / 2, lane % 2);
    if (name.rfind("trn", 0) == 0) to = LaneSource::of((lane & ~1u) + part, lane % 2);
    if (name.rfind("uzp", 0) == 0) to = sve_pair(2 * lane + part, lanes);
  }
  return move;
}

/// ext z0.b, z0.b, z1.b, #N: bytes from N on of both registers; N = 0 if N is past the first one.
LaneMove sve_ext(const LaneText& text, const LaneContext& context) {
  const LaneToken& token = text.operand(3);
  const bool hash = token.text[0] == '#';
  const uint32_t bytes =
      text.number({hash ? token.text.substr(1) : token.text, token.column}, 0, 255);
  if (bytes % 4 != 0) text.reject(token, "bytes within an element; expected a multiple of 4");
  const unsigned from = bytes / 4 < context.lanes ? bytes / 4 : 0;
  LaneMove move(context.lanes);
  move.operands = 2;
  for (unsigned lane = 0; lane < move.lanes; ++lane)
    move.source[0][lane] = sve_pair(lane + from, move.lanes);
  return move;
}

/// tbl z0.s, {z1.s}, z2.s and dup z0.s, z1.s[N]: 0 if the index is beyond the register.
LaneMove sve_by_index(const std::vector<uint32_t>& index, const LaneContext& context) {
  LaneMove move(context.lanes);
  for (unsigned lane = 0; lane < move.lanes; ++lane)
    move.source[0][lane] =
        index[lane] < move.lanes ? LaneSource::of(index[lane]) : LaneSource::zero();
  return move;
}

LaneMove sve_move(const LaneText& text, const LaneContext& context) {
  const std::string& name = text.operation();
  if (name == "tbl" || name == "dup" || name == "rev") {
    text.expect(name == "tbl" ? 3 : 2, name == "tbl" ? 3 : 2);
    std::vector<uint32_t> index;
    if (name == "tbl") {
      const std::string& its = text.operand(2).text;
      const std::string bare = its.substr(0, its.find('.'));
      index = text.values({bare, text.operand(2).column}, context);
    } else if (name == "dup") {
      const LaneToken& token = text.operand(1);
      const size_t open = token.text.find('[');
      if (open == std::string::npos || token.text.back() != ']')
        text.reject(token, "no element; expected one such as z1.s[3]");
      const std::string number = token.text.substr(open + 1, token.text.size() - open - 2);
      index.assign(context.lanes, text.number({number, token.column}, 0, 15));
    } else {
      for (unsigned lane = 0; lane < context.lanes; ++lane)
        index.push_back(context.lanes - 1 - lane);
    }
    return sve_by_index(index, context);
  }
  if (name == "splice" || name == "compact") {
    text.expect(name == "splice" ? 4 : 3, name == "splice" ? 4 : 3);
    return sve_predicated(name == "compact", context);
  }
  if (name == "ext") {
    text.expect(4, 4);
    return sve_ext(text, context);
  }
  text.expect(3, 3);
  return sve_pairwise(name, context.lanes);
}

LaneInstruction read_sve(const LaneText& text, const LaneContext& context) {
  const bool predicated = text.operation() == "splice" || text.operation() == "compact";
  if (!predicated && context.active != all_lanes_of(context.lanes))
    text.reject("--lanes with an operation without a predicate; expected all lanes");
  const LaneMove move = sve_move(text, context);
  const bool bytes = text.operation() == "ext";
  std::string shown = text.operation();
  for (size_t index = 0; index < text.operands(); ++index) {
    const std::string& its = text.operand(index).text;
    const bool vector = its[0] == 'z' || its[0] == '{';
    if (vector && its.find(bytes ? ".b" : ".s") == std::string::npos)
      text.reject(text.operand(index),
                  bytes ? "expected a register such as z1.b" : "expected a register such as z1.s");
    shown += (index == 0 ? " " : ", ") + its;
  }
  return {shown, {}, {move}, {}};
}

std::vector<LaneCandidate> sve_candidates(const LaneMove& wanted) {
  std::vector<LaneCandidate> list = {{"rev z0.s, z1.s"}};
  std::vector<uint32_t> index;
  for (unsigned lane = 0; lane < wanted.lanes; ++lane) {
    const LaneSource& from = wanted.source[0][lane];
    const bool zero = from.kind == LaneSource::Kind::kZero;
    index.push_back(from.is_lane() ? from.lane : zero ? 255 : lane);
    if (lane < 16) list.push_back({fmt::format("dup z0.s, z1.s[{}]", lane)});
    list.push_back({fmt::format("ext z0.b, z0.b, z1.b, #{}", 4 * lane)});
  }
  for (const char* name : {"zip1", "zip2", "uzp1", "uzp2", "trn1", "trn2"})
    list.push_back({fmt::format("{} z0.s, z1.s, z2.s", name)});
  list.push_back({"tbl z0.s, {z1.s}, z2.s", {{"z2", index}}});
  return list;
}

const bool sve_registered = LaneFamilies::add({"sve",
                                               "Arm SVE, elements of 32 bits",
                                               {8, 4, 16, 32, 64},
                                               {"tbl", "ext", "splice", "compact", "rev", "dup",
                                                "zip1", "zip2", "uzp1", "uzp2", "trn1", "trn2"},
                                               read_sve,
                                               sve_candidates});

}  // namespace
}  // namespace shflsim::isa
