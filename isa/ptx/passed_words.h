// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/ptx/syntax.h"

namespace shflsim::isa::ptx {

/// Makes each word of an argument or a result, which ld.param and st.param access around a call, a
/// register, and the access a move. Throws InputError for accesses of which that cannot be said.
void pass_in_registers(Function* function);

}  // namespace shflsim::isa::ptx
