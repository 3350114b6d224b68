// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace shflsim::test {

/// Terminating code in the manual's syntax, chosen by a seed: arithmetic, SHFLs of all modes and
/// forms, shared memory, loops that lanes leave together or one by one, branches that split the
/// warp, guards, barriers. Launch it with at most 1024 threads per block.
std::string random_program(uint32_t seed);

}  // namespace shflsim::test
