// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/write_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "isa/code/reserved_shared.h"
#include "isa/dialects/assembled.h"
#include "isa/dialects/control_text.h"

namespace shflsim::isa {
namespace {

/// The architecture in the line of header flags: sm_50 for all of SPA 5.0.
std::string flags(Arch arch) {
  const unsigned number = number_of(arch);
  if (family_of(arch) == Family::kMaxwell)
    return fmt::format("\t.headerflags\t@\"EF_CUDA_64BIT_ADDRESS EF_CUDA_SM{}\"\n", number);
  return fmt::format("\t.headerflags\t@\"EF_CUDA_SM{0} EF_CUDA_VIRTUAL_SM(EF_CUDA_SM{0})\"\n",
                     number);
}

/// The additional line with the architecture in listings of sm_70 and later.
std::string target(Arch arch) {
  return family_of(arch) == Family::kMaxwell ? "" : "\t.target\t" + name_of(arch) + "\n\n";
}

/// Branch targets: a label for each target address that the dialects can print as a label.
class Labels {
 public:
  Labels(const Program& program, const char* prefix) : program_(program), prefix_(prefix) {
    for (const Instruction& each : program.code) {
      const int64_t target = target_of(each);
      if (target >= 0) targets_.insert(target);
    }
  }

  /// The instruction's text with its target's label, in the form that `format` gives ("`({})").
  std::string text(size_t index, const char* format) const {
    return labelled(program_.texts[index], index, format);
  }

  /// The line in an assembler's syntax.
  std::string whole_text(size_t index, const char* format) const {
    const Instruction& instruction = program_.code[index];
    return labelled(assembler_text(instruction), index, format) + assembler_rest(instruction);
  }

  /// "NAME:\n" before an instruction that is a target; "" otherwise.
  std::string before(size_t index) const {
    const int64_t address = target_address(index, family());
    return targets_.count(address) == 0 ? "" : name(address) + ":\n";
  }

 private:
  std::string labelled(std::string text, size_t index, const char* format) const {
    const int64_t target = target_of(program_.code[index]);
    if (target < 0) return text;
    const std::string number = fmt::format("0x{:x}", target);
    const size_t at = text.rfind(number);
    const size_t end = at + number.size();
    const bool is_whole = at != std::string::npos && (end == text.size() || !is_digit(text[end]));
    if (!is_whole) return text;
    return text.replace(at, number.size(), fmt::format(fmt::runtime(format), name(target)));
  }

  static bool is_digit(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }
  Family family() const { return family_of(program_.arch); }
  std::string name(int64_t address) const { return fmt::format("{}{:x}", prefix_, address); }

  /// The branch target, if it has a label, else -1. Only addresses of target_address() have labels.
  int64_t target_of(const Instruction& instruction) const {
    const auto operand =
        std::find_if(instruction.operands.begin(), instruction.operands.end(),
                     [](const Operand& each) { return each.is(Operand::Kind::kTarget); });
    if (operand == instruction.operands.end()) return -1;
    const int index = program_.index_at(operand->value);
    const bool has_label =
        index >= 0 && target_address(static_cast<size_t>(index), family()) == operand->value;
    return has_label ? operand->value : -1;
  }

