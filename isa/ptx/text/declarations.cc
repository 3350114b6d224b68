// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/text/declarations.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "isa/base/bounded.h"

namespace shflsim::isa::ptx {
namespace {

using TokenKind = Token::Kind;

constexpr uint64_t kMostAlignment = 1024;  // bytes; ptxas itself chooses at most 128

uint64_t aligned(uint64_t offset, uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

}  // namespace

void RegisterRows::add(const std::string& base, uint64_t count, Type type) {
  Row& row = rows_[base];
  row = {type, std::max(row.count, count)};
}

Type RegisterRows::type_of(const std::string& name) const {
  for (size_t at = name.size(); at > 1; --at) {
    if (std::isdigit(static_cast<unsigned char>(name[at - 1])) == 0) break;
    const bool is_padded = name[at - 1] == '0' && at < name.size();
    const auto row = rows_.find(name.substr(0, at - 1));
    if (is_padded || row == rows_.end()) continue;
    if (whole_number(name.substr(at - 1)).value_or(kMost) < row->second.count)
      return row->second.type;
  }
  return {};
}

Type DeclarationReader::take_type() {
  const std::string name = at_.peek().text;
  const Type type = name[0] == '.' ? type_named(name.substr(1)) : Type{};
  if (type.bits == 0) at_.fail_here("a type such as .u32");
  at_.take();
  return type;
}

void DeclarationReader::read_number(Operand& operand) {
  const bool minus = at_.take_symbol("-");
  const Token& token = at_.peek();
  switch (token.kind) {
    case TokenKind::kInteger: operand.kind = Operand::Kind::kInteger; break;
    case TokenKind::kFloat: operand.kind = Operand::Kind::kFloat; break;
    case TokenKind::kFloatBits: operand.kind = Operand::Kind::kFloatBits; break;
    default: at_.fail_here("a register, a number or '['");
  }
  operand.value = static_cast<int64_t>(minus ? 0 - token.value : token.value);
  operand.real = minus ? -token.real : token.real;
  at_.take();
}

uint32_t DeclarationReader::take_alignment() {
  if (!at_.take_word(".align")) return 1;
  const Position where = at_.peek().where;
  const uint64_t alignment = at_.take_integer("an alignment");
  bounded(alignment, kMostAlignment, ".align", where);
  if (alignment == 0 || (alignment & (alignment - 1)) != 0)
    throw InputError(where, "an alignment that is no power of two; expected one such as 16");
  return static_cast<uint32_t>(alignment);
}

/// Of elements: "[2][3]" is 6, "[]" is 0.
uint64_t DeclarationReader::take_count() {
  uint64_t count = 1;
  while (at_.take_symbol("[")) {
    const uint64_t dimension = at_.is_symbol("]") ? 0 : at_.take_integer("a number of elements");
    count = product_of(count, dimension);
    at_.expect("]");
  }
  return count;
}

const Variable& DeclarationReader::add_variable(std::map<std::string, Variable>& variables,
                                                uint32_t* end, uint64_t most) {
  const uint32_t alignment = take_alignment();
  Variable variable;
  variable.type = take_type();
  while (at_.take_word(".ptr") || at_.take_word(".global") || at_.take_word(".shared") ||
         at_.take_word(".const")) {
  }
  take_alignment();  // alignment of what the pointer points to
  const Position where = at_.peek().where;
  std::string name = at_.take_name("a name");
  if (name == "_") name += std::to_string(variables.size());  // a parameter of a prototype
  const uint32_t size = std::max(1u, variable.type.bits / 8);
  const uint64_t bytes = product_of(take_count(), size);
  variable.alignment = std::max(alignment, size);
  const uint64_t offset = aligned(*end, variable.alignment);
  bounded(sum_of(offset, bytes), most, "'" + name + "' and what stands before it, in all", where,
          "bytes");
  variable.bytes = static_cast<uint32_t>(bytes);
  variable.offset = static_cast<uint32_t>(offset);
  if (!variables.emplace(name, variable).second) {
    throw InputError(where, "'" + name + "' is declared twice; expected a new name");
  }
  *end = variable.offset + variable.bytes;
  return variables.at(name);
}

void DeclarationReader::add_data(Data& data, uint64_t most) {
  uint32_t end = static_cast<uint32_t>(data.bytes.size());
  const Variable& variable = add_variable(data.variables, &end, most);
  data.bytes.resize(end);
  size_t at = variable.offset;
  if (at_.take_symbol("=")) set_data(data, variable.type.bits / 8, end, &at);
  at_.expect(";");
}

void DeclarationReader::set_data(Data& data, size_t size, size_t end, size_t* at) {
  if (at_.take_symbol("{")) {
    const Nesting level(&depth_, "braces", at_.peek().where);
    do {
      if (!at_.is_symbol("}")) set_data(data, size, end, at);
    } while (at_.take_symbol(","));
    return at_.expect("}");
  }
  if (!fits(*at, size, end)) at_.fail("more values than the variable has elements");
  if (at_.is_any_word()) {
    if (size != sizeof(uint64_t)) at_.fail_here("a number, since an address has 64 bits");
    const bool generic = at_.take_word("generic") && at_.take_symbol("(");
    data.addresses.push_back({*at, at_.take_name("the name of a variable")});
    if (generic) at_.expect(")");
  } else {
    Operand value;
    read_number(value);
    const uint64_t bits = bits_of(value, static_cast<unsigned>(size) * 8);
    std::memcpy(data.bytes.data() + *at, &bits, size);
  }
  *at += size;
}

void DeclarationReader::read_registers(Function& function) {
  const Type type = take_type();
  function.declares_registers = true;
  do {
    const Position where = at_.peek().where;
    const std::string name = at_.take_name("the name of a register");
    if (!at_.take_symbol("<")) {
      function.registers[name] = type;
      continue;
    }
    const uint64_t count = at_.take_integer("a number of registers");
    bounded(count, RegisterRows::kMost, "a row", where, "registers");
    at_.expect(">");
    if (!function.is_fragment) {
      rows_.add(name, count, type);
      continue;
    }
    // Each register of a fragment is kept, since it can be set and seen from outside.
    bounded(function.registers.size() + count, RegisterRows::kMost, "code without a kernel", where,
            "registers");
    for (uint64_t i = 0; i < count; ++i) function.registers[name + std::to_string(i)] = type;
  } while (at_.take_symbol(","));
  at_.expect(";");
}

void DeclarationReader::settle_registers(Function& function) {
  const RegisterRows rows = std::exchange(rows_, {});
  if (rows.empty()) return;
  for (const Statement& statement : function.body) {
    for_each_name(statement, [&](const std::string& name) {
      if (name.empty() || function.registers.count(name) != 0) return;
      const Type type = rows.type_of(name);
      if (type.bits != 0) function.registers[name] = type;
    });
  }
}

}  // namespace shflsim::isa::ptx
