// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "isa/codec/control.h"

namespace shflsim::isa {

/// The control of one instruction as two assemblers write it in front of its text. Both print `Y`
/// where bit 4 of the issue code is clear, `-` where it is set; `.reuse` stands on the operands.

/// maxas: "01:-:2:Y:d": wait mask, read and write barrier counted from 1, bit 4, stall;
/// hexadecimal.
std::string maxas_control(const Control& control);
/// CuAssembler: "[B0-----:R-:W1:Y:S13]": waits by position, scoreboards counted from 0, stall
/// decimal. Its older form has the reuse flags in front: "[-R--:B------:R-:W-:-:S06]".
std::string cuasm_control(const Control& control);

/// Reads a control and moves `text` behind it; none, and `text` unchanged, if there is none in
/// front.
std::optional<Control> take_maxas_control(std::string_view* text);
std::optional<Control> take_cuasm_control(std::string_view* text);

}  // namespace shflsim::isa
