// SPDX-License-Identifier: Apache-2.0
// Video instructions: arithmetic on a byte, a half or all of each operand, and a second operation.
#include <algorithm>

#include "isa/ptx/statements/lowering.h"

namespace shflsim::isa::ptx {
namespace {

/// The type of an operand's part: ".U8" for type u32 with .b2.
std::string part_type(Lowering& to, const Operand& operand, Type type) {
  if (type.bits != 32 || type.is_float()) {
    to.fail("'" + to.statement().opcode + "' on this type is not supported; expected .u32 or .s32");
  }
  const std::string bits = operand.part.empty() ? "32" : operand.part[0] == 'b' ? "8" : "16";
  return (type.is_signed() ? ".S" : ".U") + bits;
}

/// The operand with its part as SPA 5.0 prints it: the lowest part is not printed.
Term part_of(Lowering& to, const Operand& operand) {
  Term term = to.source(operand, kWord);
  if (operand.part.empty() || operand.part[1] == '0') return term;
  if (operand.part[0] != 'b') return piece_of(term, Piece::kUpperHalf);
  static constexpr Piece kBytes[] = {Piece::kAll, Piece::kByte1, Piece::kByte2, Piece::kByte3};
  return piece_of(term, kBytes[(operand.part[1] - '0') & 3]);
}

/// The types of both operands; signed words are the default and are not printed.
std::string both_types(Lowering& to, Type a, Type b) {
  const std::string types = part_type(to, to.operand(1), a) + part_type(to, to.operand(2), b);
  return types == ".S32.S32" ? "" : types;
}

/// The suffix for operand c: a second operation, or the parts of c that the result keeps.
std::string merge_suffix(Lowering& to, Modifiers& modifiers) {
  static const std::map<std::string, std::string> kOperations = {
      {"", ""}, {"add", ".ACC"}, {"min", ".MIN"}, {"max", ".MAX"}};
  static const std::map<std::string, std::string> kParts = {
      {"", ""}, {"h1", ".MRG_16H"}, {"h0", ".MRG_16L"}, {"b0", ".MRG_8B0"}, {"b2", ".MRG_8B2"}};
  to.expect_operands(3, 4);
  const std::string operation = modifiers.take_one_of({"add", "min", "max"});
  const auto part = kParts.find(to.operand(0).part);
  if (part == kParts.end()) {
    to.fail(to.operand(0), "a result in this byte is not supported; expected .b0, .b2, .h0 or .h1");
  }
  const bool has_third = !operation.empty() || !part->first.empty();
  to.expect_operands(has_third ? 4 : 3, has_third ? 4 : 3);
  return operation.empty() ? part->second : kOperations.at(operation);
}

void emit_video(Lowering& to, const std::string& operation, bool negates) {
  const Term a = part_of(to, to.operand(1));
  const Term b = part_of(to, to.operand(2));
  const Term c = to.statement().operands.size() == 4 ? to.source(to.operand(3), kWord) : rz();
  to.emit(operation, {to.destination(to.operand(0), 1), a, negates ? negated(b) : b, c});
}

/// Lowers to `stem`: .SD for a signed result of VABSDIFF, .UD for an unsigned result of others.
void lower_video(Lowering& to, Modifiers& modifiers, const std::string& stem,
                 const std::string& extreme, bool negates) {
  const bool is_difference = stem == "VABSDIFF";
  const std::string merge = merge_suffix(to, modifiers);
  const Type result = modifiers.take_type();
  const Type a = modifiers.take_type();
  const Type b = modifiers.take_type();
  const std::string sat = modifiers.take("sat") ? ".SAT" : "";
  modifiers.finish();
  const std::string signs =
      is_difference ? (result.is_signed() ? ".SD" : "") : (result.is_signed() ? "" : ".UD");
  emit_video(to, stem + signs + both_types(to, a, b) + extreme + sat + merge, negates);
}

void vadd(Lowering& to, Modifiers& modifiers) { lower_video(to, modifiers, "VADD", "", false); }
void vsub(Lowering& to, Modifiers& modifiers) { lower_video(to, modifiers, "VADD", "", true); }
void vmin(Lowering& to, Modifiers& modifiers) { lower_video(to, modifiers, "VMNMX", "", false); }
void vmax(Lowering& to, Modifiers& modifiers) { lower_video(to, modifiers, "VMNMX", ".MX", false); }
void vabsdiff(Lowering& to, Modifiers& modifiers) {
  lower_video(to, modifiers, "VABSDIFF", "", false);
}

void vset(Lowering& to, Modifiers& modifiers) {
  std::string relation = modifiers.take_one_of({"eq", "ne", "lt", "le", "gt", "ge"});
  if (relation.empty()) to.fail("'vset' without a comparison; expected one such as .lt");
  for (char& c : relation) c = static_cast<char>(c - 'a' + 'A');
  const std::string merge = merge_suffix(to, modifiers);
  const Type a = modifiers.take_type();
  const Type b = modifiers.take_type();
  modifiers.finish();
  emit_video(to, "VSET." + relation + both_types(to, a, b) + merge, false);
}

void shift(Lowering& to, Modifiers& modifiers, const std::string& stem) {
  const std::string merge = merge_suffix(to, modifiers);
  const Type result = modifiers.take_type();
  const Type a = modifiers.take_type();
  const Type b = modifiers.take_type();
  const std::string sat = modifiers.take("sat") ? ".SAT" : "";
  const std::string mode = modifiers.take_one_of({"clamp", "wrap"});
  modifiers.finish();
  if (mode.empty() || b.is_signed()) {
    to.fail("'" + to.statement().opcode + "' like this; expected .clamp or .wrap, and .u32 for b");
  }
  const std::string types = part_type(to, to.operand(1), a) + part_type(to, to.operand(2), b);
  emit_video(
      to,
      stem + (result.is_signed() ? "" : ".UD") + types + (mode == "wrap" ? ".W" : "") + sat + merge,
      false);
}

void vshl(Lowering& to, Modifiers& modifiers) { shift(to, modifiers, "VSHL"); }
void vshr(Lowering& to, Modifiers& modifiers) { shift(to, modifiers, "VSHR"); }

void vmad(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(4, 4);
  modifiers.take_type();
  const Type a = modifiers.take_type();
  const Type b = modifiers.take_type();
  const std::string one = modifiers.take("po") ? ".PO" : "";
  const std::string sat = modifiers.take("sat") ? ".SAT" : "";
  const std::string scale = modifiers.take_one_of({"shr7", "shr15"});
  modifiers.finish();
  const std::string shifts = scale.empty() ? "" : ".SHR_" + scale.substr(3);
  emit_video(to, "VMAD" + both_types(to, a, b) + one + shifts + sat, false);
}

/// The only instruction on four bytes at once.
void vabsdiff4(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(4, 4);
  const std::string sums = modifiers.take("add") ? ".ACC" : "";
  const Type result = modifiers.take_type();
  const Type a = modifiers.take_type();
  const Type b = modifiers.take_type();
  modifiers.finish();
  if (result.is_signed()) to.fail("'vabsdiff4' with this result; expected .u32");
  const auto type = [](Type each) { return each.is_signed() ? ".S8" : ".U8"; };
  const bool all_signed = a.is_signed() && b.is_signed();
  const std::string types = all_signed ? "" : std::string(type(a)) + type(b);
  const Term x = to.source(to.operand(1), kWord);
  const Term y = to.source(to.operand(2), kWord);
  const Term c = sums.empty() ? rz() : to.source(to.operand(3), kWord);
  to.emit("VABSDIFF4" + types + sums, {to.destination(to.operand(0), 1), x, y, c});
}

}  // namespace

void add_video(LowerTable& table) {
  table["vadd"] = vadd;
  table["vsub"] = vsub;
  table["vmin"] = vmin;
  table["vmax"] = vmax;
  table["vabsdiff"] = vabsdiff;
  table["vset"] = vset;
  table["vshl"] = vshl;
  table["vshr"] = vshr;
  table["vmad"] = vmad;
  table["vabsdiff4"] = vabsdiff4;
}

}  // namespace shflsim::isa::ptx
