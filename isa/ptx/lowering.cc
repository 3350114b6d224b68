// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/lowering.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "isa/lane_map.h"

namespace shflsim::isa::ptx {
namespace {

using Kind = Operand::Kind;

const LowerTable& table() {
  static const LowerTable all = [] {
    LowerTable made;
    add_arithmetic(made);
    add_logic(made);
    add_conversion(made);
    add_memory(made);
    add_control(made);
    return made;
  }();
  return all;
}

bool writes_its_first_operand(const std::string& opcode) {
  static const std::set<std::string> kOthers = {"st",     "bra", "bar", "barrier",
                                                "membar", "ret", "exit"};
  return kOthers.count(opcode) == 0;
}

void add_written(const Operand& operand, std::map<std::string, int>* counts) {
  ++(*counts)[operand.name];
  if (!operand.second.empty()) ++(*counts)[operand.second];
  for (const Operand& element : operand.elements) add_written(element, counts);
}

uint64_t float_bits(double value, unsigned bits) {
  uint64_t wide = 0;
  if (bits == 64) {
    std::memcpy(&wide, &value, sizeof wide);
    return wide;
  }
  const float narrow = static_cast<float>(value);
  uint32_t word = 0;
  std::memcpy(&word, &narrow, sizeof word);
  return word;
}

const char* name_of_width(uint8_t width) {
  static const char* const names[] = {"a predicate", "32 bits or less", "64 bits"};
  return names[width];
}

}  // namespace

const std::vector<std::string>& opcodes() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (const auto& [name, lower] : table()) made.push_back(name);
    return made;
  }();
  return names;
}

bool is_opcode(const std::string& name) { return table().count(name) != 0; }

Code lower(const Module& module, const Function& function, std::vector<std::string>* warnings) {
  return Lowering(module, function, warnings).run();
}

// --- modifiers ---------------------------------------------------------------------------------

bool Modifiers::take(const std::string& name) { return !take_one_of({name}).empty(); }

std::string Modifiers::take_one_of(const std::vector<std::string>& names) {
  known_.insert(known_.end(), names.begin(), names.end());
  for (size_t i = 0; i < statement_.parts.size(); ++i) {
    if (taken_.count(i) != 0) continue;
    const std::string& part = statement_.parts[i];
    if (std::find(names.begin(), names.end(), part) == names.end()) continue;
    taken_.insert(i);
    return part;
  }
  return "";
}

Type Modifiers::take_type() {
  known_.insert(known_.end(), {"b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"});
  for (size_t i = 0; i < statement_.parts.size(); ++i) {
    const Type type = type_named(statement_.parts[i]);
    if (taken_.count(i) != 0 || type.bits == 0) continue;
    taken_.insert(i);
    return type;
  }
  finish();
  throw InputError(statement_.where,
                   "'" + statement_.opcode + "' without a type; expected one such as .b32");
}

void Modifiers::finish() const {
  Position where = statement_.where;
  where.column += static_cast<unsigned>(statement_.opcode.size());
  for (size_t i = 0; i < statement_.parts.size(); ++i) {
    if (taken_.count(i) == 0) {
      throw InputError(where, "'" + statement_.opcode + "' has no '." + statement_.parts[i] + "'" +
                                  suggestion(statement_.parts[i], known_));
    }
    where.column += static_cast<unsigned>(statement_.parts[i].size()) + 1;
  }
}

// --- statements --------------------------------------------------------------------------------

Lowering::Lowering(const Module& module, const Function& function,
                   std::vector<std::string>* warnings)
    : module_(module), function_(function), warnings_(warnings) {}

Code Lowering::run() {
  for (const auto& [name, type] : function_.registers) declare(name, width_of(type));
  find_constants();
  code_.blocks.emplace_back();
  const int first = new_block();
  code_.blocks[0].next = first;
  sequence_ = {0};
  find_labels();
  go_on_in(first);
  for (const Statement& statement : function_.body) {
    if (statement.label.empty()) {
      lower_statement(statement);
    } else {
      start_block(labels_[statement.label]);
      code_.blocks[static_cast<size_t>(block_)].where = statement.where;
    }
  }
  if (!function_.is_fragment) drop_unread_predicates();
  return in_source_order();
}

/// nvcc names a predicate for every shuffle; one that nothing reads is PT.
void Lowering::drop_unread_predicates() {
  std::set<int> read;
  for (const Block& block : code_.blocks) {
    read.insert(block.guard);
    for (const Line& line : block.lines) {
      read.insert(line.guard);
      for (const Term& term : line.terms) {
        if (!term.written) read.insert(term.id);
      }
    }
  }
  for (Block& block : code_.blocks) {
    for (Line& line : block.lines) {
      for (Term& term : line.terms) {
        if (term.written && term.width == 0 && read.count(term.id) == 0) term = pt();
      }
    }
  }
}

