// SPDX-License-Identifier: Apache-2.0
// PTX as a dialect: every function of a text becomes a program of SPA 5.0 instructions.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>

#include "isa/base/bounded.h"
#include "isa/dialects/groups.h"
#include "isa/dialects/reuse.h"
#include "isa/dialects/schedule.h"
#include "isa/dialects/source.h"
#include "isa/ptx/finish/assemble.h"
#include "isa/ptx/finish/pipeline.h"
#include "isa/ptx/library/direct_operands.h"
#include "isa/ptx/library/inline.h"
#include "isa/ptx/lines/convention.h"
#include "isa/ptx/lines/frames.h"
#include "isa/ptx/statements/lower.h"
#include "isa/ptx/text/outline.h"
#include "isa/ptx/text/syntax.h"
#include "isa/ptx/text/token.h"

namespace shflsim::isa::ptx {
namespace {

/// Resolves an address of a variable or function within the file's data.
void add_address(const Module& module, const Data::Address& address, uint8_t bank,
                 std::vector<uint8_t>* bytes, Program* program) {
  const auto added = static_cast<uint64_t>(address.addend);
  const auto variable = module.globals.variables.find(address.name);
  if (variable != module.globals.variables.end()) {
    const auto place = static_cast<size_t>(variable->second.offset + added);
    program->variable_addresses.push_back({bank, address.offset, place});
    return;
  }
  const auto constant = module.constants.variables.find(address.name);
  if (constant != module.constants.variables.end() && address.is_generic) {
    const auto place = static_cast<size_t>(constant->second.offset + added);
    program->variable_addresses.push_back({bank, address.offset, place, true});
    return;
  }
  std::optional<uint64_t> value = pointer_to(module, address.name);
  if (constant != module.constants.variables.end()) value = constant->second.offset;
  if (!value) return;
  const uint64_t bits = (*value + added) >> address.shift;
  std::memcpy(bytes->data() + address.offset, &bits, address.size);
}

void add_constants(const Module& module, Program* program) {
  if (module.constants.bytes.empty()) return;
  program->constants[kConstantBank] = module.constants.bytes;
  for (const Data::Address& each : module.constants.addresses) {
    add_address(module, each, kConstantBank, &program->constants[kConstantBank], program);
  }
}

void add_variables(const Module& module, Program* program) {
  program->variables = module.globals.bytes;
  for (const Data::Address& each : module.globals.addresses) {
    add_address(module, each, Program::VariableAddress::kInImage, &program->variables, program);
  }
}

/// Adds the constants of the file, its variables if code or constants name any, and the addresses
/// of those that code names.
void add_data(const Module& module, const UsedGlobals& globals, Program* program) {
  add_constants(module, program);
  if (globals.empty() && program->variable_addresses.empty()) return;
  program->constants[kAddressBank].resize(globals.size() * sizeof(uint64_t));
  for (const auto& [name, index] : globals) {
    program->variable_addresses.push_back(
        {kAddressBank, index * sizeof(uint64_t), size_t{module.globals.variables.at(name).offset}});
  }
  add_variables(module, program);
}

/// Adds the table of function addresses for calls by pointer; functions without code have ~0.
void add_functions(const Module& module, const std::map<std::string, uint32_t>& begins,
                   Program* program) {
  constexpr uint64_t kNowhere = ~uint64_t{0};
  std::vector<uint64_t> table(module.functions.size() + 1, kNowhere);
  for (const auto& [name, begin] : begins) {
    const auto pointer = pointer_to(module, name);
    if (pointer) table[*pointer / sizeof(uint64_t)] = begin;
  }
  std::vector<uint8_t>& bank = program->constants[kFunctionBank];
  bank.resize(table.size() * sizeof(uint64_t));
  std::memcpy(bank.data(), table.data(), bank.size());
}

Position begin_of(const Module& module, const Function& function) {
  return function.body.empty() ? Position{module.file} : function.body.front().where;
}

bool calls_by_pointer(const PlacedFunction& function) {
  for (const Block& block : function.code.blocks) {
    for (const Line& line : block.lines) {
      if (line.op() == Op::kJMX) return true;
    }
  }
  return false;
}

/// Lowers and allocates all functions: the kernel first, then those that it calls.
std::vector<PlacedFunction> place_all(const Module& module, const std::vector<Function>& functions,
                                      Lowering lowering, UsedGlobals* globals, Program* program,
                                      Dump* dump) {
  std::vector<PlacedFunction> placed;
  for (const Function& each : functions) {
    Code code = lower(module, each, globals, &program->warnings);
    const Position where = begin_of(module, each);
    placed.push_back(placed_function(std::move(code), each.name, lowering, where, dump));
    const uint64_t frame = on_stack(placed.back().code.frame_bytes);
    program->local_bytes =
        static_cast<unsigned>(std::min<uint64_t>(program->local_bytes + frame, kMostLocalBytes));
  }
  return placed;
}

void choose_schedule(Lowering lowering, Program* program) {
  if (lowering == Lowering::kPlain) return choose_control(program);
  choose_control(program, Issue::kPairs);
  end_groups(program);
  mark_reuse(program);
}

Program program_of(const Module& module, const Function& kernel, Lowering lowering,
                   const TextLines& text, Dump* dump) {
  Program program;
  program.name = kernel.name;
  program.extras.most_threads = kernel.most_threads;
  program.is_lowered = true;
  program.extras.lanes_may_part = module.target >= 70;
  for (const std::string& name : in_order(kernel.parameters)) {
    const Variable& each = kernel.parameters.at(name);
    program.parameters.push_back({each.offset, each.bytes});
  }
  const std::vector<Function> functions = with_calls_in_place(module, kernel);
  program.shared_bytes = functions.front().shared_bytes;
  UsedGlobals globals;
  const std::vector<PlacedFunction> placed =
      place_all(module, functions, lowering, &globals, &program, dump);
  const Code& code = placed.front().code;
  if (placed.size() == 1) program.local_bytes = static_cast<unsigned>(code.frame_bytes);
  for (size_t i = 0; i < code.registers.size(); ++i) {
    const VirtualRegister& named = code.registers[i];
    if (named.keep && named.width == 1) program.symbols[named.name] = placed.front().numbers[i];
  }
  add_data(module, globals, &program);
  const std::map<std::string, uint32_t> begins = assemble(placed, text, &program);
  if (std::any_of(placed.begin(), placed.end(), calls_by_pointer)) {
    add_functions(module, begins, &program);
  }
  choose_schedule(lowering, &program);
  return program;
}

/// The sizes of the parameters, in order; nullopt for a fragment without a kernel's head.
std::optional<std::vector<uint32_t>> sizes_of_parameters(const Function& function) {
  if (function.is_fragment) return std::nullopt;
  std::vector<uint32_t> sizes;
  for (const std::string& name : in_order(function.parameters)) {
    sizes.push_back(function.parameters.at(name).bytes);
  }
  return sizes;
}

class PtxSource final : public Source {
 public:
  explicit PtxSource(const SourceText& source)
      : module_(parse(source, is_opcode)),
        lines_(std::string(source.text)),
        lowering_(source.lowering) {
    pass_in_parameters(&module_);
  }

