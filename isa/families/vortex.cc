// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "isa/families/lane_family.h"

namespace shflsim::isa {
namespace {

const LaneCost kVortexCost = {1, "1 cycle (Vortex, arXiv 2505.03102)"};

/// Vortex's vx_shfl_MODE(value, b, c, mask), with fields of 6 bits as in its simulator simx: SHFL's
/// rules, but .UP compares with the lowest lane of its segment. A lane keeps its own value if its
/// source is out of range or does not exist. Lanes that do not execute can be read.
unsigned vortex_source(const std::string& name, int lane, const std::array<uint32_t, 3>& fields,
                       unsigned lanes) {
  const int b = static_cast<int>(fields[0]);
  const int c = static_cast<int>(fields[1]);
  const int mask = static_cast<int>(fields[2]);
  const int lowest = lane & mask;
  const int highest = lowest | (c & ~mask);
  int from = lane;
  if (name == "vx_shfl_up") from = lane - b;
  if (name == "vx_shfl_down") from = lane + b;
  if (name == "vx_shfl_bfly") from = lane ^ b;
  if (name == "vx_shfl_idx") from = lowest | (b & ~mask);
  const bool in_range = name == "vx_shfl_up" ? from >= lowest : from <= highest;
  const bool exists = from >= 0 && from < static_cast<int>(lanes);
  return static_cast<unsigned>(in_range && exists ? from : lane);
}

LaneInstruction read_vortex(const LaneText& text, const LaneContext& context) {
  text.expect(4, 4);
  std::array<std::vector<uint32_t>, 3> fields;
  for (size_t index = 0; index < 3; ++index) {
    fields[index] = text.values(text.operand(index + 1), context);
    for (const uint32_t value : fields[index]) {
      if (value > 63) text.reject(text.operand(index + 1), "expected a field from 0 to 63");
    }
  }
  LaneMove move(context.lanes);
  for (unsigned lane = 0; lane < move.lanes; ++lane) {
    if (!has_bit(context.active, lane)) continue;
    move.source[0][lane] = LaneSource::of(
        vortex_source(text.operation(), static_cast<int>(lane),
                      {fields[0][lane], fields[1][lane], fields[2][lane]}, move.lanes));
  }
  return {fmt::format("{}({}, {}, {}, {})", text.operation(), text.operand(0).text,
                      text.operand(1).text, text.operand(2).text, text.operand(3).text),
          {},
          {move},
          kVortexCost};
}

std::vector<LaneCandidate> vortex_candidates(const LaneMove& wanted) {
  std::vector<LaneCandidate> list;
  for (unsigned by = 0; by < wanted.lanes; ++by) {
    list.push_back({fmt::format("vx_shfl_bfly(x, {}, 63, 0)", by)});
    list.push_back({fmt::format("vx_shfl_idx(x, {}, 63, 0)", by)});
    list.push_back({fmt::format("vx_shfl_up(x, {}, 0, 0)", by)});
    list.push_back({fmt::format("vx_shfl_down(x, {}, {}, 0)", by, wanted.lanes - 1)});
  }
  LaneCandidate any{"vx_shfl_idx(x, b, 63, 0)"};
  for (unsigned lane = 0; lane < wanted.lanes; ++lane) {
    const LaneSource& from = wanted.source[0][lane];
    any.registers["b"].push_back(from.is_lane() ? from.lane : lane);
  }
  list.push_back(any);
  return list;
}

const bool vortex_registered =
    LaneFamilies::add({"vortex",
                       "Vortex, RISC-V GPU: vx_shfl",
                       {4, 8, 16, 32, 64},
                       {"vx_shfl_up", "vx_shfl_down", "vx_shfl_bfly", "vx_shfl_idx"},
                       read_vortex,
                       vortex_candidates});

}  // namespace
}  // namespace shflsim::isa
