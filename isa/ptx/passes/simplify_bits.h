// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/ptx/passes/simplify.h"

namespace shflsim::isa::ptx {

/// Simplifies shifts of pairs by known distances, LOP3 with operands that are all zeros or all
/// ones, and masks and extensions that change nothing.
void simplify_bits(Line& line, const KnownOf& known);

/// The bits that are 0 in the line's first result for all values of its operands.
uint32_t zero_bits(const Line& line, const KnownOf& known);

}  // namespace shflsim::isa::ptx
