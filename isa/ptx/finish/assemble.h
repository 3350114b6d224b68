// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "isa/code/program.h"
#include "isa/ptx/lines/lines.h"

namespace shflsim::isa::ptx {

/// The words of each line of a text, without the blanks and the semicolon around them.
class TextLines {
 public:
  explicit TextLines(const std::string& text);
  /// Counted from 1; "" for none.
  std::string at(unsigned line) const;

 private:
  std::vector<std::string> lines_;
};

/// A function's code with its registers, and the order in which its blocks stand in memory.
struct PlacedFunction {
  std::string name;
  Code code;
  std::vector<uint8_t> numbers;
  std::vector<int> order;
};

/// Writes the functions as SPA 5.0 text, one behind the other, and encodes them without control.
/// Returns where each begins.
std::map<std::string, uint32_t> assemble(const std::vector<PlacedFunction>& functions,
                                         const TextLines& text, Program* program);

}  // namespace shflsim::isa::ptx
