// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/text/operands.h"

#include "isa/base/bounded.h"
#include "isa/ptx/text/expression.h"

namespace shflsim::isa::ptx {

std::vector<Operand> OperandReader::read_operands(const Function& function, OperandForms forms) {
  function_ = &function;
  forms_ = forms;
  std::vector<Operand> operands;
  do {
    operands.push_back(read_operand());
  } while (at_.take_symbol(","));
  return operands;
}

std::vector<Operand> OperandReader::read_names() {
  std::vector<Operand> names;
  do {
    Operand each;
    each.where = at_.peek().where;
    each.name = at_.take_name("a label or a function");
    if (!at_.take_symbol("<")) {
      names.push_back(each);
      continue;
    }
    const uint64_t count = read_count(&at_, "a number of names", Ending::kBeforeComparison);
    at_.expect(">");
    bounded(sum_of(names.size(), count), RegisterRows::kMost, "a table", each.where, "names");
    const std::string base = each.name;
    for (uint64_t i = 0; i < count; ++i) {
      each.name = base + std::to_string(i);
      names.push_back(each);
    }
  } while (at_.take_symbol(","));
  return names;
}

Operand OperandReader::read_operand() {
  Operand operand;
  operand.where = at_.peek().where;
  const Nesting level(&depth_, "brackets", operand.where);
  if (at_.take_symbol("[")) {
    read_address(operand);
  } else if (at_.take_symbol("{")) {
    read_list(operand, "}");
  } else if (forms_.lists && at_.take_symbol("(")) {
    read_list(operand, ")");
  } else if (is_at_constant(at_)) {
    read_constant(&at_, "a register, a number or '['", &operand);
  } else {
    read_named(operand);
  }
  return operand;
}

/// Reads a register, a variable with an addend, or one or two predicates.
void OperandReader::read_named(Operand& operand) {
  operand.negate = at_.take_symbol("!");
  if (!at_.is_any_word()) at_.fail_here("a register, a number or '['");
  operand.name = named_by_place(at_.take().text);
  if (at_.take_symbol("|"))
    operand.second = at_.take_name("the predicate that receives 'in range'");
  if (at_.is_symbol("[")) return read_element(operand);
  if (forms_.sums && (at_.is_symbol("+") || at_.is_symbol("-")))
    operand.value = static_cast<int64_t>(read_count(&at_, "a number of bytes"));
  for (const std::string& part : parts_of(operand.name)) {
    operand.kind = Operand::Kind::kVector;
    operand.elements.emplace_back().name = part;
    operand.elements.back().where = operand.where;
  }
  if (operand.kind == Operand::Kind::kVector) operand.name.clear();
}

/// Reads a[2], the address of an element; loads and stores take it without further brackets.
void OperandReader::read_element(Operand& operand) {
  at_.expect("[");
  const std::string name = resolved(operand.name);
  const std::map<std::string, Variable>* const all[] = {&function_->shared, &function_->local,
                                                        &module_.globals.variables,
                                                        &module_.constants.variables};
  for (const auto* known : all) {
    const auto found = known->find(name);
    if (found == known->end()) continue;
    const uint64_t index = read_count(&at_, "the number of an element");
    at_.expect("]");
    operand.value = static_cast<int64_t>(index * (found->second.type.bits / 8));
    if (!forms_.sums) operand.kind = Operand::Kind::kAddress;
    return;
  }
  throw InputError(operand.where, "'" + operand.name + "' is no array; expected a variable");
}

void OperandReader::read_list(Operand& operand, const char* end) {
  operand.kind = Operand::Kind::kVector;
  if (at_.take_symbol(end)) return;
  do {
    operand.elements.push_back(read_operand());
  } while (at_.take_symbol(","));
  at_.expect(end);
}

void OperandReader::read_address(Operand& operand) {
  operand.kind = Operand::Kind::kAddress;
  if (!is_at_constant(at_) && at_.is_any_word()) operand.name = named_by_place(at_.take().text);
  if (!at_.is_symbol("]")) {
    operand.value = static_cast<int64_t>(read_count(&at_, "an offset"));
  }
  at_.expect("]");
}

}  // namespace shflsim::isa::ptx
