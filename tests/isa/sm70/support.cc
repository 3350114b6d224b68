// SPDX-License-Identifier: Apache-2.0
#include "tests/isa/sm70/support.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "isa/base/bits.h"
#include "isa/check/effects.h"
#include "isa/code/latency.h"
#include "isa/codec/codec.h"
#include "isa/codec/trailer.h"

namespace shflsim::isa {
namespace {

Instruction instruction_of(Arch arch, const std::string& line, uint32_t address,
                           const Names& names) {
  const size_t end = std::min(line.find_first_of("&?"), line.size());
  Instruction instruction;
  try {
    const Word word = encode(arch, line.substr(0, end), address, names).word;
    const std::string problem = decode(arch, word, address, &instruction);
    if (!problem.empty()) throw std::logic_error(line + ": " + problem);
    set_control(end == line.size() ? careful_control(instruction) : read_trailer(line.substr(end)),
                &instruction);
  } catch (const SyntaxError& error) {
    throw std::logic_error(line + ": " + error.what);
  }
  return instruction;
}

}  // namespace

Control careful_control(const Instruction& instruction) {
  Control control;
  control.issue_code = 15;
  control.wait_mask = 0x3F;
  if (!is_timed_by_scoreboard(instruction)) return control;
  const Effects effects = effects_of(instruction);
  if (!effects.writes.empty()) control.write_barrier = 0;
  if (!effects.reads.empty()) control.read_barrier = 1;
  return control;
}

void set_control(const Control& control, Instruction* instruction) {
  instruction->control = control;
  instruction->word =
      with_field(instruction->word, kControlPosition, kControlBits, control_field(control));
}

Program assemble_sm70(Arch arch, const std::vector<std::string>& lines) {
  std::map<std::string, int64_t, std::less<>> labels;
  Program program;
  program.name = "test";
  program.arch = arch;
  for (const std::string& line : lines) {
    if (line.back() == ':') {
      labels[line.substr(0, line.size() - 1)] = address_of(program.texts.size(), Family::kSm70);
    } else {
      program.texts.push_back(line);
    }
  }
  program.texts.emplace_back("EXIT");
  Names names;
  names.label_named = [&labels](std::string_view name) {
    const auto label = labels.find(name);
    return label == labels.end() ? int64_t{-1} : label->second;
  };
  for (size_t i = 0; i < program.texts.size(); ++i) {
    program.code.push_back(
        instruction_of(arch, program.texts[i], address_of(i, Family::kSm70), names));
    program.texts[i] = text_of(program.code[i]);
  }
  return program;
}

}  // namespace shflsim::isa
