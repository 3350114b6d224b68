// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/variables.h"

#include <cstring>

#include "isa/base/bounded.h"

namespace shflsim::isa {

uint64_t place_variables(const Program& program, DeviceMemory& memory) {
  if (program.variables.empty()) return 0;
  const uint64_t address = memory.allocate(program.variables);
  uint64_t offset = 0;
  write_addresses(program, address, memory.find(address, 1, &offset)->unmarked_bytes());
  return address;
}

void write_addresses(const Program& program, uint64_t address, uint8_t* image) {
  for (const Program::VariableAddress& each : program.variable_addresses) {
    if (each.bank != Program::VariableAddress::kInImage) continue;
    if (!fits(each.offset, sizeof(uint64_t), program.variables.size())) continue;
    const uint64_t value = address + each.variable;
    std::memcpy(image + each.offset, &value, sizeof value);
  }
}

std::map<uint8_t, std::vector<uint8_t>> constants_with_addresses(const Program& program,
                                                                 uint64_t address) {
  std::map<uint8_t, std::vector<uint8_t>> constants = program.constants;
  for (const Program::VariableAddress& each : program.variable_addresses) {
    const auto bank = constants.find(each.bank);
    if (bank == constants.end()) continue;
    if (!fits(each.offset, sizeof(uint64_t), bank->second.size())) continue;
    const uint64_t value = address + each.variable;
    std::memcpy(bank->second.data() + each.offset, &value, sizeof value);
  }
  return constants;
}

}  // namespace shflsim::isa
