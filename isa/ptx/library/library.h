// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/ptx/text/syntax.h"

namespace shflsim::isa::ptx {

/// The library function, written in PTX, that computes the statement; nullptr if the lowering
/// has instructions for it. Its result and its parameters are registers.
const Function* library_function(const Statement& statement);

}  // namespace shflsim::isa::ptx
