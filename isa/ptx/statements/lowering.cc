// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/statements/lowering.h"

#include <algorithm>
#include <functional>

#include "isa/ptx/text/refused.h"

namespace shflsim::isa::ptx {
namespace {

using Kind = Operand::Kind;

const LowerTable& table() {
  static const LowerTable all = [] {
    LowerTable made;
    add_arithmetic(made);
    add_multiplication(made);
    add_logic(made);
    add_conversion(made);
    add_memory(made);
    add_control(made);
    add_bits(made);
    add_comparison(made);
    add_division(made);
    add_special_functions(made);
    add_atomics(made);
    add_synchronisation(made);
    add_library(made);
    add_video(made);
    add_calls(made);
    add_halves(made);
    return made;
  }();
  return all;
}

/// bar.red has a result, other barriers have none.
bool writes_its_first_operand(const Statement& statement) {
  static const std::set<std::string> kOthers = {
      "st",  "bra",  "bar",  "barrier",  "membar", "ret",       "fence",
      "red", "call", "exit", "prefetch", "trap",   "nanosleep", "brx"};
  const std::vector<std::string>& parts = statement.parts;
  if (std::find(parts.begin(), parts.end(), "red") != parts.end()) return true;
  return statement.opcode[0] != '.' && kOthers.count(statement.opcode) == 0;
}

/// Operations on halves have separate entries in the table.
std::string name_in_table(const Statement& statement) {
  const bool is_of_halves =
      std::any_of(statement.parts.begin(), statement.parts.end(),
                  [](const std::string& part) { return part == "f16" || part == "f16x2"; });
  const std::string own = kOfHalves + statement.opcode;
  return is_of_halves && table().count(own) != 0 ? own : statement.opcode;
}

void add_written(const Operand& operand, std::map<std::string, int>* counts) {
  ++(*counts)[operand.name];
  if (!operand.second.empty()) ++(*counts)[operand.second];
  for (const Operand& element : operand.elements) add_written(element, counts);
}

/// Registers that are written only once, with a number: their reads become that number, since nvcc
/// puts the operands of its shuffles in registers.
std::map<std::string, Operand> constants_of(const Function& function) {
  std::map<std::string, Operand> constants;
  std::map<std::string, int> writes;
  for (const Statement& statement : function.body) {
    if (statement.operands.empty() || !writes_its_first_operand(statement)) continue;
    add_written(statement.operands.front(), &writes);
  }
  for (const Statement& statement : function.body) {
    const bool moves =
        statement.opcode == "mov" && statement.operands.size() == 2 && statement.guard.empty();
    if (!moves || writes[statement.operands[0].name] != 1) continue;
    const Kind kind = statement.operands[1].kind;
    const bool is_number =
        kind == Kind::kInteger || kind == Kind::kFloat || kind == Kind::kFloatBits;
    if (is_number && !function.is_fragment) {
      constants[statement.operands[0].name] = statement.operands[1];
    }
  }
  return constants;
}

/// Replaces predicates that nothing reads by PT: nvcc names one for every shuffle.
void drop_unread_predicates(Code* code) {
  std::set<int> read;
  for (const Block& block : code->blocks) {
    read.insert(block.guard);
    for (const Line& line : block.lines) {
      read.insert(line.guard);
      for (const Term& term : line.terms) {
        if (!term.written) read.insert(term.id);
      }
    }
  }
  for (Block& block : code->blocks) {
    for (Line& line : block.lines) {
      for (Term& term : line.terms) {
        if (term.written && term.width == 0 && read.count(term.id) == 0) term = pt();
      }
    }
  }
}

}  // namespace

const std::vector<std::string>& opcodes() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (const auto& [name, lower] : table()) {
      if (name[0] != '$') made.push_back(name);  // not the library's own
    }
    return made;
  }();
  return names;
}

bool is_opcode(const std::string& name) { return table().count(name) != 0; }

Code lower(const Module& module, const Function& function, UsedGlobals* globals,
           std::vector<std::string>* warnings) {
  return Lowering(module, function, globals, warnings).run();
}

