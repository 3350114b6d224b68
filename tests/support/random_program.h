// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace shflsim::test {

/// Code in the manual's syntax that ends, by a seed: arithmetic, SHFLs of every mode and form,
/// shared memory, loops whose lanes leave together or apart, branches that part the warp, guards,
/// barriers. Launched with 1024 threads a block at most.
std::string random_program(uint32_t seed);

}  // namespace shflsim::test
