// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/code/footprint.h"

namespace shflsim::isa {

/// Whatever an instruction can leave for a later one: registers, predicates, the carry, and from
/// sm_75 on uniform registers and predicates, in one numbering.
using Resource = uint16_t;
constexpr Resource kFirstRegister = 0;
constexpr Resource kFirstPredicate = 256;
constexpr Resource kCarryFlag = 264;
constexpr Resource kFirstUniform = 272;
constexpr Resource kFirstUniformPredicate = 528;
constexpr Resource kNoResource = 536;

inline bool is_uniform(Resource resource) { return resource >= kFirstUniform; }
/// "R3", "P0", "CC", "UR4", "UP1".
std::string name_of(Resource resource);

/// What an instruction reads and writes; RZ, PT and their uniform twins are left out.
struct Effects {
  std::vector<Resource> reads;  ///< the guard is one of them
  std::vector<Resource> writes;
  Resource guard = kNoResource;
};

Effects effects_of(const Instruction& instruction);

}  // namespace shflsim::isa
