// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/ptx/syntax.h"

namespace shflsim::isa::ptx {

/// The kernel with the bodies of the functions that it calls in place of the calls, their names
/// made its own. Throws InputError for recursion and for calls under a guard; a call of something
/// that is no function of the module stays.
Function with_calls_in_place(const Module& module, const Function& function);

}  // namespace shflsim::isa::ptx
