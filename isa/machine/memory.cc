// SPDX-License-Identifier: Apache-2.0
// Loads and stores.
#include <fmt/format.h>

#include <array>
#include <cstring>

#include "isa/machine/address_space.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

/// Width of an access, in the order of its field: U8, S8, U16, S16, 32, 64, 128, U.128.
struct Shape {
  unsigned bytes;
  unsigned words;
  unsigned sign_shift;  ///< 32 minus the bits of a signed value; 0 if unsigned
};

Shape shape_of(const Instruction& instruction) {
  static constexpr Shape kShapes[8] = {{1, 1, 0}, {1, 1, 24}, {2, 1, 0},  {2, 1, 16},
                                       {4, 1, 0}, {8, 2, 0},  {16, 4, 0}, {16, 4, 0}};
  return kShapes[instruction[Mod::k_size] & 7];
}

uint32_t extend(uint32_t word, unsigned sign_shift) {
  return static_cast<uint32_t>(static_cast<int32_t>(word << sign_shift) >> sign_shift);
}

/// Loads in the common case: whole words from one memory without marks; else returns false.
bool load_words(Execution& execution, Space space, const Shape& shape,
                const LaneAddresses& addresses) {
  if (execution.warp.marked || shape.bytes < 4) return false;
  const CommonAccess found = locate_together(execution, space, addresses, shape.bytes);
  if (found.memory == nullptr || found.memory->marked()) return false;
  const uint8_t* const memory = found.memory->data();
  for (unsigned word = 0; word < shape.words; ++word) {
    set_result(
        execution,
        [&](unsigned lane) {
          uint32_t value;
          std::memcpy(&value, memory + found.offsets[lane] + 4 * word, sizeof value);
          return value;
        },
        word);
  }
  return true;
}

/// Calls f with the lanes in the order of their writes: a store moves 128 bytes at a time. If
/// several lanes store to one address, the lowest lane of a group that moves together wins, and
/// later groups overwrite earlier ones (measured: docs/isa.md, "Stores to one address").
template <class F>
void for_each_writer(LaneMask lanes, unsigned bytes, F f) {
  const unsigned together = bytes <= 4 ? 32 : 128 / bytes;
  for (unsigned first = 0; first < 32; first += together) {
    LaneMask group = lanes >> first & ~LaneMask{0} >> (32 - together);
    for (; group != 0; group &= ~(LaneMask{1} << (31 - __builtin_clz(group))))
      f(first + 31 - static_cast<unsigned>(__builtin_clz(group)));
  }
}

/// The places of all lanes, found before any is written, so that an error names the lowest lane.
std::array<Access, kLanes> all_located(Execution& execution, Space space,
                                       const LaneAddresses& addresses, unsigned bytes) {
  std::array<Access, kLanes> accesses;
  for_each_lane(execution.lanes, [&](unsigned lane) {
    accesses[lane] = locate(execution, space, addresses[lane], bytes, lane);
  });
  return accesses;
}

/// The operand that a store writes: B, or C if the address takes B's field.
Role stored(const Instruction& instruction) {
  return instruction[Role::kB].is(Operand::Kind::kNone) ? Role::kC : Role::kB;
}

/// Stores whole words, if no lane's value is marked.
bool store_words(Execution& execution, Space space, const Shape& shape,
                 const LaneAddresses& addresses) {
  if (execution.warp.marked || shape.bytes < 4) return false;
  const CommonAccess found = locate_together(execution, space, addresses, shape.bytes);
  if (found.memory == nullptr || found.memory->marked()) return false;
  uint8_t* const memory = found.memory->unmarked_bytes();
  for (unsigned word = 0; word < shape.words; ++word) {
    const SourceOperand data(execution, stored(execution.instruction), word);
    for_each_writer(execution.lanes, shape.bytes, [&](unsigned lane) {
      const uint32_t value = data[lane];
      std::memcpy(memory + found.offsets[lane] + 4 * word, &value, sizeof value);
    });
  }
  return true;
}

