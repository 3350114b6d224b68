// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program.h"

namespace shflsim::isa {

/// For each instruction the predicates (bit n: Pn) that something behind it may read before they
/// are written again, on any path through the code. Where a jump goes to a computed address, all of
/// them.
std::vector<uint8_t> predicates_read_later(const Program& program);

}  // namespace shflsim::isa
