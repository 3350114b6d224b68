// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "isa/families/calls.h"

namespace shflsim::isa {
namespace {

const CallMeanings& opencl_meanings() {
  static const CallMeanings meanings = {
      {"sub_group_shuffle", {CallMeaning::Kind::kShuffle, 0, false}},
      {"sub_group_shuffle_xor", {CallMeaning::Kind::kXor, 0, false}},
      {"sub_group_shuffle_up", {CallMeaning::Kind::kUp, 0, false}},
      {"sub_group_shuffle_down", {CallMeaning::Kind::kDown, 0, false}},
      {"sub_group_rotate", {CallMeaning::Kind::kRotate, 0, false}},
      {"sub_group_clustered_rotate", {CallMeaning::Kind::kRotate, 0, false}},
      {"sub_group_broadcast", {CallMeaning::Kind::kBroadcast, 0, false}},
      {"sub_group_non_uniform_broadcast", {CallMeaning::Kind::kBroadcast, 0, false}},
      {"sub_group_broadcast_first", {CallMeaning::Kind::kFirst, 0, false}},
      {"intel_sub_group_shuffle", {CallMeaning::Kind::kShuffle, 0, false}},
      {"intel_sub_group_shuffle_xor", {CallMeaning::Kind::kXor, 0, false}},
      {"intel_sub_group_shuffle_up", {CallMeaning::Kind::kUpFill, 0, false}},
      {"intel_sub_group_shuffle_down", {CallMeaning::Kind::kDownFill, 0, false}},
      {"sub_group_reduce_add", {CallMeaning::Kind::kReduce, 0, false}},
      {"sub_group_clustered_reduce_add", {CallMeaning::Kind::kReduce, 0, false}},
      {"sub_group_scan_inclusive_add", {CallMeaning::Kind::kScan, 0, false}},
      {"sub_group_reduce_min", {CallMeaning::Kind::kReduce, 0, false}},
      {"sub_group_clustered_reduce_min", {CallMeaning::Kind::kReduce, 0, false}},
      {"sub_group_scan_inclusive_min", {CallMeaning::Kind::kScan, 0, false}},
      {"sub_group_reduce_max", {CallMeaning::Kind::kReduce, 0, false}},
      {"sub_group_clustered_reduce_max", {CallMeaning::Kind::kReduce, 0, false}},
      {"sub_group_scan_inclusive_max", {CallMeaning::Kind::kScan, 0, false}}};
  return meanings;
}

LaneInstruction read_opencl(const LaneText& text, const LaneContext& context) {
  return read_call(opencl_meanings(), text, context);
}

std::vector<LaneCandidate> opencl_candidates(const LaneMove& wanted) {
  std::vector<LaneCandidate> list;
  for (unsigned by = 0; by < wanted.lanes; ++by) {
    for (const char* name : {"sub_group_shuffle_xor", "sub_group_broadcast", "sub_group_rotate",
                             "sub_group_shuffle_up", "sub_group_shuffle_down"})
      list.push_back({fmt::format("{}(x, {})", name, by)});
  }
  LaneCandidate any{"sub_group_shuffle(x, i)"};
  for (unsigned lane = 0; lane < wanted.lanes; ++lane) {
    const LaneSource& from = wanted.source[0][lane];
    any.registers["i"].push_back(from.is_lane() ? from.lane : lane);
  }
  list.push_back(any);
  return list;
}

const bool opencl_registered = LaneFamilies::add({"opencl",
                                                  "OpenCL subgroups and Intel's extensions of them",
                                                  {16, 4, 8, 32, 64},
                                                  call_names(opencl_meanings()),
                                                  read_opencl,
                                                  opencl_candidates});

}  // namespace
}  // namespace shflsim::isa
