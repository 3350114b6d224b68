// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/ptx/text/syntax.h"

namespace shflsim::isa::ptx {

/// Makes variables in .param of all that calls and functions pass in other forms: registers and
/// numbers in a call, `call (%r1), f, (%r2, 5)`, and functions' own parameters in .reg. Each gets a
/// variable, and a store or a load beside the call, or at the begin or the returns of the function.
/// Throws InputError if a call has more or fewer operands than its signature.
void pass_in_parameters(Module* module);

}  // namespace shflsim::isa::ptx