template <Space space>
void load(Execution& execution) {
  const Shape shape = shape_of(execution.instruction);
  const LaneAddresses& addresses = resolve_addresses(execution);
  if (load_words(execution, space, shape, addresses)) return;
  std::array<LaneValues, 4> values{};
  Marks marks;
  for_each_lane(execution.lanes, [&](unsigned lane) {
    const Access access = locate(execution, space, addresses[lane], shape.bytes, lane);
    uint32_t words[4] = {};
    access.storage->read(access.offset, words, shape.bytes);
    for (unsigned word = 0; word < shape.words; ++word) {
      values[word][lane] = extend(words[word], shape.sign_shift);
    }
    if (access.storage->marked()) {
      note_marks(marks, lane, access.storage->marks(access.offset, shape.bytes));
    }
  });
  mark_loaded(execution, Role::kD, shape.words, marks);
  for (unsigned word = 0; word < shape.words; ++word) write_result(execution, values[word], word);
}

template <Space space>
void store(Execution& execution) {
  const Shape shape = shape_of(execution.instruction);
  const LaneAddresses& addresses = resolve_addresses(execution);
  if (store_words(execution, space, shape, addresses)) return;
  const Role data = stored(execution.instruction);
  const Marks marks = stored_marks(execution, data, shape.words);
  const SourceOperand first(execution, data, 0);
  const SourceOperand second(execution, data, shape.words > 1 ? 1 : 0);
  const SourceOperand third(execution, data, shape.words > 2 ? 2 : 0);
  const SourceOperand fourth(execution, data, shape.words > 2 ? 3 : 0);
  const auto accesses = all_located(execution, space, addresses, shape.bytes);
  for_each_writer(execution.lanes, shape.bytes, [&](unsigned lane) {
    const Access& access = accesses[lane];
    const uint32_t words[4] = {first[lane], second[lane], third[lane], fourth[lane]};
    access.storage->write(access.offset, words, shape.bytes, marks_of_lane(marks, lane));
  });
}

/// 256-bit accesses of sm_100 and later: the first half is in D or B, the second in G.
constexpr unsigned kLongBytes = 32;

void load_long(Execution& execution) {
  const LaneAddresses& addresses = resolve_addresses(execution);
  std::array<LaneValues, 8> values{};
  Marks marks;
  for_each_lane(execution.lanes, [&](unsigned lane) {
    const Access access = locate(execution, Space::kGlobal, addresses[lane], kLongBytes, lane);
    uint32_t words[8];
    access.storage->read(access.offset, words, kLongBytes);
    for (unsigned word = 0; word < 8; ++word) values[word][lane] = words[word];
    note_marks(marks, lane, access.storage->marks(access.offset, kLongBytes));
  });
  const unsigned second = execution.operand(Role::kG).index;
  mark_loaded(execution, Role::kD, 4, marks);
  mark_loaded(execution, Role::kG, 4, marks);
  for (unsigned word = 0; word < 4; ++word) {
    write_result(execution, values[word], word);
    if (second != kRZ) execution.warp.write(second + word, execution.lanes, values[4 + word]);
  }
}

void store_long(Execution& execution) {
  const LaneAddresses& addresses = resolve_addresses(execution);
  const Marks marks = stored_marks(execution, Role::kB, 4) | stored_marks(execution, Role::kG, 4);
  const auto accesses = all_located(execution, Space::kGlobal, addresses, kLongBytes);
  for (unsigned word = 0; word < 8; ++word) {
    const SourceOperand data(execution, word < 4 ? Role::kB : Role::kG, word % 4);
    for_each_writer(execution.lanes, kLongBytes, [&](unsigned lane) {
      const Access& access = accesses[lane];
      const uint32_t value = data[lane];
      access.storage->write(access.offset + 4 * word, &value, 4, marks_of_lane(marks, lane));
    });
  }
}

