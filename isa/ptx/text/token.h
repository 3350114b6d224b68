// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/input_error.h"

namespace shflsim::isa::ptx {

/// One word of a PTX text.
struct Token {
  enum class Kind : uint8_t {
    kName,       ///< letters, digits and . _ $ %: "shfl.sync.up.b32", "%tid.x", ".reg"
    kInteger,    ///< `value`
    kFloat,      ///< `real`: 1.5 or 0d...
    kFloatBits,  ///< `value`: the bits of 0f3F800000
    kString,     ///< "..."
    kSymbol,     ///< one character, or two such as "<<"
    kEnd,
  };
  Kind kind = Kind::kEnd;
  std::string text;
  uint64_t value = 0;
  bool is_unsigned = false;  ///< 7U, and numbers that do not fit into 63 bits
  double real = 0;
  Position where;
};

/// True at a line by which a preprocessor names its input: `# 5 "x.cu"` or `#line 5`.
bool is_line_marker(std::string_view text, size_t at);

/// The words of a text without comments; the last one is kEnd. Throws InputError for a character
/// that PTX does not have, a number out of range and a comment without an end.
std::vector<Token> tokens_of(const std::string& file, const std::string& text);

}  // namespace shflsim::isa::ptx
