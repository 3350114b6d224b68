// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/library/inline.h"

#include <algorithm>
#include <set>

#include "isa/base/bounded.h"
#include "isa/ptx/library/library.h"
#include "isa/ptx/library/passed_words.h"
#include "isa/ptx/lines/convention.h"
#include "isa/ptx/lines/frames.h"
#include "isa/ptx/text/call_graph.h"

namespace shflsim::isa::ptx {
namespace {

using Kind = Operand::Kind;
using Names = std::map<std::string, std::string>;

/// The most statements that inlined calls may add: a large kernel.
constexpr uint64_t kMostInlined = uint64_t{1} << 18;

Operand named(const std::string& name, const Position& where) {
  Operand operand;
  operand.name = name;
  operand.where = where;
  return operand;
}

Statement statement_at(const Position& where, const std::string& opcode) {
  Statement statement;
  statement.opcode = opcode;
  statement.where = where;
  return statement;
}

Statement label_of(const std::string& name, const Position& where) {
  Statement label;
  label.label = name;
  label.where = where;
  return label;
}

/// A branch of the threads for which the statement's guard is false.
Statement branch_around(const Statement& guarded, const std::string& label) {
  Statement branch;
  branch.guard = guarded.guard;
  branch.guard_negate = !guarded.guard_negate;
  branch.opcode = "bra";
  branch.operands = {named(label, guarded.where)};
  branch.where = guarded.where;
  return branch;
}

Statement move_of(Type type, const Operand& to, const Operand& from) {
  Statement move;
  move.opcode = "mov";
  move.parts = {type.kind == 'p' ? "pred" : type.kind + std::to_string(type.bits)};
  move.operands = {to, from};
  move.where = to.where;
  return move;
}

void check_kind(const Operand& argument, bool is_place) {
  if ((argument.kind == Kind::kAddress) == is_place) return;
  throw InputError(argument.where, is_place
                                       ? "no address; expected one such as [a+4]"
                                       : "an address cannot stand here; expected a register or "
                                         "a number");
}

/// Replaces a function's address parameter, as in [place], by the address operand of the call.
void replace_addresses(Statement& statement,
                       const std::map<std::string, const Operand*>& addresses) {
  for (Operand& operand : statement.operands) {
    const auto found = addresses.find(operand.name);
    if (operand.kind == Kind::kAddress && found != addresses.end()) operand = *found->second;
  }
}

/// The block's shared memory, common to the kernel and all functions that it calls.
struct SharedMemory {
  std::map<std::string, Variable> variables;
  uint32_t bytes = 0;

  void place(const std::map<std::string, Variable>& more, const Position& where) {
    for (auto [name, variable] : more) {
      if (variables.count(name) != 0) continue;
      variable.offset = static_cast<uint32_t>(on_stack(bytes));
      bytes =
          static_cast<uint32_t>(bounded(sum_of(variable.offset, variable.bytes), kMostSharedBytes,
                                        "shared memory of functions", where, "bytes"));
      variables[name] = variable;
    }
  }

  /// Arrays without a size all begin where the static shared memory ends.
  void place_dynamic_memory() {
    uint64_t alignment = 1;
    for (const auto& [name, variable] : variables) {
      if (variable.bytes == 0) alignment = std::max<uint64_t>(alignment, variable.alignment);
    }
    bytes = static_cast<uint32_t>((bytes + alignment - 1) / alignment * alignment);
    for (auto& [name, variable] : variables) {
      if (variable.bytes == 0) variable.offset = bytes;
    }
  }
};

class Inliner {
 public:
  Inliner(const CallGraph& graph, const Function& function, SharedMemory* shared)
      : graph_(graph), shared_(*shared), result_(function) {
    result_.body.clear();
  }

  Function run(const Function& function) {
    const Position where = function.body.empty() ? Position{} : function.body.back().where;
    if (function.is_device) result_.body.push_back(statement_at(where, kReceive));
    copy(function, {}, function.is_device ? "behind" : "");
    if (function.is_device) {
      result_.body.push_back(label_of("behind", where));
      result_.body.push_back(statement_at(where, "ret"));
    }
    pass_in_registers(&result_);
    return std::move(result_);
  }

