// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "isa/codec/arch.h"
#include "isa/dialects/sm70_listing.h"
#include "isa/dialects/source.h"

namespace shflsim::isa {

/// Tables of words of sm_70 and later, one per line, with columns separated by tabulators: how
/// often the word occurs (decimal), its address, its low and its high 64 bits (hexadecimal), and
/// its text.
bool is_word_table(const SourceText& source);

/// The words of a table without their counts. Throws InputError, with line and column, for a line
/// that has other columns.
std::vector<ListedWord> table_words(const SourceText& source);

/// `given`, or else the architecture "smXX" in the file's name. Throws InputError if there is none.
Arch table_arch(const SourceText& source, std::optional<Arch> given);

}  // namespace shflsim::isa
