// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "isa/code.h"
#include "isa/reader/source.h"

namespace shflsim::isa {

/// True for cuobjdump -sass of sm_70 and later: text with two 64-bit words an instruction.
bool is_volta_listing(const SourceText& source);

/// Names of the listing's kernels, in its order.
std::vector<std::string> volta_kernels(const SourceText& source);

/// Reads one kernel; the only one where `name` is empty. Throws InputError, with line and column,
/// for a kernel that is not there, a word without its second half and a SHFL that cannot be used.
Code read_volta_kernel(const SourceText& source, const std::string& name);

}  // namespace shflsim::isa
