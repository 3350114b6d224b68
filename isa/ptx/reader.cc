// SPDX-License-Identifier: Apache-2.0
// PTX as a dialect: every function of a text becomes a program of SPA 5.0 instructions.
#include <algorithm>
#include <cctype>
#include <map>

#include "isa/assembler/schedule.h"
#include "isa/codec.h"
#include "isa/faults.h"
#include "isa/ptx/inline.h"
#include "isa/ptx/line_text.h"
#include "isa/ptx/lower.h"
#include "isa/ptx/optimise.h"
#include "isa/ptx/syntax.h"
#include "isa/ptx/uses.h"
#include "isa/reader/source.h"

namespace shflsim::isa::ptx {
namespace {

/// The words of each line of a text, without the blanks and the semicolon around them.
class TextLines {
 public:
  explicit TextLines(const std::string& text) {
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      lines_.push_back(words(text.substr(at, end - at)));
      at = end + 1;
    }
  }

  /// Counted from 1; "" for none.
  std::string at(unsigned line) const {
    return line == 0 || line > lines_.size() ? "" : lines_[line - 1];
  }

 private:
  static std::string words(const std::string& line) {
    std::string out;
    for (const char c : line.substr(0, line.find("//"))) {
      const bool is_blank = std::isspace(static_cast<unsigned char>(c)) != 0;
      if (!is_blank) out += c;
      if (is_blank && !out.empty() && out.back() != ' ') out += ' ';
    }
    while (!out.empty() && (out.back() == ' ' || out.back() == ';')) out.pop_back();
    return out;
  }

  std::vector<std::string> lines_;
};

/// Writes lines as SPA 5.0 text and encodes them.
class Assembler {
 public:
  Assembler(const Code& code, const std::vector<uint8_t>& numbers, const TextLines& text)
      : code_(code), numbers_(numbers), text_(text) {}

  void assemble(const std::vector<int>& order, Program* program) {
    place(order);
    Faults faults;
    for (const int b : order) {
      for (const Line& line : code_.blocks[static_cast<size_t>(b)].lines)
        faults.hold([&] { append(line, program); });
    }
    faults.raise();
    program->registers = std::max(program->registers_used(), 1u);
    choose_control(program);
  }

 private:
  void place(const std::vector<int>& order) {
    size_t count = 0;
    for (const int b : order) {
      starts_[b] = isa::address_of(count);
      count += code_.blocks[static_cast<size_t>(b)].lines.size();
    }
  }

  int number_of(const Term& term) const {
    return numbers_[static_cast<size_t>(term.id)] + term.part;
  }

  void append(const Line& line, Program* program) {
    const uint32_t address = isa::address_of(program->code.size());
    Names names;
    names.label_named = [&](std::string_view) { return int64_t{starts_.at(line.target)}; };
    Instruction instruction;
    try {
      const Encoded encoded = encode(text_of_line(line, numbers_), address, names);
      const std::string problem = decode(encoded.word.low, address, Control{}, &instruction);
      if (!problem.empty()) throw SyntaxError{problem, 1};
    } catch (const SyntaxError& error) {
      throw InputError(line.where, "'" + text_of_line(line, numbers_) + "': " + error.what);
    }
    if (!line.membermask.empty()) {
      program->membermasks[static_cast<uint32_t>(program->code.size())] =
          members(line.membermask.front());
    }
    program->texts.push_back(text_of(instruction));
    program->code.push_back(instruction);
    program->origins.push_back({line.where.line, text_.at(line.where.line)});
  }

  isa::Operand members(const Term& term) const {
    isa::Operand operand;
    if (term.is_register()) {
      operand.kind = isa::Operand::Kind::kRegister;
      operand.index = static_cast<uint8_t>(number_of(term));
    } else {
      operand.kind = isa::Operand::Kind::kImmediate;
      operand.value =
          term.text == "RZ" ? 0 : static_cast<int64_t>(std::stoull(term.text, nullptr, 16));
    }
    return operand;
  }

