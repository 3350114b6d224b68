// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/variables.h"

#include <algorithm>
#include <cstring>

#include "isa/base/bounded.h"
#include "isa/code/launch_layout.h"

namespace shflsim::isa {
namespace {

/// True if the code reads the address of constant bank 3, or data point into the bank.
bool may_point_to_constants(const Program& program) {
  const uint32_t place = launch_layout(program.arch).constants;
  const auto reads_place = [place](const Operand& each) {
    return each.is(Operand::Kind::kConstant) && each.bank == 0 && each.value == place;
  };
  const bool is_pointed_to =
      std::any_of(program.variable_addresses.begin(), program.variable_addresses.end(),
                  [](const Program::VariableAddress& each) { return each.is_constant; });
  return is_pointed_to || std::any_of(program.code.begin(), program.code.end(),
                                      [&reads_place](const Instruction& instruction) {
                                        return std::any_of(instruction.operands.begin(),
                                                           instruction.operands.end(), reads_place);
                                      });
}

uint64_t target_of(const Program::VariableAddress& address, const VariablePlaces& places) {
  return (address.is_constant ? places.constants : places.image) + address.variable;
}

uint8_t* bytes_at(uint64_t address, DeviceMemory& memory) {
  uint64_t offset = 0;
  return memory.find(address, 1, &offset)->unmarked_bytes();
}

}  // namespace

void place_variables(const Program& program, DeviceMemory& memory, VariablePlaces* places) {
  const auto bank = program.constants.find(Program::kUserConstants);
  const bool has_bank = bank != program.constants.end() && !bank->second.empty();
  const bool is_new_image = places->image == 0 && !program.variables.empty();
  const bool is_new_bank = places->constants == 0 && has_bank && may_point_to_constants(program);
  if (is_new_image) places->image = memory.allocate(program.variables);
  if (is_new_bank) places->constants = memory.allocate(bank->second);
  if (is_new_image) write_addresses(program, *places, bytes_at(places->image, memory));
  if (!is_new_bank) return;
  const auto constants = constants_with_addresses(program, *places);
  const std::vector<uint8_t>& bytes = constants.at(Program::kUserConstants);
  std::copy(bytes.begin(), bytes.end(), bytes_at(places->constants, memory));
}

void write_addresses(const Program& program, const VariablePlaces& places, uint8_t* image) {
  for (const Program::VariableAddress& each : program.variable_addresses) {
    if (each.bank != Program::VariableAddress::kInImage) continue;
    if (!fits(each.offset, sizeof(uint64_t), program.variables.size())) continue;
    const uint64_t value = target_of(each, places);
    std::memcpy(image + each.offset, &value, sizeof value);
  }
}

std::map<uint8_t, std::vector<uint8_t>> constants_with_addresses(const Program& program,
                                                                 const VariablePlaces& places) {
  std::map<uint8_t, std::vector<uint8_t>> constants = program.constants;
  for (const Program::VariableAddress& each : program.variable_addresses) {
    const auto bank = constants.find(each.bank);
    if (bank == constants.end()) continue;
    if (!fits(each.offset, sizeof(uint64_t), bank->second.size())) continue;
    const uint64_t value = target_of(each, places);
    std::memcpy(bank->second.data() + each.offset, &value, sizeof value);
  }
  return constants;
}

void use_variables(const Program& program, const VariablePlaces& places, Launch* launch) {
  launch->constants = constants_with_addresses(program, places);
  launch->constant_address = places.constants;
}

void add_variables(const Program& program, DeviceMemory& memory, Launch* launch) {
  VariablePlaces places;
  place_variables(program, memory, &places);
  use_variables(program, places, launch);
}

}  // namespace shflsim::isa
