// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/write_text.h"

#include <fmt/format.h>

#include <functional>
#include <set>

#include "isa/assembler/assembly.h"
#include "isa/assembler/control_text.h"

namespace shflsim::isa {
namespace {

constexpr const char* kFlags = "\t.headerflags\t@\"EF_CUDA_64BIT_ADDRESS EF_CUDA_SM50\"\n";

/// Where branches go: a label for each address that the dialects can say as one.
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
    std::string text = program_.texts[index];
    const int64_t target = target_of(program_.code[index]);
    if (target < 0) return text;
    const std::string number = fmt::format("0x{:x}", target);
    const size_t at = text.rfind(number);
    if (at == std::string::npos) return text;
    return text.replace(at, number.size(), fmt::format(fmt::runtime(format), name(target)));
  }

  /// "NAME:\n" in front of an instruction that is a target; "" otherwise.
  std::string before(size_t index) const {
    const int64_t address = target_address(index);
    return targets_.count(address) == 0 ? "" : name(address) + ":\n";
  }

 private:
  std::string name(int64_t address) const { return fmt::format("{}{:x}", prefix_, address); }

  /// A jump into the middle of a bundle's start cannot be told from one to its control word.
  int64_t target_of(const Instruction& instruction) const {
    const Operand& operand = instruction[Role::kB];
    if (!operand.is(Operand::Kind::kTarget)) return -1;
    const int index = program_.index_at(operand.value);
    const bool has_label =
        index >= 0 && target_address(static_cast<size_t>(index)) == operand.value;
    return has_label ? operand.value : -1;
  }

  const Program& program_;
  const char* prefix_;
  std::set<int64_t> targets_;
};

Control control_or_none(const Program& program, size_t index) {
  return index < program.code.size() ? program.code[index].control : Control{};
}

std::string control_line(const Program& program, size_t index) {
  const uint64_t word =
      control_word_of(control_or_none(program, index), control_or_none(program, index + 1),
                      control_or_none(program, index + 2));
  return fmt::format("{:84}/* 0x{:016x} */\n", "", word);
}

std::string code_line(const Program& program, size_t index, const std::string& text) {
  const Instruction& instruction = program.code[index];
  return fmt::format("        /*{:04x}*/ {:64} /* 0x{:016x} */\n", instruction.address, text,
                     instruction.word.low);
}

std::string cuobjdump_text(const std::vector<Program>& programs) {
  std::string out = "\n\tcode for sm_50\n";
  for (const Program& program : programs) {
    out += fmt::format("\t\tFunction : {}\n{}", program.name, kFlags);
    for (size_t i = 0; i < program.code.size(); ++i) {
      if (i % 3 == 0) out += control_line(program, i);
      out += code_line(program, i, fmt::format("{:18}{} ;", "", program.texts[i]));
    }
    out += "\t\t..........\n\n";
  }
  return out;
}

/// Sections that both nvdisasm and CuAssembler print behind a kernel's code.
std::string shared_section(const Program& program) {
  if (program.shared_bytes == 0) return "";
  return fmt::format("\n\t.section\t.nv.shared.{},\"aw\",@nobits\n\t.align\t16\n\t.zero\t\t{}\n",
                     program.name, program.shared_bytes);
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
      "\t.align\t32\n.text.{0}:\n",
      program.name, program.registers);
}

std::string nvdisasm_text(const std::vector<Program>& programs) {
  std::string out = kFlags;
  for (const Program& program : programs) {
    const Labels labels(program, ".L_x_");
    out += text_section(program);
    bool follows = false;  // the second of a pair that issues together
    for (size_t i = 0; i < program.code.size(); ++i) {
      const bool opens = !follows && program.code[i].control.dual_issue();
      out += labels.before(i);
      if (i % 3 == 0) out += control_line(program, i);
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
    // A trailer that says nothing would be read as none at all.
    const std::string trailer = trailer_text(control) + (control.issue_code == 0 ? " ?DRAIN" : "");
    out += labels.before(i) + fmt::format("    {:56} {}\n", text, trailer);
  }
  return out;
}

std::string maxas_text(const std::vector<Program>& programs) {
  const Program& program = programs.front();
  const Labels labels(program, "L_");
  std::string out = fmt::format("# Kernel: {}\n# Arch: sm_50\n# RegCnt: {}\n# SharedSize: {}\n\n",
                                program.name, program.registers, program.shared_bytes);
  for (size_t i = 0; i < program.code.size(); ++i) {
    out += labels.before(i) + fmt::format("{}      {};\n", maxas_control(program.code[i].control),
                                          labels.text(i, "{}"));
  }
  return out;
}

std::string cuasm_text(const std::vector<Program>& programs) {
  std::string out = kFlags;
  for (const Program& program : programs) {
    const Labels labels(program, ".L_x_");
    out += text_section(program);
    for (size_t i = 0; i < program.code.size(); ++i) {
      out += labels.before(i) + fmt::format("      {}         /*{:04x}*/                   {} ;\n",
                                            cuasm_control(program.code[i].control),
                                            program.code[i].address, labels.text(i, "`({})"));
    }
    out += shared_section(program);
  }
  return out;
}

}  // namespace

const std::vector<Writer>& writers() {
  static const std::vector<Writer> all = {
      {"nvdisasm", "as nvdisasm -hex prints it, with labels and constant banks", true,
       nvdisasm_text},
      {"cuobjdump", "as cuobjdump -sass prints it", true, cuobjdump_text},
      {"manual", "the manual's syntax, control as a trailer", false, manual_text},
      {"maxas", "maxas text", false, maxas_text},
      {"cuasm", "CuAssembler text", true, cuasm_text},
  };
  return all;
}

}  // namespace shflsim::isa
