// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "isa/lanes/lane_move.h"
#include "rtl/verilog.h"

namespace shflsim::rtl {

/// A self-checking test bench for the module. For each move it sets random words of `seed`,
/// performs the passes of the network's schedule, and compares the result of each written lane with
/// the word of its source. Lanes that shared memory serves are skipped. It prints "PASS" and the
/// counts, or ends with $fatal. `network` is the network of the module.
std::string bench(const Module& shuffle, const model::ShuffleNetwork& network,
                  const std::vector<isa::LaneMove>& moves, uint32_t seed);

}  // namespace shflsim::rtl