  std::vector<std::string> kernels() const override {
    std::vector<std::string> names;
    for (const Function& function : module_.functions) {
      if (!function.is_device) names.push_back(function.name);
    }
    return names;
  }

  std::vector<NamedVariable> variables() const override {
    std::vector<NamedVariable> all;
    for (const auto& [name, variable] : module_.globals.variables)
      all.push_back({name, NamedVariable::kInImage, variable.offset});
    for (const auto& [name, variable] : module_.constants.variables)
      all.push_back({name, kConstantBank, variable.offset});
    return all;
  }

  uint32_t most_threads(const std::string& kernel) const override {
    return function_named(kernel).most_threads;
  }

  std::optional<Program> data() const override {
    Program program;
    add_constants(module_, &program);
    add_variables(module_, &program);
    return program;
  }

  Program program(const std::string& kernel) const override {
    return program_of(module_, function_named(kernel), lowering_, lines_, nullptr);
  }

  std::optional<std::string> lines_after(const std::string& pass,
                                         const std::string& kernel) const override {
    Dump dump(pass);
    program_of(module_, function_named(kernel), lowering_, lines_, &dump);
    return dump.text();
  }

 protected:
  KernelSummary summary(const std::string& kernel) const override {
    KernelSummary summary = Source::summary(kernel);
    summary.form = "PTX";
    if (module_.target != 0) summary.architecture = "compute_" + std::to_string(module_.target);
    for (const Function& function : module_.functions) {
      if (function.name == kernel) summary.parameters = sizes_of_parameters(function);
    }
    return summary;
  }

