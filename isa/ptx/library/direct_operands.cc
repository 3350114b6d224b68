// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/library/direct_operands.h"

#include <algorithm>
#include <utility>

#include "isa/ptx/lines/convention.h"
#include "isa/ptx/text/call_graph.h"

namespace shflsim::isa::ptx {
namespace {

using Kind = Operand::Kind;

Operand place_named(const std::string& name, const Position& where) {
  Operand place;
  place.kind = Kind::kAddress;
  place.name = name;
  place.where = where;
  return place;
}

/// A load or a store of the variable `name`, under the guard of `by`.
Statement access(const Statement& by, const char* opcode, const std::string& type,
                 std::vector<Operand> operands) {
  Statement statement;
  statement.guard = by.guard;
  statement.guard_negate = by.guard_negate;
  statement.opcode = opcode;
  statement.parts = {"param", type};
  statement.operands = std::move(operands);
  statement.where = by.where;
  return statement;
}

bool is_float(const Operand& operand) {
  return operand.kind == Kind::kFloat || operand.kind == Kind::kFloatBits;
}

std::string access_type(const Variable& variable, const Operand& operand) {
  return (is_float(operand) ? "f" : "b") + std::to_string(variable.type.bits);
}

class DirectOperands {
 public:
  DirectOperands(const Module& module, Function* function)
      : module_(module), function_(*function) {}

  void run() {
    const bool any = std::any_of(function_.body.begin(), function_.body.end(),
                                 [this](const Statement& each) { return passes_directly(each); });
    if (!any) return;
    const std::vector<Statement> body = std::exchange(function_.body, {});
    for (const Statement& each : body) {
      if (passes_directly(each)) {
        put_call(body, each);
      } else {
        function_.body.push_back(each);
      }
    }
  }

 private:
  bool is_variable(const Operand& operand) const {
    return operand.kind == Kind::kName && (function_.call_parameters.count(operand.name) != 0 ||
                                           function_.parameters.count(operand.name) != 0 ||
                                           function_.results.count(operand.name) != 0);
  }

  bool passes_directly(const Statement& statement) const {
    if (statement.opcode != "call") return false;
    for (const Operand& list : statement.operands) {
      for (const Operand& each : list.elements) {
        if (!is_variable(each)) return true;
      }
    }
    return false;
  }

  void put_call(const std::vector<Statement>& body, Statement call) {
    const Call parts = read_call(call);
    const Signature* signature = signature_of(module_, body, parts);
    if (signature == nullptr) {  // the lowering names what is missing, if the function is used
      function_.body.push_back(std::move(call));
      return;
    }
    check_counts(call, parts, *signature);
    const bool has_results = call.operands[0].kind == Kind::kVector;
    std::vector<Statement> loads;
    if (has_results) loads = take_results(call, *signature);
    const size_t arguments = has_results ? 2 : 1;
    if (arguments < call.operands.size() && call.operands[arguments].kind == Kind::kVector) {
      store_arguments(call, &call.operands[arguments].elements, *signature);
    }
    function_.body.push_back(std::move(call));
    std::move(loads.begin(), loads.end(), std::back_inserter(function_.body));
  }

  static void check_counts(const Statement& call, const Call& parts, const Signature& signature) {
    if (parts.arguments.size() == signature.parameters.size() &&
        parts.results.size() == signature.results.size()) {
      return;
    }
    throw InputError(call.where, "'" + parts.name + "' takes " +
                                     std::to_string(signature.parameters.size()) +
                                     " arguments and gives " +
                                     std::to_string(signature.results.size()) + " results");
  }

  void store_arguments(const Statement& call, std::vector<Operand>* arguments,
                       const Signature& signature) {
    size_t at = 0;
    for (const std::string& name : in_order(signature.parameters)) {
      Operand& argument = (*arguments)[at++];
      if (is_variable(argument)) continue;
      const Variable& variable = signature.parameters.at(name);
      const Operand value = std::exchange(argument, new_variable(variable, argument.where));
      function_.body.push_back(access(call, "st", access_type(variable, value),
                                      {place_named(argument.name, value.where), value}));
    }
  }

  /// Replaces the results; returns the loads behind the call. "_" is a result that nobody reads.
  std::vector<Statement> take_results(Statement& call, const Signature& signature) {
    std::vector<Statement> loads;
    size_t at = 0;
    for (const std::string& name : in_order(signature.results)) {
      Operand& result = call.operands[0].elements[at++];
      if (is_variable(result)) continue;
      const Variable& variable = signature.results.at(name);
      const Operand to = std::exchange(result, new_variable(variable, result.where));
      if (to.name == "_") continue;
      loads.push_back(
          access(call, "ld", access_type(variable, to), {to, place_named(result.name, to.where)}));
    }
    return loads;
  }

  Operand new_variable(const Variable& variable, const Position& where) {
    if (variable.bytes != variable.type.bits / 8) {
      throw InputError(where, "an argument or a result of " + std::to_string(variable.bytes) +
                                  " bytes; expected a variable in .param");
    }
    Operand operand;
    operand.name = "direct#" + std::to_string(++variables_);
    operand.where = where;
    function_.call_parameters.insert(operand.name);
    return operand;
  }

  const Module& module_;
  Function& function_;
  unsigned variables_ = 0;
};

/// Makes registers of the parameters in .reg, and a variable for each; returns the variables' names
/// with their registers.
std::vector<std::pair<std::string, std::string>> part_registers(
    std::map<std::string, Variable>* passed, Function* function) {
  std::vector<std::pair<std::string, std::string>> parted;
  for (const std::string& name : in_order(*passed)) {
    const Variable variable = passed->at(name);
    if (!variable.is_register) continue;
    passed->erase(name);
    (*passed)[name + "#param"] = variable;
    function->registers[name] = variable.type;
    function->declares_registers = true;
    parted.emplace_back(name + "#param", name);
  }
  return parted;
}

Operand register_named(const std::string& name, const Position& where) {
  Operand operand;
  operand.name = name;
  operand.where = where;
  return operand;
}

/// Loads a function's parameters in .reg where it begins, and stores its results where it returns.
void pass_registers(Function* function) {
  const auto arguments = part_registers(&function->parameters, function);
  const auto results = part_registers(&function->results, function);
  if (arguments.empty() && results.empty()) return;
  std::vector<Statement> body = std::exchange(function->body, {});
  Statement here;
  if (!body.empty()) here.where = body.front().where;
  for (const auto& [variable, name] : arguments) {
    const std::string type = "b" + std::to_string(function->registers.at(name).bits);
    function->body.push_back(access(
        here, "ld", type, {register_named(name, here.where), place_named(variable, here.where)}));
  }
  const auto store_results = [&](const Position& where) {
    here.where = where;
    for (const auto& [variable, name] : results) {
      const std::string type = "b" + std::to_string(function->registers.at(name).bits);
      function->body.push_back(
          access(here, "st", type, {place_named(variable, where), register_named(name, where)}));
    }
  };
  for (Statement& each : body) {
    here.guard = each.guard;
    here.guard_negate = each.guard_negate;
    if (each.opcode == "ret") store_results(each.where);
    function->body.push_back(std::move(each));
  }
  const bool returns = !function->body.empty() && function->body.back().opcode == "ret";
  here.guard.clear();
  if (!returns) store_results(here.where);
}

}  // namespace

void pass_in_parameters(Module* module) {
  for (Function& each : module->functions) pass_registers(&each);
  for (Function& each : module->functions) DirectOperands(*module, &each).run();
}

}  // namespace shflsim::isa::ptx
