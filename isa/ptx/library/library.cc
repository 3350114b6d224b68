// SPDX-License-Identifier: Apache-2.0
// Instructions without an equivalent in SPA 5.0, as functions in PTX. Names with '$' are the
// library's own.
#include "isa/ptx/library/library.h"

#include <algorithm>

#include "isa/ptx/library/library_text.h"
#include "isa/ptx/statements/lowering.h"

namespace shflsim::isa::ptx {
namespace {

std::map<std::string, Function> functions_of_library() {
  Module module = parse({"library.ptx", library_text()}, is_opcode);
  std::map<std::string, Function> functions;
  for (Function& each : module.functions) {
    const std::string name = each.name;
    functions.emplace(name, std::move(each));
  }
  return functions;
}

/// The name in the library: "div.rn.f64". Scopes and memory orders of atomics are left out.
std::string name_in_library(const Statement& statement) {
  static const std::set<std::string> kVisibility = {"relaxed", "acquire", "release", "acq_rel",
                                                    "cta",     "cluster", "gpu",     "sys"};
  const bool is_atomic = statement.opcode == "atom" || statement.opcode == "red";
  std::string name = statement.opcode;
  for (const std::string& part : statement.parts) {
    if (is_atomic && kVisibility.count(part) != 0) continue;
    name += part == "shared::cta" ? ".shared" : "." + part;
  }
  return name;
}

void add_term(Lowering& to, std::vector<Term>* terms, size_t index, Type type) {
  terms->push_back(to.source(to.operand(index), type));
}

/// Lowers $fnma: d = c - a * b, rounded once.
void fuse_negated(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(4, 4);
  const Type type = modifiers.take_type();
  modifiers.finish();
  std::vector<Term> terms;
  for (size_t i = 1; i < 4; ++i) add_term(to, &terms, i, type);
  terms[1] = negated(terms[1]);
  terms.insert(terms.begin(), to.destination(to.operand(0), width_of(type)));
  to.emit(type.bits == 64 ? "DFMA" : "FFMA", terms);
}

/// Lowers $fchk: true if a / b needs more than the few steps that suffice for most quotients.
void check_division(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(3, 3);
  const Type type = modifiers.take_type();
  modifiers.finish();
  std::vector<Term> terms = {to.destination(to.operand(0), 0)};
  for (size_t i = 1; i < 3; ++i) add_term(to, &terms, i, type);
  to.emit("FCHK.DIVIDE", terms);
}

/// Lowers $setp_abs: true if |a| is greater than b (.gt), or not less than b (.geu).
void compare_magnitude(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(3, 3);
  const bool is_greater = modifiers.take("gt");
  modifiers.take("geu");
  const Type type = modifiers.take_type();
  modifiers.finish();
  const Term p = to.destination(to.operand(0), 0);
  Term a = to.source(to.operand(1), type);
  a.absolute = true;
  const Term b = to.source(to.operand(2), type);
  to.emit(is_greater ? "FSETP.GT.AND" : "FSETP.GEU.AND", {p, pt(), a, b, pt()});
}

void not_lowered(Lowering& to, Modifiers& /*modifiers*/) {
  std::string name = to.statement().opcode;
  for (const std::string& part : to.statement().parts) name += "." + part;
  to.fail("'" + name + "' is not supported; expected another type, or as many operands as it has");
}

}  // namespace

const Function* library_function(const Statement& statement) {
  static const std::map<std::string, Function> functions = functions_of_library();
  const std::string name = name_in_library(statement);
  const auto found = functions.find(name);
  if (found == functions.end()) return nullptr;
  const Function& function = found->second;
  const size_t operands = function.results.size() + function.parameters.size();
  return statement.operands.size() == operands ? &function : nullptr;
}

void add_library(LowerTable& table) {
  table["$fnma"] = fuse_negated;
  table["$fchk"] = check_division;
  table["$setp_abs"] = compare_magnitude;
  for (const char* const name :
       {"fns", "bmsk", "szext", "cnot", "dp4a", "dp2a", "mul24", "mad24", "testp"}) {
    table[name] = not_lowered;  // all of their forms are in the library
  }
  table["$quotient"] = not_lowered;
  table["$root"] = not_lowered;
  table["$sqrt"] = not_lowered;
  table["$rsqrt"] = not_lowered;
}

}  // namespace shflsim::isa::ptx
