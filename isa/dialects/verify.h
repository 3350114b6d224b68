// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "isa/dialects/source.h"

namespace shflsim::isa {

/// The result of a check of a listing: each instruction is decoded, printed and encoded again.
struct Verification {
  struct Difference {
    unsigned line;  ///< line in the listing
    std::string kernel;
    std::string what;  ///< "reads 'X'; its word says 'Y'", "unknown opcode ..."
  };
  size_t instructions = 0;
  size_t decoded = 0;      ///< words that can be decoded
  size_t texts_equal = 0;  ///< lines whose text equals the listing's, apart from white space
  size_t reencoded = 0;    ///< lines whose text encodes to the listing's word and reuse bits
  std::vector<Difference> differences;

  bool all_equal() const {
    return decoded == instructions && texts_equal == instructions && reencoded == instructions;
  }
};

/// True if a listing's text equals the text of its word, apart from white space.
bool same_text(const std::string& listed, const std::string& own);

/// Checks every instruction of a cuobjdump or nvdisasm listing of SPA 5.0. Throws InputError if
/// the file is not a listing; an instruction that differs does not stop the check.
Verification verify_listing(const SourceText& source);

}  // namespace shflsim::isa