  const Program& program_;
  const char* prefix_;
  std::set<int64_t> targets_;
};

Control control_or_none(const Program& program, size_t index) {
  return index < program.code.size() ? program.code[index].control : Control{};
}

/// The line of the control word before a bundle of SPA 5.0; "" elsewhere.
std::string control_line(const Program& program, size_t index) {
  if (family_of(program.arch) == Family::kSm70 || index % 3 != 0) return "";
  const uint64_t word =
      control_word_of(control_or_none(program, index), control_or_none(program, index + 1),
                      control_or_none(program, index + 2));
  return fmt::format("{:84}/* 0x{:016x} */\n", "", word);
}

/// The line of PTX that a lowered instruction comes from, as a comment.
std::string origin(const Program& program, size_t index) {
  if (index >= program.origins.size() || program.origins[index].line == 0) return "";
  return fmt::format("  // {}: {}", program.origins[index].line, program.origins[index].text);
}

/// An instruction and its word; from sm_70 on the word's upper half is on a separate line.
std::string code_line(const Program& program, size_t index, const std::string& text) {
  const Instruction& instruction = program.code[index];
  const bool is_long = family_of(program.arch) == Family::kSm70;
  std::string line =
      fmt::format("        /*{:04x}*/ {:{}} /* 0x{:016x} */{}\n", instruction.address, text,
                  is_long ? 71 : 64, instruction.word.low, origin(program, index));
  if (!is_long) return line;
  return line + fmt::format("{:89}/* 0x{:016x} */\n", "", instruction.word.high);
}

/// The comment that nvdisasm -g prints before the first instruction of a source line.
std::string source_line(const Program& program, size_t index) {
  if (index >= program.source_lines.size()) return "";
  const SourceLine& line = program.source_lines[index];
  const SourceLine before = index == 0 ? SourceLine() : program.source_lines[index - 1];
  if (line.number == 0 || (line.number == before.number && line.file == before.file)) return "";
  return fmt::format("\t//## File \"{}\", line {}\n", program.source_files[line.file], line.number);
}

std::string cuobjdump_text(const std::vector<Program>& programs) {
  const Arch arch = programs.front().arch;
  std::string out = fmt::format("\n\tcode for {}\n{}", name_of(arch), target(arch));
  for (const Program& program : programs) {
    out += fmt::format("\t\tFunction : {}\n{}", program.name, flags(arch));
    for (size_t i = 0; i < program.code.size(); ++i) {
      out += control_line(program, i);
      out += code_line(program, i, fmt::format("{:18}{} ;", "", program.texts[i]));
    }
    out += "\t\t..........\n\n";
  }
  return out;
}

/// Sections that both nvdisasm and CuAssembler print after a kernel's code.
std::string shared_section(const Program& program) {
  if (program.shared_bytes == 0) return "";
  return fmt::format("\n\t.section\t.nv.shared.{},\"aw\",@nobits\n\t.align\t16\n\t.zero\t\t{}\n",
                     program.name,
                     program.shared_bytes + reserved_shared_bytes(number_of(program.arch)));
}

std::string constant_sections(const Program& program) {
  std::string out;
  for (const auto& [bank, bytes] : program.constants) {
    out += fmt::format("\n\t.section\t.nv.constant{}.{},\"a\",@progbits\n\t.align\t4\n", bank,
                       program.name);
    for (size_t at = 0; at < bytes.size(); ++at) {
      const bool is_last = at % 16 == 15 || at + 1 == bytes.size();
      if (at % 16 == 0) out += fmt::format("        /*{:04x}*/ \t.byte\t", at);
      out += fmt::format("0x{:02x}{}", bytes[at], is_last ? "\n" : ", ");
    }
  }
  return out;
}

std::string text_section(const Program& program) {
  return fmt::format(
      "\n\t.section\t.text.{0},\"ax\",@progbits\n\t.sectioninfo\t@\"SHI_REGISTERS={1}\"\n"
      "\t.align\t{2}\n.text.{0}:\n",
      program.name, program.registers, family_of(program.arch) == Family::kMaxwell ? 32 : 128);
}

std::string nvdisasm_text(const std::vector<Program>& programs) {
  const Arch arch = programs.front().arch;
  const bool has_pairs = family_of(arch) == Family::kMaxwell;
  std::string out = target(arch) + flags(arch);
  for (const Program& program : programs) {
    const Labels labels(program, ".L_x_");
    out += text_section(program);
    bool follows = false;  // the second of a pair that issues together
    for (size_t i = 0; i < program.code.size(); ++i) {
      const bool opens = has_pairs && !follows && program.code[i].control.dual_issue();
      out += labels.before(i);
      out += source_line(program, i);
      out += control_line(program, i);
      out += code_line(program, i,
                       fmt::format("{:8}{:10}{} {}", opens ? "{" : "", "", labels.text(i, "`({})"),
                                   follows ? "}" : ";"));
      follows = opens;
    }
    out += shared_section(program) + constant_sections(program);
  }
  return out;
}

std::string manual_text(const std::vector<Program>& programs) {
  const Program& program = programs.front();
  const Labels labels(program, "L_");
  std::string out = fmt::format("// {}\n", program.name);
  for (size_t i = 0; i < program.code.size(); ++i) {
    const Control& control = program.code[i].control;
    const std::string text = labels.text(i, "{}") + ";";
    // An empty trailer would be read as a missing one.
    const std::string trailer = trailer_text(control) + (control.issue_code == 0 ? " ?DRAIN" : "");
    out += labels.before(i) + fmt::format("    {:56} {}\n", text, trailer);
  }
  return out;
}

std::string maxas_text(const std::vector<Program>& programs) {
  const Program& program = programs.front();
  const Labels labels(program, "L_");
  std::string out =
      fmt::format("# Kernel: {}\n# Arch: {}\n# RegCnt: {}\n# SharedSize: {}\n\n", program.name,
                  name_of(program.arch), program.registers, program.shared_bytes);
  for (size_t i = 0; i < program.code.size(); ++i) {
    out += labels.before(i) + fmt::format("{}      {};\n", maxas_control(program.code[i].control),
                                          labels.whole_text(i, "{}"));
  }
  return out;
}

std::string cuasm_text(const std::vector<Program>& programs) {
  std::string out = flags(programs.front().arch);
  for (const Program& program : programs) {
    const Labels labels(program, ".L_x_");
    out += text_section(program);
    for (size_t i = 0; i < program.code.size(); ++i) {
      out += labels.before(i) + fmt::format("      {}         /*{:04x}*/                   {} ;\n",
                                            cuasm_control(program.code[i].control),
                                            program.code[i].address, labels.whole_text(i, "`({})"));
    }
    out += shared_section(program);
  }
  return out;
}

}  // namespace

const std::vector<Writer>& writers() {
  static const std::vector<Writer> all = {
      {"nvdisasm", "as nvdisasm -hex prints it, with labels and constant banks", true, true,
       nvdisasm_text},
      {"cuobjdump", "as cuobjdump -sass prints it", true, true, cuobjdump_text},
      {"manual", "the manual's syntax, control as a trailer", false, false, manual_text},
      {"maxas", "maxas text", false, true, maxas_text},
      {"cuasm", "CuAssembler text", true, true, cuasm_text},
  };
  return all;
}

}  // namespace shflsim::isa
