// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/codec/codec.h"

namespace shflsim::isa {

/// An instruction in an assembler's words, its control apart from it. From sm_70 on that is more
/// than nvdisasm prints, so that the text gives back the whole word: the descriptors that sm_80 to
/// sm_89 hide, and behind it " &rest=0x..." the bits that are not as the text encodes them.
std::string assembler_text(const Instruction& instruction);
/// " &rest=0x..." of an instruction; "" where the text says all of it, and always in SPA 5.0.
std::string assembler_rest(const Instruction& instruction);

/// The instruction of such a text and control, as it stands at `address`. Throws SyntaxError.
Instruction assembled(Arch arch, std::string_view text, uint32_t address, const Control& control,
                      const Names& names = {});

}  // namespace shflsim::isa
