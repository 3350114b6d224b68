// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "isa/codec/arch.h"
#include "isa/dialects/verify.h"

namespace shflsim::isa {

/// True if verify_words() can check the file.
bool has_long_words(const SourceText& source);

/// Checks every instruction of a listing of sm_70 or later, or of a table of words: its fields must
/// encode to all 128 bits of the word, and its text to the bits that the text determines. `arch` is
/// the table's architecture; by default that in the file's name ("words.sm90.tsv"). Throws
/// InputError if the file is neither; an instruction that differs does not stop the check.
Verification verify_words(const SourceText& source, std::optional<Arch> arch = std::nullopt);

}  // namespace shflsim::isa
