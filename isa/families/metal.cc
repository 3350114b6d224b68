// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "isa/families/calls.h"

namespace shflsim::isa {
namespace {

const CallMeanings& metal_meanings() {
  static const CallMeanings meanings = {
      {"simd_shuffle", {CallMeaning::Kind::kShuffle, 0, false}},
      {"simd_shuffle_xor", {CallMeaning::Kind::kXor, 0, false}},
      {"simd_shuffle_up", {CallMeaning::Kind::kUp, 0, false}},
      {"simd_shuffle_down", {CallMeaning::Kind::kDown, 0, false}},
      {"simd_shuffle_rotate_down", {CallMeaning::Kind::kRotate, 0, false}},
      {"simd_shuffle_rotate_up", {CallMeaning::Kind::kRotateBack, 0, false}},
      {"simd_shuffle_and_fill_up", {CallMeaning::Kind::kUpFill, 1, false}},
      {"simd_shuffle_and_fill_down", {CallMeaning::Kind::kDownFill, 0, false}},
      {"simd_broadcast", {CallMeaning::Kind::kBroadcast, 0, false}},
      {"simd_broadcast_first", {CallMeaning::Kind::kFirst, 0, false}},
      {"quad_broadcast", {CallMeaning::Kind::kQuadBroadcast, 0, false}},
      {"quad_shuffle", {CallMeaning::Kind::kQuadBroadcast, 0, false}},
      {"simd_sum", {CallMeaning::Kind::kReduce, 0, false}},
      {"simd_max", {CallMeaning::Kind::kReduce, 0, false}},
      {"simd_min", {CallMeaning::Kind::kReduce, 0, false}},
      {"simd_product", {CallMeaning::Kind::kReduce, 0, false}},
      {"simd_and", {CallMeaning::Kind::kReduce, 0, false}},
      {"simd_or", {CallMeaning::Kind::kReduce, 0, false}},
      {"simd_xor", {CallMeaning::Kind::kReduce, 0, false}},
      {"simd_prefix_inclusive_product", {CallMeaning::Kind::kScan, 0, false}},
      {"simd_prefix_inclusive_sum", {CallMeaning::Kind::kScan, 0, false}}};
  return meanings;
}

LaneInstruction read_metal(const LaneText& text, const LaneContext& context) {
  return read_call(
      metal_meanings(), text, context,
      text.operation().rfind("simd_shuffle", 0) == 0 &&
              text.operation().find("rotate") == std::string::npos
          ? LaneCost{41, "41 to 55 cycles for random lanes on Apple GPUs (docs/lanes.md)"}
          : LaneCost{5.4, "5.4 cycles for a broadcast or rotation on Apple GPUs (docs/lanes.md)"});
}

std::vector<LaneCandidate> metal_candidates(const LaneMove& wanted) {
  std::vector<LaneCandidate> list;
  for (unsigned by = 0; by < wanted.lanes; ++by) {
    for (const char* name : {"simd_shuffle_xor", "simd_broadcast", "simd_shuffle_rotate_down",
                             "simd_shuffle_up", "simd_shuffle_down"})
      list.push_back({fmt::format("{}(x, {})", name, by)});
  }
  LaneCandidate any{"simd_shuffle(x, i)"};
  for (unsigned lane = 0; lane < wanted.lanes; ++lane) {
    const LaneSource& from = wanted.source[0][lane];
    any.registers["i"].push_back(from.is_lane() ? from.lane : lane);
  }
  list.push_back(any);
  return list;
}

const bool metal_registered = LaneFamilies::add({"metal",
                                                 "Metal SIMD-groups of Apple GPUs",
                                                 {32},
                                                 call_names(metal_meanings()),
                                                 read_metal,
                                                 metal_candidates});

}  // namespace
}  // namespace shflsim::isa
