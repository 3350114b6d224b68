// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/ptx/lines/lines.h"

namespace shflsim::isa::ptx {

/// A line as SPA 5.0 text; the target of a branch is "target". `numbers`: the register or predicate
/// of each virtual one.
std::string text_of_line(const Line& line, const std::vector<uint8_t>& numbers);
/// A line with virtual registers v0, v1, ... (v0.1 is the second word of a pair) and predicates
/// p0, ...
std::string text_of_line(const Line& line);
/// The blocks with their lines; registers have their numbers if `numbers` is not empty.
std::string text_of_code(const Code& code, const std::vector<uint8_t>& numbers);

}  // namespace shflsim::isa::ptx
