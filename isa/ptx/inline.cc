// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/inline.h"

#include <algorithm>
#include <set>

#include "isa/bounded.h"
#include "isa/ptx/library.h"

namespace shflsim::isa::ptx {
namespace {

using Kind = Operand::Kind;
using Names = std::map<std::string, std::string>;

/// Statements that calls may come to, put in place: as much code as a large kernel has.
constexpr uint64_t kMostInlined = uint64_t{1} << 18;

uint64_t aligned(uint64_t offset) {
  constexpr uint64_t kMostAlignment = 16;
  return (offset + kMostAlignment - 1) / kMostAlignment * kMostAlignment;
}

std::vector<std::string> in_order(const std::map<std::string, Variable>& parameters) {
  std::vector<std::pair<uint32_t, std::string>> sorted;
  for (const auto& [name, variable] : parameters) sorted.emplace_back(variable.offset, name);
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::string> names;
  for (const auto& [offset, name] : sorted) names.push_back(name);
  return names;
}

std::vector<std::string> names_in(const Operand* list) {
  std::vector<std::string> names;
  if (list == nullptr) return names;
  for (const Operand& element : list->elements) names.push_back(element.name);
  return names;
}

/// The parts of: call (results), name, (arguments).
struct Call {
  std::string name;
  std::vector<std::string> results;
  std::vector<std::string> arguments;
};

Call read_call(const Statement& statement) {
  const auto& operands = statement.operands;
  const bool has_results = !operands.empty() && operands[0].kind == Kind::kVector;
  const size_t at = has_results ? 1 : 0;
  Call call;
  if (at < operands.size()) call.name = operands[at].name;
  if (has_results) call.results = names_in(&operands[0]);
  if (at + 1 < operands.size()) call.arguments = names_in(&operands[at + 1]);
  return call;
}

Operand named(const std::string& name, const Position& where) {
  Operand operand;
  operand.name = name;
  operand.where = where;
  return operand;
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

/// [place] of a function becomes the address that it is called with.
void replace_addresses(Statement& statement,
                       const std::map<std::string, const Operand*>& addresses) {
  for (Operand& operand : statement.operands) {
    const auto found = addresses.find(operand.name);
    if (operand.kind == Kind::kAddress && found != addresses.end()) operand = *found->second;
  }
}

class Inliner {
 public:
  Inliner(const Module& module, const Function& function) : result_(function) {
    result_.body.clear();
    for (const Function& each : module.functions) {
      if (each.is_device) functions_.emplace(each.name, &each);
    }
  }

  Function run(const Function& function) {
    copy(function, {}, "");
    for (Statement& statement : result_.body) replace_parameter_access(statement);
    place_dynamic_memory();
    return std::move(result_);
  }

 private:
  const Function* function_named(const std::string& name) const {
    const auto found = functions_.find(name);
    return found == functions_.end() ? nullptr : found->second;
  }

  /// Appends a function's statements. `end`: the label behind them, "" for the kernel itself.
  void copy(const Function& from, const Names& names, const std::string& end) {
    chain_.push_back(from.name);
    for (Statement statement : from.body) {
      rename(statement, names);
      if (statement.opcode == "ret" && !end.empty()) {
        statement.opcode = "bra";
        statement.operands = {named(end, statement.where)};
      }
      const bool is_call = statement.opcode == "call";
      const Function* callee = is_call ? function_named(read_call(statement).name) : nullptr;
      const Function* own = callee == nullptr ? library_function(statement) : nullptr;
      if (callee != nullptr) {
        put_in_place(statement, *callee);
      } else if (own != nullptr) {
        put_library_in_place(statement, *own);
      } else {
        result_.body.push_back(std::move(statement));
      }
    }
    chain_.pop_back();
  }

  void check_call(const Statement& statement, const Call& call, const Function& callee) const {
    if (std::find(chain_.begin(), chain_.end(), callee.name) != chain_.end()) {
      throw InputError(statement.where, "'" + callee.name +
                                            "' calls itself, which is not supported: calls are put "
                                            "in place; expected a loop");
    }
    if (!statement.guard.empty()) {
      throw InputError(statement.where,
                       "a call under a guard is not supported; expected a branch around it");
    }
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
    check_call(statement, call, callee);
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

  /// A function of the library in place of an instruction: its parameters are registers that the
  /// operands are moved to, since it may write them before it has read all.
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

  /// Each call has local memory of its own; shared memory is the block's.
  void place_variables(const Statement& call, const Function& callee, const std::string& suffix,
                       Names* names) {
    const auto base = static_cast<uint32_t>(aligned(result_.local_bytes));
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
    for (auto [name, variable] : callee.shared) {
      if (result_.shared.count(name) != 0) continue;
      variable.offset = static_cast<uint32_t>(aligned(result_.shared_bytes));
      result_.shared_bytes =
          static_cast<uint32_t>(bounded(sum_of(variable.offset, variable.bytes), kMostSharedBytes,
                                        "shared memory of calls in place", call.where, "bytes"));
      result_.shared[name] = variable;
    }
  }

  /// Arrays without a size all begin where the static shared memory ends.
  void place_dynamic_memory() {
    uint64_t alignment = 1;
    for (const auto& [name, variable] : result_.shared) {
      if (variable.bytes == 0) alignment = std::max<uint64_t>(alignment, variable.alignment);
    }
    const uint64_t behind = (result_.shared_bytes + alignment - 1) / alignment * alignment;
    result_.shared_bytes = static_cast<uint32_t>(behind);
    for (auto& [name, variable] : result_.shared) {
      if (variable.bytes == 0) variable.offset = result_.shared_bytes;
    }
  }

  /// Arguments and results of calls are registers, one for each word that is passed.
  void replace_parameter_access(Statement& statement) {
    const bool loads = statement.opcode == "ld";
    const bool is_access = (loads || statement.opcode == "st") && !statement.parts.empty() &&
                           statement.parts[0] == "param" && statement.operands.size() == 2;
    if (!is_access) return;
    Operand& place = statement.operands[loads ? 1 : 0];
    if (place.kind != Kind::kAddress || result_.call_parameters.count(place.name) == 0) return;
    const Type type = type_named(statement.parts.back());
    const std::string bits = std::to_string(std::max(type.bits, 32u));
    const std::string name = place.name + "+" + std::to_string(place.value) + "." + bits;
    const bool is_vector = statement.operands[loads ? 0 : 1].kind == Kind::kVector;
    if (statement.parts.size() != 2 || type.bits == 0 || is_vector) {
      throw InputError(statement.where,
                       "this access to an argument is not supported; expected one number");
    }
    result_.registers[name] = {'b', std::max(type.bits, 32u)};
    place.kind = Kind::kName;
    place.name = name;
    place.value = 0;
    statement.opcode = type.bits < 32 ? "cvt" : "mov";
    const std::string own = statement.parts.back();
    const std::string word = type.is_signed() ? "s32" : "u32";
    const std::string narrow = (type.is_signed() ? "s" : "u") + std::to_string(type.bits);
    statement.parts =
        type.bits < 32 ? std::vector<std::string>{word, narrow} : std::vector<std::string>{own};
  }

  std::map<std::string, const Function*> functions_;  ///< that can be called
  Function result_;
  std::vector<std::string> chain_;  ///< functions being copied, the kernel first
  unsigned calls_ = 0;
  uint64_t inlined_ = 0;  ///< statements of functions that were called
};

}  // namespace

Function with_calls_in_place(const Module& module, const Function& function) {
  return Inliner(module, function).run(function);
}

}  // namespace shflsim::isa::ptx
