// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "isa/codec/instruction.h"
#include "isa/lanes/lane_map.h"
#include "model/shuffle/shuffle_network.h"
#include "report/explain/svg.h"
#include "report/run/document.h"

namespace shflsim::report {

/// One SHFL, executed by some lanes of a warp.
struct ExplainedShuffle {
  isa::Instruction shfl;
  isa::LaneValues sb{};  ///< lane index or offset, by lane
  isa::LaneValues sc{};  ///< clamp and segment mask, by lane
  isa::LaneMap map;
};

/// The word of the SHFL in hexadecimal digits: 16, or 32 from sm_70 on.
std::string word_digits(const isa::Instruction& shfl);

/// The route of a SHFL through a network, with costs.
struct ExplainedRoute {
  std::string network;
  model::Schedule schedule;
  model::NetworkCost cost;
  std::optional<double> energy;                ///< picojoules; none if it uses another unit's wires
  std::vector<std::string> collisions;         ///< "bank 3: lanes 3 11 19": source lanes in turn
  std::map<unsigned, std::string> port_names;  ///< names of the ports that the schedule uses
};

/// The routes of the map through these networks, with the parameters and add-ons of `choice`.
/// Throws InputError for an unknown network.
std::vector<ExplainedRoute> routes_of(const isa::LaneMap& map, const model::NetworkChoice& choice,
                                      const std::vector<std::string>& networks);

/// "8 of 4 lanes", or a description of unusual segments.
std::string segments_text(const ExplainedShuffle& shuffle);

/// `shfl.sync.bfly.b32 %r1, %r0, 0x1, 0x1c03, 0xffffffff;`
std::string ptx_spelling(const ExplainedShuffle& shuffle);

/// `__shfl_xor_sync(0xffffffff, r0, 1, 4)`, or why no intrinsic produces these lanes. An intrinsic
/// of width w passes Sc = (32 - w) << 8 | 0x1f, without the 0x1f for __shfl_up_sync; any other Sc
/// with the same segments and clamp counts as equal.
std::string cuda_spelling(const ExplainedShuffle& shuffle);

/// Writes segments, lanes, spellings and networks as text.
void write_explanation(std::ostream& out, const ExplainedShuffle& shuffle,
                       const std::vector<ExplainedRoute>& routes);

/// The explanation as JSON; its rows are the networks.
Document explanation(const ExplainedShuffle& shuffle, const std::vector<ExplainedRoute>& routes);

/// A picture of the 32 lanes: arrows lead from the values of the upper row to the lower row.
Picture lane_picture(const ExplainedShuffle& shuffle);

}  // namespace shflsim::report
