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

/// The instructions that are understood, by the name in front of the first dot.
const std::vector<std::string>& opcodes();
bool is_opcode(const std::string& name);

/// Lowers a function to code on virtual registers. `globals` receives the variables that it names,
/// and `warnings` a line for what the text should not do, in the form of an InputError. Throws
/// InputError for what it must not do.
Code lower(const Module& module, const Function& function, UsedGlobals* globals,
           std::vector<std::string>* warnings);

/// What a pointer to the function of that name holds: the place of its address in the bank of
/// functions, the same for all kernels of a module. Null points to none.
std::optional<uint64_t> pointer_to(const Module& module, const std::string& name);

}  // namespace shflsim::isa::ptx
