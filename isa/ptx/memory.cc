// SPDX-License-Identifier: Apache-2.0
// Loads and stores.
#include <cstdio>

#include "isa/machine/machine.h"
#include "isa/ptx/lowering.h"

namespace shflsim::isa::ptx {
namespace {

/// Which memory an access goes to, and of what type it is.
struct Access {
  std::string space;
  Type type;
  unsigned count = 1;  ///< elements of .v2 and .v4
};

Access read_access(Lowering& to, Modifiers& modifiers) {
  Access access;
  modifiers.take_one_of({"volatile", "weak", "relaxed"});
  access.space = modifiers.take_one_of({"global", "shared", "param"});
  modifiers.take_one_of({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  modifiers.take("nc");
  const std::string vector = modifiers.take_one_of({"v2", "v4"});
  access.count = vector.empty() ? 1 : static_cast<unsigned>(vector[1] - '0');
  access.type = modifiers.take_type();
  modifiers.finish();
  if (access.space.empty()) {
    to.fail("'" + to.statement().opcode +
            "' without a space is not supported; expected .global, .shared or .param");
  }
  return access;
}

std::string size_suffix(Type type) {
  switch (type.bits) {
    case 64: return ".64";
    case 32: return "";
    case 16: return type.is_signed() ? ".S16" : ".U16";
    default: return type.is_signed() ? ".S8" : ".U8";
  }
}

Term memory_operand(Lowering& to, const Operand& address, const Access& access) {
  Term term;
  term.kind = Term::Kind::kMemory;
  term.offset = address.value;
  const auto variable = to.function().shared.find(address.name);
  if (access.space == "shared" && variable != to.function().shared.end()) {
    term.offset += variable->second.offset;
    return term;
  }
  if (address.name.empty()) return term;
  Operand base = address;
  base.kind = Operand::Kind::kName;
  const Type wide = {'u', 64};
  if (access.space == "global") {
    term.id = to.source(base, wide).id;
    term.width = 2;
    return term;
  }
  const auto declared = to.function().registers.find(address.name);
  const bool is_wide = declared != to.function().registers.end() && declared->second.bits == 64;
  term.id = to.source(base, is_wide ? wide : Type{'u', 32}).id;
  return term;
}

/// The elements of a vector operand, or the operand itself.
std::vector<Operand> elements_of(Lowering& to, const Operand& operand, const Access& access) {
  const bool is_vector = operand.kind == Operand::Kind::kVector;
  const size_t count = is_vector ? operand.elements.size() : 1;
  if (count != access.count) {
    to.fail(operand,
            std::to_string(count) + " registers; expected " + std::to_string(access.count));
  }
  return is_vector ? operand.elements : std::vector<Operand>{operand};
}

const Operand& address_of(Lowering& to, size_t index) {
  const Operand& address = to.operand(index);
  if (address.kind != Operand::Kind::kAddress)
    to.fail(address, "no address; expected one such as [a+4]");
  return address;
}

void load_parameter(Lowering& to, const Operand& result, const Operand& address, Type type) {
  const auto parameter = to.function().parameters.find(address.name);
  if (parameter == to.function().parameters.end()) {
    std::vector<std::string> known;
    for (const auto& [name, variable] : to.function().parameters) known.push_back(name);
    to.fail(address, "no parameter '" + address.name + "'" + suggestion(address.name, known));
  }
  const auto constant = [&](unsigned offset) {
    char words[32];
    std::snprintf(words, sizeof words, "c[0x0][0x%llx]",
                  static_cast<unsigned long long>(
                      Launch::kParameterBase + parameter->second.offset + address.value + offset));
    return text(words);
  };
  const Term d = to.destination(result, width_of(type));
  if (type.bits < 32) {
    to.emit("LDC" + size_suffix(type), {d, constant(0)});
    return;
  }
  to.emit("MOV", {low(d), constant(0)});
  if (type.bits == 64) to.emit("MOV", {high(d), constant(4)});
}

void ld(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  const Access access = read_access(to, modifiers);
  const Operand& address = address_of(to, 1);
  const std::vector<Operand> results = elements_of(to, to.operand(0), access);
  Operand element = address;
  if (access.space == "param") {
    for (const Operand& result : results) {
      load_parameter(to, result, element, access.type);
      element.value += access.type.bits / 8;
    }
    return;
  }
  const std::string operation = access.space == "global" ? "LDG.E" : "LDS";
  for (const Operand& result : results) {
    const Term from = memory_operand(to, element, access);
    to.emit(operation + size_suffix(access.type),
            {to.destination(result, width_of(access.type)), from});
    element.value += access.type.bits / 8;
  }
}

void st(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  const Access access = read_access(to, modifiers);
  if (access.space == "param")
    to.fail("a store to .param is not supported; expected .global or .shared");
  const std::vector<Operand> values = elements_of(to, to.operand(1), access);
  Operand element = address_of(to, 0);
  const std::string operation = access.space == "global" ? "STG.E" : "STS";
  for (const Operand& value : values) {
    const Term stored = to.source(value, access.type);
    to.emit(operation + size_suffix(access.type), {memory_operand(to, element, access), stored});
    element.value += access.type.bits / 8;
  }
}

}  // namespace

void add_memory(LowerTable& table) {
  table["ld"] = ld;
  table["st"] = st;
}

}  // namespace shflsim::isa::ptx
