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

/// A lane instruction to explain: the arguments of `shflsim explain`.
struct LaneQuestion {
  std::string text;
  std::optional<std::string> family;  ///< none: the first family that accepts the text
  unsigned lanes = 0;                 ///< 0: the family's usual number
  std::optional<std::string> active;  ///< mask of the executing lanes; none: all lanes
  std::optional<std::string> values;  ///< of the registers: "v2=lane*4; s3=0x76543210"
  std::optional<std::string> as;      ///< a family that is to do the same operation
};

/// The route of a lane instruction through a network: sums over all values that it moves.
struct LaneRoute {
  std::string network;
  uint32_t passes = 0;
  uint32_t port_conflicts = 0;
  model::NetworkCost cost;
  std::optional<double> energy;  ///< picojoules; none if there are no passes or no own wires
};

struct ExplainedLanes {
  isa::ReadLaneInstruction read;
  isa::WideMask active = 0;
  std::vector<LaneRoute> routes;
  std::string left_out;  ///< networks that do not exist with this number of lanes
  const isa::LaneFamily* as = nullptr;
  std::vector<isa::LanePart> sequence;  ///< code of that family; empty: there is none
};

/// True if the text is an operation of some family, other than a SHFL.
bool is_lane_instruction(const std::string& text);

/// Throws InputError.
ExplainedLanes explained_lanes(const LaneQuestion& question, const model::NetworkChoice& choice,
                               const std::vector<std::string>& networks);

/// The words of an instruction: "7e0202fa ff011100".
std::string lane_words(const std::vector<uint32_t>& words);
/// Who published the cost.
std::string cost_text(const isa::LaneCost& cost);
/// The register values that a part of a sequence needs: "v2=0,4,8,12".
std::string needs_text(const isa::LaneCandidate& candidate);

void write_lanes_explanation(std::ostream& out, const ExplainedLanes& lanes);
Document lanes_explanation(const ExplainedLanes& lanes);

}  // namespace shflsim::report