/// Labels got their blocks before the blocks between them.
Code Lowering::in_source_order() {
  std::vector<int> places(code_.blocks.size(), -1);
  for (size_t i = 0; i < sequence_.size(); ++i) {
    places[static_cast<size_t>(sequence_[i])] = static_cast<int>(i);
  }
  const auto place_of = [&places](int b) { return b < 0 ? b : places[static_cast<size_t>(b)]; };
  Code ordered;
  ordered.registers = std::move(code_.registers);
  for (const int b : sequence_) {
    ordered.blocks.push_back(std::move(code_.blocks[static_cast<size_t>(b)]));
    Block& block = ordered.blocks.back();
    block.taken = place_of(block.taken);
    block.next = place_of(block.next);
  }
  return ordered;
}

/// A register that is written once, and then to a number, is that number: nvcc puts the operands of
/// its shuffles in registers.
void Lowering::find_constants() {
  std::map<std::string, int> writes;
  for (const Statement& statement : function_.body) {
    if (statement.operands.empty() || !writes_its_first_operand(statement.opcode)) continue;
    add_written(statement.operands.front(), &writes);
  }
  for (const Statement& statement : function_.body) {
    const bool moves =
        statement.opcode == "mov" && statement.operands.size() == 2 && statement.guard.empty();
    if (!moves || writes[statement.operands[0].name] != 1) continue;
    const Kind kind = statement.operands[1].kind;
    const bool is_number =
        kind == Kind::kInteger || kind == Kind::kFloat || kind == Kind::kFloatBits;
    if (is_number && !function_.is_fragment) {
      constants_[statement.operands[0].name] = statement.operands[1];
    }
  }
}

void Lowering::find_labels() {
  for (const Statement& statement : function_.body) {
    if (statement.label.empty()) continue;
    if (!labels_.emplace(statement.label, new_block()).second) {
      throw InputError(statement.where,
                       "label '" + statement.label + "' stands twice; expected a new name");
    }
  }
}

void Lowering::lower_statement(const Statement& statement) {
  statement_ = &statement;
  code_.blocks[static_cast<size_t>(block_)].where = statement.where;
  if (!is_opcode(statement.opcode)) {
    if (statement.opcode[0] == '.') {
      fail("the directive '" + statement.opcode +
           "' is not supported here; expected .reg, .shared or an instruction");
    }
    fail("unknown instruction '" + statement.opcode + "'" +
         suggestion(statement.opcode, opcodes()));
  }
  Modifiers modifiers(statement);
  table().at(statement.opcode)(*this, modifiers);
}

int Lowering::new_block() {
  code_.blocks.emplace_back();
  return static_cast<int>(code_.blocks.size()) - 1;
}

/// The block is written to from here on; the one before runs into it.
void Lowering::start_block(int block) {
  code_.blocks[static_cast<size_t>(block_)].next = block;
  go_on_in(block);
}

void Lowering::go_on_in(int block) {
  block_ = block;
  sequence_.push_back(block);
}

void Lowering::branch(const Operand& label, bool uniform) {
  const auto target = labels_.find(label.name);
  if (label.kind != Kind::kName || target == labels_.end()) {
    std::vector<std::string> known;
    for (const auto& [name, block] : labels_) known.push_back(name);
    fail(label, "no label '" + label.name + "'" + suggestion(label.name, known));
  }
  const int following = new_block();
  Block& block = code_.blocks[static_cast<size_t>(block_)];
  block.next = target->second;
  if (!statement_->guard.empty()) {
    block.guard = guard_id();
    block.guard_negate = statement_->guard_negate;
    block.taken = target->second;
    block.next = following;
    block.uniform = uniform;
  }
  go_on_in(following);
}

void Lowering::end() {
  if (!statement_->guard.empty()) {
    emit("EXIT", {});
    return;
  }
  // The block that ends has no next one: what follows stands in a block of its own.
  go_on_in(new_block());
}

Line& Lowering::emit(const std::string& operation, std::vector<Term> terms) {
  Line line;
  line.operation = operation;
  line.terms = std::move(terms);
  line.where = statement_->where;
  if (!statement_->guard.empty()) {
    line.guard = guard_id();
    line.guard_negate = statement_->guard_negate;
  }
  Block& block = code_.blocks[static_cast<size_t>(block_)];
  block.lines.push_back(std::move(line));
  return block.lines.back();
}

void Lowering::warn(const std::string& what) {
  warnings_->push_back(InputError(statement_->where, "warning: " + what).what());
}

void Lowering::fail(const Operand& at, const std::string& what) const {
  throw InputError(at.where, what);
}
void Lowering::fail(const std::string& what) const { throw InputError(statement_->where, what); }

void Lowering::expect_operands(size_t least, size_t most) const {
  const size_t count = statement_->operands.size();
  if (count >= least && count <= most) return;
  fail("'" + statement_->opcode + "' with " + std::to_string(count) + " operands; expected " +
       std::to_string(least) + (most > least ? " to " + std::to_string(most) : ""));
}

// --- registers ---------------------------------------------------------------------------------

int Lowering::declare(const std::string& name, uint8_t width) {
  const int id = static_cast<int>(code_.registers.size());
  code_.registers.push_back({name, width, function_.is_fragment});
  if (!name.empty()) ids_[name] = id;
  return id;
}