Code Lowering::run() {
  for (const auto& [name, type] : function_.registers) declare(name, width_of(type));
  constants_ = constants_of(function_);
  if (function_.is_device) fixed_register(kStackPointer);
  code_.blocks.emplace_back();
  const int first = new_block();
  code_.blocks[0].next = first;
  sequence_ = {0};
  find_labels();
  go_on_in(first);
  for (const Statement& statement : function_.body) {
    if (statement.label.empty()) {
      faults_.hold([&] { lower_statement(statement); });
    } else {
      start_block(labels_[statement.label]);
      code_.blocks[static_cast<size_t>(block_)].where = statement.where;
    }
  }
  faults_.raise();
  if (!function_.is_fragment) drop_unread_predicates(&code_);
  return in_source_order();
}

/// Puts the blocks in source order: labels got theirs before the blocks between them.
Code Lowering::in_source_order() {
  std::vector<int> places(code_.blocks.size(), -1);
  for (size_t i = 0; i < sequence_.size(); ++i) {
    places[static_cast<size_t>(sequence_[i])] = static_cast<int>(i);
  }
  const auto place_of = [&places](int b) { return b < 0 ? b : places[static_cast<size_t>(b)]; };
  Code ordered;
  ordered.registers = std::move(code_.registers);
  ordered.is_called = function_.is_device;
  const auto pointer = fixed_.find(kStackPointer);
  if (pointer != fixed_.end()) ordered.stack_pointer = pointer->second;
  ordered.frame_bytes = function_.local_bytes;
  for (const int b : sequence_) {
    ordered.blocks.push_back(std::move(code_.blocks[static_cast<size_t>(b)]));
    Block& block = ordered.blocks.back();
    block.taken = place_of(block.taken);
    block.next = place_of(block.next);
  }
  return ordered;
}

void Lowering::find_labels() {
  for (const Statement& statement : function_.body) {
    if (statement.label.empty()) continue;
    if (labels_.emplace(statement.label, new_block()).second) continue;
    faults_.add(InputError(statement.where,
                           "label '" + statement.label + "' stands twice; expected a new name"));
  }
}

void Lowering::lower_statement(const Statement& statement) {
  statement_ = &statement;
  keeps_order_ =
      std::any_of(statement.parts.begin(), statement.parts.end(), [](const std::string& part) {
        return part == "volatile" || part == "relaxed" || part == "acquire" || part == "release";
      });
  code_.blocks[static_cast<size_t>(block_)].where = statement.where;
  if (is_table(statement)) return;
  if (!is_opcode(statement.opcode)) {
    if (statement.opcode[0] == '.') {
      fail("the directive '" + statement.opcode +
           "' is not supported here; expected .reg, .shared or an instruction");
    }
    const std::string why = why_refused(statement.opcode);
    if (!why.empty()) fail("'" + statement.opcode + "' is not supported: " + why);
    fail("unknown instruction '" + statement.opcode + "'" +
         suggestion(statement.opcode, opcodes()));
  }
  for (const std::string& part : statement.parts) {
    const std::string form = why_form_refused(statement.opcode, part);
    if (!form.empty()) {
      fail("'" + statement.opcode + "' with ." + part + " is not supported: " + form);
    }
    const std::string why = why_type_refused(part);
    if (!why.empty()) fail("'" + statement.opcode + "' on ." + part + " is not supported: " + why);
  }
  Modifiers modifiers(statement);
  table().at(name_in_table(statement))(*this, modifiers);
}

int Lowering::new_block() {
  code_.blocks.emplace_back();
  if (statement_ != nullptr) code_.blocks.back().where = statement_->where;
  return static_cast<int>(code_.blocks.size()) - 1;
}

/// Makes the block the current one. The previous block falls through to it.
void Lowering::start_block(int block) {
  code_.blocks[static_cast<size_t>(block_)].next = block;
  go_on_in(block);
}

void Lowering::go_on_in(int block) {
  block_ = block;
  sequence_.push_back(block);
}

