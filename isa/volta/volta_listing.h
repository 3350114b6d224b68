// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "isa/code.h"
#include "isa/reader/source.h"

namespace shflsim::isa {

/// Names of the listing's kernels, in its order.
std::vector<std::string> volta_kernels(const SourceText& source);

/// Reads one kernel of cuobjdump -sass or nvdisasm -hex of sm_70 and later: text with two 64-bit
/// words an instruction. Throws InputError, with line and column, for a word without its second
/// half and a SHFL that cannot be used. An unknown name gives no line.
Code read_volta_kernel(const SourceText& source, const std::string& name);

}  // namespace shflsim::isa
