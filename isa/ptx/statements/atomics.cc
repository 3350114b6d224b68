// SPDX-License-Identifier: Apache-2.0
// atom and red, in global and shared memory.
#include "isa/ptx/statements/lowering.h"

namespace shflsim::isa::ptx {
namespace {

struct Atomic {
  std::string space;
  std::string operation;  ///< "add"
  Type type;
};

Atomic read_atomic(Lowering& to, Modifiers& modifiers) {
  Atomic atomic;
  modifiers.take_one_of({"relaxed", "acquire", "release", "acq_rel"});
  modifiers.take_one_of({"cta", "cluster", "gpu", "sys"});
  atomic.space = modifiers.take_one_of({"global", "shared"});
  if (modifiers.take("shared::cta")) atomic.space = "shared";
  atomic.operation =
      modifiers.take_one_of({"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"});
  atomic.type = modifiers.take_type();
  modifiers.finish();
  if (atomic.operation.empty()) {
    to.fail("'" + to.statement().opcode + "' without an operation; expected one such as .add");
  }
  return atomic;
}

std::string upper(const std::string& name) {
  std::string result;
  for (const char c : name) result += static_cast<char>(c - 'a' + 'A');
  return result;
}

/// The operand type as ATOM prints it: nothing for bits and unsigned words.
std::string type_suffix(Lowering& to, const Atomic& atomic) {
  const Type type = atomic.type;
  const bool is_add = atomic.operation == "add";
  if (type.is_float() && type.bits == 32 && is_add && atomic.space != "shared") {
    return ".F32.FTZ.RN";
  }
  const bool is_order = atomic.operation == "min" || atomic.operation == "max";
  const bool in_shared = atomic.space == "shared";
  const bool has_wide = !in_shared || atomic.operation == "exch";
  if (type.is_float() || type.bits < 32 || (type.bits == 64 && !has_wide)) {
    to.fail("'" + to.statement().opcode + "." + atomic.operation +
            "' on this type and space is not supported; expected what SPA 5.0 has an instruction "
            "for");
  }
  const bool is_signed = type.is_signed() && is_order;
  if (type.bits == 64) return is_signed ? ".S64" : ".U64";
  return is_signed ? ".S32" : "";
}

Term address_of_atomic(Lowering& to, size_t index, const Atomic& atomic) {
  return to.address_term(to.address(index), atomic.space);
}

std::string instruction(const Atomic& atomic, const char* stem) {
  return atomic.space == "shared" ? std::string(stem) + "S" : std::string(stem) + ".E";
}

/// Compare and swap takes both values from consecutive registers.
void compare_and_swap(Lowering& to, const Atomic& atomic) {
  to.expect_operands(4, 4);
  const bool is_wide = atomic.type.bits == 64;
  if (atomic.type.bits < 32)
    to.fail("'atom.cas' on this type is not supported; expected 32 or 64 bits");
  const Term expected = to.source(to.operand(2), atomic.type);
  const Term wanted = to.source(to.operand(3), atomic.type);
  const Term both = temporary_written(to, is_wide ? 4 : 2);
  const auto part = [&both](uint8_t number, uint8_t width = 1) {
    Term term = both;
    term.part = number;
    term.width = width;
    return term;
  };
  const uint8_t second = is_wide ? 2 : 1;
  to.emit("MOV", {part(0), low(expected)});
  if (is_wide) to.emit("MOV", {part(1), high(expected)});
  to.emit("MOV", {part(second), low(wanted)});
  if (is_wide) to.emit("MOV", {part(3), high(wanted)});
  const Term address = address_of_atomic(to, 1, atomic);
  to.emit(instruction(atomic, "ATOM") + ".CAS" + (is_wide ? ".64" : ""),
          {to.destination(to.operand(0), width_of(atomic.type)), address, read(both),
           read(part(second, second))});
}

void atom(Lowering& to, Modifiers& modifiers) {
  const Atomic atomic = read_atomic(to, modifiers);
  if (atomic.operation == "cas") return compare_and_swap(to, atomic);
  to.expect_operands(3, 3);
  const std::string type = type_suffix(to, atomic);
  const Term value = to.source(to.operand(2), atomic.type);
  const Term address = address_of_atomic(to, 1, atomic);
  to.emit(instruction(atomic, "ATOM") + "." + upper(atomic.operation) + type,
          {to.destination(to.operand(0), width_of(atomic.type)), address, value});
}

void red(Lowering& to, Modifiers& modifiers) {
  const Atomic atomic = read_atomic(to, modifiers);
  to.expect_operands(2, 2);
  const std::string type = type_suffix(to, atomic);
  const Term value = to.source(to.operand(1), atomic.type);
  const Term address = address_of_atomic(to, 0, atomic);
  if (atomic.space == "shared") {
    to.emit("ATOMS." + upper(atomic.operation) + type, {rz(), address, value});
  } else {
    to.emit("RED.E." + upper(atomic.operation) + type, {address, value});
  }
}

}  // namespace

void add_atomics(LowerTable& table) {
  table["atom"] = atom;
  table["red"] = red;
}

}  // namespace shflsim::isa::ptx
