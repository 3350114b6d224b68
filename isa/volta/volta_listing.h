// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "isa/input_error.h"
#include "isa/reader/source.h"
#include "isa/volta/volta_instruction.h"

namespace shflsim::isa {

struct VoltaKernel {
  std::string name;
  std::vector<VoltaInstruction> code;  ///< by address: 0, 16, 32, ...
};

/// True for cuobjdump -sass of sm_70 and later: text with two 64-bit words an instruction.
bool is_volta_listing(const SourceText& source);

/// Names of the listing's kernels, in its order.
std::vector<std::string> volta_kernels(const SourceText& source);

/// Reads one kernel; the only one where `name` is empty. Throws InputError, with line and column,
/// for a kernel that is not there, a word without its second half and a SHFL that cannot be used.
VoltaKernel read_volta_kernel(const SourceText& source, const std::string& name);

/// One instruction from its text and its word. Throws InputError at `where`.
VoltaInstruction volta_instruction(const std::string& text, uint32_t address, uint64_t low,
                                   uint64_t high, const Position& where);

}  // namespace shflsim::isa
