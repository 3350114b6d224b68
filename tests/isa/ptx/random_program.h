// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace shflsim::isa {

/// A kernel k(const uint32_t* in, uint32_t* out, int n) for one warp, of random statements:
/// integer, float and 64-bit arithmetic, predicates and guards, choices and short loops, use of
/// a thread's own part of shared memory, shuffles where all threads run. It stores a combination of
/// its registers' values in out[thread].
/// If in[kOnlyWord] is the number of a thread, the other threads end at once.
struct RandomRegisters {
  unsigned words = 10;
  unsigned wides = 5;
  unsigned floats = 5;
  unsigned predicates = 3;
};
std::string random_ptx(uint32_t seed, bool shuffles = true, const RandomRegisters& count = {});
constexpr uint32_t kOnlyWord = 11 * 32;

}  // namespace shflsim::isa