 private:
  const Function& function_named(const std::string& kernel) const {
    for (const Function& function : module_.functions) {
      if (function.name == kernel && !function.is_device) return function;
    }
    throw InputError({module_.file}, "no kernel '" + kernel + "'" + suggestion(kernel, kernels()));
  }

  Module module_;
  TextLines lines_;
  Lowering lowering_;
};

/// The first word that is no comment, guard or label: a directive or an instruction in lower case.
/// "" for the heading of a function in C++, such as "shfl(int*):" in listings of Compiler Explorer.
std::string first_word(std::string_view text) {
  size_t at = 0;
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$' ||
           c == '%';
  };
  const auto skip_past = [&](const char* words, size_t from) {
    const size_t found = text.find(words, from);
    at = found == std::string_view::npos ? text.size() : found + std::strlen(words);
  };
  while (at < text.size()) {
    if (text.compare(at, 2, "//") == 0) {
      skip_past("\n", at);
    } else if (text.compare(at, 2, "/*") == 0) {
      skip_past("*/", at);
    } else if (is_line_marker(text, at)) {
      skip_past("\n", at);
    } else if (text[at] == '@') {
      for (++at; at < text.size() && (text[at] == '!' || is_word(text[at]));) ++at;
    } else if (!is_word(text[at])) {
      ++at;
    } else {
      size_t end = at;
      while (end < text.size() && is_word(text[end])) ++end;
      if (end < text.size() && text[end] == '(') return "";
      const size_t behind = text.find_first_not_of(" \t\r\n", end);
      if (behind == std::string::npos || text[behind] != ':')
        return std::string(text.substr(at, end - at));
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
  const std::string words = first_word(source.text);
  const std::string word = words.substr(0, words.find('.', 1));  // .global.u32 is two
  if (std::find(kDirectives.begin(), kDirectives.end(), word) != kDirectives.end()) return true;
  return is_opcode(word.substr(0, word.find('.')));
}

std::unique_ptr<Source> open(const SourceText& source) {
  return std::make_unique<PtxSource>(source);
}

/// Lists the kernels from the declarations alone, without the function bodies.
std::vector<KernelSummary> list(const SourceText& source) {
  SourceText heads = source;
  heads.text = outline(source.text);
  const Module module = parse(heads, is_opcode);
  std::vector<KernelSummary> all;
  for (const Function& function : module.functions) {
    if (function.is_device) continue;
    KernelSummary& each = all.emplace_back();
    each.kernel = function.name;
    if (module.target != 0) each.architecture = "compute_" + std::to_string(module.target);
    each.form = "PTX";
    each.parameters = sizes_of_parameters(function);
    each.use = "executed";
  }
  return all;
}

const bool registered = Dialects::add(
    {"ptx", "PTX, kernels or a piece of code", recognises, open, 40, false, true, list});

}  // namespace
}  // namespace shflsim::isa::ptx