int Lowering::block_of_label(const Operand& label) const {
  const auto target = labels_.find(label.name);
  if (label.kind == Kind::kName && target != labels_.end()) return target->second;
  std::vector<std::string> known;
  for (const auto& [name, block] : labels_) known.push_back(name);
  fail(label, "no label '" + label.name + "'" + suggestion(label.name, known));
}

void Lowering::branch(const Operand& label, bool uniform) {
  const int target = block_of_label(label);
  const int following = new_block();
  Block& block = code_.blocks[static_cast<size_t>(block_)];
  block.next = target;
  if (!statement_->guard.empty()) {
    block.guard = id_of(statement_->guard, guard(), 0);
    block.guard_negate = statement_->guard_negate;
    block.taken = target;
    block.next = following;
    block.uniform = uniform;
  }
  go_on_in(following);
}

const std::vector<Operand>& CurrentStatement::targets_of(const Operand& table) const {
  const std::vector<Statement>& body = function_.body;
  for (size_t i = 0; i + 1 < body.size(); ++i) {
    if (body[i].label == table.name && body[i + 1].opcode == kBranchTargets) {
      return body[i + 1].operands;
    }
  }
  fail(table, "no table '" + table.name + "'; expected the label of a .branchtargets");
}

void Lowering::branch_by(const Operand& index, const Operand& table) {
  const std::vector<Operand>& targets = targets_of(table);
  const Term number = source(index, {'u', 32});
  const int following = new_block();
  if (!statement_->guard.empty()) {
    const int chosen = new_block();
    Block& block = code_.blocks[static_cast<size_t>(block_)];
    block.guard = id_of(statement_->guard, guard(), 0);
    block.guard_negate = statement_->guard_negate;
    block.taken = chosen;
    block.next = following;
    go_on_in(chosen);
  }
  // Halves the targets until one is left.
  const std::function<void(size_t, size_t)> choose = [&](size_t first, size_t last) {
    if (last - first == 1) {
      code_.blocks[static_cast<size_t>(block_)].next = block_of_label(targets[first]);
      return;
    }
    const size_t middle = (first + last) / 2;
    const Term is_upper = temporary_written(*this, 0);
    emit("ISETP.GE.U32.AND",
         {is_upper, pt(), number, ptx::number(static_cast<int64_t>(middle)), pt()});
    const int lower = new_block();
    const int upper = new_block();
    Block& block = code_.blocks[static_cast<size_t>(block_)];
    block.guard = is_upper.id;
    block.taken = upper;
    block.next = lower;
    go_on_in(lower);
    choose(first, middle);
    go_on_in(upper);
    choose(middle, last);
  };
  choose(0, targets.size());
  go_on_in(following);
}

void Lowering::end() {
  if (function_.is_device && statement_->opcode == "ret") return_results(*this);
  if (!statement_->guard.empty()) {
    emit("EXIT", {});
    return;
  }
  // The ending block has no successor: the following lines are in a new block.
  go_on_in(new_block());
}

Line& Lowering::emit(const Operation& operation, std::vector<Term> terms) {
  Line line = line_of(operation, std::move(terms), statement_->where);
  line.keeps_order = keeps_order_;
  if (!statement_->guard.empty()) {
    line.guard = id_of(statement_->guard, guard(), 0);
    line.guard_negate = statement_->guard_negate;
  }
  Block& block = code_.blocks[static_cast<size_t>(block_)];
  block.lines.push_back(std::move(line));
  return block.lines.back();
}

void CurrentStatement::warn(const std::string& what) {
  warnings_->push_back(InputError(statement_->where, "warning: " + what).what());
}

void CurrentStatement::fail(const Operand& at, const std::string& what) const {
  throw InputError(at.where, what);
}
void CurrentStatement::fail(const std::string& what) const {
  throw InputError(statement_->where, what);
}

void CurrentStatement::expect_operands(size_t least, size_t most) const {
  const size_t count = statement_->operands.size();
  if (count >= least && count <= most) return;
  fail("'" + statement_->opcode + "' with " + std::to_string(count) + " operands; expected " +
       std::to_string(least) + (most > least ? " to " + std::to_string(most) : ""));
}

}  // namespace shflsim::isa::ptx
