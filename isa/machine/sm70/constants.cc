// SPDX-License-Identifier: Apache-2.0
// Indexed constants of sm_70 and later: LDC in each lane, ULDC and LDCU for the warp.
#include <fmt/format.h>

#include <cstring>

#include "isa/machine/address_space.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

/// Width of a load, in the order of its field: U8, S8, U16, S16, 32, 64, 128, U.128.
constexpr unsigned kBytesOfSize[8] = {1, 1, 2, 2, 4, 8, 16, 16};

bool is_signed(unsigned size) { return size == 1 || size == 3; }

using Words = std::array<uint32_t, 4>;

Words load(const Execution& execution, uint32_t offset, unsigned lane) {
  const unsigned size = execution.instruction[Mod::k_size];
  const unsigned bank = execution.operand(Role::kA).is(Operand::Kind::kConstant)
                            ? execution.operand(Role::kA).bank
                            : execution.operand(Role::kB).bank;
  const unsigned bytes = kBytesOfSize[size];
  if ((offset & (bytes - 1)) != 0) {
    fail(execution,
         fmt::format("offset 0x{:x} is not a multiple of the access's {} bytes", offset, bytes),
         lane);
  }
  const uint8_t* const found = read_constant(execution, bank, offset, bytes, lane);
  Words words{};
  std::memcpy(words.data(), found, bytes);
  const unsigned unused = bytes < 4 ? 32 - 8 * bytes : 0;
  if (is_signed(size))
    words[0] = static_cast<uint32_t>(static_cast<int32_t>(words[0] << unused) >> unused);
  return words;
}

unsigned words_of(const Execution& execution) {
  return (kBytesOfSize[execution.instruction[Mod::k_size]] + 3) / 4;
}

/// One value for all lanes: ULDC, LDCU, and LDC without an index register.
void load_one(Execution& execution, uint32_t offset) {
  const Words words = load(execution, offset, kNoLane);
  for (unsigned word = 0; word < words_of(execution); ++word) {
    const uint32_t value = words[word];
    set_result(
        execution, [value](unsigned) { return value; }, word);
  }
}

void show_address(Execution& execution, uint32_t offset) {
  execution.block.addresses.fill(offset);
  execution.addresses = &execution.block.addresses;
}

void ldc(Execution& execution) {
  const Operand& operand = execution.operand(Role::kA);
  const auto base = static_cast<uint32_t>(operand.value);
  if (operand.index == kRZ) {
    load_one(execution, base);
    return show_address(execution, base);
  }
  const uint32_t* const index = execution.warp.row(operand.index);
  LaneAddresses& addresses = execution.block.addresses;
  std::array<LaneValues, 4> values{};
  for_each_lane(execution.lanes, [&](unsigned lane) {
    addresses[lane] = index[lane] + base;
    const Words words = load(execution, index[lane] + base, lane);
    for (unsigned word = 0; word < 4; ++word) values[word][lane] = words[word];
  });
  execution.addresses = &addresses;
  for (unsigned word = 0; word < words_of(execution); ++word)
    write_result(execution, values[word], word);
}

/// c[bank][offset], or c[bank][UR + offset].
void uldc(Execution& execution) {
  const Role role = execution.operand(Role::kA).is(Operand::Kind::kConstant) ? Role::kA : Role::kB;
  const Operand& operand = execution.operand(role);
  const uint32_t index = operand.has_uniform ? execution.warp.uniform(operand.uniform) : 0;
  const uint32_t offset = index + static_cast<uint32_t>(operand.value);
  load_one(execution, offset);
  if (operand.has_uniform) show_address(execution, offset);
}

std::string refuse_segmented(const Instruction& instruction) {
  return instruction[Mod::k_ldc] != 0 ? "the forms .IL, .IS and .ISL" : "";
}

}  // namespace

void add_sm70_constant_operations(OperationTable& table) {
  entry(table, Op::kSm70_LDC) = {ldc, refuse_segmented};
  entry(table, Op::kSm70_ULDC) = {uldc};
  entry(table, Op::kSm70_LDCU) = {uldc};
}

}  // namespace shflsim::isa
