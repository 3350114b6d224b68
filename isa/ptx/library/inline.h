// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "isa/ptx/text/syntax.h"

namespace shflsim::isa::ptx {

/// Returns the kernel with calls replaced by the bodies of the called functions, whose names are
/// made unique; then the functions that cannot be inlined: recursive ones, and those that a call by
/// pointer may reach, with their variables on the stack (isa/ptx/lines/frames.h). Calls of
/// functions not in the module are unchanged. Throws InputError for calls that do not match the
/// function's signature.
std::vector<Function> with_calls_in_place(const Module& module, const Function& kernel);

}  // namespace shflsim::isa::ptx
