// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "isa/code/program.h"
#include "isa/dialects/source.h"

namespace shflsim::fuzz {

/// Uses a program as commands do: writes it in every syntax, chooses its control, checks it during
/// some executed steps.
void use_program(const isa::Program& program);

/// Reads the first kernels of a text in this dialect and uses each of them.
void use_text(const char* dialect, std::string_view text);

/// Code that is only timed: reads the first kernels and lays out the region of each.
void use_timed_text(const char* dialect, std::string_view text);

}  // namespace shflsim::fuzz
