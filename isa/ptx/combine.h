// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "isa/ptx/lines.h"

namespace shflsim::isa::ptx {

/// The line that an operand's value was made by, where what that line reads still holds; nullptr
/// where there is none.
using MadeBy = std::function<const Line*(const Term&)>;

/// An instruction that does what the line and one that makes its operands do together: ISCADD,
/// LOP3, LOP with a predicate, a minimum or maximum by a predicate, SHR. The other line stays; what
/// nothing else reads is dropped later.
void combine(Line& line, const MadeBy& made_by);

}  // namespace shflsim::isa::ptx
