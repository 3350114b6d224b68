// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "isa/ptx/text/syntax.h"

namespace shflsim::isa::ptx {

/// Replaces each word of an argument or result by a register, and each access to it by a move:
/// accesses by ld.param and st.param around a call, and accesses to the function's own parameters
/// except those in `in_memory`. Throws InputError for accesses that cannot be replaced by moves.
void pass_in_registers(Function* function);

/// The function's own arguments and results that have to be in its frame: those that do not fit
/// into the registers of calls, and all arguments, or all results, if one of them is not accessed
/// word by word.
std::set<std::string> passed_in_memory(const Function& function);

}  // namespace shflsim::isa::ptx
