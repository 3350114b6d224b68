// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "isa/ptx/text/syntax.h"

namespace shflsim::isa::ptx {

/// The kernel first, with the bodies of the functions that it calls in place of the calls, their
/// names made unique. Then the functions that have to be called: recursive functions, and functions
/// that a call by pointer may reach, with their variables placed on the stack
/// (isa/ptx/lines/frames.h). A call of something that is no function of the module stays. Throws
/// InputError for calls that do not fit the function.
std::vector<Function> with_calls_in_place(const Module& module, const Function& kernel);

}  // namespace shflsim::isa::ptx
