// SPDX-License-Identifier: Apache-2.0
// Moves and conversions.
#include "isa/ptx/statements/special_registers.h"
#include "isa/ptx/statements/vector_access.h"

namespace shflsim::isa::ptx {
namespace {

/// mov.b64 d, {low, high} and mov.b32 d, {low, high} of 16 bits.
void pack(Lowering& to, Type type) {
  constexpr int64_t kLowerHalves = 0x5410;  // selector of PRMT
  const Operand& parts = to.operand(1);
  const Type part = {'b', type.bits / 2};
  const Term a = to.source(parts.elements[0], part);
  const Term b = to.source(parts.elements[1], part);
  if (type.bits == 32) {
    to.emit("PRMT", {to.destination(to.operand(0), 1), a, number(kLowerHalves), b});
    return;
  }
  const Term joined = temporary_written(to, 2);
  to.emit("MOV", {low(joined), a});
  to.emit("MOV", {high(joined), b});
  move(to, to.destination(to.operand(0), 2), read(joined));
}

/// The reverse of pack(): mov.b64 {low, high}, a and mov.b32 {low, high}, a.
void unpack(Lowering& to, Type type) {
  const Operand& parts = to.operand(0);
  const Term a = to.source(to.operand(1), type);
  const Term copy = temporary_written(to, width_of(type));
  move(to, copy, a);
  const Term first = to.destination(parts.elements[0], 1);
  const Term second = to.destination(parts.elements[1], 1);
  to.emit("MOV", {first, low(read(copy))});
  if (type.bits == 64) {
    to.emit("MOV", {second, high(read(copy))});
  } else {
    to.emit("SHR.U32", {second, read(copy), number(16)});
  }
}

/// Lowers mov with four parts, or two bytes, in the order of memory.
void move_row(Lowering& to, Type type, Type part, bool packs) {
  if (!packs) {
    const Term a = to.source(to.operand(1), type);
    const Term copy = temporary_written(to, width_of(type));
    move(to, copy, a);
    unsigned bit = 0;
    for (const Operand& result : to.operand(0).elements) {
      take_element(to, result, part, read(copy), bit);
      bit += part.bits;
    }
    return;
  }
  const std::vector<Term> words = words_of(to, part, to.operand(1).elements);
  const Term joined = temporary_written(to, width_of(type));
  to.emit("MOV", {low(joined), words[0]});
  if (type.bits == 64) to.emit("MOV", {high(joined), words[1]});
  move(to, to.destination(to.operand(0), width_of(type)), read(joined));
}

void move_parts(Lowering& to, Type type) {
  const bool packs = to.operand(1).kind == Operand::Kind::kVector;
  const Operand& parts = to.operand(packs ? 1 : 0);
  const auto count = static_cast<unsigned>(parts.elements.size());
  const Type part = {'b', count == 0 ? 0 : type.bits / count};
  if ((count != 2 && count != 4) || part.bits < 8) {
    to.fail(parts, "this split is not supported; expected two or four parts of 8 bits or more");
  }
  if (count == 4 || part.bits == 8) return move_row(to, type, part, packs);
  return packs ? pack(to, type) : unpack(to, type);
}

void move_number(Lowering& to, Type type, uint64_t value) {
  const Term d = to.destination(to.operand(0), width_of(type));
  to.emit("MOV32I", {low(d), number(static_cast<int64_t>(value & 0xFFFFFFFFu))});
  if (type.bits == 64) to.emit("MOV32I", {high(d), number(static_cast<int64_t>(value >> 32))});
}

/// Lowers mov.v2 and mov.v4, element by element; all are read before one is written.
void move_vector(Lowering& to, Type type, size_t count) {
  if (const auto special = special_vector(to, to.operand(1)); special && type.bits == 32) {
    const std::vector<Operand>& results = to.operand(0).elements;
    for (size_t i = 0; i < std::min(results.size(), special->size()); ++i)
      move(to, to.destination(results[i], 1), (*special)[i]);
    return;
  }
  for (const Operand* vector : {&to.operand(0), &to.operand(1)}) {
    if (vector->elements.size() != count)
      to.fail(*vector, "no vector of " + std::to_string(count) + "; expected one of that length");
  }
  std::vector<Term> copies;
  for (const Operand& element : to.operand(1).elements) {
    copies.push_back(temporary_written(to, width_of(type)));
    move(to, copies.back(), to.source(element, type));
  }
  for (size_t i = 0; i < count; ++i)
    move(to, to.destination(to.operand(0).elements[i], width_of(type)), read(copies[i]));
}

void mov(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  const std::string vector = modifiers.take_one_of({"v2", "v4"});
  const Type type = modifiers.take_type();
  modifiers.finish();
  if (!vector.empty()) return move_vector(to, type, static_cast<size_t>(vector[1] - '0'));
  const bool is_vector =
      to.operand(0).kind == Operand::Kind::kVector || to.operand(1).kind == Operand::Kind::kVector;
  if (is_vector) return move_parts(to, type);
  if (type.kind == 'p') {
    const Term p = to.predicate(to.operand(1));
    to.emit("PSETP.AND.AND", {to.destination(to.operand(0), 0), pt(), p, pt(), pt()});
    return;
  }
  if (move_special(to, type)) return;
  uint64_t value = 0;
  if (to.is_number(to.operand(1), type, &value)) return move_number(to, type, value);
  const Term a = to.address_of_name(to.operand(1), type);
  move(to, to.destination(to.operand(0), width_of(type)), a);
}

std::string type_suffix(Type type) {
  std::string suffix = type.is_float() ? ".F" : type.is_signed() ? ".S" : ".U";
  return suffix + std::to_string(type.bits);
}

/// The operand of the type, which may be in the lower part of a pair.
Term converted_source(Lowering& to, Type from) {
  if (const std::optional<Term> special = special_value(to, to.operand(1), from)) return *special;
  const bool in_pair = width_of(from) == 1 && to.is_pair(to.operand(1));
  return in_pair ? low(to.source(to.operand(1), {'b', 64})) : to.source(to.operand(1), from);
}

/// The destination register. A narrower result is extended if the register is a pair.
Term converted_destination(Lowering& to, Type result) {
  const bool to_pair = to.is_pair(to.operand(0));
  return to.destination(to.operand(0), to_pair ? 2 : width_of(result));
}

void fill_upper(Lowering& to, const Term& d, bool is_signed) {
  if (is_signed) {
    to.emit("SHR", {high(d), read(low(d)), number(31)});
  } else {
    to.emit("MOV", {high(d), rz()});
  }
}

/// Converts integers: the value is truncated, extended or (.sat) clamped to the result's range. The
/// sign of the source type decides how a 64-bit result is extended, the sign of the result type how
/// a wider register is.
void convert_integers(Lowering& to, Type result, Type from, const std::string& sat) {
  if (!sat.empty() && (from.bits == 64 || result.bits == 64)) {
    to.fail("a saturating conversion of 64 bits is not supported; expected 32 at most");
  }
  const Term a = converted_source(to, from);
  const Term d = converted_destination(to, result);
  const Type narrow = result.bits <= from.bits ? result : from;
  if (!sat.empty()) {
    to.emit("I2I" + type_suffix(result) + type_suffix(from) + sat, {low(d), a});
  } else if (narrow.bits < 32) {
    const Type word = {narrow.kind, 32};
    to.emit("I2I" + type_suffix(word) + type_suffix(narrow), {low(d), low(a)});
  } else {
    to.emit("MOV", {low(d), low(a)});
  }
  if (d.width != 2) return;
  if (result.bits == 64 && from.bits == 64) {
    to.emit("MOV", {high(d), high(a)});
  } else {
    fill_upper(to, d, result.bits == 64 ? from.is_signed() : result.is_signed());
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

/// The types and modifiers of a conversion from or to floats.
struct Conversion {
  std::string ftz;
  std::string whole;  ///< rounding to a whole number
  std::string round;
  std::string sat;
  Type result;
  Type from;
};

/// Refuses .sat for results that are doubles, and for halves that are not converted from single
/// precision or from integers.
void check_float_conversion(Lowering& to, const Conversion& how) {
  const bool to_double = how.result.is_float() && how.result.bits == 64;
  const bool to_half = how.result.is_float() && how.result.bits == 16;
  const bool from_other = how.from.is_float() && how.from.bits != 32;
  if (!how.sat.empty() && (to_double || (to_half && from_other)))
    to.fail(
        "this conversion with .sat is not supported; expected .sat to integers, to .f32, or to "
        ".f16 from .f32 or integers");
}

/// Converts to integers of 8 bits: first to 32 bits, then clamped to the range.
void convert_to_bytes(Lowering& to, const Conversion& how, const Term& d, const Term& a) {
  const Term word = temporary_written(to);
  to.emit("F2I" + how.ftz + ".S32" + type_suffix(how.from) + integer_rounding(how.whole),
          {word, a});
  to.emit("I2I" + type_suffix(how.result) + ".S32.SAT", {d, read(word)});
}

/// Clamps to the range from 0 to 1, which a conversion before or after it leaves unchanged.
void saturate(Lowering& to, const Conversion& how, const Term& d, const Term& a) {
  to.emit("FADD" + how.ftz + ".SAT", {d, a, negated(rz())});
}

/// Converts to halves with .sat, through single precision.
void convert_to_saturated_half(Lowering& to, const Conversion& how, const Term& d, const Term& a) {
  const Term single = temporary_written(to);
  const std::string rounding = float_rounding(how.round);
  if (how.from.is_float()) {
    saturate(to, how, single, a);
  } else {
    to.emit("I2F.F32" + type_suffix(how.from) + rounding, {single, a});
    saturate(to, how, single, read(single));
  }
  to.emit("F2F.F16.F32" + rounding, {d, read(single)});
}

/// A conversion without rounding: a move, or an FADD for .ftz and .sat.
void copy_float(Lowering& to, const Conversion& how, const Term& d, const Term& a) {
  if (how.ftz.empty() && how.sat.empty()) return move(to, d, a);
  to.emit("FADD" + how.ftz + how.sat, {d, a, negated(rz())});
}

void convert_same_float(Lowering& to, const Conversion& how, const Term& d, const Term& a) {
  const std::string types = type_suffix(how.result) + type_suffix(how.from);
  if (how.whole.empty()) return copy_float(to, how, d, a);
  const std::string rounding = how.whole == "rni" ? ".ROUND" : integer_rounding(how.whole);
  to.emit("F2F" + how.ftz + types + rounding, {d, a});
  if (!how.sat.empty()) to.emit("FADD" + how.ftz + how.sat, {d, read(d), negated(rz())});
}

void convert_float(Lowering& to, const Conversion& how) {
  check_float_conversion(to, how);
  const Term a = converted_source(to, how.from);
  const Term d = converted_destination(to, how.result);
  const Term narrow = width_of(how.result) == 1 ? low(d) : d;
  const std::string types = type_suffix(how.result) + type_suffix(how.from);
  const bool saturates = !how.sat.empty() && how.result.is_float();
  if (!how.result.is_float() && how.result.bits == 8) {
    convert_to_bytes(to, how, narrow, a);
  } else if (!how.result.is_float()) {
    to.emit("F2I" + how.ftz + types + integer_rounding(how.whole), {narrow, a});
  } else if (saturates && how.result.bits == 16) {
    convert_to_saturated_half(to, how, narrow, a);
  } else if (!how.from.is_float()) {
    to.emit("I2F" + types + float_rounding(how.round), {narrow, a});
    if (saturates) saturate(to, how, narrow, read(narrow));
  } else if (how.result.bits != how.from.bits) {
    to.emit("F2F" + how.ftz + types + float_rounding(how.round), {narrow, a});
    if (saturates) saturate(to, how, narrow, read(narrow));
  } else {
    convert_same_float(to, how, narrow, a);
  }
  if (d.width == 2 && how.result.bits < 64) fill_upper(to, d, how.result.is_signed());
}

void cvt(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  Conversion how;
  how.ftz = modifiers.take("ftz") ? ".FTZ" : "";
  how.sat = modifiers.take("sat") ? ".SAT" : "";
  how.whole = modifiers.take_one_of({"rni", "rzi", "rmi", "rpi"});
  how.round = modifiers.take_one_of({"rn", "rz", "rm", "rp"});
  how.result = modifiers.take_type();
  how.from = modifiers.take_type();
  modifiers.finish();
  if (how.result.is_float() || how.from.is_float()) return convert_float(to, how);
  convert_integers(to, how.result, how.from, how.sat);
}

}  // namespace

void add_conversion(LowerTable& table) {
  table["mov"] = mov;
  table["cvt"] = cvt;
}

}  // namespace shflsim::isa::ptx
