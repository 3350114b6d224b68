// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "isa/families/lane_family.h"

namespace shflsim::isa {
namespace {

const LaneCost kRvvSlideCost = {4, "4 cycles a register on SpacemiT X60 (LLVM PR 152738)"};

/// RISC-V V 1.0 with vl = VLMAX = N elements of 32 bits. For all operations but vcompress the mask
/// v0 says which lanes execute; source elements need not be in the mask. Elements that are not
/// written keep their value ("undisturbed").
LaneMove rvv_move(const LaneText& text, const LaneContext& context) {
  const std::string& name = text.operation();
  const std::vector<uint32_t> by = text.values(text.operand(2), context);
  const unsigned lanes = context.lanes;
  LaneMove move(lanes);
  unsigned packed = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (name == "vcompress.vm") {
      if (by[lane] != 0) move.source[0][packed++] = LaneSource::of(lane);
      continue;
    }
    if (!has_bit(context.active, lane)) continue;
    LaneSource& to = move.source[0][lane];
    const uint64_t offset = by[lane];
    if (name.rfind("vslideup", 0) == 0) {
      if (lane >= offset) to = LaneSource::of(lane - static_cast<unsigned>(offset));
    } else {
      const uint64_t from = name.rfind("vslidedown", 0) == 0 ? lane + offset : offset;
      to = from < lanes ? LaneSource::of(static_cast<unsigned>(from)) : LaneSource::zero();
    }
  }
  return move;
}

/// vslide1up and vslide1down: the scalar is modelled as an operand that all lanes hold.
LaneMove rvv_slide_one(bool up, const LaneContext& context) {
  LaneMove move(context.lanes);
  move.operands = 2;
  for (unsigned lane = 0; lane < move.lanes; ++lane) {
    const bool end = lane == (up ? 0 : move.lanes - 1);
    if (has_bit(context.active, lane))
      move.source[0][lane] =
          end ? LaneSource::of(lane, 1) : LaneSource::of(up ? lane - 1 : lane + 1);
  }
  return move;
}

LaneInstruction read_rvv(const LaneText& text, const LaneContext& context) {
  const std::string& name = text.operation();
  const bool packs = name == "vcompress.vm";
  text.expect(3, packs ? 3 : 4);
  const uint32_t result = text.register_number(text.operand(0), "v", 31);
  const uint32_t source = text.register_number(text.operand(1), "v", 31);
  if (text.operands() == 4 && text.operand(3).text != "v0.t")
    text.reject(text.operand(3), "expected the mask v0.t");
  const bool masked = context.active != all_lanes_of(context.lanes);
  if (masked && text.operands() == 3)
    text.reject(
        "--lanes without a mask; expected v0.t behind the operands of a maskable operation");
  if (name.find(".vi") != std::string::npos) text.number(text.operand(2), 0, 31);
  // Silicon refuses a result that is a source or, where masked, the mask.
  const bool gathers = name.rfind("vslidedown", 0) != 0 && name != "vslide1down.vx";
  if ((gathers && result == source) || (text.operands() == 4 && result == 0))
    text.reject(text.operand(0),
                "the result overlaps a source or the mask; expected another register");
  const bool one = name.rfind("vslide1", 0) == 0;
  const LaneMove move =
      one ? rvv_slide_one(name == "vslide1up.vx", context) : rvv_move(text, context);
  return {fmt::format("{} v{}, v{}, {}{}", name, result, source, text.operand(2).text,
                      text.operands() == 4 ? ", v0.t" : ""),
          {},
          {move},
          name.rfind("vslide", 0) == 0 ? kRvvSlideCost : LaneCost{}};
}

std::vector<LaneCandidate> rvv_candidates(const LaneMove& wanted) {
  std::vector<LaneCandidate> list;
  std::vector<uint32_t> index;
  for (unsigned lane = 0; lane < wanted.lanes; ++lane) {
    const LaneSource& from = wanted.source[0][lane];
    const bool zero = from.kind == LaneSource::Kind::kZero;
    index.push_back(from.is_lane() ? from.lane : zero ? 255 : lane);
  }
  for (unsigned by = 1; by < wanted.lanes && by < 32; ++by) {
    list.push_back({fmt::format("vslideup.vi v1, v2, {}", by)});
    list.push_back({fmt::format("vslidedown.vi v1, v2, {}", by)});
  }
  for (unsigned lane = 0; lane < wanted.lanes && lane < 32; ++lane)
    list.push_back({fmt::format("vrgather.vi v1, v2, {}", lane)});
  list.push_back({"vrgather.vv v1, v2, v3", {{"v3", index}}});
  return list;
}

const bool rvv_registered =
    LaneFamilies::add({"rvv",
                       "RISC-V V 1.0, elements of 32 bits",
                       {8, 4, 16, 32, 64},
                       {"vslideup.vi", "vslideup.vx", "vslidedown.vi", "vslidedown.vx",
                        "vslide1up.vx", "vslide1down.vx", "vrgather.vv", "vrgather.vx",
                        "vrgather.vi", "vrgatherei16.vv", "vcompress.vm"},
                       read_rvv,
                       rvv_candidates});

}  // namespace
}  // namespace shflsim::isa
