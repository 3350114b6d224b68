// SPDX-License-Identifier: Apache-2.0
// Arithmetic on .f16 and .f16x2, for which sm_53 and later have instructions.
#include "isa/ptx/statements/halves.h"

#include "isa/ptx/text/refused.h"

namespace shflsim::isa::ptx {
namespace {

void require(const Lowering& to, unsigned target) {
  const unsigned said = to.module().target;
  if (said == 0 || said >= target) return;
  to.fail("'" + to.statement().opcode + "' on .f16 requires sm_" + std::to_string(target) +
          " or higher; the text says sm_" + std::to_string(said));
}

/// The suffix for the statement's modifiers, such as ".FTZ.SAT"; halves are rounded to nearest.
std::string half_suffix(Modifiers& modifiers) {
  modifiers.take("rn");
  const std::string ftz = modifiers.take("ftz") ? ".FTZ" : "";
  return ftz + (modifiers.take("sat") ? ".SAT" : "");
}

void emit_halves(Lowering& to, Modifiers& modifiers, const std::string& operation, size_t sources,
                 bool negates_last) {
  to.expect_operands(sources + 1, sources + 1);
  const Piece halves = take_halves(to, modifiers);
  const std::string suffix = half_suffix(modifiers);
  modifiers.finish();
  std::vector<Term> terms;
  for (size_t i = 1; i <= sources; ++i) terms.push_back(half_source(to, i, halves));
  if (negates_last) terms.back() = negated(terms.back());
  terms.insert(terms.begin(), to.destination(to.operand(0), 1));
  to.emit(operation + suffix, std::move(terms));
}

void half_add(Lowering& to, Modifiers& modifiers) { emit_halves(to, modifiers, "HADD2", 2, false); }
void half_sub(Lowering& to, Modifiers& modifiers) { emit_halves(to, modifiers, "HADD2", 2, true); }
void half_mul(Lowering& to, Modifiers& modifiers) { emit_halves(to, modifiers, "HMUL2", 2, false); }
void half_fma(Lowering& to, Modifiers& modifiers) { emit_halves(to, modifiers, "HFMA2", 3, false); }

/// Lowers neg and abs to a + -0 with the sign of a changed.
void change_sign(Lowering& to, Modifiers& modifiers, bool negates) {
  to.expect_operands(2, 2);
  const Piece halves = take_halves(to, modifiers);
  const std::string ftz = modifiers.take("ftz") ? ".FTZ" : "";
  modifiers.finish();
  Term a = half_source(to, 1, halves);
  (negates ? a.negate : a.absolute) = true;
  const Term zero = piece_of(negated(rz()), halves);
  to.emit("HADD2" + ftz, {to.destination(to.operand(0), 1), a, zero});
}

void half_neg(Lowering& to, Modifiers& modifiers) { change_sign(to, modifiers, true); }
void half_abs(Lowering& to, Modifiers& modifiers) { change_sign(to, modifiers, false); }

Term widened(Lowering& to, size_t operand, Piece half, const std::string& ftz) {
  const Term wide = temporary_written(to);
  to.emit("F2F" + ftz + ".F32.F16",
          {wide, piece_of(to.source(to.operand(operand), {'b', 32}), half)});
  return read(wide);
}

/// Minimum and maximum of halves have no instruction: computes them in floats of 32 bits.
Term extreme(Lowering& to, Piece half, const std::string& ftz, bool takes_less) {
  const Term a = widened(to, 1, half, ftz);
  const Term b = widened(to, 2, half, ftz);
  const Term wide = temporary_written(to);
  const Term narrow = temporary_written(to);
  to.emit("FMNMX", {wide, a, b, truth(takes_less)});
  to.emit("F2F.F16.F32", {narrow, read(wide)});
  return read(narrow);
}

/// Throws InputError for a form of halves whose hardware begins with an architecture.
void refuse_later_form(Lowering& to, Modifiers& modifiers, const std::string& part,
                       const std::string& architecture) {
  if (!modifiers.take(part)) return;
  to.fail("'" + to.statement().opcode + "' with ." + part +
          " on halves is not supported: " + needs_hardware_of(architecture));
}

void choose_half_extreme(Lowering& to, Modifiers& modifiers, bool takes_less) {
  to.expect_operands(3, 3);
  const Piece halves = take_halves(to, modifiers);
  require(to, 80);
  const std::string ftz = modifiers.take("ftz") ? ".FTZ" : "";
  refuse_later_form(to, modifiers, "NaN", "sm_80");
  refuse_later_form(to, modifiers, "xorsign", "sm_86");
  modifiers.finish();
  const Term lower = extreme(to, Piece::kAll, ftz, takes_less);
  if (halves == kLowerHalf) return move(to, to.destination(to.operand(0), 1), lower);
  const Term upper = extreme(to, Piece::kUpperHalf, ftz, takes_less);
  constexpr int64_t kLowerOfBoth = 0x5410;
  to.emit("PRMT", {to.destination(to.operand(0), 1), lower, number(kLowerOfBoth), upper});
}

void half_min(Lowering& to, Modifiers& modifiers) { choose_half_extreme(to, modifiers, true); }
void half_max(Lowering& to, Modifiers& modifiers) { choose_half_extreme(to, modifiers, false); }

}  // namespace

Piece take_halves(Lowering& to, Modifiers& modifiers) {
  require(to, 53);
  const std::string type = modifiers.take_one_of({"f16", "f16x2"});
  if (type.empty())
    to.fail("'" + to.statement().opcode + "' on other types than .f16; expected .f16 or .f16x2");
  return type == "f16" ? kLowerHalf : kBothHalves;
}

Term half_source(Lowering& to, size_t operand, Piece halves) {
  return piece_of(to.source(to.operand(operand), {'b', 32}), halves);
}

void add_halves(LowerTable& table) {
  const std::string own = kOfHalves;
  table[own + "add"] = half_add;
  table[own + "sub"] = half_sub;
  table[own + "mul"] = half_mul;
  table[own + "fma"] = half_fma;
  table[own + "neg"] = half_neg;
  table[own + "abs"] = half_abs;
  table[own + "min"] = half_min;
  table[own + "max"] = half_max;
}

}  // namespace shflsim::isa::ptx
