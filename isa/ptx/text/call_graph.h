// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "isa/ptx/text/syntax.h"

namespace shflsim::isa::ptx {

/// The parts of a statement "call (results), name, (arguments), prototype".
struct Call {
  std::string name;       ///< name of a function, or of the register that holds a function pointer
  std::string prototype;  ///< call by pointer: the label of its table; else ""
  std::vector<std::string> results;
  std::vector<std::string> arguments;
};
Call read_call(const Statement& statement);

/// The directive after the label that a call by pointer names; nullptr if there is none.
const Statement* table_of_call(const std::vector<Statement>& body, const std::string& label);

/// The names of variables in the order of declaration.
std::vector<std::string> in_order(const std::map<std::string, Variable>& variables);

/// Which functions of a module call which.
class CallGraph {
 public:
  explicit CallGraph(const Module& module);

  /// The function with this name, if the text contains its body; nullptr if there is none.
  const Function* named(const std::string& name) const;
  /// True if calls by name lead from the function back to itself.
  bool is_recursive(const std::string& name) const { return recursive_.count(name) != 0; }
  /// The functions whose address is taken and that a call with this table may reach.
  std::vector<const Function*> reached_by(const Statement& table) const;

 private:
  void find_cycles();
  std::vector<std::string> callees_of(const Function& function) const;
  const std::set<std::string>& addressed() const;

  const Module& module_;
  std::map<std::string, const Function*> functions_;
  std::set<std::string> recursive_;
  mutable std::optional<std::set<std::string>> addressed_;  ///< made at the first use
};

}  // namespace shflsim::isa::ptx
