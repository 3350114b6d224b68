// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace shflsim::isa {

/// A kernel k(const uint32_t* in, uint32_t* out, int n) for one warp, of random statements:
/// integer, float and 64-bit arithmetic, predicates and guards, choices and short loops, shared
/// memory that a thread has to itself, shuffles where all threads run. It adds up what its
/// registers hold in out[thread].
/// Where in[kOnlyWord] is the number of a thread, the others end at once.
struct RandomRegisters {
  unsigned words = 10;
  unsigned wides = 5;
  unsigned floats = 5;
  unsigned predicates = 3;
};
std::string random_ptx(uint32_t seed, bool shuffles = true, const RandomRegisters& count = {});
constexpr uint32_t kOnlyWord = 11 * 32;

}  // namespace shflsim::isa
