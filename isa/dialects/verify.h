// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "isa/dialects/source.h"

namespace shflsim::isa {

/// What came of a listing's instructions, each taken from its word to text and back.
struct Verification {
  struct Difference {
    unsigned line;  ///< line in the listing
    std::string kernel;
    std::string what;  ///< "reads 'X'; its word says 'Y'", "unknown opcode ..."
  };
  size_t instructions = 0;
  size_t decoded = 0;      ///< words that are an instruction
  size_t texts_equal = 0;  ///< lines whose text is the listing's, white space aside
  size_t reencoded = 0;    ///< lines whose text gives the same word and reuse bits
  std::vector<Difference> differences;

  bool all_equal() const {
    return decoded == instructions && texts_equal == instructions && reencoded == instructions;
  }
};

/// Whether a listing's text and that of its word say the same, white space aside.
bool same_text(const std::string& listed, const std::string& own);

/// Checks every instruction of a cuobjdump or nvdisasm listing of SPA 5.0. Throws InputError if
/// the file is no listing; an instruction that differs does not stop it.
Verification verify_listing(const SourceText& source);

}  // namespace shflsim::isa