void Lowering::check_width(int id, const Operand& at, uint8_t width) const {
  const VirtualRegister& found = code_.registers[static_cast<size_t>(id)];
  if (found.width != width) {
    fail(at, "'" + found.name + "' holds " + name_of_width(found.width) + "; expected " +
                 name_of_width(width));
  }
}

int Lowering::id_of(const std::string& name, const Operand& at, uint8_t width) {
  auto known = ids_.find(name);
  if (known == ids_.end() && infers_registers() && name[0] != '.') {
    declare(name, width);
    known = ids_.find(name);
  }
  if (known == ids_.end()) {
    std::vector<std::string> names;
    for (const auto& [declared, id] : ids_) names.push_back(declared);
    const std::string nearest = nearest_name(name, names);
    fail(at, "no register '" + name + "'" +
                 (nearest.empty() ? "; expected one that .reg declares"
                                  : "; did you mean '" + nearest + "'?"));
  }
  check_width(known->second, at, width);
  return known->second;
}

int Lowering::guard_id() {
  Operand guard;
  guard.where = statement_->where;
  return id_of(statement_->guard, guard, 0);
}

Term Lowering::temporary(uint8_t width) {
  Term term;
  term.kind = Term::Kind::kRegister;
  term.id = static_cast<int>(code_.registers.size());
  term.width = width;
  code_.registers.push_back({"", width, false});
  return term;
}

Term Lowering::destination_named(const std::string& name, const Operand& at, uint8_t width) {
  if (name == "_") return width == 0 ? pt() : rz();
  Term term;
  term.kind = Term::Kind::kRegister;
  term.id = id_of(name, at, width);
  term.width = width;
  term.written = true;
  return term;
}

Term Lowering::destination(const Operand& operand, uint8_t width) {
  if (operand.kind != Kind::kName || operand.negate) {
    fail(operand,
         std::string("a result cannot go here; expected a register of ") + name_of_width(width));
  }
  return destination_named(operand.name, operand, width);
}

bool Lowering::is_number(const Operand& operand, Type type, uint64_t* value) const {
  const auto constant = constants_.find(operand.name);
  const bool is_constant = operand.kind == Kind::kName && constant != constants_.end();
  const Operand& from = is_constant ? constant->second : operand;
  switch (from.kind) {
    case Kind::kInteger:
    case Kind::kFloatBits: *value = static_cast<uint64_t>(from.value); return true;
    case Kind::kFloat: *value = float_bits(from.real, type.bits); return true;
    default: return false;
  }
}

Term Lowering::number_in_register(uint64_t value, uint8_t width) {
  if (width == 1 && static_cast<uint32_t>(value) == 0) return rz();
  Term term = temporary(width);
  term.written = true;
  const auto word = [](uint64_t bits) { return number(static_cast<int64_t>(bits & 0xFFFFFFFFu)); };
  emit("MOV32I", {low(term), word(value)});
  if (width == 2) emit("MOV32I", {high(term), word(value >> 32)});
  term.written = false;
  return term;
}

Term Lowering::source(const Operand& operand, Type type) {
  const uint8_t width = width_of(type);
  uint64_t value = 0;
  if (is_number(operand, type, &value)) return number_in_register(value, width);
  if (operand.kind != Kind::kName || operand.negate) {
    fail(operand, std::string("this cannot be read here; expected a register or a number of ") +
                      name_of_width(width));
  }
  if (operand.name == "WARP_SZ") return number_in_register(kLanes, width);
  Term term;
  term.kind = Term::Kind::kRegister;
  term.id = id_of(operand.name, operand, width);
  term.width = width;
  return term;
}

Term Lowering::short_source(const Operand& operand, Type type) {
  uint64_t value = 0;
  if (type.is_float() || width_of(type) != 1 || !is_number(operand, type, &value))
    return source(operand, type);
  const int64_t word = static_cast<int32_t>(static_cast<uint32_t>(value));
  constexpr int64_t kLimit = 1 << 19;
  return word >= -kLimit && word < kLimit ? number(word) : source(operand, type);
}

Term Lowering::predicate(const Operand& operand) {
  uint64_t value = 0;
  if (is_number(operand, {'p', 1}, &value)) return text(value != 0 ? "PT" : "!PT");
  if (operand.kind != Kind::kName)
    fail(operand, "this is no predicate; expected one, such as p or !p");
  Term term;
  term.kind = Term::Kind::kRegister;
  term.id = id_of(operand.name, operand, 0);
  term.width = 0;
  if (operand.negate) term.before = "!";
  return term;
}

// --- terms -------------------------------------------------------------------------------------

Term text(const std::string& words) {
  Term term;
  term.text = words;
  return term;
}

Term number(int64_t value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%s0x%llx", value < 0 ? "-" : "",
                static_cast<unsigned long long>(value < 0 ? -value : value));
  return text(digits);
}

Term low(Term pair) {
  pair.width = 1;
  return pair;
}

Term high(Term pair) {
  if (pair.kind == Term::Kind::kRegister) pair.part = 1;
  pair.width = 1;
  return pair;
}

Term negated(Term term) {
  term.before = "-";
  return term;
}

Term with_suffix(Term term, const std::string& suffix) {
  term.after = suffix;
  return term;
}

}  // namespace shflsim::isa::ptx
