// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "isa/lanes/lane_map.h"

namespace shflsim::report {

/// A value for each lane, as the user describes it: 32 numbers separated by commas, or numbers and
/// the word `lane` joined by + - * / % & | ^, evaluated from left to right ("lane*2%32", "lane^5",
/// "7"). Throws InputError that begins with `option`.
isa::LaneValues lane_pattern(const std::string& text, const std::string& option);

/// A 32-bit mask, "0x0000ffff" or decimal. Throws InputError.
isa::LaneMask lane_mask(const std::string& text, const std::string& option);

}  // namespace shflsim::report
