// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "isa/ptx/lines/lines.h"

namespace shflsim::isa::ptx {

/// Functions that make operands of lines.

Term rz();
Term pt();
/// PT, or !PT.
Term truth(bool value);
Term number(int64_t value);
Term float_term(uint32_t bits);
/// A word of a constant bank.
Term constant(uint8_t bank, int64_t offset);
Term special(const char* name);
/// A virtual register or predicate that is read.
Term register_term(int id, uint8_t width = 1);
/// An address: a virtual register (two words for a 64-bit address) plus the offset.
Term memory(int id, int64_t offset, uint8_t width = 1);
Term low(Term pair);
Term high(Term pair);
Term negated(Term term);
Term inverted(Term term);
Term piece_of(Term term, Piece piece);
Term written(Term term);
Term read(Term term);

Line line_of(const Operation& operation, std::vector<Term> terms, const Position& where = {});

}  // namespace shflsim::isa::ptx
