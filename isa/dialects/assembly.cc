// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/assembly.h"

#include <algorithm>
#include <cctype>

#include "isa/base/bounded.h"
#include "isa/base/faults.h"
#include "isa/base/text_cursor.h"
#include "isa/code/reserved_shared.h"
#include "isa/dialects/assembled.h"

namespace shflsim::isa {
namespace {

/// The braces of a pair that issues together; DEPBAR's set keeps its own.
std::string_view without_braces(std::string_view text) {
  if (!text.empty() && text.front() == '{') text = trimmed(text.substr(1));
  if (!text.empty() && text.back() == '}' && text.find('{') == std::string_view::npos) {
    text = trimmed(text.substr(0, text.size() - 1));
  }
  return text;
}

template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  unsigned number = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    visit(text.substr(at, end - at), ++number);
    at = end + 1;
  }
}

class AssemblyReader {
 public:
  AssemblyReader(const SourceText& source, const AssemblySyntax& syntax)
      : source_(source), syntax_(syntax) {}

  std::vector<AssemblyKernel> read() {
    for_each_line(source_.text, [this](std::string_view line, unsigned number) {
      line_ = line;
      number_ = number;
      faults_.hold([&] { read_line(trimmed(line.substr(0, line.find("//")))); });
    });
    faults_.raise();
    kernels_.erase(std::remove_if(kernels_.begin(), kernels_.end(),
                                  [](const AssemblyKernel& each) { return each.code.empty(); }),
                   kernels_.end());
    if (kernels_.empty()) {
      throw InputError({source_.file, 1}, "no instruction in it; expected code");
    }
    return std::move(kernels_);
  }

 private:
  Position here(std::string_view part) const {
    return {source_.file, number_, static_cast<unsigned>(part.data() - line_.data()) + 1};
  }

  /// The number behind `key`, 0 where that is not there.
  unsigned number_behind(std::string_view text, std::string_view key, uint64_t most) const {
    const size_t at = text.find(key);
    if (at == std::string_view::npos) return 0;
    const std::string_view digits = leading_name(trimmed(text.substr(at + key.size())));
    const std::string_view what = key.substr(0, key.find_first_of(":="));
    return static_cast<unsigned>(bounded_number(digits, most, what, here(text.substr(at))));
  }

  AssemblyKernel& kernel() {
    if (kernels_.empty()) begin_kernel(stem());
    return kernels_.back();
  }

  std::string stem() const {
    const size_t slash = source_.file.rfind('/');
    const std::string name = source_.file.substr(slash == std::string::npos ? 0 : slash + 1);
    return name.substr(0, name.find('.'));
  }

  void begin_kernel(std::string_view name) {
    numbers_[std::string(name)] = kernels_.size();
    kernels_.emplace_back();
    kernels_.back().name = std::string(name);
    kernels_.back().arch = arch_;
  }

  /// The architecture of the number or the name behind `key`, of the kernels from here on.
  void read_arch(std::string_view text, std::string_view key) {
    const size_t at = text.find(key);
    if (at == std::string_view::npos) return;
    const std::string_view name = leading_name(trimmed(text.substr(at + key.size())));
    const std::string prefix = name.substr(0, 3) == "sm_" ? "" : "sm_";
    try {
      arch_ = arch_named(prefix + std::string(name));
    } catch (const InputError& error) {
      throw InputError(here(text.substr(at)), error.what());
    }
    if (!kernels_.empty() && kernels_.back().code.empty()) kernels_.back().arch = arch_;
  }

  void read_line(std::string_view text) {
    text = without_comment(text);
    if (text.empty()) return;
    if (text.front() == '#') return read_remark(text);
    std::string_view rest = text;
    const std::optional<Control> control = syntax_.take_control(&rest);
    if (control) return add_instruction(rest, *control);
    if (text.back() == ':') return add_label(text.substr(0, text.size() - 1));
    if (text.front() == '.') return read_directive(text);
    throw InputError(here(text), std::string("no control in front of the instruction; expected ") +
                                     syntax_.control_example);
  }

  void read_remark(std::string_view text) {
    const size_t colon = text.find("Kernel:");
    if (colon != std::string_view::npos) return begin_kernel(trimmed(text.substr(colon + 7)));
    read_arch(text, "Arch:");
    if (text.find("RegCnt:") != std::string_view::npos)
      kernel().registers = number_behind(text, "RegCnt:", kMostRegisters);
    if (text.find("SharedSize:") != std::string_view::npos)
      kernel().shared_bytes = number_behind(text, "SharedSize:", kMostSharedBytes);
  }

