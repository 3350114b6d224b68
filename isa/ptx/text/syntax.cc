// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/text/syntax.h"

#include <cstring>

namespace shflsim::isa::ptx {
namespace {

using Names = std::map<std::string, std::string>;

void rename(std::string& name, const Names& names) {
  const auto found = names.find(name);
  if (found != names.end()) name = found->second;
}

void rename(Operand& operand, const Names& names) {
  rename(operand.name, names);
  rename(operand.second, names);
  for (Operand& element : operand.elements) rename(element, names);
}

void visit_names(const Operand& operand, const std::function<void(const std::string&)>& visit) {
  visit(operand.name);
  visit(operand.second);
  for (const Operand& element : operand.elements) visit_names(element, visit);
}

}  // namespace

void for_each_name(const Statement& statement,
                   const std::function<void(const std::string&)>& visit) {
  visit(statement.guard);
  for (const Operand& operand : statement.operands) visit_names(operand, visit);
}

void rename(Statement& statement, const Names& names) {
  rename(statement.label, names);
  rename(statement.guard, names);
  for (Operand& operand : statement.operands) rename(operand, names);
}

Type type_named(const std::string& name) {
  static const std::map<std::string, Type> types = {
      {"u8", {'u', 8}},   {"u16", {'u', 16}},   {"u32", {'u', 32}}, {"u64", {'u', 64}},
      {"s8", {'s', 8}},   {"s16", {'s', 16}},   {"s32", {'s', 32}}, {"s64", {'s', 64}},
      {"b8", {'b', 8}},   {"b16", {'b', 16}},   {"b32", {'b', 32}}, {"b64", {'b', 64}},
      {"f16", {'f', 16}}, {"f16x2", {'b', 32}}, {"f32", {'f', 32}}, {"f64", {'f', 64}},
      {"pred", {'p', 1}},
  };
  const auto type = types.find(name);
  return type == types.end() ? Type{} : type->second;
}

uint64_t bits_of(const Operand& number, unsigned bits) {
  if (number.kind != Operand::Kind::kFloat) return static_cast<uint64_t>(number.value);
  uint64_t wide = 0;
  if (bits == 64) {
    std::memcpy(&wide, &number.real, sizeof wide);
    return wide;
  }
  const float narrow = static_cast<float>(number.real);
  uint32_t word = 0;
  std::memcpy(&word, &narrow, sizeof word);
  return word;
}

}  // namespace shflsim::isa::ptx
