// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "isa/machine/machine.h"

namespace shflsim::isa {

// Random programs of sm_80 and sm_90 as trees of operations, branches and loops, for one warp.
// The machine executes their words; a second interpreter walks the tree with a lane mask. Programs
// of sm_90 have operations of a whole warp that lanes reach from both sides of a branch. Such a
// branch is not inside another one: as on an H100, the last lanes that reach the operation dissolve
// the barriers of outer branches, whose lanes then stay diverged.

// R2 to R9 are data, R16 to R19 count loops. P0 to P2 and UR4 to UR7 are data, P3 and P4 belong to
// branches and loops.
constexpr unsigned kFirstData = 2, kData = 8, kCounters = 16;
constexpr unsigned kFirstUniformData = 4, kUniformData = 4;
// Operations of both sides read R21 and R22 and write R23 and UR8; R24 and up hold their
// membermasks, one per depth.
constexpr unsigned kSourceOfSides = 21, kLaneOfSides = 22, kResultOfSides = 23, kMaskOfSides = 24;
constexpr unsigned kSumOfSides = 8;
constexpr unsigned kRegistersOfState = 24;

/// The state of the second interpreter.
struct State {
  uint32_t r[kRegistersOfState][32] = {};
  uint32_t u[8] = {};
  bool p[8][32] = {};
};

/// An operation, a body under a predicate, a loop, or two sides of a branch that reach one common
/// operation.
struct Node {
  enum class Kind : uint8_t { kOperation, kIf, kLoop, kSides };
  Kind kind = Kind::kOperation;
  std::string text;                             ///< the operation's line
  std::function<void(State&, LaneMask)> apply;  ///< the operation's effect
  unsigned predicate = 0;                       ///< kIf, kSides: the condition
  unsigned counter = 0;                         ///< kLoop: its register; 1 + (lane & 3) rounds
  std::vector<Node> body;
  std::vector<Node> other;                 ///< kSides: the side where the predicate is false
  std::vector<Node> together;              ///< kSides: the common operation
  std::vector<Node> behind, behind_other;  ///< kSides: what each side does after it
};

/// The nodes of the program with this seed, and its lines of assembly.
std::vector<Node> random_tree(uint32_t seed, Arch arch);
std::vector<std::string> lines_of(const std::vector<Node>& program);

/// First values of the data registers in the program with this seed.
uint32_t first_value(uint32_t seed, unsigned index, unsigned lane);
/// The state after the program.
State interpreted(const std::vector<Node>& program, uint32_t seed);

}  // namespace shflsim::isa
