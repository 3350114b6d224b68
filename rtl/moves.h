// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "isa/lanes/lane_move.h"

namespace shflsim::rtl {

/// One of five kinds of lane move in turn: any sources, a permutation, an exchange of lanes, a
/// shift whose ends stay, reads within quads. Each 50th move has one source for all lanes; each
/// third writes random lanes only. `lanes`: 4 to 64.
isa::LaneMove random_move(unsigned lanes, uint64_t number, std::mt19937_64* random);
/// The random moves with the numbers from 0 to before `count`. Depends only on the arguments.
std::vector<isa::LaneMove> random_moves(unsigned lanes, unsigned count, uint32_t seed);
/// The move with this number, with lane 0's source in the lowest bits; all lanes are written.
isa::LaneMove numbered_move(unsigned lanes, uint64_t number);

}  // namespace shflsim::rtl
