// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "isa/codec/arch.h"
#include "isa/dialects/verify.h"

namespace shflsim::isa {

/// True for what verify_words takes.
bool has_long_words(const SourceText& source);

/// Checks every instruction of a listing of sm_70 or later, or of a table of its words: that its
/// fields give the word again, all 128 bits, and its text those bits that it says. `arch` is a
/// table's architecture; without it, that of its file's name ("words.sm90.tsv"). Throws InputError
/// where the file is neither; an instruction that differs does not stop it.
Verification verify_words(const SourceText& source, std::optional<Arch> arch = std::nullopt);

}  // namespace shflsim::isa
