// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isa/base/word.h"
#include "isa/code/code.h"
#include "isa/dialects/source.h"

namespace shflsim::isa {

/// One instruction of a listing.
struct ListedWord {
  std::string kernel;
  unsigned line;  ///< line in the file
  uint32_t address;
  std::string text;  ///< labels that are in the listing are replaced by addresses
  Word word;
  std::optional<Arch> arch = {};  ///< where the text says it for this kernel: "code for sm_90"
};

/// All of a listing's instructions, kernel by kernel. Throws InputError for half a word and for
/// addresses out of order.
std::vector<ListedWord> sm70_words(const SourceText& source);
/// The architecture that a listing states; none if the text is not a listing of sm_70 or later.
/// Throws InputError for an unknown architecture.
std::optional<Arch> sm70_arch(const SourceText& source);

}  // namespace shflsim::isa
