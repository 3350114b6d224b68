// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/lines/terms.h"

#include <utility>

#include "isa/codec/codec.h"

namespace shflsim::isa::ptx {

namespace {

Term of_kind(Term::Kind kind) {
  Term term;
  term.kind = kind;
  return term;
}

}  // namespace

Term rz() { return of_kind(Term::Kind::kZero); }

Term pt() {
  Term term = of_kind(Term::Kind::kTrue);
  term.width = 0;
  return term;
}

Term truth(bool value) { return value ? pt() : negated(pt()); }

Term number(int64_t value) {
  Term term = of_kind(Term::Kind::kNumber);
  term.value = value;
  return term;
}

Term float_term(uint32_t bits) {
  Term term = of_kind(Term::Kind::kFloat);
  term.value = bits;
  return term;
}

Term constant(uint8_t bank, int64_t offset) {
  Term term = of_kind(Term::Kind::kConstant);
  term.bank = bank;
  term.offset = offset;
  return term;
}

Term special(const char* name) {
  Term term = of_kind(Term::Kind::kSpecial);
  term.value = special_register_number(name);
  return term;
}

Term register_term(int id, uint8_t width) {
  Term term = of_kind(Term::Kind::kRegister);
  term.id = id;
  term.width = width;
  return term;
}

Term memory(int id, int64_t offset, uint8_t width) {
  Term term = of_kind(Term::Kind::kMemory);
  term.id = id;
  term.width = width;
  term.offset = offset;
  return term;
}

Term low(Term pair) {
  pair.width = 1;
  return pair;
}

Term high(Term pair) {
  if (pair.kind == Term::Kind::kRegister) pair.part = 1;
  pair.width = 1;
  return pair;
}

Term negated(Term term) {
  term.negate = true;
  return term;
}

Term inverted(Term term) {
  term.invert = true;
  return term;
}

Term piece_of(Term term, Piece piece) {
  term.piece = piece;
  return term;
}

Term written(Term term) {
  term.written = true;
  return term;
}

Term read(Term term) {
  term.written = false;
  return term;
}

Line line_of(const Operation& operation, std::vector<Term> terms, const Position& where) {
  Line line;
  line.operation = operation;
  line.terms = std::move(terms);
  line.where = where;
  return line;
}

}  // namespace shflsim::isa::ptx