  void read_directive(std::string_view text) {
    if (starts_with(text, ".section")) {
      std::string_view name = trimmed(text.substr(8));
      name = name.substr(0, name.find_first_of(",\t "));
      if (starts_with(name, ".text.")) begin_kernel(name.substr(6));
      shared_of_ = starts_with(name, ".nv.shared.") ? std::string(name.substr(11)) : "";
    }
    if (starts_with(text, ".headerflags")) read_arch(text, "EF_CUDA_SM");
    const unsigned registers = number_behind(text, "SHI_REGISTERS=", kMostRegisters);
    if (registers != 0) kernel().registers = registers;
    const auto kernel = numbers_.find(shared_of_);
    if (starts_with(text, ".zero") && !shared_of_.empty() && kernel != numbers_.end()) {
      AssemblyKernel& of = kernels_[kernel->second];
      const auto reserved = static_cast<unsigned>(reserved_shared_bytes(number_of(of.arch)));
      const unsigned bytes = number_behind(text, ".zero", kMostSharedBytes);
      of.shared_bytes = bytes - std::min(bytes, reserved);
    }
  }

  /// Data and instructions stand behind their address: "/*0008*/   .byte 0x1".
  std::string_view without_comment(std::string_view text) const {
    if (!starts_with(text, "/*")) return text;
    const size_t end = text.find("*/");
    if (end == std::string_view::npos) throw InputError(here(text), "comment without its */");
    return trimmed(text.substr(end + 2));
  }

  void add_label(std::string_view name) {
    const size_t index = kernel().code.size();
    if (kernel().labels.emplace(std::string(name), index).second) return;
    throw InputError(here(name),
                     "label '" + std::string(name) + "' stands twice; expected a new name");
  }

  /// "/*0008*/   { IADD R0, R1, R2 ;"
  void add_instruction(std::string_view rest, const Control& control) {
    rest = without_comment(trimmed(rest));
    rest = without_braces(rest.substr(0, rest.find("/*")));
    const unsigned column = here(rest).column;
    kernel().code.push_back({std::string(rest), control, number_, column});
  }

  const SourceText& source_;
  const AssemblySyntax& syntax_;
  std::vector<AssemblyKernel> kernels_;
  std::string_view line_;
  unsigned number_ = 0;
  Arch arch_ = Arch::kSm50;
  std::map<std::string, size_t> numbers_;  ///< kernel indices by name; the last of each name
  std::string shared_of_;                  ///< kernel whose shared memory the section describes
  Faults faults_;
};

class Assembly final : public Source {
 public:
  Assembly(const SourceText& source, const AssemblySyntax& syntax)
      : file_(source.file), kernels_(AssemblyReader(source, syntax).read()) {}

  std::vector<std::string> kernels() const override {
    std::vector<std::string> names;
    for (const AssemblyKernel& kernel : kernels_) names.push_back(kernel.name);
    return names;
  }

  Arch arch() const override { return kernels_.front().arch; }
  Program program(const std::string& name) const override {
    const auto kernel = std::find_if(kernels_.begin(), kernels_.end(),
                                     [&name](const AssemblyKernel& k) { return k.name == name; });
    if (kernel == kernels_.end()) {
      throw InputError({file_}, "no kernel '" + name + "'" + suggestion(name, kernels()));
    }
    Program program;
    program.name = name;
    program.arch = kernel->arch;
    program.shared_bytes = kernel->shared_bytes;
    Faults faults;
    for (const AssemblyLine& line : kernel->code)
      faults.hold([&] { append(line, *kernel, &program); });
    faults.raise();
    program.registers = kernel->registers != 0 ? kernel->registers : program.registers_used();
    return program;
  }

 private:
  void append(const AssemblyLine& line, const AssemblyKernel& kernel, Program* program) const {
    const Family family = family_of(kernel.arch);
    Names names;
    names.label_named = [&kernel, family](std::string_view label) {
      const auto found = kernel.labels.find(std::string(label));
      return found == kernel.labels.end() ? int64_t{-1}
                                          : int64_t{target_address(found->second, family)};
    };
    names.known = [&kernel] {
      std::vector<std::string> known;
      for (const auto& [label, index] : kernel.labels) known.push_back(label);
      return known;
    };
    try {
      const uint32_t address = address_of(program->code.size(), family);
      const Instruction instruction =
          assembled(kernel.arch, line.text, address, line.control, names);
      program->texts.push_back(text_of(instruction));
      program->code.push_back(instruction);
    } catch (const SyntaxError& error) {
      throw InputError({file_, line.line, line.column + error.column - 1}, error.what);
    }
  }

  std::string file_;
  std::vector<AssemblyKernel> kernels_;
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
