// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/codec/codec.h"

namespace shflsim::isa {

/// An instruction in an assembler's syntax, without its control. From sm_70 on the text contains
/// more than nvdisasm prints, so that it determines the whole word: descriptors that nvdisasm hides
/// on sm_80 to sm_89. assembler_rest() has the bits that differ from the text's encoding.
std::string assembler_text(const Instruction& instruction);
/// " &rest=0x...": bits that differ from the text's encoding; "" if none differ, and in SPA 5.0.
std::string assembler_rest(const Instruction& instruction);

/// Assembles such a text with a control, for `address`. An operand is kept for reuse if the text
/// says `.reuse` or its bit of `reuse` is set. Throws SyntaxError.
Instruction assembled(Arch arch, std::string_view text, uint32_t address, const Control& control,
                      const Names& names = {}, uint8_t reuse = 0);

}  // namespace shflsim::isa
