// SPDX-License-Identifier: Apache-2.0
// Moves, special registers and conversions.
#include "isa/ptx/lowering.h"

namespace shflsim::isa::ptx {
namespace {

/// What holds a special register: a number for S2R, or a word of constant bank 0 that the driver
/// fills (0x8: threads of a block, 0x14: blocks of the grid).
const std::map<std::string, std::string>& special_registers() {
  static const std::map<std::string, std::string> table = {
      {"%tid.x", "SR_TID.X"},        {"%tid.y", "SR_TID.Y"},        {"%tid.z", "SR_TID.Z"},
      {"%ctaid.x", "SR_CTAID.X"},    {"%ctaid.y", "SR_CTAID.Y"},    {"%ctaid.z", "SR_CTAID.Z"},
      {"%laneid", "SR_LANEID"},      {"%lanemask_eq", "SR_EQMASK"}, {"%lanemask_lt", "SR_LTMASK"},
      {"%lanemask_le", "SR_LEMASK"}, {"%lanemask_gt", "SR_GTMASK"}, {"%lanemask_ge", "SR_GEMASK"},
      {"%clock", "SR_CLOCKLO"},      {"%clock_hi", "SR_CLOCKHI"},   {"%ntid.x", "c[0x0][0x8]"},
      {"%ntid.y", "c[0x0][0xc]"},    {"%ntid.z", "c[0x0][0x10]"},   {"%nctaid.x", "c[0x0][0x14]"},
      {"%nctaid.y", "c[0x0][0x18]"}, {"%nctaid.z", "c[0x0][0x1c]"},
  };
  return table;
}

bool read_special(Lowering& to, Type type) {
  const Operand& from = to.operand(1);
  const bool declared = to.function().registers.count(from.name) != 0;
  if (from.kind != Operand::Kind::kName || from.name[0] != '%' || declared) return false;
  const auto special = special_registers().find(from.name);
  if (special == special_registers().end()) {
    // Without declarations a name such as %r1 may be a register of its own.
    if (to.function().registers.empty()) return false;
    std::vector<std::string> known;
    for (const auto& [name, where] : special_registers()) known.push_back(name);
    for (const auto& [name, declaration] : to.function().registers) known.push_back(name);
    const std::string nearest = nearest_name(from.name, known);
    to.fail(from, "no register '" + from.name + "'" +
                      (nearest.empty()
                           ? "; expected one that .reg declares, %tid.x, %laneid or their like"
                           : "; did you mean '" + nearest + "'?"));
  }
  if (type.bits != 32) to.fail(from, "'" + from.name + "' holds 32 bits; expected mov.u32");
  const bool is_constant = special->second[0] == 'c';
  to.emit(is_constant ? "MOV" : "S2R", {to.destination(to.operand(0), 1), text(special->second)});
  return true;
}

/// The place of a variable in shared memory, as a number.
bool read_address(Lowering& to, Type type) {
  const auto variable = to.function().shared.find(to.operand(1).name);
  if (variable == to.function().shared.end()) return false;
  const Term d = to.destination(to.operand(0), width_of(type));
  to.emit("MOV32I", {low(d), number(variable->second.offset)});
  if (type.bits == 64) to.emit("MOV", {high(d), rz()});
  return true;
}

/// mov.b64 d, {low, high} and back.
void move_parts(Lowering& to, Type type) {
  const Operand& first = to.operand(0);
  const Operand& second = to.operand(1);
  const bool packs = second.kind == Operand::Kind::kVector;
  const Operand& parts = packs ? second : first;
  if (type.bits != 64 || parts.elements.size() != 2) {
    to.fail(parts, "this split is not supported; expected two halves of 64 bits");
  }
  if (packs) {
    const Term a = to.source(parts.elements[0], {'b', 32});
    const Term b = to.source(parts.elements[1], {'b', 32});
    Term joined = to.temporary(2);
    joined.written = true;
    to.emit("MOV", {low(joined), a});
    to.emit("MOV", {high(joined), b});
    joined.written = false;
    const Term d = to.destination(first, 2);
    to.emit("MOV", {low(d), low(joined)});
    to.emit("MOV", {high(d), high(joined)});
    return;
  }
  const Term a = to.source(second, type);
  to.emit("MOV", {to.destination(parts.elements[0], 1), low(a)});
  to.emit("MOV", {to.destination(parts.elements[1], 1), high(a)});
}

void move_number(Lowering& to, Type type, uint64_t value) {
  const Term d = to.destination(to.operand(0), width_of(type));
  to.emit("MOV32I", {low(d), number(static_cast<int64_t>(value & 0xFFFFFFFFu))});
  if (type.bits == 64) to.emit("MOV32I", {high(d), number(static_cast<int64_t>(value >> 32))});
}

void mov(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  const Type type = modifiers.take_type();
  modifiers.finish();
  const bool is_vector =
      to.operand(0).kind == Operand::Kind::kVector || to.operand(1).kind == Operand::Kind::kVector;
  if (is_vector) return move_parts(to, type);
  if (type.kind == 'p') {
    const Term p = to.predicate(to.operand(1));
    to.emit("PSETP.AND.AND", {to.destination(to.operand(0), 0), pt(), p, pt(), pt()});
    return;
  }
  if (read_special(to, type) || read_address(to, type)) return;
  uint64_t value = 0;
  if (to.is_number(to.operand(1), type, &value)) return move_number(to, type, value);
  const Term a = to.source(to.operand(1), type);
  const Term d = to.destination(to.operand(0), width_of(type));
  to.emit("MOV", {low(d), low(a)});
  if (type.bits == 64) to.emit("MOV", {high(d), high(a)});
}

/// Addresses of global memory are the same in the generic space; others stay in theirs.
void cvta(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  modifiers.take("to");
  if (modifiers.take_one_of({"global"}).empty()) {
    to.fail("'cvta' of this space is not supported; expected .global");
  }
  const Type type = modifiers.take_type();
  modifiers.finish();
  const Term a = to.source(to.operand(1), type);
  const Term d = to.destination(to.operand(0), width_of(type));
  to.emit("MOV", {low(d), low(a)});
  if (type.bits == 64) to.emit("MOV", {high(d), high(a)});
}

std::string type_suffix(Type type) {
  std::string suffix = type.is_float() ? ".F" : type.is_signed() ? ".S" : ".U";
  return suffix + std::to_string(type.bits);
}

/// From integer to integer: the value is cut off or extended as the source type says.
void convert_integers(Lowering& to, Type result, Type from) {
  const Term a = to.source(to.operand(1), from);
  const Term d = to.destination(to.operand(0), width_of(result));
  const Type narrow = result.bits < from.bits ? result : from;
  if (narrow.bits < 32) {
    const Type word = {narrow.kind, 32};
    to.emit("I2I" + type_suffix(word) + type_suffix(narrow), {low(d), low(a)});
  } else {
    to.emit("MOV", {low(d), low(a)});
  }
  if (result.bits != 64) return;
  Term lower = low(d);
  lower.written = false;
  if (from.bits == 64) {
    to.emit("MOV", {high(d), high(a)});
  } else if (from.is_signed()) {
    to.emit("SHR", {high(d), lower, number(31)});
  } else {
    to.emit("MOV", {high(d), rz()});
  }
}

std::string integer_rounding(const std::string& name) {
  if (name == "rzi") return ".TRUNC";
  if (name == "rmi") return ".FLOOR";
  return name == "rpi" ? ".CEIL" : "";
}

std::string float_rounding(const std::string& name) {
  if (name == "rz") return ".RZ";
  if (name == "rm") return ".RM";
  return name == "rp" ? ".RP" : "";
}

void cvt(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  const std::string ftz = modifiers.take("ftz") ? ".FTZ" : "";
  const std::string whole = modifiers.take_one_of({"rni", "rzi", "rmi", "rpi"});
  const std::string round = modifiers.take_one_of({"rn", "rz", "rm", "rp"});
  const Type result = modifiers.take_type();
  const Type from = modifiers.take_type();
  modifiers.finish();
  if (!result.is_float() && !from.is_float()) return convert_integers(to, result, from);
  if (result.bits < 32 || from.bits < 32) {
    to.fail(
        "a conversion between floats and less than 32 bits is not supported; expected 32 or 64 "
        "bits");
  }
  const Term a = to.source(to.operand(1), from);
  const Term d = to.destination(to.operand(0), width_of(result));
  const std::string types = type_suffix(result) + type_suffix(from);
  if (!result.is_float()) {
    to.emit("F2I" + ftz + types + integer_rounding(whole), {d, a});
  } else if (!from.is_float()) {
    to.emit("I2F" + types + float_rounding(round), {d, a});
  } else if (result.bits != from.bits) {
    to.emit("F2F" + ftz + types + float_rounding(round), {d, a});
  } else {
    const std::string how = whole.empty()    ? ""
                            : whole == "rni" ? ".ROUND"
                                             : integer_rounding(whole);
    to.emit("F2F" + ftz + types + how, {d, a});
  }
}

}  // namespace

void add_conversion(LowerTable& table) {
  table["mov"] = mov;
  table["cvta"] = cvta;
  table["cvt"] = cvt;
}

}  // namespace shflsim::isa::ptx
