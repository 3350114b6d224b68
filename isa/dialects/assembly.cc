// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/assembly.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/assembly/text_lines.h"
#include "isa/base/bounded.h"
#include "isa/base/faults.h"
#include "isa/base/text_cursor.h"
#include "isa/dialects/assembled.h"
#include "isa/dialects/foreign_text.h"

namespace shflsim::isa {
namespace {

/// Half of an address that a linker fills in, in an instruction's text: "32@lo(flist)",
/// "32@hi((k + .L_1@srel))".
struct AddressHalf {
  bool is_upper = false;
  size_t begin = 0;  ///< index in the text
  size_t end = 0;
  std::vector<std::string> terms;  ///< names and numbers to add
};

std::vector<std::string> terms_of(std::string_view sum) {
  sum = trimmed(sum);
  if (sum.size() > 1 && sum.front() == '(') sum = trimmed(sum.substr(1, sum.size() - 2));
  std::vector<std::string> terms;
  for (size_t at = 0; at <= sum.size();) {
    const size_t end = std::min(sum.find('+', at), sum.size());
    const std::string_view term = trimmed(sum.substr(at, end - at));
    terms.emplace_back(term.substr(0, term.find('@')));
    at = end + 1;
  }
  return terms;
}

std::optional<AddressHalf> address_half_in(std::string_view text) {
  AddressHalf half;
  for (const std::string_view key : {"32@lo(", "32@hi("}) {
    half.begin = text.find(key);
    if (half.begin == std::string_view::npos) continue;
    half.is_upper = key[3] == 'h';
    unsigned depth = 1;
    for (half.end = half.begin + key.size(); half.end < text.size() && depth > 0; ++half.end) {
      if (text[half.end] == '(') ++depth;
      if (text[half.end] == ')') --depth;
    }
    if (depth > 0) return std::nullopt;
    const size_t first = half.begin + key.size();
    half.terms = terms_of(text.substr(first, half.end - 1 - first));
    return half;
  }
  return std::nullopt;
}

class Assembly final : public Source {
 public:
  Assembly(const SourceText& source, const AssemblySyntax& syntax)
      : source_(source),
        syntax_(syntax),
        text_(guessing(source, Arch::kSm50, [&] { return read_assembly(source, syntax); })),
        variables_(variables_of(text_.data)) {}

  std::vector<std::string> kernels() const override {
    std::vector<std::string> names;
    for (const AssemblyKernel& kernel : text_.kernels) names.push_back(kernel.name);
    return names;
  }

  Arch arch() const override { return text_.kernels.front().arch; }
  Program program(const std::string& name) const override {
    const auto kernel = std::find_if(text_.kernels.begin(), text_.kernels.end(),
                                     [&name](const AssemblyKernel& k) { return k.name == name; });
    if (kernel == text_.kernels.end()) {
      throw InputError({source_.file}, "no kernel '" + name + "'" + suggestion(name, kernels()));
    }
    return guessing(source_, kernel->arch, [&] { return assembled_kernel(*kernel); });
  }

 private:
  Program assembled_kernel(const AssemblyKernel& kernel) const {
    Program program;
    program.name = kernel.name;
    program.arch = kernel.arch;
    program.shared_bytes = kernel.shared_bytes;
    add_data(text_.data, &program);
    Faults faults;
    for (const AssemblyLine& line : kernel.code)
      faults.hold([&] { append(line, kernel, &program); });
    faults.raise();
    check_addresses(text_.data, source_.file, program);
    program.registers = kernel.registers != 0 ? kernel.registers : program.registers_used();
    return program;
  }

  Names names_of(const AssemblyKernel& kernel) const {
    Names names;
    names.register_named = [this](std::string_view name) {
      return text_.names.register_named(name);
    };
    names.label_named = [&kernel](std::string_view label) {
      const auto found = kernel.labels.find(std::string(label));
      const Family family = family_of(kernel.arch);
      return found == kernel.labels.end() ? int64_t{-1}
                                          : int64_t{target_address(found->second, family)};
    };
    names.known = [this, &kernel] {
      std::vector<std::string> known = text_.names.registers();
      for (const auto& [label, index] : kernel.labels) known.push_back(label);
      return known;
    };
    return names;
  }

