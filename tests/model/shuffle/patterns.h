// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "model/shuffle/shuffle_network.h"

namespace shflsim::test {

/// Parameter values by key; the others have their least value or first choice, add-ons are off.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// A network by name, as a config with these settings makes it.
std::unique_ptr<model::ShuffleNetwork> make_network(const std::string& name,
                                                    const Settings& settings = {},
                                                    unsigned lanes = isa::kLanes);

/// A network to check, with its parameters.
struct Design {
  const char* label;
  const char* network;
  Settings settings;
  bool is_greedy = false;  ///< fewer lanes may need more passes
};
void PrintTo(const Design& design, std::ostream* out);
/// All networks, including the toy network, with parameters that four lanes allow.
const std::vector<Design>& designs();

/// A lane map of the first `lanes` lanes where lane i reads `source(i)`.
isa::LaneMap map_of(const std::function<unsigned(unsigned)>& source,
                    isa::LaneMask executing = isa::kAllLanes, unsigned lanes = isa::kLanes);

/// SHFL with every lane executing: `mode` with offset or index `b`, in segments of `width` lanes,
/// clamped as CUDA's intrinsics do.
isa::LaneMap shfl(isa::ShuffleMode mode, unsigned b, unsigned width = isa::kLanes);

/// Every lane map of `lanes` lanes under every non-empty executing mask.
void for_every_map(unsigned lanes, const std::function<void(const isa::LaneMap&)>& visit);

/// A map of `lanes` lanes with any sources; a quarter of them have lanes that do not execute.
isa::LaneMap random_map(std::mt19937* random, unsigned lanes = isa::kLanes);
/// A permutation of the 32 lanes.
isa::LaneMap random_permutation(std::mt19937* random);

}  // namespace shflsim::test
