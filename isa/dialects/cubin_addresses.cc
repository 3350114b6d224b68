// SPDX-License-Identifier: Apache-2.0
// Puts addresses into data.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include "isa/base/bounded.h"
#include "isa/base/text_cursor.h"
#include "isa/code/launch_layout.h"
#include "isa/dialects/cubin_code.h"

namespace shflsim::isa {
namespace {

// Relocations that put a 64-bit address into a section: ptxas writes the second kind, generic
// addresses, for initial values of variables. Generic addresses of global memory are its own.
constexpr uint32_t kAddress64 = 2;         // R_CUDA_64
constexpr uint32_t kGenericAddress64 = 4;  // R_CUDA_G64
// Of a function, in code of sm_90 and later that is not linked (cubin_code.cc).
constexpr uint32_t kUnifiedAddress64 = 0x66;  // R_CUDA_UNIFIED
constexpr uint32_t kAddressBytes = sizeof(uint64_t);

/// An address in a packed structure has a relocation for each byte, the lowest byte first.
struct ByteTypes {
  uint32_t first;
  uint32_t whole;
};
constexpr std::array<ByteTypes, 3> kByteTypes = {{
    {0x4c, kAddress64},         // R_CUDA_8_0 to R_CUDA_8_56
    {0x54, kGenericAddress64},  // R_CUDA_G8_0 to R_CUDA_G8_56
    {0x68, kUnifiedAddress64},  // R_CUDA_UNIFIED_8_0 to R_CUDA_UNIFIED_8_56
}};

const ByteTypes* byte_types_of(uint32_t type) {
  for (const ByteTypes& each : kByteTypes) {
    if (type >= each.first && type < each.first + kAddressBytes) return &each;
  }
  return nullptr;
}

using RelocationsByOffset = std::map<uint64_t, const ElfRelocation*>;

/// True if every byte of the address, whose lowest byte is `lowest`, has a relocation.
bool is_whole(const RelocationsByOffset& all, const ElfRelocation& lowest) {
  for (uint32_t byte = 0; byte < kAddressBytes; ++byte) {
    const auto found = all.find(lowest.offset + byte);
    if (found == all.end()) return false;
    const ElfRelocation& each = *found->second;
    const bool is_same = each.symbol == lowest.symbol && each.addend == lowest.addend;
    if (!is_same || each.type != lowest.type + byte) return false;
  }
  return true;
}

/// The relocations of a data section; the byte relocations of an address are merged into one.
std::vector<ElfRelocation> data_relocations(const CubinImage& image, const std::string& section) {
  RelocationsByOffset by_offset;
  for (const ElfRelocation& each : image.relocations(section)) by_offset[each.offset] = &each;
  std::vector<ElfRelocation> all;
  uint64_t end_of_whole = 0;  // end of the last merged address
  for (const auto& [offset, each] : by_offset) {
    const ByteTypes* const types = byte_types_of(each->type);
    if (types != nullptr && offset < end_of_whole) continue;
    all.push_back(*each);
    if (types == nullptr || each->type != types->first || !is_whole(by_offset, *each)) continue;
    all.back().type = types->whole;
    end_of_whole = offset + kAddressBytes;
  }
  return all;
}

bool is_address(const ElfRelocation& each) {
  return each.type == kAddress64 || each.type == kGenericAddress64 ||
         each.type == kUnifiedAddress64;
}

}  // namespace

void CubinAddresses::add(const std::string& section, uint8_t bank, size_t base) {
  const std::vector<ElfRelocation> relocations = data_relocations(image_, section);
  if (relocations.empty()) return;
  const ElfSection* const own = image_.find(section);
  const uint64_t size = own == nullptr ? 0 : own->size;
  const std::set<uint64_t> read = words_read(bank);
  const bool is_image = bank == Program::VariableAddress::kInImage;
  const bool reads_all = may_read_all(bank);
  const bool holds_all = is_image || bank == Program::kUserConstants;  // read through pointers
  for (const ElfRelocation& each : relocations) {
    const uint64_t first = base + each.offset;
    const uint64_t last = first + kAddressBytes - 1;
    const bool is_read = reads_all || read.count(first / kAddressBytes) != 0 ||
                         read.count(last / kAddressBytes) != 0;
    if (!is_address(each)) {
      if (is_read || is_image) fail_unknown(section, each);
      continue;
    }
    if (!fits(each.offset, kAddressBytes, size))
      image_.fail("an address at byte " + std::to_string(each.offset) + " of " + section +
                  "; expected it among its " + std::to_string(size) + " bytes");
    if (is_read || is_image) check_room(own, each);
    CubinCode* const functions = is_read || holds_all ? functions_ : nullptr;
    const bool is_added = add(each, bank, first, functions);
    if (is_read && !is_added) fail_missing(each.symbol);
  }
}

void CubinAddresses::fail_unknown(const std::string& section, const ElfRelocation& each) const {
  image_.fail(
      section + " has a relocation of type " + std::to_string(each.type) + " for '" +
      image_.symbol_name(each.symbol) +
      "'; expected one of an address: 2, 4, 102, or all of 76 to 83, 84 to 91 or 104 to 111");
}

/// ptxas relocates a word of 32 bits that holds an address as one of 64 bits; what its neighbour
/// holds then is unknown.
void CubinAddresses::check_room(const ElfSection* section, const ElfRelocation& each) const {
  for (const ElfSymbol& symbol : image_.symbols()) {
    const uint64_t end = symbol.value + symbol.size;
    const bool is_holder = section != nullptr && section->index == symbol.section &&
                           symbol.value <= each.offset && each.offset < end;
    if (is_holder && end - each.offset < kAddressBytes)
      image_.fail("variable '" + symbol.name +
                  "' holds an address in fewer than 8 bytes; expected one of 64 bits");
  }
}

void CubinAddresses::fail_missing(uint32_t symbol) const {
  const std::string name = image_.symbol_name(symbol);
  if (starts_with(name, "__cuda_syscall_"))
    image_.fail("kernel '" + program_.name + "' calls '" + name +
                "', a function of the driver; expected code without it");
  image_.fail("kernel '" + program_.name + "' uses the address of '" + name +
              "', which is no variable of this file; expected a linked cubin");
}

/// Adds one address; false if the symbol is neither a variable of this file nor in `functions`.
bool CubinAddresses::add(const ElfRelocation& each, uint8_t bank, size_t offset,
                         CubinCode* functions) {
  if (image_.constant_bank(each.symbol) == Program::kUserConstants) {
    add_constant(each, bank, offset);
    return true;
  }
  const std::optional<uint64_t> function =
      functions != nullptr ? functions->address(each.symbol) : std::nullopt;
  if (function) {
    put(functions->data_address(each.symbol, *function) + each.addend, bank, offset);
    return true;
  }
  const std::vector<ElfSymbol>& symbols = image_.symbols();
  if (each.symbol >= symbols.size()) return false;
  const auto variable = variables_.find(symbols[each.symbol].section);
  if (variable == variables_.end()) return false;
  const uint64_t place = variable->second + symbols[each.symbol].value + each.addend;
  program_.variable_addresses.push_back({bank, offset, place});
  return true;
}

/// Adds the address of a __constant__ variable: its offset in the bank, or its generic address.
void CubinAddresses::add_constant(const ElfRelocation& each, uint8_t bank, size_t offset) {
  const uint64_t place = image_.symbols()[each.symbol].value + each.addend;
  if (each.type == kAddress64) return put(place, bank, offset);
  program_.variable_addresses.push_back({bank, offset, place, true});
}

void CubinAddresses::put(uint64_t address, uint8_t bank, size_t offset) {
  const bool is_image = bank == Program::VariableAddress::kInImage;
  std::vector<uint8_t>& bytes = is_image ? program_.variables : program_.constants[bank];
  if (fits(offset, sizeof address, bytes.size()))
    std::memcpy(bytes.data() + offset, &address, sizeof address);
}

/// True if the code can read any word of a constant bank: with a register in the operand, or by
/// the generic address of constant bank 3.
bool CubinAddresses::may_read_all(uint8_t bank) const {
  const uint32_t place = launch_layout(program_.arch).constants;
  const bool is_user = bank == Program::kUserConstants;
  if (is_user && words_read(0).count(place / kAddressBytes) != 0) return true;
  const auto names = [bank](const Operand& each) {
    return each.is(Operand::Kind::kConstant) && each.bank == bank && each.indexed;
  };
  return std::any_of(
      program_.code.begin(), program_.code.end(), [&names](const Instruction& instruction) {
        return std::any_of(instruction.operands.begin(), instruction.operands.end(), names);
      });
}

/// The numbers of the 64-bit words of a constant bank that operands of the code name.
std::set<uint64_t> CubinAddresses::words_read(uint8_t bank) const {
  std::set<uint64_t> words;
  for (const Instruction& instruction : program_.code) {
    for (const Operand& each : instruction.operands) {
      if (each.is(Operand::Kind::kConstant) && each.bank == bank)
        words.insert(static_cast<uint64_t>(each.value) / kAddressBytes);
    }
  }
  return words;
}

}  // namespace shflsim::isa
