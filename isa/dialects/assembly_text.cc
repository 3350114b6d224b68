// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/assembly_text.h"

#include <algorithm>
#include <cstdlib>

#include "isa/assembly/text_lines.h"
#include "isa/base/bounded.h"
#include "isa/base/faults.h"
#include "isa/base/text_cursor.h"

namespace shflsim::isa {
namespace {

/// Removes the braces of a pair that issues together, but not those of DEPBAR's set.
std::string_view without_braces(std::string_view text) {
  if (!text.empty() && text.front() == '{') text = trimmed(text.substr(1));
  if (!text.empty() && text.back() == '}' && text.find('{') == std::string_view::npos) {
    text = trimmed(text.substr(0, text.size() - 1));
  }
  return text;
}

class AssemblyReader {
 public:
  AssemblyReader(const SourceText& source, const AssemblySyntax& syntax)
      : source_(source), syntax_(syntax) {}

  AssemblyText read() {
    for_each_line(source_.text, [this](std::string_view line, unsigned number) {
      line_ = line;
      number_ = number;
      faults_.hold([&] { read_line(trimmed(line.substr(0, line.find("//")))); });
    });
    faults_.hold([this] { text_.names.check_closed(); });
    faults_.raise();
    std::vector<AssemblyKernel>& kernels = text_.kernels;
    kernels.erase(std::remove_if(kernels.begin(), kernels.end(),
                                 [](const AssemblyKernel& each) { return each.code.empty(); }),
                  kernels.end());
    if (kernels.empty()) throw InputError({source_.file, 1}, "no instruction in it; expected code");
    return std::move(text_);
  }

 private:
  Position here(std::string_view part) const {
    return {source_.file, number_, static_cast<unsigned>(part.data() - line_.data()) + 1};
  }

  /// The number after `key`; 0 if `key` is not in the text.
  unsigned number_behind(std::string_view text, std::string_view key, uint64_t most) const {
    const size_t at = text.find(key);
    if (at == std::string_view::npos) return 0;
    const std::string_view digits = leading_name(trimmed(text.substr(at + key.size())));
    const std::string_view what = key.substr(0, key.find_first_of(":="));
    return static_cast<unsigned>(bounded_number(digits, most, what, here(text.substr(at))));
  }

  AssemblyKernel& kernel() {
    if (text_.kernels.empty()) begin_kernel(stem());
    return text_.kernels.back();
  }

  std::string stem() const {
    const size_t slash = source_.file.rfind('/');
    const std::string name = source_.file.substr(slash == std::string::npos ? 0 : slash + 1);
    return name.substr(0, name.find('.'));
  }

  void begin_kernel(std::string_view name) {
    text_.kernels.emplace_back();
    text_.kernels.back().name = std::string(name);
    text_.kernels.back().arch = arch_;
  }

  /// Sets the architecture of the following kernels.
  void set_arch(Arch arch) {
    arch_ = arch;
    if (!text_.kernels.empty() && text_.kernels.back().code.empty())
      text_.kernels.back().arch = arch_;
  }

  /// Reads the architecture, a number or a name, after `key`.
  void read_arch(std::string_view text, std::string_view key) {
    const size_t at = text.find(key);
    if (at == std::string_view::npos) return;
    const std::string_view name = leading_name(trimmed(text.substr(at + key.size())));
    const std::string prefix = name.substr(0, 3) == "sm_" ? "" : "sm_";
    try {
      set_arch(arch_named(prefix + std::string(name)));
    } catch (const InputError& error) {
      throw InputError(here(text.substr(at)), error.what());
    }
  }

  /// ".__elf_flags 0x4b054b": e_flags of the ELF header, with the architecture's number in bits
  /// 7:0, from CUDA 13 on in 15:8.
  void read_elf_flags(std::string_view text) {
    const std::string digits(trimmed(text.substr(text.find_first_of(" \t"))));
    const unsigned long flags = std::strtoul(digits.c_str(), nullptr, 0);
    for (const unsigned shift : {0u, 8u}) {
      const std::optional<Arch> arch = arch_numbered(flags >> shift & 0xFF);
      if (arch) return set_arch(*arch);
    }
    throw InputError(here(text), "no known architecture in the ELF flags '" + digits +
                                     "'; expected its number in bits 7:0 or 15:8");
  }

  void read_line(std::string_view text) {
    if (text.empty()) return;
    if (syntax_.has_names && text_.names.take(text, here(text))) return;
    const bool is_section = starts_with(text, ".section");
    if (data_.is_open() && !is_section) return data_.read(text, here(text));
    text = without_comment(text);
    if (text.empty()) return;
    if (text.front() == '#') return read_remark(text);
    if (syntax_.has_names) text = without_remark(text);
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
      data_.begin(name);
      if (starts_with(name, ".text.")) begin_kernel(name.substr(6));
    }
    if (starts_with(text, ".headerflags")) read_arch(text, "EF_CUDA_SM");
    if (starts_with(text, ".__elf_flags")) read_elf_flags(text);
    const unsigned registers = number_behind(text, "SHI_REGISTERS=", kMostRegisters);
    if (registers != 0) kernel().registers = registers;
  }

  /// Removes the address before data or an instruction: "/*0008*/   .byte 0x1".
  std::string_view without_comment(std::string_view text) const {
    if (!starts_with(text, "/*")) return text;
    const size_t end = text.find("*/");
    if (end == std::string_view::npos) throw InputError(here(text), "comment without its */");
    return trimmed(text.substr(end + 2));
  }

  /// Removes what maxas takes for a remark: everything behind an instruction's ';' or a label's
  /// '#'.
  static std::string_view without_remark(std::string_view text) {
    text = text.substr(0, std::min(text.find(';'), text.size() - 1) + 1);
    return trimmed(text.substr(0, text.find('#')));
  }

  void add_label(std::string_view name) {
    const size_t index = kernel().code.size();
    if (kernel().labels.emplace(std::string(name), index).second) return;
    throw InputError(here(name),
                     "label '" + std::string(name) + "' stands twice; expected a new name");
  }

  /// "/*0008*/   { IADD R0, R1, R2 ;", "@!P0 BRK (*"BRANCH_TARGETS .L_1"*) ;".
  void add_instruction(std::string_view rest, const Control& control) {
    rest = without_comment(trimmed(rest));
    rest = rest.substr(0, rest.find("/*"));
    rest = without_braces(trimmed(rest.substr(0, rest.find("(*\""))));
    const unsigned column = here(rest).column;
    kernel().code.push_back({std::string(rest), control, number_, column});
  }

  const SourceText& source_;
  const AssemblySyntax& syntax_;
  AssemblyText text_;
  DataReader data_{&text_.data};
  std::string_view line_;
  unsigned number_ = 0;
  Arch arch_ = Arch::kSm50;
  Faults faults_;
};

}  // namespace

AssemblyText read_assembly(const SourceText& source, const AssemblySyntax& syntax) {
  return AssemblyReader(source, syntax).read();
}

}  // namespace shflsim::isa
