// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/code/footprint.h"

namespace shflsim::isa {

/// State through which an instruction can affect a later one, in one numbering: registers,
/// predicates, the carry, and from sm_75 on uniform registers and predicates.
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

/// The resources that an instruction reads and writes, without RZ, PT, URZ and UPT.
struct Effects {
  std::vector<Resource> reads;  ///< including the guard
  std::vector<Resource> writes;
  Resource guard = kNoResource;
};

Effects effects_of(const Instruction& instruction);

}  // namespace shflsim::isa
