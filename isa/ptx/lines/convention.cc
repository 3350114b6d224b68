// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/lines/convention.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "isa/ptx/lines/terms.h"
#include "isa/ptx/lines/uses.h"

namespace shflsim::isa::ptx {
namespace {

int add_fixed(Code* code, int number) {
  code->registers.push_back({"", 1, false});
  code->registers.back().fixed = number;
  return static_cast<int>(code->registers.size()) - 1;
}

class PassedWords {
 public:
  explicit PassedWords(Code* code) : code_(*code), slots_(code_) {
    is_read_.resize(static_cast<size_t>(slots_.count()));
    for (const Block& block : code_.blocks) {
      for (const Line& line : block.lines) {
        for_each_slot_read(slots_, line,
                           [this](int slot, bool) { is_read_[static_cast<size_t>(slot)] = true; });
      }
    }
  }

  void run() {
    for (Block& block : code_.blocks) {
      lines_.clear();
      for (Line& line : block.lines) pass(std::move(line));
      block.lines = std::move(lines_);
    }
  }

 private:
  void pass(Line line) {
    std::vector<Term> kept;
    std::vector<Line> behind;
    for (Term& term : line.terms) {
      const int through = std::exchange(term.through, 0);
      if (through == 0) {
        kept.push_back(term);
      } else if (!term.written) {
        lines_.push_back(line_of("MOV", {fixed(through, true), term}, line.where));
        kept.push_back(fixed(through, false));
      } else if (is_read_[static_cast<size_t>(slots_.of(term))]) {
        behind.push_back(line_of("MOV", {term, fixed(through, false)}, line.where));
        kept.push_back(fixed(through, true));
      }
    }
    line.terms = std::move(kept);
    if (line.operation != Pseudo::kReceive) lines_.push_back(std::move(line));
    std::move(behind.begin(), behind.end(), std::back_inserter(lines_));
  }

  Term fixed(int number, bool written) {
    const auto [known, is_new] = fixed_.emplace(number, 0);
    if (is_new) known->second = add_fixed(&code_, number);
    return written ? ptx::written(register_term(known->second)) : register_term(known->second);
  }

  Code& code_;
  const Slots slots_;
  std::vector<bool> is_read_;  ///< by slot
  std::map<int, int> fixed_;   ///< virtual registers, by number
  std::vector<Line> lines_;    ///< lines of the current block so far
};

std::set<unsigned> preserved_in(const Code& code, const std::vector<uint8_t>& numbers) {
  std::set<unsigned> preserved;
  const auto written = [&](int id) {
    const unsigned first = numbers[static_cast<size_t>(id)];
    const unsigned end = first + code.registers[static_cast<size_t>(id)].width;
    for (unsigned each = first; each < end; ++each) {
      if (is_preserved(each)) preserved.insert(each);
    }
  };
  for (const Block& block : code.blocks) {
    for (const Line& line : block.lines)
      for_each_use(
          line, [](int) {}, written);
  }
  return preserved;
}

}  // namespace

void move_passed_words(Code* code) { PassedWords(code).run(); }

void preserve_registers(Code* code, std::vector<uint8_t>* numbers) {
  if (!code->is_called) return;
  std::vector<std::pair<Term, Term>> kept;  // place in the frame, and register
  for (const unsigned number : preserved_in(*code, *numbers)) {
    code->frame_bytes = (code->frame_bytes + 3) / 4 * 4;
    const Term place = memory(code->stack_pointer, static_cast<int64_t>(code->frame_bytes));
    code->frame_bytes += 4;
    kept.emplace_back(place, register_term(add_fixed(code, static_cast<int>(number))));
    numbers->push_back(static_cast<uint8_t>(number));
  }
  const auto accesses = [&kept](bool loads, const Position& where) {
    std::vector<Line> lines;
    for (auto [place, held] : kept) {
      held.written = loads;
      lines.push_back(loads ? line_of("LDL", {held, place}, where)
                            : line_of("STL", {place, held}, where));
    }
    return lines;
  };
  for (Block& block : code->blocks) {
    if (block.lines.empty() || block.lines.back().op() != Op::kRET) continue;
    const std::vector<Line> loads = accesses(true, block.lines.back().where);
    block.lines.insert(block.lines.end() - 1, loads.begin(), loads.end());
  }
  Block& entry = code->blocks.front();
  const std::vector<Line> stores = accesses(false, entry.where);
  entry.lines.insert(entry.lines.begin(), stores.begin(), stores.end());
}

const DriverFunction* driver_function_named(const std::string& name) {
  constexpr Variable kFirst = {{'b', 64}, 0, 8, 8};
  constexpr Variable kSecond = {{'b', 64}, 8, 8, 8};
  constexpr Variable kWord = {{'b', 32}, 0, 4, 4};
  static const DriverFunction functions[] = {
      {"vprintf",
       Program::DriverCall::kPrint,
       {{{"format", kFirst}, {"values", kSecond}}, {{"count", kWord}}, 16, 4}},
      {"malloc", Program::DriverCall::kAllocate, {{{"size", kFirst}}, {{"place", kFirst}}, 8, 8}},
      {"free", Program::DriverCall::kFree, {{{"place", kFirst}}, {}, 8, 0}},
      {"__assertfail",
       Program::DriverCall::kAssert,
       {{{"assertion", kFirst},
         {"file", kSecond},
         {"line", {{'b', 32}, 16, 4, 4}},
         {"name", {{'b', 64}, 24, 8, 8}},
         {"size", {{'b', 64}, 32, 8, 8}}},
        {},
        40,
        0}},
  };
  for (const DriverFunction& each : functions) {
    if (name == each.name) return &each;
  }
  return nullptr;
}

const Signature* signature_of(const Module& module, const std::vector<Statement>& body,
                              const Call& call) {
  const auto named = [&module](const std::string& name) -> const Signature* {
    const auto index = module.devices.find(name);
    return index == module.devices.end() ? nullptr : &module.functions[index->second];
  };
  if (const Signature* callee = named(call.name)) return callee;
  if (const DriverFunction* known = driver_function_named(call.name)) return &known->signature;
  const Statement* table = table_of_call(body, call.prototype);
  if (table == nullptr) return nullptr;
  if (table->opcode == kCallPrototype) {
    return &module.signatures[static_cast<size_t>(table->signature)];
  }
  for (const Operand& target : table->operands) {
    if (const Signature* callee = named(target.name)) return callee;
  }
  return nullptr;
}

}  // namespace shflsim::isa::ptx
