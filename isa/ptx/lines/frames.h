// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "isa/ptx/lines/lines.h"
#include "isa/ptx/text/syntax.h"

namespace shflsim::isa::ptx {

/// A thread's local memory is a stack of frames that grows upwards. The kernel's frame begins at 0,
/// the frame of a called function at R1. A frame holds results and arguments in memory
/// (isa/ptx/lines/convention.h), variables, and registers kept there. A function that calls adds
/// the size of its frame to R1 when it begins, and subtracts it before it returns: a stack that is
/// too deep ends in an access behind local memory.

/// Where the next part of a frame may begin.
constexpr uint64_t on_stack(uint64_t bytes) {
  constexpr uint64_t kAlignment = 16;  // alignment of the largest access, bytes
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}
/// Bytes of results and arguments at the beginning of a frame.
inline uint64_t bytes_passed(const Signature& signature) {
  return on_stack(on_stack(signature.result_bytes) + signature.parameter_bytes);
}

/// Keeps values in the frame that are needed behind calls and have no room in the registers that
/// callees preserve.
void keep_over_calls(Code* code, const Position& where);

/// Registers as allocate() gives them. Where there are too few, some are kept in the frame, and
/// predicates in registers. Throws NoRoom if that is not enough either.
std::vector<uint8_t> allocate_or_spill(Code* code, const Position& where);

/// Once the frame's size is known, puts it into accesses to the frame and beyond, and moves R1 past
/// it. Calls become the instructions that they are.
void settle_calls(Code* code);

}  // namespace shflsim::isa::ptx
