// SPDX-License-Identifier: Apache-2.0
#include "isa/assembly/data_sections.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>

#include "isa/base/bounded.h"
#include "isa/base/text_cursor.h"
#include "isa/code/reserved_shared.h"

namespace shflsim::isa {
namespace {

/// Of a section that holds data, 0 for others.
uint64_t most_bytes_of(std::string_view section) {
  if (starts_with(section, ".nv.constant0")) return 0;
  if (starts_with(section, ".nv.constant")) return kMostConstantBytes;
  if (starts_with(section, ".nv.shared.")) return kMostSharedBytes;
  return starts_with(section, ".nv.global") ? kMostVariableBytes : 0;
}

/// The kernel's own constants, or those of all kernels; nullptr where there are none.
const DataSection* bank_of(const DataSections& sections, unsigned bank, const std::string& kernel) {
  const std::string section = ".nv.constant" + std::to_string(bank);
  const auto own = sections.find(section + "." + kernel);
  const auto constants = own != sections.end() ? own : sections.find(section);
  return constants == sections.end() ? nullptr : &constants->second;
}

void add_bank(uint8_t bank, const DataSection& constants, const DeviceVariables& variables,
              Program* program) {
  program->constants[bank] = constants.bytes;
  for (const DataSection::Address& address : constants.addresses) {
    const auto variable = variables.symbols.find(address.symbol);
    if (variable != variables.symbols.end())
      program->variable_addresses.push_back({bank, address.offset, variable->second});
  }
}

/// Whether the code reads from the 64-bit word of a constant bank, as far as it says where it
/// reads.
bool is_read(const Program& program, uint8_t bank, size_t offset) {
  const auto reads = [bank, offset](const Operand& each) {
    const bool is_of_bank = each.is(Operand::Kind::kConstant) && each.bank == bank;
    return is_of_bank && (each.indexed || static_cast<size_t>(each.value) / 8 == offset / 8);
  };
  return std::any_of(program.code.begin(), program.code.end(), [&reads](const Instruction& each) {
    return std::any_of(each.operands.begin(), each.operands.end(), reads);
  });
}

}  // namespace

void DataReader::begin(std::string_view section) {
  most_bytes_ = most_bytes_of(section);
  section_ = most_bytes_ != 0 ? &sections_[std::string(section)] : nullptr;
}

void DataReader::read(std::string_view text, const Position& where) {
  const bool is_label =
      text.size() > 1 && text.back() == ':' && text.find_first_of(" \t") == std::string_view::npos;
  if (is_label) {
    section_->labels[std::string(text.substr(0, text.size() - 1))] = section_->bytes.size();
    return;
  }
  if (starts_with(text, "/*")) text = trimmed(text.substr(text.find("*/") + 2));
  const std::string_view directive = text.substr(0, text.find_first_of("\t "));
  static const std::map<std::string_view, size_t> kSizes = {
      {".byte", 1}, {".short", 2}, {".word", 4}, {".dword", 8}, {".quad", 8}, {".zero", 0}};
  const auto size = kSizes.find(directive);
  if (size == kSizes.end()) return;
  const std::string values(trimmed(text.substr(directive.size())));
  const bool is_symbol = size->second == 8 && !values.empty() &&
                         std::isdigit(static_cast<unsigned char>(values.front())) == 0;
  if (is_symbol) {
    section_->addresses.push_back({section_->bytes.size(), values});
    return append(8, 0, where);
  }
  read_values(values, directive, size->second, where);
}

void DataReader::read_values(const std::string& values, std::string_view directive, size_t size,
                             const Position& where) {
  for (const char* at = values.c_str(); *at != '\0';) {
    char* end = nullptr;
    const uint64_t value = std::strtoull(at, &end, 0);
    if (end == at)
      throw InputError(where, "no number behind " + std::string(directive) + "; expected one");
    append(size, value, where);
    at = end + std::strspn(end, ", \t");
  }
}

void DataReader::append(size_t size, uint64_t value, const Position& where) {
  std::vector<uint8_t>& bytes = section_->bytes;
  const uint64_t end = sum_of(bytes.size(), size == 0 ? value : size);
  bounded(end, most_bytes_, "data", where, "bytes in this section");
  if (size == 0) bytes.resize(end);
  for (size_t i = 0; i < size; ++i) bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

DeviceVariables variables_of(const DataSections& sections) {
  DeviceVariables all;
  for (const char* name : {".nv.global.init", ".nv.global"}) {
    const auto section = sections.find(name);
    if (section == sections.end()) continue;
    const size_t base = all.append(section->second.bytes);
    for (const auto& [label, offset] : section->second.labels) all.symbols[label] = base + offset;
  }
  return all;
}

void add_data(const DataSections& sections, Program* program) {
  const auto shared = sections.find(".nv.shared." + program->name);
  if (shared != sections.end()) {
    const uint64_t bytes = shared->second.bytes.size();
    const uint64_t reserved = reserved_shared_bytes(number_of(program->arch));
    program->shared_bytes = static_cast<unsigned>(bytes - std::min(bytes, reserved));
  }
  const DeviceVariables variables = variables_of(sections);
  program->variables = variables.bytes;
  for (unsigned bank = 1; bank < Program::kConstantBanks; ++bank) {
    const DataSection* const constants = bank_of(sections, bank, program->name);
    if (constants != nullptr) add_bank(static_cast<uint8_t>(bank), *constants, variables, program);
  }
}

void check_addresses(const DataSections& sections, const std::string& file,
                     const Program& program) {
  const DeviceVariables variables = variables_of(sections);
  for (unsigned bank = 1; bank < Program::kConstantBanks; ++bank) {
    const DataSection* const constants = bank_of(sections, bank, program.name);
    if (constants == nullptr) continue;
    for (const DataSection::Address& each : constants->addresses) {
      const bool is_known = variables.symbols.count(each.symbol) != 0;
      if (is_known || !is_read(program, static_cast<uint8_t>(bank), each.offset)) continue;
      throw InputError({file}, "constant bank " + std::to_string(bank) + " holds the address of '" +
                                   each.symbol +
                                   "', which is no variable of this file; expected the cubin");
    }
  }
}

void put_variable_half(size_t variable, bool is_upper, Instruction* instruction, Program* program) {
  constexpr uint8_t kBank = 4;  // constant bank of variables' addresses
  std::vector<uint8_t>& bank = program->constants[kBank];
  const size_t slot = (bank.size() + 7) / 8 * 8;
  bank.resize(slot + sizeof(uint64_t));
  program->variable_addresses.push_back({kBank, slot, variable});
  for (Operand& operand : instruction->operands) {
    if (!operand.is(Operand::Kind::kImmediate)) continue;
    operand.kind = Operand::Kind::kConstant;
    operand.bank = kBank;
    operand.value = static_cast<int64_t>(slot + (is_upper ? 4 : 0));
  }
}

}  // namespace shflsim::isa
