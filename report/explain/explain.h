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

/// One SHFL as some lanes of a warp execute it.
struct ExplainedShuffle {
  isa::Instruction shfl;
  isa::LaneValues sb{};  ///< lane index or offset, a lane
  isa::LaneValues sc{};  ///< clamp and segment mask, a lane
  isa::LaneMap map;
};

/// Its word in hexadecimal digits: 16, or 32 from sm_70 on.
std::string word_digits(const isa::Instruction& shfl);

/// How a network moves it.
struct ExplainedRoute {
  std::string network;
  model::Schedule schedule;
  model::NetworkCost cost;
  std::optional<double> energy;         ///< picojoules; none if it borrows another unit's wires
  std::vector<std::string> collisions;  ///< "bank 3: lanes 3 11 19": values in turn
  std::map<unsigned, std::string> port_names;  ///< names of the ports that the schedule uses
};

/// The map on these networks, with the parameters and add-ons of `choice`. Throws InputError if
/// one does not exist.
std::vector<ExplainedRoute> routes_of(const isa::LaneMap& map, const model::NetworkChoice& choice,
                                      const std::vector<std::string>& networks);

/// "8 of 4 lanes", or what is unusual about them.
std::string segments_text(const ExplainedShuffle& shuffle);

/// `shfl.sync.bfly.b32 %r1, %r0, 0x1, 0x1c03, 0xffffffff;`
std::string ptx_spelling(const ExplainedShuffle& shuffle);

/// `__shfl_xor_sync(0xffffffff, r0, 1, 4)`, or why no intrinsic gives these lanes. An intrinsic of
/// width w hands over Sc = (32 - w) << 8 | 0x1f, without the 0x1f for __shfl_up_sync; any other Sc
/// with the same segments and clamp counts as equal.
std::string cuda_spelling(const ExplainedShuffle& shuffle);

/// Segments, lanes, spellings and networks as text.
void write_explanation(std::ostream& out, const ExplainedShuffle& shuffle,
                       const std::vector<ExplainedRoute>& routes);

/// The explanation as JSON; its rows are the networks.
Document explanation(const ExplainedShuffle& shuffle, const std::vector<ExplainedRoute>& routes);

/// The 32 arrows: values leave the upper row and reach the lower one.
Picture lane_picture(const ExplainedShuffle& shuffle);

}  // namespace shflsim::report
