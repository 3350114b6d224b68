// SPDX-License-Identifier: Apache-2.0
#include "traces/volta_code.h"

#include <algorithm>

namespace shflsim::traces {

void add_volta_instruction(const isa::VoltaInstruction& instruction, Trace* trace) {
  isa::Instruction listed;
  listed.op = isa::Op::kNOP;
  listed.address = instruction.address;
  listed.control = instruction.control;
  isa::Program& program = trace->program;
  program.code.push_back(listed);
  program.texts.push_back(instruction.text);
  const isa::Footprint& footprint = instruction.footprint;
  for (unsigned i = 0; i < footprint.read_count; ++i)
    program.registers = std::max(program.registers, footprint.reads[i].index + 1u);
  trace->volta.push_back(instruction);
}

}  // namespace shflsim::traces
