// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/ptx/text/syntax.h"

namespace shflsim::isa::ptx {

/// The function, written in PTX, that computes what the statement asks for; nullptr where the
/// lowering has instructions of its own for it. Its result and its parameters are registers.
const Function* library_function(const Statement& statement);

}  // namespace shflsim::isa::ptx
