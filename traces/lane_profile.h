// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/codec/arch.h"
#include "isa/lanes/lane_map.h"
#include "isa/lanes/lane_move.h"

namespace shflsim::traces {

/// A lane move of a profile and how often it was counted.
struct CountedMove {
  uint64_t count = 0;
  std::string text;  ///< as in the file, with its mask: "bfly 0x10 0x1f mask=0xffff"
  std::vector<isa::LaneMove> steps;  ///< one; for a reduction one for each level of its tree
  std::string before;                ///< operation that made the moved value; "" if unknown
  std::string after;                 ///< operation that first uses the result; "" if unknown
};

/// The moves of a family of kernels, such as the kernels that one template generates.
struct MoveFamily {
  std::string name;
  uint64_t kernels = 0;
  std::vector<CountedMove> moves;

  uint64_t count() const;
};

/// The lane moves of kernels, with counts: the traffic of a shuffle unit without times.
/// docs/traffic.md describes the file.
struct LaneProfile {
  std::string source;               ///< description of what was counted
  std::vector<std::string> hashes;  ///< hashes of the counted files
  std::optional<isa::Arch> arch;    ///< of the code
  bool is_static = false;           ///< counts are of instructions in the code, not of executions
  unsigned lanes = isa::kLanes;
  std::vector<MoveFamily> families;

  uint64_t count() const;
};

/// True for the file names .lanes and .lanes.gz.
bool is_lane_profile(const std::string& path);
/// Throws InputError with all faults of the file.
LaneProfile read_lane_profile(const std::string& path);
std::string text_of(const LaneProfile& profile);

/// The move of a lane map, for all executing lanes: a read from a lane that does not execute
/// delivers that lane's register.
isa::LaneMove move_of(const isa::LaneMap& map);
/// A lane map as a profile writes it: as an index or offset and a clamp in this mode if possible,
/// else as "map" with the source of each lane.
std::string move_text(isa::ShuffleMode mode, const isa::LaneMap& map);

}  // namespace shflsim::traces
