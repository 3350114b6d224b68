// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isa/code.h"
#include "isa/reader/source.h"
#include "isa/word.h"

namespace shflsim::isa {

/// Names of the listing's kernels, in its order.
std::vector<std::string> volta_kernels(const SourceText& source);

/// One instruction of a listing as it stands there.
struct ListedWord {
  std::string kernel;
  unsigned line;  ///< in the file
  uint32_t address;
  std::string text;  ///< labels replaced by addresses where the listing has them
  Word word;
};

/// All of a listing's instructions, kernel by kernel. Throws InputError for half a word and for
/// addresses out of order.
std::vector<ListedWord> volta_words(const SourceText& source);
/// The architecture that a listing says it is of, and none where it is no listing of sm_70 or
/// later. Throws InputError for one that is not known.
std::optional<Arch> volta_arch(const SourceText& source);

/// Reads one kernel of cuobjdump -sass or nvdisasm -hex of sm_70 and later: text with two 64-bit
/// words an instruction. Throws InputError, with line and column, for a word without its second
/// half and a SHFL that cannot be used. An unknown name gives no line.
Code read_volta_kernel(const SourceText& source, const std::string& name);

}  // namespace shflsim::isa
