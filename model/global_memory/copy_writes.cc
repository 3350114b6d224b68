// SPDX-License-Identifier: Apache-2.0
#include "model/global_memory/copy_writes.h"

#include <algorithm>
#include <vector>

#include "isa/machine/asynchronous_row.h"
#include "model/global_memory/warp_access.h"

namespace shflsim::model {
namespace {

constexpr unsigned kTogether = 8;  // lanes

struct Part {
  uint64_t from = 0;  ///< line of memory
  uint64_t to = 0;    ///< line of shared memory
  uint32_t lanes = 0;
  bool keeps_sectors = true;

  uint32_t cycles() const { return lanes > 1 && !keeps_sectors ? 2 : 1; }
};

void add(const isa::CopiedLane& lane, std::vector<Part>* parts) {
  const Part part{lane.from / kLineBytes, lane.to / kLineBytes, 1,
                  lane.from % kSectorBytes == lane.to % kSectorBytes};
  const auto same = [&](const Part& each) { return each.from == part.from && each.to == part.to; };
  const auto known = std::find_if(parts->begin(), parts->end(), same);
  if (known == parts->end())
    parts->push_back(part);
  else
    ++known->lanes;
}

/// The cycles of the line, of memory or of shared memory, that has the most.
uint32_t longest(const std::vector<Part>& parts, uint64_t Part::*line) {
  uint32_t most = 0;
  for (const Part& one : parts) {
    uint32_t sum = 0;
    for (const Part& each : parts) sum += each.*line == one.*line ? each.cycles() : 0;
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace

uint32_t copy_cycles(const traces::LaneAddresses& row, isa::LaneMask lanes) {
  const auto lane_at = [&](unsigned lane) { return isa::CopiedLane::unpacked(row[lane]); };
  bool has_targets = false;
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) has_targets |= lane_at(lane).to != 0;
  uint32_t sum = 0;
  for (unsigned first = 0; first < isa::kLanes; first += kTogether) {
    std::vector<Part> parts;
    for (unsigned lane = first; lane < first + kTogether; ++lane) {
      if ((lanes >> lane & 1u) == 0) continue;
      isa::CopiedLane copied = lane_at(lane);
      if (!has_targets) copied.to = static_cast<uint32_t>(copied.from);
      add(copied, &parts);
    }
    sum += std::max(longest(parts, &Part::from), longest(parts, &Part::to));
  }
  return std::max(1u, sum);
}

}  // namespace shflsim::model
