// SPDX-License-Identifier: Apache-2.0
// Arithmetic on .f16 and .f16x2, which chips of sm_53 and later have instructions for.
#include "isa/ptx/halves.h"

namespace shflsim::isa::ptx {
namespace {

void require(const Lowering& to, unsigned target) {
  const unsigned said = to.module().target;
  if (said == 0 || said >= target) return;
  to.fail("'" + to.statement().opcode + "' on .f16 requires sm_" + std::to_string(target) +
          " or higher; the text says sm_" + std::to_string(said));
}

/// ".FTZ.SAT", as far as the statement says so; halves are rounded to the nearest.
std::string half_suffix(Modifiers& modifiers) {
  modifiers.take("rn");
  const std::string ftz = modifiers.take("ftz") ? ".FTZ" : "";
  return ftz + (modifiers.take("sat") ? ".SAT" : "");
}

void emit_halves(Lowering& to, Modifiers& modifiers, const std::string& operation, size_t sources,
                 bool negates_last) {
  to.expect_operands(sources + 1, sources + 1);
  const std::string halves = take_halves(to, modifiers);
  const std::string suffix = half_suffix(modifiers);
  modifiers.finish();
  std::vector<Term> terms;
  for (size_t i = 1; i <= sources; ++i) terms.push_back(half_source(to, i, halves));
  if (negates_last) terms.back() = negated(terms.back());
  terms.insert(terms.begin(), to.destination(to.operand(0), 1));
  to.emit(operation + suffix, std::move(terms));
}

void add(Lowering& to, Modifiers& modifiers) { emit_halves(to, modifiers, "HADD2", 2, false); }
void sub(Lowering& to, Modifiers& modifiers) { emit_halves(to, modifiers, "HADD2", 2, true); }
void mul(Lowering& to, Modifiers& modifiers) { emit_halves(to, modifiers, "HMUL2", 2, false); }
void fma(Lowering& to, Modifiers& modifiers) { emit_halves(to, modifiers, "HFMA2", 3, false); }

/// a + -0 with another sign of a.
void change_sign(Lowering& to, Modifiers& modifiers, const char* before, const char* after) {
  to.expect_operands(2, 2);
  const std::string halves = take_halves(to, modifiers);
  const std::string ftz = modifiers.take("ftz") ? ".FTZ" : "";
  modifiers.finish();
  Term a = half_source(to, 1, halves);
  a.before = before;
  a.after += after;
  const Term zero = with_suffix(negated(rz()), halves);
  to.emit("HADD2" + ftz, {to.destination(to.operand(0), 1), a, zero});
}

void neg(Lowering& to, Modifiers& modifiers) { change_sign(to, modifiers, "-", ""); }
void abs(Lowering& to, Modifiers& modifiers) { change_sign(to, modifiers, "|", "|"); }

Term widened(Lowering& to, size_t operand, const char* half, const std::string& ftz) {
  const Term wide = temporary_written(to);
  to.emit("F2F" + ftz + ".F32.F16",
          {wide, with_suffix(to.source(to.operand(operand), {'b', 32}), half)});
  return read(wide);
}

/// There is no such instruction; floats of 32 bits hold every half.
Term extreme(Lowering& to, const char* half, const std::string& ftz, const char* chosen) {
  const Term a = widened(to, 1, half, ftz);
  const Term b = widened(to, 2, half, ftz);
  const Term wide = temporary_written(to);
  const Term narrow = temporary_written(to);
  to.emit("FMNMX", {wide, a, b, text(chosen)});
  to.emit("F2F.F16.F32", {narrow, read(wide)});
  return read(narrow);
}

void choose_extreme(Lowering& to, Modifiers& modifiers, const char* chosen) {
  to.expect_operands(3, 3);
  const std::string halves = take_halves(to, modifiers);
  require(to, 80);
  const std::string ftz = modifiers.take("ftz") ? ".FTZ" : "";
  modifiers.finish();
  const Term lower = extreme(to, "", ftz, chosen);
  if (halves == kLowerHalf) return move(to, to.destination(to.operand(0), 1), lower);
  const Term upper = extreme(to, ".H1", ftz, chosen);
  constexpr int64_t kLowerOfBoth = 0x5410;
  to.emit("PRMT", {to.destination(to.operand(0), 1), lower, number(kLowerOfBoth), upper});
}

void min(Lowering& to, Modifiers& modifiers) { choose_extreme(to, modifiers, "PT"); }
void max(Lowering& to, Modifiers& modifiers) { choose_extreme(to, modifiers, "!PT"); }

}  // namespace

std::string take_halves(Lowering& to, Modifiers& modifiers) {
  require(to, 53);
  const std::string type = modifiers.take_one_of({"f16", "f16x2"});
  if (type.empty())
    to.fail("'" + to.statement().opcode + "' on other types than .f16; expected .f16 or .f16x2");
  return type == "f16" ? kLowerHalf : kBothHalves;
}

Term half_source(Lowering& to, size_t operand, const std::string& halves) {
  return with_suffix(to.source(to.operand(operand), {'b', 32}), halves);
}

void add_halves(LowerTable& table) {
  const std::string own = kOfHalves;
  table[own + "add"] = add;
  table[own + "sub"] = sub;
  table[own + "mul"] = mul;
  table[own + "fma"] = fma;
  table[own + "neg"] = neg;
  table[own + "abs"] = abs;
  table[own + "min"] = min;
  table[own + "max"] = max;
}

}  // namespace shflsim::isa::ptx
