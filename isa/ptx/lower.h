// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "isa/ptx/lines.h"
#include "isa/ptx/syntax.h"

namespace shflsim::isa::ptx {

constexpr uint8_t kConstantBank = 3;  ///< of .const variables, as ptxas has it
constexpr uint8_t kAddressBank = 4;   ///< of the addresses of .global variables

/// The instructions that are understood, by the name in front of the first dot.
const std::vector<std::string>& opcodes();
bool is_opcode(const std::string& name);

/// A function's code on virtual registers. `warnings` receives what the text should not do, as
/// lines like those of an InputError. Throws InputError for what it must not do.
Code lower(const Module& module, const Function& function, std::vector<std::string>* warnings);

}  // namespace shflsim::isa::ptx