  const Code& code_;
  const std::vector<uint8_t>& numbers_;
  const TextLines& text_;
  std::map<int, uint32_t> starts_;  ///< address of each block
};

/// The variables of the file, and the addresses of those that the code names.
void add_data(const Module& module, const Code& code, Program* program) {
  if (!module.constants.bytes.empty()) program->constants[kConstantBank] = module.constants.bytes;
  if (code.globals.empty()) return;
  program->variables = module.globals.bytes;
  const auto place_of = [&module](const std::string& name) {
    return size_t{module.globals.variables.at(name).offset};
  };
  program->constants[kAddressBank].resize(code.globals.size() * sizeof(uint64_t));
  for (size_t i = 0; i < code.globals.size(); ++i) {
    program->variable_addresses.push_back(
        {kAddressBank, i * sizeof(uint64_t), place_of(code.globals[i])});
  }
  for (const Data::Address& each : module.globals.addresses) {
    if (module.globals.variables.count(each.name) == 0) continue;
    program->variable_addresses.push_back(
        {Program::VariableAddress::kInImage, each.offset, place_of(each.name)});
  }
}

void optimise(Code* code, const Position& where) {
  give_cycles_one_entry(code);
  number_values(code);
  drop_dead_code(code);
  convert_ifs(code);
  number_values(code);
  drop_dead_code(code);
  drop_overwritten(code, where);
  schedule_lines(code, where);
}

/// Optimised code keeps more in registers: where there are too few it is taken as it was.
std::vector<uint8_t> numbers_of_optimised(Code* code, const Position& where,
                                          std::vector<std::string>* warnings) {
  const Code plain = *code;
  try {
    optimise(code, where);
    return allocate(*code, where);
  } catch (const NoRoom&) {
    *code = plain;
    std::vector<uint8_t> numbers = allocate(*code, where);
    warnings->push_back(InputError(where,
                                   "warning: lowered plain, since optimised it takes more "
                                   "registers or predicates than there are")
                            .what());
    return numbers;
  }
}

Program program_of(const Module& module, const Function& function, Lowering lowering,
                   const TextLines& text) {
  Program program;
  program.name = function.name;
  program.is_lowered = true;
  program.shared_bytes = function.shared_bytes;
  program.local_bytes = function.local_bytes;
  Code code = lower(module, function, &program.warnings);
  const Position where =
      function.body.empty() ? Position{module.file} : function.body.front().where;
  const std::vector<uint8_t> numbers = lowering == Lowering::kOptimised
                                           ? numbers_of_optimised(&code, where, &program.warnings)
                                           : allocate(code, where);
  if (lowering == Lowering::kOptimised) drop_moves_in_place(&code, numbers);
  for (size_t i = 0; i < code.registers.size(); ++i) {
    const VirtualRegister& named = code.registers[i];
    if (named.keep && named.width == 1) program.symbols[named.name] = numbers[i];
  }
  add_data(module, code, &program);
  const std::vector<int> order = place_control_flow(code);
  Assembler(code, numbers, text).assemble(order, &program);
  return program;
}

class PtxSource final : public Source {
 public:
  explicit PtxSource(const SourceText& source)
      : module_(parse(source)), lines_(source.text), lowering_(source.lowering) {}

  std::vector<std::string> kernels() const override {
    std::vector<std::string> names;
    for (const Function& function : module_.functions) {
      if (!function.is_device) names.push_back(function.name);
    }
    return names;
  }

  Program program(const std::string& kernel) const override {
    for (const Function& function : module_.functions) {
      if (function.name != kernel || function.is_device) continue;
      return program_of(module_, with_calls_in_place(module_, function), lowering_, lines_);
    }
    throw InputError({module_.file}, "no kernel '" + kernel + "'" + suggestion(kernel, kernels()));
  }

 protected:
  KernelSummary summary(const std::string& kernel) const override {
    KernelSummary summary = Source::summary(kernel);
    summary.form = "PTX";
    if (module_.target != 0) summary.architecture = "compute_" + std::to_string(module_.target);
    for (const Function& function : module_.functions) {
      if (function.name != kernel || function.is_fragment) continue;
      std::map<uint32_t, uint32_t> sizes;  // by place
      for (const auto& [name, each] : function.parameters) sizes[each.offset] = each.bytes;
      summary.parameters.emplace();
      for (const auto& [offset, bytes] : sizes) summary.parameters->push_back(bytes);
    }
    return summary;
  }

 private:
  Module module_;
  TextLines lines_;
  Lowering lowering_;
};

/// The first word that is no comment, guard or label: a directive or an instruction in lower case.
std::string first_word(const std::string& text) {
  size_t at = 0;
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$' ||
           c == '%';
  };
  const auto skip_past = [&](const char* words, size_t from) {
    const size_t found = text.find(words, from);
    at = found == std::string::npos ? text.size() : found + std::string(words).size();
  };
  while (at < text.size()) {
    if (text.compare(at, 2, "//") == 0) {
      skip_past("\n", at);
    } else if (text.compare(at, 2, "/*") == 0) {
      skip_past("*/", at);
    } else if (text[at] == '@') {
      for (++at; at < text.size() && (text[at] == '!' || is_word(text[at]));) ++at;
    } else if (!is_word(text[at])) {
      ++at;
    } else {
      size_t end = at;
      while (end < text.size() && is_word(text[end])) ++end;
      const size_t behind = text.find_first_not_of(" \t\r\n", end);
      if (behind == std::string::npos || text[behind] != ':') return text.substr(at, end - at);
      at = behind + 1;
    }
  }
  return "";
}

bool recognises(const SourceText& source) {
  if (source.text.find('\0') != std::string::npos) return false;
  static const std::vector<std::string> kDirectives = {
      ".version", ".target", ".address_size", ".entry",  ".func", ".visible", ".extern",
      ".weak",    ".common", ".reg",          ".shared", ".file", ".global",  ".const"};
  const std::string word = first_word(source.text);
  if (std::find(kDirectives.begin(), kDirectives.end(), word) != kDirectives.end()) return true;
  return is_opcode(word.substr(0, word.find('.')));
}

std::unique_ptr<Source> open(const SourceText& source) {
  return std::make_unique<PtxSource>(source);
}

const bool registered =
    Dialects::add({"ptx", "PTX, kernels or a piece of code", recognises, open, 40, false, true});

}  // namespace
}  // namespace shflsim::isa::ptx
