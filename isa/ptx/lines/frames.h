// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "isa/ptx/lines/lines.h"
#include "isa/ptx/text/syntax.h"

namespace shflsim::isa::ptx {

/// A thread's local memory is a stack of frames that grows upwards. The kernel's frame begins at 0,
/// the frame of a called function at R1. A frame holds results and arguments in memory
/// (isa/ptx/lines/convention.h), variables, and saved registers. A function that calls others adds
/// the size of its frame to R1 when it begins, and subtracts it before it returns. A stack overflow
/// results in an access beyond the end of local memory.

/// The offset at which the next part of a frame may begin.
constexpr uint64_t on_stack(uint64_t bytes) {
  constexpr uint64_t kAlignment = 16;  // alignment of the largest access, bytes
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}
/// Bytes of results and arguments at the beginning of a frame.
inline uint64_t bytes_passed(const Signature& signature) {
  return on_stack(on_stack(signature.result_bytes) + signature.parameter_bytes);
}

/// Spills values to the frame that are needed after calls and do not fit into the registers that
/// callees preserve.
void keep_over_calls(Code* code, const Position& where);

/// Allocates registers with allocate(). If there are too few, spills registers to the frame, and
/// predicates to registers. Throws NoRoom if that is not enough.
std::vector<uint8_t> allocate_or_spill(Code* code, const Position& where);

/// When the frame's size is known: puts it into accesses to the frame and beyond, adds it to R1,
/// and turns calls into instructions.
void settle_calls(Code* code);

}  // namespace shflsim::isa::ptx
