// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "isa/code/program.h"
#include "isa/ptx/lines/lines.h"

namespace shflsim::isa::ptx {

/// The lines of a text, without comments, surrounding blanks and the semicolon.
class TextLines {
 public:
  explicit TextLines(const std::string& text);
  /// The line with this number, from 1; "" if there is none.
  std::string at(unsigned line) const;

 private:
  std::vector<std::string> lines_;
};

/// A function's code with its registers' numbers, and the order of its blocks in memory.
struct PlacedFunction {
  std::string name;
  Code code;
  std::vector<uint8_t> numbers;
  std::vector<int> order;
};

/// Appends the functions to the program, one after the other, encoded without control. Returns the
/// address of each function.
std::map<std::string, uint32_t> assemble(const std::vector<PlacedFunction>& functions,
                                         const TextLines& text, Program* program);

}  // namespace shflsim::isa::ptx
