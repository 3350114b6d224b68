// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/text/call_graph.h"

#include <algorithm>

namespace shflsim::isa::ptx {
namespace {

using Kind = Operand::Kind;

std::vector<std::string> names_in(const Operand& list) {
  std::vector<std::string> names;
  for (const Operand& element : list.elements) names.push_back(element.name);
  return names;
}

/// The sizes of passed variables, which must match between caller and callee.
std::vector<uint32_t> sizes_of(const Signature& signature) {
  std::vector<uint32_t> sizes;
  for (const auto* passed : {&signature.results, &signature.parameters}) {
    sizes.push_back(static_cast<uint32_t>(passed->size()));
    for (const std::string& name : in_order(*passed)) sizes.push_back(passed->at(name).bytes);
  }
  return sizes;
}

}  // namespace

std::vector<std::string> in_order(const std::map<std::string, Variable>& variables) {
  std::vector<std::pair<uint32_t, std::string>> sorted;
  for (const auto& [name, variable] : variables) sorted.emplace_back(variable.offset, name);
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::string> names;
  for (const auto& [offset, name] : sorted) names.push_back(name);
  return names;
}

Call read_call(const Statement& statement) {
  const std::vector<Operand>& operands = statement.operands;
  const auto is_list = [&operands](size_t i) {
    return i < operands.size() && operands[i].kind == Kind::kVector;
  };
  Call call;
  size_t at = 0;
  if (is_list(at)) call.results = names_in(operands[at++]);
  if (at < operands.size()) call.name = operands[at++].name;
  if (is_list(at)) call.arguments = names_in(operands[at++]);
  if (at < operands.size()) call.prototype = operands[at].name;
  return call;
}

const Statement* table_of_call(const std::vector<Statement>& body, const std::string& label) {
  for (size_t i = 0; i + 1 < body.size() && !label.empty(); ++i) {
    const std::string& directive = body[i + 1].opcode;
    const bool is_of_calls = directive == kCallPrototype || directive == kCallTargets;
    if (body[i].label == label && is_of_calls) return &body[i + 1];
  }
  return nullptr;
}

CallGraph::CallGraph(const Module& module) : module_(module) {
  for (const Function& each : module.functions) {
    if (each.is_device) functions_.emplace(each.name, &each);
  }
  find_cycles();
}

const Function* CallGraph::named(const std::string& name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : found->second;
}

std::vector<std::string> CallGraph::callees_of(const Function& function) const {
  std::vector<std::string> callees;
  for (const Statement& statement : function.body) {
    if (statement.opcode != "call") continue;
    const std::string name = read_call(statement).name;
    if (named(name) != nullptr) callees.push_back(name);
  }
  return callees;
}

/// Repeatedly removes functions that call no remaining function, and functions that no remaining
/// function calls. The functions that are left are on a cycle or between two cycles.
void CallGraph::find_cycles() {
  std::map<std::string, std::vector<std::string>> callees;
  std::map<std::string, std::vector<std::string>> callers;
  for (const auto& [name, function] : functions_) {
    callees[name] = callees_of(*function);
    for (const std::string& callee : callees[name]) callers[callee].push_back(name);
    recursive_.insert(name);
  }
  const auto prune = [this](auto& ahead, auto& behind) {
    std::map<std::string, size_t> left;
    std::vector<std::string> open;
    for (const std::string& name : recursive_) {
      const auto& next = ahead[name];
      left[name] = static_cast<size_t>(std::count_if(
          next.begin(), next.end(), [this](const auto& to) { return is_recursive(to); }));
      if (left[name] == 0) open.push_back(name);
    }
    while (!open.empty()) {
      const std::string name = open.back();
      open.pop_back();
      recursive_.erase(name);
      for (const std::string& before : behind[name]) {
        if (is_recursive(before) && --left[before] == 0) open.push_back(before);
      }
    }
  };
  prune(callees, callers);
  prune(callers, callees);
}

/// Functions whose names are used as an address, in the code or in tables.
const std::set<std::string>& CallGraph::addressed() const {
  if (addressed_) return *addressed_;
  std::set<std::string>& names = addressed_.emplace();
  for (const Function& function : module_.functions) {
    for (const Statement& statement : function.body) {
      if (statement.opcode == "call") continue;
      for_each_name(statement, [&names](const std::string& name) { names.insert(name); });
    }
  }
  for (const Data* data : {&module_.constants, &module_.globals}) {
    for (const Data::Address& each : data->addresses) names.insert(each.name);
  }
  return names;
}

std::vector<const Function*> CallGraph::reached_by(const Statement& table) const {
  std::vector<const Function*> reached;
  if (table.opcode == kCallTargets) {
    for (const Operand& operand : table.operands) {
      if (named(operand.name) != nullptr) reached.push_back(named(operand.name));
    }
    return reached;
  }
  const std::set<std::string>& names = addressed();
  const Signature& expected = module_.signatures[static_cast<size_t>(table.signature)];
  for (const auto& [name, function] : functions_) {
    if (names.count(name) != 0 && sizes_of(*function) == sizes_of(expected)) {
      reached.push_back(function);
    }
  }
  return reached;
}

}  // namespace shflsim::isa::ptx
