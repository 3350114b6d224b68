// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/ptx/lines.h"

namespace shflsim::isa::ptx {

/// A line as SPA 5.0 text, its branch's target being "target". `numbers`: the register or predicate
/// of each virtual one.
std::string text_of_line(const Line& line, const std::vector<uint8_t>& numbers);

/// Whether there is a word for the line, whatever its registers are.
bool has_word(const Line& line);

}  // namespace shflsim::isa::ptx
