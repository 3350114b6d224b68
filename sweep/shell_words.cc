// SPDX-License-Identifier: Apache-2.0
#include "sweep/shell_words.h"

#include <cctype>

namespace shflsim::sweep {

std::string shell_word(const std::string& text) {
  const std::string plain = "%+,-./:=@_";
  bool is_plain = !text.empty();
  std::string quoted = "'";
  for (const char c : text) {
    is_plain = is_plain && (std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                            plain.find(c) != std::string::npos);
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return is_plain ? text : quoted + "'";
}

}  // namespace shflsim::sweep
