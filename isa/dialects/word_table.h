// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "isa/codec/arch.h"
#include "isa/dialects/sm70_listing.h"
#include "isa/dialects/source.h"

namespace shflsim::isa {

/// Tables of words of sm_70 and later, a line each: how often the word occurs, its address, its low
/// and its high 64 bits, its text; between them tabulators. The first three numbers but one are
/// hexadecimal, how often is decimal.
bool is_word_table(const SourceText& source);

/// The words of a table; how often one occurs is not kept. Throws InputError, with line and column,
/// for a line that has other columns.
std::vector<ListedWord> table_words(const SourceText& source);

/// `given`, or else what "smXX" in the file's name says. Throws InputError if neither does.
Arch table_arch(const SourceText& source, std::optional<Arch> given);

}  // namespace shflsim::isa
