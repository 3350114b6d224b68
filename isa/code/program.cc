// SPDX-License-Identifier: Apache-2.0
#include "isa/code/program.h"

#include <algorithm>

namespace shflsim::isa {

int Program::index_at(int64_t address) const {
  const bool is_maxwell = family_of(arch) == Family::kMaxwell;
  if (address < 0 || address % (is_maxwell ? 8 : 16) != 0) return -1;
  const int64_t word = address / 8;
  const int64_t place = word % 4 == 0 ? 0 : word % 4 - 1;
  const int64_t index = is_maxwell ? word / 4 * 3 + place : word / 2;
  return index < static_cast<int64_t>(code.size()) ? static_cast<int>(index) : -1;
}

unsigned Program::registers_used() const {
  unsigned used = 0;
  for (const Instruction& instruction : code) {
    for (const Operand& operand : instruction.operands) {
      const bool names_one =
          operand.is_live_register() || (operand.indexed && operand.index != kRZ);
      if (names_one) used = std::max(used, operand.index + unsigned{operand.count});
    }
  }
  const auto use = [&used](const Operand& mask) {
    if (mask.is_live_register()) used = std::max(used, mask.index + 1u);
  };
  for (const auto& [index, mask] : extras.membermasks) use(mask);
  for (const auto& [index, masks] : extras.meetings) std::for_each(masks.begin(), masks.end(), use);
  return used;
}

void note_nearest_arch(const std::string& file, unsigned number, Program* program) {
  if (family_of(program->arch) == Family::kMaxwell || number == number_of(program->arch)) return;
  program->notes.push_back(file + ": code for sm_" + std::to_string(number) +
                           " is executed and timed as " + name_of(program->arch) + "'s");
}

uint32_t address_of(size_t index, Family family) {
  if (family == Family::kSm70) return static_cast<uint32_t>(index * 16);
  return static_cast<uint32_t>((index / 3 * 4 + index % 3 + 1) * 8);
}

uint32_t target_address(size_t index, Family family) {
  const bool is_first = family == Family::kMaxwell && index % 3 == 0;
  return is_first ? address_of(index) - 8 : address_of(index, family);
}

}  // namespace shflsim::isa