 private:
  /// Appends a function's statements. `end`: the label after them; "" for the kernel itself.
  void copy(const Function& from, const Names& names, const std::string& end) {
    chain_.push_back(from.name);
    for (Statement statement : from.body) {
      rename(statement, names);
      if (statement.opcode == "ret" && !end.empty()) {
        statement.opcode = "bra";
        statement.operands = {named(end, statement.where)};
      }
      const Function* own = library_function(statement);
      if (statement.opcode == "call") {
        put_call(std::move(statement));
      } else if (own != nullptr) {
        put_library_in_place(statement, *own);
      } else {
        result_.body.push_back(std::move(statement));
      }
    }
    chain_.pop_back();
  }

  /// Inlines or appends a call. A guarded call gets a branch around it.
  void put_call(Statement statement) {
    const Function* callee = graph_.named(read_call(statement).name);
    const bool is_guarded = !statement.guard.empty();
    const std::string unguarded = is_guarded ? "past@" + std::to_string(++calls_) : "";
    if (is_guarded) result_.body.push_back(branch_around(statement, unguarded));
    statement.guard.clear();
    const Position where = statement.where;
    if (callee != nullptr) check_call(statement, read_call(statement), *callee);
    if (callee != nullptr && !graph_.is_recursive(callee->name)) {
      put_in_place(statement, *callee);
    } else {
      result_.body.push_back(std::move(statement));
    }
    if (is_guarded) result_.body.push_back(label_of(unguarded, where));
  }

  void check_call(const Statement& statement, const Call& call, const Function& callee) const {
    if (call.arguments.size() != callee.parameters.size() ||
        call.results.size() != callee.results.size()) {
      throw InputError(statement.where, "'" + callee.name + "' takes " +
                                            std::to_string(callee.parameters.size()) +
                                            " arguments and gives " +
                                            std::to_string(callee.results.size()) + " results");
    }
  }

  void put_in_place(const Statement& statement, const Function& callee) {
    const Call call = read_call(statement);
    bounded(chain_.size(), kMostNesting, "a chain of calls of '" + callee.name + "'",
            statement.where);
    inlined_ += callee.body.size() + 1;
    bounded(inlined_, kMostInlined, "code with calls in place, '" + callee.name + "' the last,",
            statement.where, "instructions");
    const std::string suffix = "@" + std::to_string(++calls_);
    Names names;
    result_.declares_registers |= callee.declares_registers;
    for (const auto& [name, type] : callee.registers) {
      names[name] = name + suffix;
      result_.registers[name + suffix] = type;
    }
    for (const Statement& each : callee.body) {
      if (!each.label.empty()) names[each.label] = each.label + suffix;
    }
    for (const std::string& name : callee.call_parameters) {
      names[name] = name + suffix;
      result_.call_parameters.insert(name + suffix);
    }
    place_variables(statement, callee, suffix, &names);
    const std::vector<std::string> parameters = in_order(callee.parameters);
    const std::vector<std::string> results = in_order(callee.results);
    for (size_t i = 0; i < parameters.size(); ++i) names[parameters[i]] = call.arguments[i];
    for (size_t i = 0; i < results.size(); ++i) names[results[i]] = call.results[i];
    copy(callee, names, "behind" + suffix);
    result_.body.push_back(label_of("behind" + suffix, statement.where));
  }

