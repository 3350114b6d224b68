// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "isa/codec/control.h"

namespace shflsim::isa {

/// The control of one instruction in the notations of two assemblers, before the instruction. Both
/// print `Y` if bit 4 of the issue code is clear, `-` if it is set; `.reuse` is on the operands.

/// maxas: "01:-:2:Y:d": wait mask, read and write barrier counted from 1, bit 4, stall;
/// hexadecimal.
std::string maxas_control(const Control& control);
/// CuAssembler: "[B0-----:R-:W1:Y:S13]": waits by position, scoreboards counted from 0, stall
/// decimal. The older form begins with the reuse flags: "[-R--:B------:R-:W-:-:S06]".
std::string cuasm_control(const Control& control);

/// Reads a control at the begin of `text` and removes it; returns none and leaves `text` unchanged
/// if `text` does not begin with a control.
std::optional<Control> take_maxas_control(std::string_view* text);
std::optional<Control> take_cuasm_control(std::string_view* text);

}  // namespace shflsim::isa