bool is_long(const Execution& execution) {
  return execution.operand(Role::kG).is(Operand::Kind::kRegister);
}
void sm70_ldg(Execution& execution) {
  return is_long(execution) ? load_long(execution) : load<Space::kGlobal>(execution);
}
void sm70_stg(Execution& execution) {
  return is_long(execution) ? store_long(execution) : store<Space::kGlobal>(execution);
}

/// Loads a constant at a computed offset.
void ldc(Execution& execution) {
  const Shape shape = shape_of(execution.instruction);
  const Operand& operand = execution.operand(Role::kA);
  const uint32_t* index = execution.warp.row(operand.index);
  LaneAddresses& addresses = execution.block.addresses;
  std::array<LaneValues, 4> values{};
  for_each_lane(execution.lanes, [&](unsigned lane) {
    const uint32_t offset = index[lane] + static_cast<uint32_t>(operand.value);
    const uint8_t* bytes = read_constant(execution, operand.bank, offset, shape.bytes, lane);
    addresses[lane] = offset;
    uint32_t words[4] = {};
    std::memcpy(words, bytes, shape.bytes);
    for (unsigned word = 0; word < shape.words; ++word) {
      values[word][lane] = extend(words[word], shape.sign_shift);
    }
  });
  execution.addresses = &addresses;
  for (unsigned word = 0; word < shape.words; ++word) write_result(execution, values[word], word);
}

std::string refuse_segmented(const Instruction& instruction) {
  return instruction[Mod::k_ldc] != 0 ? "the forms .IL, .IS and .ISL" : "";
}

/// Refuses loads with a predicate before or after the operands, whose meaning is unknown.
std::string refuse_predicated(const Instruction& instruction) {
  const Operand& behind = instruction[Role::kU];
  const Operand& front = instruction[Role::kP];
  const auto is_live = [](const Operand& operand) {
    return operand.is(Operand::Kind::kPredicate) && (operand.index != kPT || operand.negate);
  };
  const bool has_one =
      is_live(behind) || (front.is(Operand::Kind::kPredicate) && front.index != kPT);
  return has_one ? "the form with a predicate among its operands" : "";
}

/// Fences and cache hints have no effect: lanes and warps run in order, and there is no cache.

}  // namespace

void add_memory_operations(OperationTable& table) {
  entry(table, Op::kLDG) = {load<Space::kGlobal>, nullptr, true};
  entry(table, Op::kSTG) = {store<Space::kGlobal>};
  entry(table, Op::kLDS) = {load<Space::kShared>, nullptr, true};
  entry(table, Op::kSTS) = {store<Space::kShared>};
  entry(table, Op::kLDL) = {load<Space::kLocal>, nullptr, true};
  entry(table, Op::kSTL) = {store<Space::kLocal>};
  entry(table, Op::kLD) = {load<Space::kGeneric>, nullptr, true};
  entry(table, Op::kST) = {store<Space::kGeneric>};
  entry(table, Op::kLDC) = {ldc, refuse_segmented};
  entry(table, Op::kMEMBAR) = {nothing};
  entry(table, Op::kCCTL) = {nothing};
  entry(table, Op::kSm70_LDG) = {sm70_ldg, refuse_predicated, true};
  entry(table, Op::kSm70_STG) = {sm70_stg};
  entry(table, Op::kSm70_LDS) = {load<Space::kShared>, nullptr, true};
  entry(table, Op::kSm70_STS) = {store<Space::kShared>};
  entry(table, Op::kSm70_LDL) = {load<Space::kLocal>, nullptr, true};
  entry(table, Op::kSm70_STL) = {store<Space::kLocal>};
  entry(table, Op::kSm70_LD) = {load<Space::kGeneric>, refuse_predicated, true};
  entry(table, Op::kSm70_ST) = {store<Space::kGeneric>};
}

}  // namespace shflsim::isa
