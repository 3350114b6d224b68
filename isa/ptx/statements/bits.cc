// SPDX-License-Identifier: Apache-2.0
// Instructions that count, reverse, extract and insert bits and bytes.
#include <algorithm>

#include "isa/ptx/statements/lowering.h"

namespace shflsim::isa::ptx {
namespace {

void expect_words(Lowering& to, Type type) {
  if (type.bits == 32 || type.bits == 64) return;
  to.fail("'" + to.statement().opcode + "' on this type is not supported; expected 32 or 64 bits");
}

void expect_word(Lowering& to, Type type) {
  if (type.bits == 32) return;
  to.fail("'" + to.statement().opcode + "' on this type is not supported; expected 32 bits");
}

void popc(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  const Type type = modifiers.take_type();
  modifiers.finish();
  expect_words(to, type);
  const Term a = to.source(to.operand(1), type);
  if (type.bits == 32) {
    to.emit("POPC", {to.destination(to.operand(0), 1), a});
    return;
  }
  const Term lower = temporary_written(to);
  const Term upper = temporary_written(to);
  to.emit("POPC", {lower, low(a)});
  to.emit("POPC", {upper, high(a)});
  to.emit("IADD", {to.destination(to.operand(0), 1), read(lower), read(upper)});
}

/// Lowers clz to FLO, which finds the highest set bit and returns -1 if there is none.
void clz(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  const Type type = modifiers.take_type();
  modifiers.finish();
  expect_words(to, type);
  const Term a = to.source(to.operand(1), type);
  const Term found = temporary_written(to);
  to.emit("FLO.U32", {found, type.bits == 64 ? high(a) : a});
  if (type.bits == 32) {
    to.emit("IADD", {to.destination(to.operand(0), 1), negated(read(found)), number(31)});
    return;
  }
  const Term below = temporary_written(to);
  const Term none = temporary_written(to, 0);
  const Term position = temporary_written(to);
  const Term least = temporary_written(to);
  to.emit("FLO.U32", {below, low(a)});
  to.emit("ISETP.EQ.U32.AND", {none, pt(), high(a), rz(), pt()});
  to.emit("IADD", {position, negated(read(below)), number(63)});
  to.emit("IADD", {least, negated(read(found)), number(31)});
  to.emit("SEL", {to.destination(to.operand(0), 1), read(position), read(least), read(none)});
}

void bfind(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  const std::string shift = modifiers.take("shiftamt") ? ".SH" : "";
  const Type type = modifiers.take_type();
  modifiers.finish();
  expect_word(to, type);
  const Term a = to.source(to.operand(1), type);
  to.emit("FLO" + std::string(type.is_signed() ? "" : ".U32") + shift,
          {to.destination(to.operand(0), 1), a});
}

void brev(Lowering& to, Modifiers& modifiers) {
  constexpr int64_t kWhole = 0x2000;  // 32 bits from bit 0
  to.expect_operands(2, 2);
  const Type type = modifiers.take_type();
  modifiers.finish();
  expect_words(to, type);
  const Term a = to.source(to.operand(1), type);
  if (type.bits == 32) {
    to.emit("BFE.U32.BREV", {to.destination(to.operand(0), 1), a, number(kWhole)});
    return;
  }
  const Term result = temporary_written(to, 2);
  to.emit("BFE.U32.BREV", {low(result), high(a), number(kWhole)});
  to.emit("BFE.U32.BREV", {high(result), low(a), number(kWhole)});
  move(to, to.destination(to.operand(0), 2), read(result));
}

/// Position and length of a field in one register: bits 7:0 and 15:8.
Term field(Lowering& to, const Operand& position, const Operand& length) {
  uint64_t first = 0;
  uint64_t count = 0;
  const bool known = to.is_number(position, kWord, &first) && to.is_number(length, kWord, &count);
  if (known) return number(static_cast<int64_t>((count & 0xFF) << 8 | (first & 0xFF)));
  constexpr int64_t kSecondByte = 0x808;
  const Term p = to.source(position, kWord);
  const Term l = to.source(length, kWord);
  const Term packed = temporary_written(to);
  to.emit("BFI", {packed, l, number(kSecondByte), p});
  return read(packed);
}

void bfe(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(4, 4);
  const Type type = modifiers.take_type();
  modifiers.finish();
  expect_word(to, type);
  const Term a = to.source(to.operand(1), type);
  const Term where = field(to, to.operand(2), to.operand(3));
  to.emit(type.is_signed() ? "BFE" : "BFE.U32", {to.destination(to.operand(0), 1), a, where});
}

/// There is no BFI of 64 bits: shifts the field to its position, and selects its bits by a mask.
void insert_pair(Lowering& to) {
  constexpr int64_t kChoose = 0xE2;  // LOP3: a where the mask in the middle is set, else c
  constexpr Type kPair = {'b', 64};
  uint64_t first = 0;
  uint64_t count = 0;
  const bool known =
      to.is_number(to.operand(3), kWord, &first) && to.is_number(to.operand(4), kWord, &count);
  if (!known || first > 63 || count > 64) {
    to.fail(to.operand(3), "a field of 64 bits at this place is not supported; expected numbers");
  }
  const uint64_t ones = count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
  Operand mask = to.operand(3);
  mask.kind = Operand::Kind::kInteger;
  mask.value = static_cast<int64_t>(ones << first);
  const Term a = to.source(to.operand(1), kPair);
  const Term b = to.source(to.operand(2), kPair);
  const Term chosen = to.source(mask, kPair);
  const Term amount = number(static_cast<int64_t>(first));
  const Term moved = temporary_written(to, 2);
  const Term result = temporary_written(to, 2);
  to.emit("SHF.L.U64", {high(moved), low(a), amount, high(a)});
  to.emit("SHL", {low(moved), low(a), amount});
  to.emit("LOP3.LUT", {low(result), low(read(moved)), low(chosen), low(b), number(kChoose)});
  to.emit("LOP3.LUT", {high(result), high(read(moved)), high(chosen), high(b), number(kChoose)});
  move(to, to.destination(to.operand(0), 2), read(result));
}

void bfi(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(5, 5);
  const Type type = modifiers.take_type();
  modifiers.finish();
  expect_words(to, type);
  if (type.bits == 64) return insert_pair(to);
  const Term a = to.source(to.operand(1), type);
  const Term b = to.source(to.operand(2), type);
  const Term where = field(to, to.operand(3), to.operand(4));
  to.emit("BFI", {to.destination(to.operand(0), 1), a, where, b});
}

void prmt(Lowering& to, Modifiers& modifiers) {
  static const std::map<std::string, std::string> kModes = {{"f4e", ".F4E"}, {"b4e", ".B4E"},
                                                            {"rc8", ".RC8"}, {"ecl", ".ECL"},
                                                            {"ecr", ".ECR"}, {"rc16", ".RC16"}};
  to.expect_operands(4, 4);
  const Type type = modifiers.take_type();
  const std::string mode = modifiers.take_one_of({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  modifiers.finish();
  expect_word(to, type);
  const Term a = to.source(to.operand(1), type);
  const Term b = to.source(to.operand(2), type);
  const Term selection = to.short_source(to.operand(3), type);
  to.emit("PRMT" + (mode.empty() ? "" : kModes.at(mode)),
          {to.destination(to.operand(0), 1), a, selection, b});
}

void shf(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(4, 4);
  const std::string side = modifiers.take_one_of({"l", "r"});
  const std::string mode = modifiers.take_one_of({"wrap", "clamp"});
  expect_word(to, modifiers.take_type());
  modifiers.finish();
  if (side.empty() || mode.empty()) {
    to.fail("'shf' without a direction or mode; expected .l or .r, and .clamp or .wrap");
  }
  uint64_t amount = 0;
  const bool wraps = mode == "wrap";
  const bool known = to.is_number(to.operand(3), kWord, &amount);
  const uint64_t seen = wraps ? amount & 31 : std::min<uint64_t>(amount & 0xFFFFFFFF, 32);
  const Term a = to.source(to.operand(1), kWord);
  const Term b = to.source(to.operand(2), kWord);
  const Term c = known ? number(static_cast<int64_t>(seen)) : to.source(to.operand(3), kWord);
  const std::string operation = side == "l" ? "SHF.L" : "SHF.R";
  to.emit(operation + (wraps ? ".W" : ""), {to.destination(to.operand(0), 1), a, c, b});
}

void lop3(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(5, 5);
  expect_word(to, modifiers.take_type());
  modifiers.finish();
  uint64_t table = 0;
  if (!to.is_number(to.operand(4), kWord, &table) || table > 255) {
    to.fail(to.operand(4), "no truth table; expected a number from 0 to 255");
  }
  const Term a = to.source(to.operand(1), kWord);
  const Term b = to.source(to.operand(2), kWord);
  const Term c = to.source(to.operand(3), kWord);
  to.emit("LOP3.LUT",
          {to.destination(to.operand(0), 1), a, b, c, number(static_cast<int64_t>(table))});
}

/// Lowers copysign: d has the sign of a and the magnitude of b.
void copysign(Lowering& to, Modifiers& modifiers) {
  constexpr int64_t kChoose = 0xE2;  // LOP3: a where the mask in the middle is set, else c
  to.expect_operands(3, 3);
  const Type type = modifiers.take_type();
  modifiers.finish();
  expect_words(to, type);
  const Term a = to.source(to.operand(1), type);
  const Term b = to.source(to.operand(2), type);
  const Term mask = temporary_written(to);
  to.emit("MOV32I", {mask, number(0x80000000)});
  const Term d = to.destination(to.operand(0), width_of(type));
  if (type.bits == 64) to.emit("MOV", {low(d), low(b)});
  const auto top = [&type](const Term& term) { return type.bits == 64 ? high(term) : term; };
  to.emit("LOP3.LUT", {top(d), top(a), read(mask), top(b), number(kChoose)});
}

}  // namespace

void add_bits(LowerTable& table) {
  table["popc"] = popc;
  table["clz"] = clz;
  table["bfind"] = bfind;
  table["brev"] = brev;
  table["bfe"] = bfe;
  table["bfi"] = bfi;
  table["prmt"] = prmt;
  table["shf"] = shf;
  table["lop3"] = lop3;
  table["copysign"] = copysign;
}

}  // namespace shflsim::isa::ptx