  /// Replaces an instruction by a function of the library. The operands are moved to registers for
  /// its parameters, since the function may overwrite its parameters.
  void put_library_in_place(const Statement& statement, const Function& callee) {
    inlined_ += callee.body.size() + 1;
    bounded(inlined_, kMostInlined, "code with '" + statement.opcode + "' in place",
            statement.where, "instructions");
    const std::string suffix = "@" + std::to_string(++calls_);
    const std::string unguarded = "past" + suffix;
    if (!statement.guard.empty()) result_.body.push_back(branch_around(statement, unguarded));
    Names names;
    for (const auto& [name, type] : callee.registers) add_register(name, type, suffix, &names);
    for (const auto& [name, each] : callee.results) add_register(name, each.type, suffix, &names);
    size_t operand = callee.results.size();
    std::map<std::string, const Operand*> addresses;
    for (const std::string& name : in_order(callee.parameters)) {
      const Operand& argument = statement.operands[operand++];
      check_kind(argument, name == "place");
      if (argument.kind == Kind::kAddress) {
        names[name] = name + suffix;
        addresses[name + suffix] = &argument;
        continue;
      }
      const Type type = callee.parameters.at(name).type;
      add_register(name, type, suffix, &names);
      result_.body.push_back(move_of(type, named(names[name], statement.where), argument));
    }
    for (const Statement& each : callee.body) {
      if (!each.label.empty()) names[each.label] = each.label + suffix;
    }
    const size_t first = result_.body.size();
    copy(callee, names, "behind" + suffix);
    result_.body.push_back(label_of("behind" + suffix, statement.where));
    for (size_t i = first; i < result_.body.size(); ++i) {
      result_.body[i].where = statement.where;
      replace_addresses(result_.body[i], addresses);
    }
    operand = 0;
    for (const std::string& name : in_order(callee.results)) {
      const Operand from = named(names[name], statement.where);
      const Type type = callee.results.at(name).type;
      result_.body.push_back(move_of(type, statement.operands[operand++], from));
    }
    if (!statement.guard.empty()) result_.body.push_back(label_of(unguarded, statement.where));
  }

  void add_register(const std::string& name, Type type, const std::string& suffix, Names* names) {
    (*names)[name] = name + suffix;
    result_.registers[name + suffix] = type;
  }

  /// Places a callee's variables: each call has its own local memory; shared memory is the block's.
  void place_variables(const Statement& call, const Function& callee, const std::string& suffix,
                       Names* names) {
    const auto base = static_cast<uint32_t>(on_stack(result_.local_bytes));
    for (auto [name, variable] : callee.local) {
      variable.offset += base;
      result_.local[name + suffix] = variable;
      (*names)[name] = name + suffix;
    }
    if (!callee.local.empty()) {
      result_.local_bytes =
          static_cast<uint32_t>(bounded(sum_of(base, callee.local_bytes), kMostLocalBytes,
                                        "local memory of calls in place", call.where, "bytes"));
    }
    shared_.place(callee.shared, call.where);
  }

  const CallGraph& graph_;
  SharedMemory& shared_;
  Function result_;
  std::vector<std::string> chain_;  ///< functions being copied, the kernel first
  unsigned calls_ = 0;
  uint64_t inlined_ = 0;  ///< statements of functions that were called
};

/// Places arguments and results that are in memory before the function's own variables.
void place_on_stack(Function* function) {
  function->in_memory = passed_in_memory(*function);
  if (function->in_memory.empty()) return;
  const auto passed = static_cast<uint32_t>(bytes_passed(*function));
  for (auto& [name, variable] : function->local) variable.offset += passed;
  function->local_bytes += passed;
}

/// The functions that a body still calls after inlining.
std::vector<const Function*> called_by(const Function& function, const CallGraph& graph) {
  std::vector<const Function*> called;
  for (const Statement& statement : function.body) {
    if (statement.opcode != "call") continue;
    const Call call = read_call(statement);
    const Statement* table = table_of_call(function.body, call.prototype);
    if (const Function* callee = graph.named(call.name)) {
      called.push_back(callee);
    } else if (table != nullptr) {
      for (const Function* each : graph.reached_by(*table)) called.push_back(each);
    }
  }
  return called;
}

}  // namespace

std::vector<Function> with_calls_in_place(const Module& module, const Function& kernel) {
  const CallGraph graph(module);
  SharedMemory shared = {kernel.shared, kernel.shared_bytes};
  std::vector<Function> functions = {Inliner(graph, kernel, &shared).run(kernel)};
  std::set<std::string> known;
  for (size_t i = 0; i < functions.size(); ++i) {
    for (const Function* callee : called_by(functions[i], graph)) {
      if (!known.insert(callee->name).second) continue;
      Function placed = *callee;
      place_on_stack(&placed);
      if (!callee->body.empty()) shared.place(callee->shared, callee->body.front().where);
      functions.push_back(Inliner(graph, placed, &shared).run(placed));
    }
  }
  shared.place_dynamic_memory();
  for (Function& each : functions) {
    each.shared = shared.variables;
    each.shared_bytes = shared.bytes;
  }
  return functions;
}

}  // namespace shflsim::isa::ptx
