// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isa/ptx/lines/lines.h"
#include "isa/ptx/text/syntax.h"

namespace shflsim::isa::ptx {

constexpr uint8_t kConstantBank = 3;  ///< bank of .const variables, as in ptxas' code
constexpr uint8_t kAddressBank = 4;   ///< bank of the addresses of .global variables
constexpr uint8_t kFunctionBank = 2;  ///< bank of function addresses, for function pointers

/// The supported instructions, by the name before the first dot.
const std::vector<std::string>& opcodes();
bool is_opcode(const std::string& name);

/// Lowers a function to code on virtual registers. `globals` receives the variables that it names;
/// `warnings` receives a line for each questionable statement, in the form of an InputError. Throws
/// InputError for invalid statements.
Code lower(const Module& module, const Function& function, UsedGlobals* globals,
           std::vector<std::string>* warnings);

/// The value of a pointer to the function with this name: the offset of its address in the bank of
/// functions, which is the same for all kernels of a module. No function has offset 0 (null).
std::optional<uint64_t> pointer_to(const Module& module, const std::string& name);

}  // namespace shflsim::isa::ptx
