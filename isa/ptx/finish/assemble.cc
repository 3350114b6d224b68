// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/finish/assemble.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "isa/base/faults.h"
#include "isa/codec/codec.h"
#include "isa/ptx/lines/convention.h"
#include "isa/ptx/lines/line_text.h"
#include "isa/ptx/lines/line_word.h"
#include "isa/ptx/statements/lower.h"

namespace shflsim::isa::ptx {
namespace {

std::string words(const std::string& line) {
  std::string out;
  for (const char c : line.substr(0, line.find("//"))) {
    const bool is_blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!is_blank) out += c;
    if (is_blank && !out.empty() && out.back() != ' ') out += ' ';
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == ';')) out.pop_back();
  return out;
}

bool is_instruction(const Line& line) { return line.operation != Pseudo::kMeet; }

class Assembler {
 public:
  Assembler(const TextLines& text, Program* program) : text_(text), program_(*program) {}

  void run(const std::vector<PlacedFunction>& functions) {
    size_t count = 0;
    for (const PlacedFunction& each : functions) place(each, &count);
    const std::vector<const DriverFunction*> called = called_of_driver(functions);
    for (const DriverFunction* each : called) {
      begins_[each->name] = isa::address_of(count);
      count += 2;
    }
    program_.code.reserve(count);
    program_.texts.reserve(count);
    program_.origins.reserve(count);
    for (const PlacedFunction& each : functions) append(each);
    for (const DriverFunction* each : called) append_call(each->call);
    faults_.raise();
    program_.registers = std::max(program_.registers_used(), 1u);
  }

  const std::map<std::string, uint32_t>& begins() const { return begins_; }

 private:
  void place(const PlacedFunction& function, size_t* count) {
    begins_[function.name] = isa::address_of(*count);
    std::map<int, uint32_t>& starts = starts_[&function];
    for (const int b : function.order) {
      starts[b] = isa::address_of(*count);
      const std::vector<Line>& lines = function.code.blocks[static_cast<size_t>(b)].lines;
      *count += static_cast<size_t>(std::count_if(lines.begin(), lines.end(), is_instruction));
    }
  }

  /// The functions of the driver that the code calls, without repetitions.
  std::vector<const DriverFunction*> called_of_driver(
      const std::vector<PlacedFunction>& functions) const {
    std::vector<const DriverFunction*> called;
    for (const PlacedFunction& function : functions) {
      for (const Block& block : function.code.blocks) {
        for (const Line& line : block.lines) {
          const DriverFunction* const known = driver_function_named(line.callee);
          const bool is_new = std::find(called.begin(), called.end(), known) == called.end();
          if (known != nullptr && is_new && begins_.count(line.callee) == 0)
            called.push_back(known);
        }
      }
    }
    return called;
  }

  /// Appends a trap that represents the driver's function, as for a cubin, and a return.
  void append_call(Program::DriverCall call) {
    program_.extras.driver_calls[static_cast<uint32_t>(program_.code.size())] = call;
    for (const char* const text : {"BPT.TRAP 0x1", "RET"}) {
      const uint32_t address = isa::address_of(program_.code.size());
      Instruction instruction;
      decode(encode(text, address).word.low, address, Control{}, &instruction);
      program_.texts.push_back(text_of(instruction));
      program_.code.push_back(instruction);
      program_.origins.push_back({0, ""});
    }
  }

  void append(const PlacedFunction& function) {
    for (const int b : function.order) {
      std::vector<isa::Operand> met;
      for (const Line& line : function.code.blocks[static_cast<size_t>(b)].lines) {
        if (!is_instruction(line)) {
          if (line.guard < 0) met.push_back(members(line.membermask.front(), function.numbers));
          continue;
        }
        if (!met.empty()) program_.extras.meetings[next_index()] = std::exchange(met, {});
        faults_.hold([&] { append(function, line); });
      }
    }
  }

  uint32_t next_index() const { return static_cast<uint32_t>(program_.code.size()); }

  void append(const PlacedFunction& function, const Line& line) {
    const Placement placement = {function.numbers, isa::address_of(program_.code.size()),
                                 target_of(function, line)};
    const std::optional<uint64_t> word = word_of(line, placement);
    if (!word) fail(line, placement);
    Instruction instruction;
    const std::string problem = decode(*word, placement.address, Control{}, &instruction);
    if (!problem.empty()) fail(line, placement, problem);
    if (!line.membermask.empty()) {
      program_.extras.membermasks[next_index()] =
          members(line.membermask.front(), function.numbers);
    }
    program_.texts.push_back(text_of(instruction));
    program_.code.push_back(instruction);
    program_.origins.push_back({line.where.line, text_.at(line.where.line)});
  }

  /// The address of the line's target or callee; -1 if it has neither.
  int64_t target_of(const PlacedFunction& function, const Line& line) const {
    if (line.callee == kBehindNext) return isa::address_of(program_.code.size() + 2);
    if (!line.callee.empty()) return begins_.at(line.callee);
    return line.target < 0 ? -1 : int64_t{starts_.at(&function).at(line.target)};
  }

  /// Says what the line's text lacks for a word.
  [[noreturn]] static void fail(const Line& line, const Placement& placement,
                                std::string problem = "") {
    const std::string text = text_of_line(line, placement.numbers);
    Names names;
    names.label_named = [&placement](std::string_view) { return placement.target; };
    try {
      encode(text, placement.address, names);
    } catch (const SyntaxError& error) {
      problem = error.what;
    }
    throw InputError(line.where, "'" + text + "': " + problem);
  }

  static isa::Operand members(const Term& term, const std::vector<uint8_t>& numbers) {
    isa::Operand operand;
    if (term.is_register()) {
      operand.kind = isa::Operand::Kind::kRegister;
      operand.index = static_cast<uint8_t>(numbers[static_cast<size_t>(term.id)] + term.part);
    } else {
      operand.kind = isa::Operand::Kind::kImmediate;
      operand.value = term.value;
    }
    return operand;
  }

  const TextLines& text_;
  Program& program_;
  Faults faults_;
  std::map<std::string, uint32_t> begins_;                           ///< address of each function
  std::map<const PlacedFunction*, std::map<int, uint32_t>> starts_;  ///< addresses of blocks
};

}  // namespace

TextLines::TextLines(const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines_.push_back(words(text.substr(at, end - at)));
    at = end + 1;
  }
}

std::string TextLines::at(unsigned line) const {
  return line == 0 || line > lines_.size() ? "" : lines_[line - 1];
}

std::map<std::string, uint32_t> assemble(const std::vector<PlacedFunction>& functions,
                                         const TextLines& text, Program* program) {
  Assembler assembler(text, program);
  assembler.run(functions);
  for (const auto& [name, begin] : assembler.begins()) {
    if (name != functions.front().name) program->jump_targets.push_back(begin);
  }
  return assembler.begins();
}

}  // namespace shflsim::isa::ptx
