// SPDX-License-Identifier: Apache-2.0
// Vectors are loaded and stored by one access, in consecutive registers.
#include "isa/ptx/statements/vector_access.h"

namespace shflsim::isa::ptx {
namespace {

constexpr unsigned kWordBits = 32;

std::string vector_suffix(unsigned bits) {
  switch (bits) {
    case 16: return ".U16";
    case 32: return "";
    default: return "." + std::to_string(bits);
  }
}

Term word(const Term& row, unsigned number) {
  Term term = row;
  term.part = static_cast<uint8_t>(number);
  term.width = 1;
  return term;
}

Term row_of_words(Lowering& to, unsigned bits) {
  const unsigned words = bits / kWordBits;
  return temporary_written(to, static_cast<uint8_t>(words < 1 ? 1 : words));
}

Term element_to_store(Lowering& to, const Operand& value, Type type) {
  const bool is_wide = width_of(type) == 1 && to.is_pair(value);
  const Term stored = to.source(value, is_wide ? Type{'b', 64} : type);
  return is_wide ? low(stored) : stored;
}

/// Joins the lower byte or half of each register by PRMT.
Term joined(Lowering& to, const Term& a, const Term& b, unsigned bits) {
  constexpr int64_t kBytes = 0x40;
  constexpr int64_t kHalves = 0x5410;
  const Term both = temporary_written(to);
  to.emit("PRMT", {both, a, number(bits == 8 ? kBytes : kHalves), b});
  return read(both);
}

}  // namespace

void extend_upper(Lowering& to, const Term& d, Type type) {
  if (type.is_signed()) {
    Term lower = low(d);
    lower.written = false;
    to.emit("SHR", {high(d), lower, number(31)});
  } else {
    to.emit("MOV", {high(d), rz()});
  }
}

Term loaded_register(Lowering& to, const Operand& result, Type type, bool* extends) {
  *extends = width_of(type) == 1 && to.is_pair(result);
  return to.destination(result, *extends ? 2 : width_of(type));
}

bool is_one_access(Type type, size_t count) {
  constexpr size_t kMostBits = 128;
  return count > 1 && type.bits * count <= kMostBits;
}

void take_element(Lowering& to, const Operand& result, Type type, const Term& row, unsigned bit) {
  bool extends = false;
  const Term d = loaded_register(to, result, type, &extends);
  const Term from = word(row, bit / kWordBits);
  if (type.bits >= kWordBits) {
    to.emit("MOV", {low(d), from});
    if (type.bits == 64) to.emit("MOV", {high(d), word(row, bit / kWordBits + 1)});
  } else {
    const int64_t field = type.bits << 8 | bit % kWordBits;
    to.emit(type.is_signed() ? "BFE" : "BFE.U32", {low(d), from, number(field)});
  }
  if (extends) extend_upper(to, d, type);
}

std::vector<Term> words_of(Lowering& to, Type type, const std::vector<Operand>& values) {
  std::vector<Term> parts;
  for (const Operand& value : values) {
    const Term stored = element_to_store(to, value, type);
    parts.push_back(type.bits == 64 ? low(stored) : stored);
    if (type.bits == 64) parts.push_back(high(stored));
  }
  for (unsigned bits = type.bits; bits < kWordBits && parts.size() > 1; bits *= 2) {
    std::vector<Term> wider;
    for (size_t i = 0; i < parts.size(); i += 2)
      wider.push_back(joined(to, parts[i], parts[i + 1], bits));
    parts = wider;
  }
  return parts;
}

void load_vector(Lowering& to, const std::string& operation, Type type,
                 const std::vector<Operand>& results, const Term& from) {
  const unsigned bits = type.bits * static_cast<unsigned>(results.size());
  const Term row = row_of_words(to, bits);
  to.emit(operation + vector_suffix(bits), {row, from});
  for (unsigned i = 0; i < results.size(); ++i)
    take_element(to, results[i], type, read(row), i * type.bits);
}

void store_vector(Lowering& to, const std::string& operation, Type type,
                  const std::vector<Operand>& values, const Term& place) {
  const unsigned bits = type.bits * static_cast<unsigned>(values.size());
  const std::vector<Term> words = words_of(to, type, values);
  Term row = words.front();
  if (bits > kWordBits) {
    row = row_of_words(to, bits);
    for (unsigned i = 0; i < words.size(); ++i) to.emit("MOV", {word(row, i), words[i]});
    row = read(row);
  }
  to.emit(operation + vector_suffix(bits), {place, row});
}

}  // namespace shflsim::isa::ptx
