// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "isa/machine/machine.h"

namespace shflsim::isa {

// Random programs of sm_80 as trees of operations, branches and loops, for one warp. Their words go
// to the machine; a second interpreter walks the tree with a mask of lanes.

// R2 to R9 are data, R16 to R19 count loops. P0 to P2 and UR4 to UR7 are data, P3 and P4 belong to
// branches and loops.
constexpr unsigned kFirstData = 2, kData = 8, kCounters = 16;
constexpr unsigned kFirstUniformData = 4, kUniformData = 4;
constexpr unsigned kRegistersOfState = 20;

/// What the second interpreter computes on.
struct State {
  uint32_t r[kRegistersOfState][32] = {};
  uint32_t u[8] = {};
  bool p[8][32] = {};
};

/// An operation, or a body under a predicate, or one that lanes repeat.
struct Node {
  enum class Kind : uint8_t { kOperation, kIf, kLoop };
  Kind kind = Kind::kOperation;
  std::string text;                             ///< of the operation
  std::function<void(State&, LaneMask)> apply;  ///< and what it does
  unsigned predicate = 0;                       ///< kIf: where it holds
  unsigned counter = 0;  ///< kLoop: its register; lane & 3 rounds more than one
  std::vector<Node> body;
};

/// The nodes of the program with this seed, and its lines of assembly.
std::vector<Node> random_tree(uint32_t seed);
std::vector<std::string> lines_of(const std::vector<Node>& program);

/// First values of the data registers in the program with this seed.
uint32_t first_value(uint32_t seed, unsigned index, unsigned lane);
/// The state that the tree leaves.
State interpreted(const std::vector<Node>& program, uint32_t seed);

}  // namespace shflsim::isa
