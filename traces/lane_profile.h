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

/// A lane move of a profile: how often it was counted, and what moves.
struct CountedMove {
  uint64_t count = 0;
  std::string text;  ///< as the file writes it, mask included: "bfly 0x10 0x1f mask=0xffff"
  std::vector<isa::LaneMove> steps;  ///< one, or of a reduction one for each level of its tree
  std::string before;                ///< operation that made what is moved; "" where not known
  std::string after;                 ///< operation that first uses it; "" where not known
};

/// The moves of kernels of one family, such as those that one template makes.
struct MoveFamily {
  std::string name;
  uint64_t kernels = 0;
  std::vector<CountedMove> moves;

  uint64_t count() const;
};

/// The lane moves of kernels, with counts: what a shuffle unit has to carry, without the time at
/// which it does. docs/traffic.md describes the file.
struct LaneProfile {
  std::string source;               ///< what was counted, as text
  std::vector<std::string> hashes;  ///< of the files that were counted
  std::optional<isa::Arch> arch;    ///< of the code
  bool is_static = false;           ///< counts are of instructions in the code, not executed ones
  unsigned lanes = isa::kLanes;
  std::vector<MoveFamily> families;

  uint64_t count() const;
};

/// By the file's name: .lanes, or .lanes.gz.
bool is_lane_profile(const std::string& path);
/// Throws InputError with all faults of the file.
LaneProfile read_lane_profile(const std::string& path);
std::string text_of(const LaneProfile& profile);

/// What moves as this lane map says, of all executing lanes: a read from a lane that does not
/// execute moves what that lane holds.
isa::LaneMove move_of(const isa::LaneMap& map);
/// A lane map as a profile writes it: as an index or offset and a clamp in this mode where there
/// are such, else as "map" with the source of each lane.
std::string move_text(isa::ShuffleMode mode, const isa::LaneMap& map);

}  // namespace shflsim::traces
