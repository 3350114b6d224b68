// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/ptx/lines/lines.h"

namespace shflsim::isa::ptx {

/// A line as SPA 5.0 text, its branch's target being "target". `numbers`: the register or predicate
/// of each virtual one.
std::string text_of_line(const Line& line, const std::vector<uint8_t>& numbers);
/// With virtual registers as v0, v1 ..., v0.1 being the second word of a pair, and predicates as
/// p0.
std::string text_of_line(const Line& line);
/// The blocks with their lines, virtual registers by their numbers where there are any.
std::string text_of_code(const Code& code, const std::vector<uint8_t>& numbers);

}  // namespace shflsim::isa::ptx
