// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "isa/base/bounded.h"
#include "isa/code/program.h"
#include "isa/ptx/lines/lines.h"
#include "isa/ptx/text/call_graph.h"
#include "isa/ptx/text/syntax.h"

namespace shflsim::isa::ptx {

/// The calling convention, as in ptxas' code for sm_50 (docs/sources.md, "Calls"): results and
/// arguments each begin at R4, word by word as in memory. A variable that does not fit completely
/// is on the stack (isa/ptx/lines/frames.h). A callee preserves R2 and R16 to R31.

constexpr int kFirstPassed = 4;
constexpr unsigned kWordsPassed = 12;
constexpr unsigned kPreserved = 17;  ///< registers

constexpr bool is_preserved(unsigned number) {
  return number == 2 || (number >= 16 && number < 32);
}
inline bool is_in_registers(const Variable& passed) {
  return sum_of(passed.offset, passed.bytes) <= kWordsPassed * sizeof(uint32_t);
}
constexpr int register_of_word(uint32_t word) { return kFirstPassed + static_cast<int>(word); }

/// The statement at a function's begin that receives its arguments; it becomes Pseudo::kReceive.
constexpr const char* kReceive = "$receive";

/// A function of the driver that code calls; the assembler adds a trap in its place.
struct DriverFunction {
  const char* name;
  Program::DriverCall call;
  Signature signature;
};
/// vprintf, malloc, free and __assertfail by name; nullptr for another.
const DriverFunction* driver_function_named(const std::string& name);

/// The signature of a call in this body, as the called function or the call's table declares it;
/// nullptr if the text has neither.
const Signature* signature_of(const Module& module, const std::vector<Statement>& body,
                              const Call& call);

/// Inserts moves for the words that calls, returns and Pseudo::kReceive pass, to and from the
/// registers that pass them.
void move_passed_words(Code* code);

/// In a called function: stores the preserved registers that it writes, and loads them before it
/// returns. `numbers`: the numbers of its virtual registers, to which those of the new lines'
/// registers are added.
void preserve_registers(Code* code, std::vector<uint8_t>* numbers);

}  // namespace shflsim::isa::ptx
