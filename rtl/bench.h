// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rtl/verilog.h"

namespace shflsim::rtl {

/// `count` lane maps for a bench of `lanes` lanes: any sources, permutations, reads within quads,
/// exchanges and rotations in turn, under any executing masks; the same ones for the same seed.
std::vector<isa::LaneMap> bench_maps(unsigned lanes, unsigned count, uint32_t seed);

/// A self-checking test bench for the module: for each map it sets random words of `seed`, goes
/// through the passes of the network's schedule, and compares every executing lane's result with
/// its source's word. Lanes that shared memory serves are left out. It prints "PASS" and what it
/// has seen, or ends with $fatal. `network` is the network of the module.
std::string bench(const Module& shuffle, const model::ShuffleNetwork& network,
                  const std::vector<isa::LaneMap>& maps, uint32_t seed);

}  // namespace shflsim::rtl
