// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "isa/base/bounded.h"
#include "isa/code/program.h"
#include "isa/ptx/lines/lines.h"
#include "isa/ptx/text/syntax.h"

namespace shflsim::isa::ptx {

/// How calls pass words, as in the code of ptxas for sm_50 (docs/sources.md, "Calls"): results and
/// arguments each begin at R4, word by word as they would stand in memory. What does not fit wholly
/// stands on the stack (isa/ptx/lines/frames.h). A callee leaves R2 and R16 to R31 as they were.

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

/// The statement at a function's begin that its arguments come with; it becomes a Pseudo::kReceive.
constexpr const char* kReceive = "$receive";

/// A function of the driver that code calls: the assembler adds what stands for it.
struct DriverFunction {
  const char* name;
  Program::DriverCall call;
  Signature signature;
};
/// vprintf, malloc and free by name; nullptr for another.
const DriverFunction* driver_function_named(const std::string& name);

/// Words that calls, returns and Pseudo::kReceive name become moves to and from the registers that
/// they pass through.
void move_passed_words(Code* code);

/// For a function that is called: stores the preserved registers that it writes, and loads them
/// before it returns. `numbers`: of its virtual registers; the numbers of the new lines' registers
/// are added.
void preserve_registers(Code* code, std::vector<uint8_t>* numbers);

}  // namespace shflsim::isa::ptx
