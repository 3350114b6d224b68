// SPDX-License-Identifier: Apache-2.0
// Atomic operations. Lanes are processed in ascending order.
#include "isa/code/line_facts.h"
#include "isa/machine/address_space.h"
#include "isa/machine/atomic_values.h"
#include "isa/machine/operations.h"
#include "isa/machine/shared_barrier.h"

namespace shflsim::isa {
namespace {

/// The type. SPA 5.0's ATOMS has a shorter field. From sm_90 on floats have a separate field.
AtomicValue::Type type_of(const Instruction& instruction) {
  if (family_of(instruction.arch) == Family::kMaxwell) {
    const uint8_t field = instruction[Mod::k_asize];
    return instruction.op == Op::kATOMS && field == 3 ? AtomicValue::kS64
                                                      : static_cast<AtomicValue::Type>(field);
  }
  if (form_says(instruction, "{atype_float@")) {
    constexpr AtomicValue::Type kFloats[16] = {
        AtomicValue::kF16x2,    AtomicValue::kF16x2,    AtomicValue::kF16x2,
        AtomicValue::kBf16x2,   AtomicValue::kBf16x2,   AtomicValue::kBf16x2,
        AtomicValue::kNone,     AtomicValue::kNone,     AtomicValue::kNone,
        AtomicValue::kF32,      AtomicValue::kF32,      AtomicValue::kF32,
        AtomicValue::kF32Whole, AtomicValue::kF32Whole, AtomicValue::kF32Whole,
        AtomicValue::kF64};
    return kFloats[instruction[Mod::k_atype_float] & 15];
  }
  if (form_says(instruction, "{atype9@")) {
    constexpr AtomicValue::Type kIntegers[] = {AtomicValue::kU32, AtomicValue::kS32,
                                               AtomicValue::kU64, AtomicValue::kS64};
    const uint8_t field = instruction[Mod::k_atype9];
    return field < 4 ? kIntegers[field] : AtomicValue::kNone;
  }
  const uint8_t field = instruction[Mod::k_atype];
  return field < AtomicValue::kBf16x2 ? static_cast<AtomicValue::Type>(field) : AtomicValue::kNone;
}

/// The number of consecutive values per lane; more than 1 only for floats from sm_90 on.
unsigned values_of(const Instruction& instruction) {
  constexpr uint8_t kF64Field = 15;
  if (!form_says(instruction, "{atype_float@")) return 1;
  const uint8_t field = instruction[Mod::k_atype_float] & 15;
  return field == kF64Field ? 1 : 1u << field % 3;
}

/// The operation. From sm_90 on floats have a shorter field, in the same order.
uint8_t operation_of(const Instruction& instruction) {
  return form_says(instruction, "{atom_float@") ? instruction[Mod::k_atom_float]
                                                : instruction[Mod::k_atom];
}

/// A word or register pair of every lane.
struct AtomicOperand {
  AtomicOperand(const Execution& execution, Role role, unsigned bytes)
      : low(execution, role, 0), high(execution, role, bytes == 8 ? 1 : 0), wide(bytes == 8) {}
  uint64_t operator[](unsigned lane) const {
    return wide ? uint64_t{high[lane]} << 32 | low[lane] : low[lane];
  }
  SourceOperand low;
  SourceOperand high;
  bool wide;
};

/// The marks of the operands, which the written values get in addition to the memory's marks.
Marks operand_marks(Execution& execution, unsigned words) {
  Marks marks;
  if (!execution.warp.marked) return marks;
  for (const Role role : {Role::kB, Role::kC}) {
    const Operand& operand = execution.operand(role);
    if (!operand.is_live_register()) continue;
    for (unsigned word = 0; word < words; ++word) {
      marks = marks | execution.warp.register_marks[operand.index + word];
    }
  }
  report_undefined(execution, marks.undefined & execution.lanes, "stores an undefined value");
  return marks;
}

/// The old values and their marks, which D receives.
struct OldValues {
  LaneValues low{};
  LaneValues high{};
  Marks marks;

  void note(unsigned lane, uint64_t value, uint8_t found) {
    low[lane] = static_cast<uint32_t>(value);
    high[lane] = static_cast<uint32_t>(value >> 32);
    note_marks(marks, lane, found);
  }

