// SPDX-License-Identifier: Apache-2.0
// Atomic operations. Lanes take their turns in ascending order.
#include "isa/machine/address_space.h"
#include "isa/machine/float_sums.h"
#include "isa/machine/operations.h"
#include "isa/machine/rounding.h"

namespace shflsim::isa {
namespace {

enum AtomicOp : uint8_t { kAdd, kMin, kMax, kInc, kDec, kAnd, kOr, kXor, kExch, kSafeAdd = 10 };

/// Type of the operand, in the order of the field asize.
enum AtomicType : uint8_t { kU32, kS32, kU64, kF32, kF16x2, kS64, kF64 };

/// ATOMS has a shorter field of types.
AtomicType type_of(const Instruction& instruction, Space space) {
  const uint8_t field = instruction[Mod::k_asize];
  return space == Space::kShared && field == 3 ? kS64 : static_cast<AtomicType>(field);
}

unsigned bytes_of(AtomicType type) { return type == kU64 || type == kS64 || type == kF64 ? 8 : 4; }

uint64_t smaller(uint64_t a, uint64_t b, AtomicType type, bool wants_smaller) {
  const bool is_signed = type == kS32 || type == kS64;
  const uint64_t sign = bytes_of(type) == 8 ? uint64_t{1} << 63 : uint64_t{1} << 31;
  const uint64_t bias = is_signed ? sign : 0;
  return ((a ^ bias) < (b ^ bias)) == wants_smaller ? a : b;
}

uint64_t added(uint64_t a, uint64_t b, AtomicType type) {
  if (type == kF64) return double_sum(a, b);
  if (type == kF16x2) return half_pair_sum(static_cast<uint32_t>(a), static_cast<uint32_t>(b));
  if (type != kF32) return a + b;
  const float sum =
      as_float(flush(static_cast<uint32_t>(a))) + as_float(flush(static_cast<uint32_t>(b)));
  return sum != sum ? kNan32 : flush(bits_of(sum));
}

/// What the memory holds afterwards.
uint64_t updated(uint8_t operation, AtomicType type, uint64_t old, uint64_t operand) {
  switch (operation) {
    case kMin: return smaller(old, operand, type, true);
    case kMax: return smaller(old, operand, type, false);
    case kInc: return old >= operand ? 0 : old + 1;
    case kDec: return old == 0 || old > operand ? operand : old - 1;
    case kAnd: return old & operand;
    case kOr: return old | operand;
    case kXor: return old ^ operand;
    case kExch: return operand;
    default: return added(old, operand, type);
  }
}

/// A word or register pair of every lane.
struct AtomicOperand {
  AtomicOperand(const Execution& execution, Role role, unsigned bytes)
      : low(execution, role, 0), high(execution, role, bytes == 8 ? 1 : 0), wide(bytes == 8) {}
  uint64_t operator[](unsigned lane) const {
    return wide ? uint64_t{high[lane]} << 32 | low[lane] : low[lane];
  }
  Source low;
  Source high;
  bool wide;
};

/// Marks of what an atomic writes besides the memory's own: those of its operands.
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

/// D receives the old values and their marks.
struct OldValues {
  LaneValues low{};
  LaneValues high{};
  Marks marks;

  void note(unsigned lane, uint64_t value, uint8_t found) {
    low[lane] = static_cast<uint32_t>(value);
    high[lane] = static_cast<uint32_t>(value >> 32);
    note_marks(marks, lane, found);
  }

  void write(Execution& execution, unsigned words) const {
    const Operand& d = execution.operand(Role::kD);
    if (!d.is_live_register()) return;
    if (marks.any()) execution.warp.marked = true;
    for (unsigned word = 0; word < words; ++word) {
      write_result(execution, word == 0 ? low : high, word);
      Marks& target = execution.warp.register_marks[d.index + word];
      target = target.replaced(marks, execution.lanes);
    }
  }
};

/// Runs `update(lane, old)` on every executing lane's memory; it returns the new value.
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

/// Where a compare-and-swap finds its two values: Rb and the register behind it, or RZ for one.
struct SwapShape {
  bool compares_zero;
  bool swaps_zero;
  bool tells_success;  ///< ATOMS.CAST: D is 1 where the swap was made, else 0
};

bool is_swap(const Instruction& instruction) { return form_says(instruction, ".CAS"); }

SwapShape swap_shape(const Instruction& instruction) {
  return {form_says(instruction, "RZ, {"), form_says(instruction, "}, RZ"),
          form_says(instruction, ".CAST")};
}

template <Space space>
void compare_and_swap(Execution& execution) {
  const unsigned bytes = execution.instruction[Mod::k_cas] != 0 ? 8 : 4;
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
  }
  olds.write(execution, shape.tells_success ? 1 : bytes / 4);
}

template <Space space>
void atomic(Execution& execution) {
  if (is_swap(execution.instruction)) {
    compare_and_swap<space>(execution);
    return;
  }
  const AtomicType type = type_of(execution.instruction, space);
  const uint8_t operation = execution.instruction[Mod::k_atom];
  const AtomicOperand operand(execution, Role::kB, bytes_of(type));
  const OldValues olds = update_memory(
      execution, space, bytes_of(type),
      [&](unsigned lane, uint64_t old) { return updated(operation, type, old, operand[lane]); });
  olds.write(execution, bytes_of(type) / 4);
}

std::string refuse_atomic(const Instruction& instruction) {
  if (is_swap(instruction)) return "";
  const uint8_t type = instruction[Mod::k_asize];
  const bool is_float =
      instruction.op != Op::kATOMS && (type == kF32 || type == kF16x2 || type == kF64);
  const bool adds = instruction[Mod::k_atom] == kAdd || instruction[Mod::k_atom] == kExch;
  return is_float && !adds ? "this operation on floats" : "";
}

}  // namespace

void add_atomic_operations(OperationTable& table) {
  entry(table, Op::kATOM) = {atomic<Space::kGeneric>, refuse_atomic, true};
  entry(table, Op::kRED) = {atomic<Space::kGeneric>, refuse_atomic, true};
  entry(table, Op::kATOMS) = {atomic<Space::kShared>, refuse_atomic, true};
}

}  // namespace shflsim::isa
