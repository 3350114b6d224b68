// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "isa/ptx/text/syntax.h"

namespace shflsim::isa::ptx {

/// The kernel first, with the bodies of the functions that it calls in place of the calls, their
/// names made its own. Behind it the functions that have to be called: those that come back to
/// themselves, and those that a call by pointer may come to, with their variables placed on the
/// stack (isa/ptx/lines/frames.h). A call of something that is no function of the module stays.
/// Throws InputError for calls that do not fit what they call.
std::vector<Function> with_calls_in_place(const Module& module, const Function& kernel);

}  // namespace shflsim::isa::ptx
