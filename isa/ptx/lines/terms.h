// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "isa/ptx/lines/lines.h"

namespace shflsim::isa::ptx {

/// Operands of lines.

Term rz();
Term pt();
/// PT, or !PT.
Term truth(bool value);
Term number(int64_t value);
Term float_term(uint32_t bits);
/// A word of a constant bank.
Term constant(uint8_t bank, int64_t offset);
Term special(const char* name);
/// A virtual register or predicate, as it is read.
Term register_term(int id, uint8_t width = 1);
/// An address: a virtual register, of two words where the address has 64 bits, plus the offset.
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
