// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "isa/families/lane_family.h"
#include "model/shuffle/shuffle_network.h"
#include "report/run/document.h"

namespace shflsim::report {

/// A lane instruction that is asked about: the arguments of `shflsim explain`.
struct LaneQuestion {
  std::string text;
  std::optional<std::string> family;  ///< else the first one that accepts the text
  unsigned lanes = 0;                 ///< 0: as many as is usual in the family
  std::optional<std::string> active;  ///< mask of the lanes that execute; else all
  std::optional<std::string> values;  ///< of registers: "v2=lane*4; s3=0x76543210"
  std::optional<std::string> as;      ///< the family that is to do the same
};

/// How a network moves it: the sums over all values that it has to carry.
struct LaneRoute {
  std::string network;
  uint32_t passes = 0;
  uint32_t port_conflicts = 0;
  model::NetworkCost cost;
  std::optional<double> energy;  ///< picojoules; none without passes, or of another unit's wires
};

struct ExplainedLanes {
  isa::ReadLaneInstruction read;
  isa::WideMask active = 0;
  std::vector<LaneRoute> routes;
  std::string left_out;  ///< networks that do not exist with this number of lanes
  const isa::LaneFamily* as = nullptr;
  std::vector<isa::LanePart> sequence;  ///< of that family; empty: it has none
};

/// Whether the text is an operation of some family other than a SHFL.
bool is_lane_instruction(const std::string& text);

/// Throws InputError.
ExplainedLanes explained_lanes(const LaneQuestion& question, const model::NetworkChoice& choice,
                               const std::vector<std::string>& networks);

void write_lanes_explanation(std::ostream& out, const ExplainedLanes& lanes);
Document lanes_explanation(const ExplainedLanes& lanes);

}  // namespace shflsim::report
