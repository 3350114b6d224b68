// SPDX-License-Identifier: Apache-2.0
// Registers, predicates and numbers as operands.
#include "isa/lanes/lane_map.h"
#include "isa/ptx/lines/frames.h"
#include "isa/ptx/statements/lowering.h"

namespace shflsim::isa::ptx {

namespace {

using Kind = Operand::Kind;

const char* name_of_width(uint8_t width) {
  static const char* const names[] = {"a predicate", "32 bits or less", "64 bits"};
  return names[width];
}

}  // namespace

int Lowering::declare(const std::string& name, uint8_t width) {
  const int id = static_cast<int>(code_.registers.size());
  const bool is_own = name.find('@') == std::string::npos;  // not of an inlined function
  code_.registers.push_back({name, width, function_.is_fragment && is_own});
  if (!name.empty()) ids_[name] = id;
  return id;
}

void Lowering::check_width(int id, const Operand& at, uint8_t width) const {
  const VirtualRegister& found = code_.registers[static_cast<size_t>(id)];
  if (found.width != width) {
    fail(at, "'" + found.name + "' holds " + name_of_width(found.width) + "; expected " +
                 name_of_width(width));
  }
}

int Lowering::id_of(const std::string& name, const Operand& at, uint8_t width) {
  auto known = ids_.find(name);
  if (known == ids_.end() && !function_.declares_registers && name[0] != '.') {
    declare(name, width);
    known = ids_.find(name);
  }
  if (known == ids_.end()) {
    std::vector<std::string> names;
    for (const auto& [declared, id] : ids_) names.push_back(declared);
    const std::string nearest = nearest_name(name, names);
    fail(at, "no register '" + name + "'" +
                 (nearest.empty() ? "; expected one that .reg declares"
                                  : "; did you mean '" + nearest + "'?"));
  }
  check_width(known->second, at, width);
  return known->second;
}

Operand CurrentStatement::guard() const {
  Operand guard;
  guard.name = statement_->guard;
  guard.where = statement_->where;
  return guard;
}

Term Lowering::temporary(uint8_t width) {
  code_.registers.push_back({"", width, false});
  return register_term(static_cast<int>(code_.registers.size()) - 1, width);
}

Term Lowering::fixed_register(int number) {
  const auto [known, is_new] = fixed_.emplace(number, static_cast<int>(code_.registers.size()));
  if (is_new) {
    code_.registers.push_back({"", 1, false});
    code_.registers.back().fixed = number;
  }
  return register_term(known->second);
}

/// The address of the frame in a register, which is constant in the function, while R1 changes.
Term Lowering::frame() {
  if (frame_.id >= 0) return frame_;
  frame_ = temporary();
  std::vector<Line>& entry = code_.blocks.front().lines;
  entry.insert(entry.begin(), line_of(Pseudo::kFrame, {written(frame_)}, statement_->where));
  return frame_;
}

Term Lowering::destination_named(const std::string& name, const Operand& at, uint8_t width) {
  if (name == "_") return width == 0 ? pt() : rz();
  return written(register_term(id_of(name, at, width), width));
}

Term Lowering::destination(const Operand& operand, uint8_t width) {
  if (operand.kind != Kind::kName || operand.negate || operand.value != 0) {
    fail(operand,
         std::string("a result cannot go here; expected a register of ") + name_of_width(width));
  }
  return destination_named(operand.name, operand, width);
}

bool Lowering::is_number(const Operand& operand, Type type, uint64_t* value) const {
  const auto constant = constants_.find(operand.name);
  const bool is_constant = operand.kind == Kind::kName && constant != constants_.end();
  const Operand& from = is_constant ? constant->second : operand;
  if (from.kind != Kind::kInteger && from.kind != Kind::kFloat && from.kind != Kind::kFloatBits) {
    return false;
  }
  *value = bits_of(from, type.bits);
  return true;
}

Term Lowering::number_in_register(uint64_t value, uint8_t width) {
  if (width == 1 && static_cast<uint32_t>(value) == 0) return rz();
  const Term term = temporary_written(*this, width);
  const auto word = [](uint64_t bits) { return number(static_cast<int64_t>(bits & 0xFFFFFFFFu)); };
  emit("MOV32I", {low(term), word(value)});
  if (width == 2) emit("MOV32I", {high(term), word(value >> 32)});
  return read(term);
}

Term Lowering::source(const Operand& operand, Type type) {
  const uint8_t width = width_of(type);
  uint64_t value = 0;
  if (is_number(operand, type, &value)) return number_in_register(value, width);
  if (operand.kind != Kind::kName || operand.negate) {
    fail(operand, std::string("this cannot be read here; expected a register or a number of ") +
                      name_of_width(width));
  }
  if (operand.value != 0)
    fail(operand, "a number behind the register '" + operand.name + "'; expected it alone");
  return register_term(id_of(operand.name, operand, width), width);
}

Term Lowering::short_source(const Operand& operand, Type type) {
  uint64_t value = 0;
  if (type.is_float() || width_of(type) != 1 || !is_number(operand, type, &value))
    return source(operand, type);
  const int64_t word = static_cast<int32_t>(static_cast<uint32_t>(value));
  constexpr int64_t kLimit = 1 << 19;
  return word >= -kLimit && word < kLimit ? number(word) : source(operand, type);
}

Term Lowering::predicate(const Operand& operand) {
  uint64_t value = 0;
  if (is_number(operand, {'p', 1}, &value)) return truth(value != 0);
  if (operand.kind != Kind::kName)
    fail(operand, "this is no predicate; expected one, such as p or !p");
  const Term term = register_term(id_of(operand.name, operand, 0), 0);
  return operand.negate ? negated(term) : term;
}

Term members_of(Lowering& to, const Operand& operand) {
  uint64_t value = 0;
  if (!to.is_number(operand, kWord, &value)) return to.source(operand, kWord);
  return number(static_cast<int64_t>(value) & kAllMembers);
}

Term temporary_written(Lowering& to, uint8_t width) { return written(to.temporary(width)); }

void move(Lowering& to, const Term& d, const Term& from) {
  to.emit("MOV", {low(d), low(from)});
  if (d.width == 2) to.emit("MOV", {high(d), high(from)});
}

Term extended(Lowering& to, const Operand& operand, Type type) {
  uint64_t value = 0;
  Operand exact = operand;
  if (type.bits >= 32) return to.source(operand, type);
  if (to.is_number(operand, type, &value)) {
    const unsigned unused = 64 - type.bits;
    exact.kind = Operand::Kind::kInteger;
    exact.value = type.is_signed() ? static_cast<int64_t>(value << unused) >> unused
                                   : static_cast<int64_t>(value << unused >> unused);
    return to.source(exact, {type.kind, 32});
  }
  const Term a = to.source(operand, type);
  const Term wide = temporary_written(to);
  const bool is_signed = type.is_signed();
  to.emit(is_signed ? "BFE" : "BFE.U32", {wide, a, number(type.bits << 8)});
  return read(wide);
}

}  // namespace shflsim::isa::ptx
