// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "isa/base/word.h"

namespace shflsim::isa {

/// The digits of a hexadecimal number without the 0x; "" if `text` is not a hexadecimal number.
std::string_view hex_digits(std::string_view text);
/// The word of up to 32 hexadecimal digits.
std::optional<Word> word_of_hex(std::string_view text);

}  // namespace shflsim::isa
