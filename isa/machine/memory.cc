// SPDX-License-Identifier: Apache-2.0
// Loads and stores.
#include <fmt/format.h>

#include <cstring>

#include "isa/machine/address_space.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

/// Width of an access, in the order of its field: U8, S8, U16, S16, 32, 64, 128.
struct Shape {
  unsigned bytes;
  unsigned words;
  unsigned sign_shift;  ///< 32 minus the bits of a signed value; 0 where unsigned
};

Shape shape_of(const Instruction& instruction) {
  static constexpr Shape kShapes[8] = {{1, 1, 0}, {1, 1, 24}, {2, 1, 0},  {2, 1, 16},
                                       {4, 1, 0}, {8, 2, 0},  {16, 4, 0}, {16, 4, 0}};
  return kShapes[instruction[Mod::k_size] & 7];
}

uint32_t extend(uint32_t word, unsigned sign_shift) {
  return static_cast<uint32_t>(static_cast<int32_t>(word << sign_shift) >> sign_shift);
}

void mark_destination(Execution& execution, unsigned words, const Marks& marks) {
  Warp& warp = execution.warp;
  if (marks.any()) warp.marked = true;
  const Operand& d = execution.operand(Role::kD);
  if (!warp.marked || d.index == kRZ) return;
  for (unsigned word = 0; word < words; ++word) {
    Marks& target = warp.register_marks[d.index + word];
    target = target.replaced(marks, execution.lanes);
  }
}

/// The common case of whole words from one memory without marks. Lanes that do not execute read
/// the same as the lowest that does, which their registers do not receive.
bool load_words(Execution& execution, Space space, const Shape& shape,
                const LaneAddresses& addresses) {
  if (execution.warp.marked || shape.bytes < 4) return false;
  const CommonAccess found = locate_together(execution, space, addresses, shape.bytes);
  if (found.memory == nullptr || found.memory->marked()) return false;
  const uint64_t any = addresses[static_cast<unsigned>(__builtin_ctz(execution.lanes))];
  const uint8_t* const memory = found.memory->bytes().data();
  for (unsigned word = 0; word < shape.words; ++word) {
    set_result(
        execution,
        [&](unsigned lane) {
          const uint64_t address = bit_of(execution.lanes, lane) ? addresses[lane] : any;
          uint32_t value;
          std::memcpy(&value, memory + (address - found.base) + 4 * word, sizeof value);
          return value;
        },
        word);
  }
  return true;
}

/// The same for stores.
bool store_words(Execution& execution, Space space, const Shape& shape,
                 const LaneAddresses& addresses) {
  if (execution.warp.marked || shape.bytes != 4) return false;
  const CommonAccess found = locate_together(execution, space, addresses, shape.bytes);
  if (found.memory == nullptr || found.memory->marked()) return false;
  const Source data(execution, Role::kB);
  for_each_lane(execution.lanes, [&](unsigned lane) {
    const uint32_t value = data[lane];
    found.memory->write(addresses[lane] - found.base, &value, sizeof value);
  });
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
  mark_destination(execution, shape.words, marks);
  for (unsigned word = 0; word < shape.words; ++word) write_result(execution, values[word], word);
}

Marks stored_marks(Execution& execution, unsigned words) {
  const Operand& data = execution.operand(Role::kB);
  Marks marks;
  if (!execution.warp.marked || !data.is_live_register()) return marks;
  for (unsigned word = 0; word < words; ++word) {
    marks = marks | execution.warp.register_marks[data.index + word];
  }
  report_undefined(execution, marks.undefined & execution.lanes, "stores an undefined value");
  return marks;
}

/// Where several lanes store to one address, the highest of them stays, as the last to write.
template <Space space>
void store(Execution& execution) {
  const Shape shape = shape_of(execution.instruction);
  const LaneAddresses& addresses = resolve_addresses(execution);
  if (store_words(execution, space, shape, addresses)) return;
  const Marks marks = stored_marks(execution, shape.words);
  const Source first(execution, Role::kB, 0);
  const Source second(execution, Role::kB, shape.words > 1 ? 1 : 0);
  const Source third(execution, Role::kB, shape.words > 2 ? 2 : 0);
  const Source fourth(execution, Role::kB, shape.words > 2 ? 3 : 0);
  for_each_lane(execution.lanes, [&](unsigned lane) {
    const Access access = locate(execution, space, addresses[lane], shape.bytes, lane);
    const uint32_t words[4] = {first[lane], second[lane], third[lane], fourth[lane]};
    access.storage->write(access.offset, words, shape.bytes, marks_of_lane(marks, lane));
  });
}

/// A constant by a computed offset.
void ldc(Execution& execution) {
  const Shape shape = shape_of(execution.instruction);
  const Operand& operand = execution.operand(Role::kA);
  const uint32_t* index = execution.warp.row(operand.index);
  LaneAddresses& addresses = execution.block.addresses;
  std::array<LaneValues, 4> values{};
  for_each_lane(execution.lanes, [&](unsigned lane) {
    const uint32_t offset = index[lane] + static_cast<uint32_t>(operand.value);
    const uint8_t* bytes = execution.block.grid.constant(operand.bank, offset, shape.bytes);
    if (bytes == nullptr) {
      fail(execution,
           fmt::format("{} bytes at offset 0x{:x} of constant bank {}, beyond its end", shape.bytes,
                       offset, operand.bank),
           lane);
    }
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

/// Fences and cache hints: lanes and warps run in order here, and there is no cache.
void nothing(Execution&) {}

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
}

}  // namespace shflsim::isa
