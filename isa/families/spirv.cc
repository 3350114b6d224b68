// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "isa/families/calls.h"

namespace shflsim::isa {
namespace {

const CallMeanings& spirv_meanings() {
  static const CallMeanings meanings = {
      {"subgroupShuffle", {CallMeaning::Kind::kShuffle, 0, false}},
      {"OpGroupNonUniformShuffle", {CallMeaning::Kind::kShuffle, 0, false}},
      {"subgroupShuffleXor", {CallMeaning::Kind::kXor, 0, false}},
      {"OpGroupNonUniformShuffleXor", {CallMeaning::Kind::kXor, 0, false}},
      {"subgroupShuffleUp", {CallMeaning::Kind::kUp, 0, false}},
      {"OpGroupNonUniformShuffleUp", {CallMeaning::Kind::kUp, 0, false}},
      {"subgroupShuffleDown", {CallMeaning::Kind::kDown, 0, false}},
      {"OpGroupNonUniformShuffleDown", {CallMeaning::Kind::kDown, 0, false}},
      {"subgroupRotate", {CallMeaning::Kind::kRotate, 0, false}},
      {"OpGroupNonUniformRotateKHR", {CallMeaning::Kind::kRotate, 0, false}},
      {"subgroupClusteredRotate", {CallMeaning::Kind::kRotate, 0, false}},
      {"subgroupBroadcast", {CallMeaning::Kind::kBroadcast, 0, false}},
      {"OpGroupNonUniformBroadcast", {CallMeaning::Kind::kBroadcast, 0, false}},
      {"subgroupBroadcastFirst", {CallMeaning::Kind::kFirst, 0, false}},
      {"OpGroupNonUniformBroadcastFirst", {CallMeaning::Kind::kFirst, 0, false}},
      {"subgroupQuadBroadcast", {CallMeaning::Kind::kQuadBroadcast, 0, false}},
      {"OpGroupNonUniformQuadBroadcast", {CallMeaning::Kind::kQuadBroadcast, 0, false}},
      {"subgroupQuadSwapHorizontal", {CallMeaning::Kind::kQuadXor, 1, false}},
      {"subgroupQuadSwapVertical", {CallMeaning::Kind::kQuadXor, 2, false}},
      {"subgroupQuadSwapDiagonal", {CallMeaning::Kind::kQuadXor, 3, false}},
      {"subgroupAdd", {CallMeaning::Kind::kReduce, 0, false}},
      {"subgroupClusteredAdd", {CallMeaning::Kind::kReduce, 0, false}},
      {"subgroupInclusiveAdd", {CallMeaning::Kind::kScan, 0, false}},
      {"subgroupMul", {CallMeaning::Kind::kReduce, 0, false}},
      {"subgroupClusteredMul", {CallMeaning::Kind::kReduce, 0, false}},
      {"subgroupInclusiveMul", {CallMeaning::Kind::kScan, 0, false}},
      {"subgroupMin", {CallMeaning::Kind::kReduce, 0, false}},
      {"subgroupClusteredMin", {CallMeaning::Kind::kReduce, 0, false}},
      {"subgroupInclusiveMin", {CallMeaning::Kind::kScan, 0, false}},
      {"subgroupMax", {CallMeaning::Kind::kReduce, 0, false}},
      {"subgroupClusteredMax", {CallMeaning::Kind::kReduce, 0, false}},
      {"subgroupInclusiveMax", {CallMeaning::Kind::kScan, 0, false}},
      {"subgroupAnd", {CallMeaning::Kind::kReduce, 0, false}},
      {"subgroupClusteredAnd", {CallMeaning::Kind::kReduce, 0, false}},
      {"subgroupInclusiveAnd", {CallMeaning::Kind::kScan, 0, false}},
      {"subgroupOr", {CallMeaning::Kind::kReduce, 0, false}},
      {"subgroupClusteredOr", {CallMeaning::Kind::kReduce, 0, false}},
      {"subgroupInclusiveOr", {CallMeaning::Kind::kScan, 0, false}},
      {"subgroupXor", {CallMeaning::Kind::kReduce, 0, false}},
      {"subgroupClusteredXor", {CallMeaning::Kind::kReduce, 0, false}},
      {"subgroupInclusiveXor", {CallMeaning::Kind::kScan, 0, false}}};
  return meanings;
}

LaneInstruction read_spirv(const LaneText& text, const LaneContext& context) {
  return read_call(spirv_meanings(), text, context);
}

std::vector<LaneCandidate> spirv_candidates(const LaneMove& wanted) {
  std::vector<LaneCandidate> list;
  for (unsigned by = 0; by < wanted.lanes; ++by) {
    for (const char* name : {"subgroupShuffleXor", "subgroupBroadcast", "subgroupRotate",
                             "subgroupShuffleUp", "subgroupShuffleDown"})
      list.push_back({fmt::format("{}(x, {})", name, by)});
  }
  LaneCandidate any{"subgroupShuffle(x, i)"};
  for (unsigned lane = 0; lane < wanted.lanes; ++lane) {
    const LaneSource& from = wanted.source[0][lane];
    any.registers["i"].push_back(from.is_lane() ? from.lane : lane);
  }
  list.push_back(any);
  return list;
}

const bool spirv_registered =
    LaneFamilies::add({"spirv",
                       "SPIR-V and Vulkan subgroups, in the words of GLSL or SPIR-V",
                       {32, 4, 8, 16, 64},
                       call_names(spirv_meanings()),
                       read_spirv,
                       spirv_candidates});

}  // namespace
}  // namespace shflsim::isa
