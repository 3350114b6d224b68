// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rtl/verilog.h"

namespace shflsim::rtl {

/// `count` lane maps for a bench of `lanes` lanes: any sources, permutations, reads within quads,
/// exchanges and rotations in turn, with random executing masks. Depends only on the arguments.
std::vector<isa::LaneMap> bench_maps(unsigned lanes, unsigned count, uint32_t seed);

/// A self-checking test bench for the module. For each map it sets random words of `seed`, performs
/// the passes of the network's schedule, and compares the result of each executing lane with the
/// word of its source. Lanes that shared memory serves are skipped. It prints "PASS" and the
/// counts, or ends with $fatal. `network` is the network of the module.
std::string bench(const Module& shuffle, const model::ShuffleNetwork& network,
                  const std::vector<isa::LaneMap>& maps, uint32_t seed);

}  // namespace shflsim::rtl