  void append(const AssemblyLine& line, const AssemblyKernel& kernel, Program* program) const {
    const uint32_t address = address_of(program->code.size(), family_of(kernel.arch));
    std::string text = text_.names.replaced_in(line.text);
    try {
      check_call(text, kernel);
      const std::optional<AddressHalf> half = address_half_in(text);
      const std::optional<size_t> variable = half ? resolve(*half, kernel, &text) : std::nullopt;
      Instruction instruction =
          assembled(kernel.arch, text, address, line.control, names_of(kernel), line.control.reuse);
      program->texts.push_back(text_of(instruction));
      if (variable) put_variable_half(*variable, half->is_upper, &instruction, program);
      program->code.push_back(instruction);
    } catch (const SyntaxError& error) {
      throw InputError({source_.file, line.line, line.column + error.column - 1}, error.what);
    }
  }

  /// Throws SyntaxError for a call of a name in CuAssembler's quotes, `(vprintf), that is no label
  /// of the kernel.
  static void check_call(const std::string& text, const AssemblyKernel& kernel) {
    const size_t quote = text.find("`(");
    const bool is_call =
        text.find("CALL.") != std::string::npos || text.find("CAL ") != std::string::npos;
    if (!is_call || quote == std::string::npos) return;
    const size_t end = std::min(text.find(')', quote), text.size());
    const std::string name(trimmed(std::string_view(text).substr(quote + 2, end - quote - 2)));
    if (kernel.labels.count(name) != 0) return;
    throw SyntaxError{
        "kernel '" + kernel.name + "' calls '" + name +
            "', which is no label of its code; expected the cubin, or code without it",
        static_cast<unsigned>(quote + 1)};
  }

  /// Replaces the half of an address by a number. For a variable, whose address only a launch
  /// knows, the number is 0, and the variable's offset is returned.
  std::optional<size_t> resolve(const AddressHalf& half, const AssemblyKernel& kernel,
                                std::string* text) const {
    const auto column = static_cast<unsigned>(half.begin + 1);
    uint64_t sum = 0;
    bool is_variable = false;
    for (const std::string& term : half.terms) {
      const auto number = whole_number(term);
      const auto variable = variables_.symbols.find(term);
      const auto label = kernel.labels.find(term);
      if (number) {
        sum += *number;
      } else if (variable != variables_.symbols.end()) {
        is_variable = true;
        sum += variable->second;
      } else if (label != kernel.labels.end()) {
        sum += target_address(label->second, family_of(kernel.arch));
      } else if (term != kernel.name) {
        throw SyntaxError{"'" + term + "' is no variable or label of this file; expected one",
                          column};
      }
    }
    const uint64_t value = is_variable ? 0 : half.is_upper ? sum >> 32 : sum & 0xFFFFFFFFu;
    text->replace(half.begin, half.end - half.begin, fmt::format("0x{:x}", value));
    return is_variable ? std::optional<size_t>(sum) : std::nullopt;
  }

  SourceText source_;
  AssemblySyntax syntax_;
  AssemblyText text_;
  DeviceVariables variables_;
};

}  // namespace

std::unique_ptr<Source> open_assembly(const SourceText& source, const AssemblySyntax& syntax) {
  return std::make_unique<Assembly>(source, syntax);
}

bool has_control_line(const SourceText& source, const AssemblySyntax& syntax) {
  bool found = false;
  for_each_line(source.text, [&](std::string_view line, unsigned) {
    std::string_view text = trimmed(line);
    found = found || syntax.take_control(&text).has_value();
  });
  return found;
}

}  // namespace shflsim::isa
