// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/codec/codec.h"

namespace shflsim::isa {

/// An instruction in an assembler's words, without its control. From sm_70 on the text has more
/// than nvdisasm prints, so that it determines the whole word: the descriptors that sm_80 to sm_89
/// hide, and at the end " &rest=0x..." with the bits that differ from what the text encodes.
std::string assembler_text(const Instruction& instruction);
/// " &rest=0x..." of an instruction; "" where the text says all of it, and always in SPA 5.0.
std::string assembler_rest(const Instruction& instruction);

/// The instruction of such a text and control, as it stands at `address`. Its operands are kept for
/// reuse where the text says so or a bit of `reuse` is set. Throws SyntaxError.
Instruction assembled(Arch arch, std::string_view text, uint32_t address, const Control& control,
                      const Names& names = {}, uint8_t reuse = 0);

}  // namespace shflsim::isa