  void write(Execution& execution, unsigned words, unsigned first = 0) const {
    const Operand& d = execution.operand(Role::kD);
    if (!d.is_live_register()) return;
    if (marks.any()) execution.warp.marked = true;
    for (unsigned word = 0; word < words; ++word) {
      write_result(execution, word == 0 ? low : high, first + word);
      Marks& target = execution.warp.register_marks[d.index + first + word];
      target = target.replaced(marks, execution.lanes);
    }
  }
};

/// Writes the value that `update(lane, old)` returns to the memory of every executing lane.
template <class Update>
OldValues update_memory(Execution& execution, Space space, unsigned bytes, Update update) {
  const Marks marks = operand_marks(execution, bytes / 4);
  const LaneAddresses& addresses = resolve_addresses(execution);
  OldValues olds;
  for_each_lane(execution.lanes, [&](unsigned lane) {
    const Access access = locate(execution, space, addresses[lane], bytes, lane);
    uint64_t old = 0;
    access.storage->read(access.offset, &old, bytes);
    const uint8_t found = access.storage->marks(access.offset, bytes);
    const uint64_t value = update(lane, old);
    access.storage->write(access.offset, &value, bytes,
                          static_cast<uint8_t>(found | marks_of_lane(marks, lane)));
    olds.note(lane, old, found);
  });
  return olds;
}

/// The two values of a compare-and-swap: Rb and the next register, of which one may be RZ.
struct SwapShape {
  bool compares_zero;
  bool swaps_zero;
  bool tells_success;  ///< ATOMS.CAST: D, or P, is 1 if the swap was made, else 0
};

/// True for ATOMS.CAST. From sm_70 on a field may select it instead of the opcode. nvdisasm prints
/// ATOM.CAS for words whose bits 88:87 are those of ATOMS.CAST.SPIN; the code behind them compares
/// the result with 1.
bool tells_success(const Instruction& instruction) {
  constexpr unsigned kSpin = 87, kBits = 2, kIsSpin = 3;
  return form_says(instruction, ".CAST") || (instruction[Mod::k_compare] & 1) != 0 ||
         (instruction.op == Op::kSm70_ATOM && field(instruction.rest, kSpin, kBits) == kIsSpin);
}

bool swaps_long(const Instruction& instruction) {
  constexpr uint8_t kLong = 2;  // value of the field casz
  return instruction[Mod::k_cas] != 0 || instruction[Mod::k_casz] == kLong;
}

SwapShape swap_shape(const Instruction& instruction) {
  return {form_says(instruction, "RZ, {"), form_says(instruction, "}, RZ"),
          tells_success(instruction)};
}

template <Space space>
void compare_and_swap(Execution& execution) {
  const unsigned bytes = swaps_long(execution.instruction) ? 8 : 4;
  const SwapShape shape = swap_shape(execution.instruction);
  const AtomicOperand first(execution, Role::kB, bytes);
  const AtomicOperand second(execution, Role::kC, bytes);
  LaneMask swapped = 0;
  OldValues olds = update_memory(execution, space, bytes, [&](unsigned lane, uint64_t old) {
    const uint64_t expected = shape.compares_zero ? 0 : first[lane];
    const uint64_t wanted = shape.swaps_zero ? 0 : shape.compares_zero ? first[lane] : second[lane];
    if (old == expected) swapped |= 1u << lane;
    return old == expected ? wanted : old;
  });
  if (shape.tells_success) {
    for (unsigned lane = 0; lane < kLanes; ++lane) olds.low[lane] = (swapped >> lane) & 1u;
    olds.high.fill(0);
    write_predicate(execution, Role::kP, swapped);
  }
  const bool is_maxwell = family_of(execution.instruction.arch) == Family::kMaxwell;
  olds.write(execution, shape.tells_success && is_maxwell ? 1 : bytes / 4);
}

/// True for words of 16 bytes, which can be compared and exchanged only.
bool has_16_bytes(const Instruction& instruction) {
  constexpr uint8_t k16Bytes = 4;  // value of the fields casz and atype9
  if (is_swap(instruction)) return instruction[Mod::k_casz] == k16Bytes;
  return form_says(instruction, ".128") ||
         (form_says(instruction, "{atype9@") && instruction[Mod::k_atype9] == k16Bytes);
}

/// Exchanges words of 16 bytes; a CAS only those that are equal to B.
template <Space space>
void exchange_16_bytes(Execution& execution) {
  constexpr unsigned kWords = 4;
  using Words = std::array<uint32_t, kWords>;
  const bool compares = is_swap(execution.instruction);
  const auto words_of = [&](Role role, unsigned lane) {
    Words words;
    for (unsigned i = 0; i < kWords; ++i) words[i] = SourceOperand(execution, role, i)[lane];
    return words;
  };
  const Marks marks = operand_marks(execution, kWords);
  const LaneAddresses& addresses = resolve_addresses(execution);
  std::array<OldValues, kWords> olds;
  for_each_lane(execution.lanes, [&](unsigned lane) {
    const Access access = locate(execution, space, addresses[lane], sizeof(Words), lane);
    Words old;
    access.storage->read(access.offset, &old, sizeof old);
    const uint8_t found = access.storage->marks(access.offset, sizeof old);
    const Words first = words_of(Role::kB, lane);
    const Words wanted = !compares ? first : old == first ? words_of(Role::kC, lane) : old;
    access.storage->write(access.offset, &wanted, sizeof wanted,
                          static_cast<uint8_t>(found | marks_of_lane(marks, lane)));
    for (unsigned i = 0; i < kWords; ++i) olds[i].note(lane, old[i], found);
  });
  for (unsigned i = 0; i < kWords; ++i) olds[i].write(execution, 1, i);
}

/// An atomic with several words per lane, each a separate operation.
template <Space space>
void vector_atomic(Execution& execution, unsigned values) {
  const AtomicValue::Type type = type_of(execution.instruction);
  const uint8_t operation = operation_of(execution.instruction);
  const Marks marks = operand_marks(execution, values);
  const LaneAddresses& addresses = resolve_addresses(execution);
  std::array<OldValues, 4> olds;
  for (unsigned i = 0; i < values; ++i) {
    const SourceOperand operand(execution, Role::kB, i);
    for_each_lane(execution.lanes, [&](unsigned lane) {
      const Access access = locate(execution, space, addresses[lane], 4 * values, lane);
      const uint64_t at = access.offset + 4 * i;
      uint32_t old = 0;
      access.storage->read(at, &old, sizeof old);
      const uint8_t found = access.storage->marks(at, sizeof old);
      const auto value =
          static_cast<uint32_t>(AtomicValue::updated(operation, type, old, operand[lane]));
      access.storage->write(at, &value, sizeof value,
                            static_cast<uint8_t>(found | marks_of_lane(marks, lane)));
      olds[i].note(lane, old, found);
    });
  }
  for (unsigned i = 0; i < values; ++i) olds[i].write(execution, 1, i);
}

template <Space space>
void atomic(Execution& execution) {
  if (has_16_bytes(execution.instruction)) return exchange_16_bytes<space>(execution);
  if (is_swap(execution.instruction)) {
    compare_and_swap<space>(execution);
    return;
  }
  const unsigned values = values_of(execution.instruction);
  if (values > 1) return vector_atomic<space>(execution, values);
  const AtomicValue::Type type = type_of(execution.instruction);
  const uint8_t operation = operation_of(execution.instruction);
  const AtomicOperand operand(execution, Role::kB, AtomicValue::bytes_of(type));
  const OldValues olds = update_memory(
      execution, space, AtomicValue::bytes_of(type), [&](unsigned lane, uint64_t old) {
        return AtomicValue::updated(operation, type, old, operand[lane]);
      });
  olds.write(execution, AtomicValue::bytes_of(type) / 4);
}

/// An arrival at a barrier in shared memory.
template <Space space>
void arrive(Execution& execution) {
  const OldValues olds =
      update_memory(execution, space, 8, [](unsigned, uint64_t old) { return after_arrival(old); });
  olds.write(execution, 2);
}

/// Counts the executing lanes at each address.
template <Space space>
void count_lanes(Execution& execution) {
  const OldValues olds =
      update_memory(execution, space, 4, [](unsigned, uint64_t old) { return old + 1; });
  olds.write(execution, 1);
}

/// True if atomics with generic addresses do this in shared memory of the own block. 64 bits are
/// only added there. Measured on an H100: instructions of words_of_four, barriers_with_steps and
/// words_of_scopes (tests/data/h100/hopper, hopper_fourth).
bool is_done_in_own_block(const Instruction& instruction) {
  return !AtomicValue::is_float(type_of(instruction)) && !swaps_long(instruction) &&
         operation_of(instruction) == AtomicValue::kAdd;
}

/// Atomics with generic addresses from sm_70 on. P, if requested, says in which lanes the operation
/// was done; the code after the atomic handles the other lanes: those whose address is in local
/// memory, or in shared memory that does not know the operation. Shared memory of other blocks of
/// the cluster knows all of integers and none of floats (measured on an H100: words_of_four;
/// instructions of rooms_of_neighbours).
void generic_atomic(Execution& execution) {
  if (form_says(execution.instruction, ".ARRIVE")) return arrive<Space::kGeneric>(execution);
  if (form_says(execution.instruction, ".POPC")) return count_lanes<Space::kGeneric>(execution);
  const Operand& done = execution.operand(Role::kP);
  if (!done.is(Operand::Kind::kPredicate) || done.index == kPT)
    return atomic<Space::kGeneric>(execution);
  const Windows& windows = windows_of(execution);
  const LaneAddresses& addresses = resolve_addresses(execution);
  const LaneMask all = execution.lanes;
  const bool is_float = AtomicValue::is_float(type_of(execution.instruction));
  const bool own = is_done_in_own_block(execution.instruction);
  const LaneMask global =
      lanes_where([&](unsigned lane) { return !windows.hold(addresses[lane]); });
  const LaneMask shared = lanes_where([&](unsigned lane) {
    return !is_float && bit_of(all, lane) && windows.holds_shared(addresses[lane]) &&
           (own ||
            &block_at(execution, static_cast<uint32_t>(addresses[lane]), lane) != &execution.block);
  });
  write_predicate(execution, Role::kP, global | shared);
  execution.lanes = all & (global | shared);
  if (execution.lanes != 0)
    shared == 0 ? atomic<Space::kGlobal>(execution) : atomic<Space::kGeneric>(execution);
  execution.lanes = all;
}

void shared_atomic(Execution& execution) {
  if (form_says(execution.instruction, ".ARRIVE")) return arrive<Space::kShared>(execution);
  atomic<Space::kShared>(execution);
}

/// ATOM's arrival has a width and its forms have a predicate; ATOMS' arrival always has 64 bits.
std::string refuse_counting(const Instruction& instruction) {
  if (instruction.op != Op::kSm70_ATOM) return "";
  if (form_says(instruction, ".ARRIVE") && type_of(instruction) != AtomicValue::kU64)
    return "an arrival at a barrier of less than 64 bits";
  return instruction[Role::kP].index != kPT ? "the form that writes a predicate" : "";
}

std::string refuse_atomic(const Instruction& instruction) {
  if (has_16_bytes(instruction)) {
    const bool is_known = is_swap(instruction) ? instruction[Mod::k_compare] == 0
                                               : operation_of(instruction) == AtomicValue::kExch;
    return is_known ? "" : "this operation on 128 bits";
  }
  if (is_swap(instruction)) {
    const bool spins_oddly =
        form_says(instruction, "{compare@") && instruction[Mod::k_compare] == 1;
    return spins_oddly ? "the form .CAST" : "";
  }
  if (form_says(instruction, ".ARRIVE") || form_says(instruction, ".POPC"))
    return refuse_counting(instruction);
  const AtomicValue::Type type = type_of(instruction);
  if (type == AtomicValue::kNone) return "an operation on several values";
  const bool is_defined = AtomicValue::is_defined(operation_of(instruction), type);
  return is_defined ? "" : "this operation on floats";
}

/// The meaning of the predicate in global memory is not documented.
std::string refuse_told(const Instruction& instruction) {
  const Operand& done = instruction[Role::kP];
  if (done.is(Operand::Kind::kPredicate) && done.index != kPT)
    return "the form that writes a predicate";
  return refuse_atomic(instruction);
}

}  // namespace

void add_atomic_operations(OperationTable& table) {
  entry(table, Op::kATOM) = {atomic<Space::kGeneric>, refuse_atomic, true};
  entry(table, Op::kRED) = {atomic<Space::kGeneric>, refuse_atomic, true};
  entry(table, Op::kATOMS) = {atomic<Space::kShared>, refuse_atomic, true};
  entry(table, Op::kSm70_ATOM) = {generic_atomic, refuse_atomic, true};
  entry(table, Op::kSm70_ATOMG) = {atomic<Space::kGlobal>, refuse_told, true};
  entry(table, Op::kSm70_RED) = {atomic<Space::kGeneric>, refuse_atomic, true};
  entry(table, Op::kSm70_REDG) = {atomic<Space::kGlobal>, refuse_atomic, true};
  entry(table, Op::kSm70_ATOMS) = {shared_atomic, refuse_atomic, true};
  entry(table, Op::kSm70_ATOMS_POPC) = {count_lanes<Space::kShared>, nullptr, true};
}

}  // namespace shflsim::isa
