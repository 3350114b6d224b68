// SPDX-License-Identifier: Apache-2.0
// Shifts and bit fields of sm_70 and later: SHF, BMSK, SGXT, BREV and their uniform versions.
#include <algorithm>

#include "isa/machine/bit_tools.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

enum Width : uint8_t { kShiftS64, kShiftU64, kShiftS32, kShiftU32 };  // Mod::k_shft

/// The fields of SHF, which shifts c:a and returns one of its words.
struct Funnel {
  explicit Funnel(const Instruction& instruction)
      : right(instruction[Mod::k_dir] != 0),
        upper(instruction[Mod::k_hi] != 0),
        is_signed(instruction[Mod::k_shft] == kShiftS64 || instruction[Mod::k_shft] == kShiftS32),
        wraps(instruction[Mod::k_wrap] != 0),
        bits(instruction[Mod::k_shft] == kShiftS64 || instruction[Mod::k_shft] == kShiftU64 ? 64
                                                                                            : 32) {}

  /// Distances of at least `bits` shift everything out, unless they wrap.
  uint32_t distance(uint32_t wanted) const {
    return wraps ? wanted & (bits - 1) : std::min(wanted, bits);
  }

  bool right, upper, is_signed, wraps;
  uint32_t bits;
};

/// The lower word of c:a << s depends only on a, the upper word of c:a >> s only on c.
template <class F>
LaneValues shifted_word(const SourceOperand& b, const Funnel& funnel, bool same, F f) {
  LaneValues values;
  if (same) {
    const uint32_t distance = funnel.distance(b[0]);  // equal in all lanes: vectorised
    for (unsigned lane = 0; lane < kLanes; ++lane) values[lane] = f(lane, distance);
  } else {
    for (unsigned lane = 0; lane < kLanes; ++lane) values[lane] = f(lane, funnel.distance(b[lane]));
  }
  return values;
}

LaneValues shifted_left(const SourceOperand& a, const SourceOperand& b, const Funnel& funnel,
                        bool same) {
  return shifted_word(b, funnel, same, [&](unsigned lane, uint32_t distance) {
    return distance < 32 ? a[lane] << (distance & 31) : 0;
  });
}

LaneValues shifted_right(const SourceOperand& c, const SourceOperand& b, const Funnel& funnel,
                         bool same) {
  if (funnel.is_signed) {
    return shifted_word(b, funnel, same, [&](unsigned lane, uint32_t distance) {
      return static_cast<uint32_t>(static_cast<int32_t>(c[lane]) >> std::min(distance, 31u));
    });
  }
  return shifted_word(b, funnel, same, [&](unsigned lane, uint32_t distance) {
    return distance < 32 ? c[lane] >> (distance & 31) : 0;
  });
}

uint64_t shifted(uint64_t value, uint32_t distance, const Funnel& funnel) {
  if (funnel.right && funnel.is_signed)
    return static_cast<uint64_t>(static_cast<int64_t>(value) >> std::min(distance, 63u));
  if (distance >= 64) return 0;
  return funnel.right ? value >> distance : value << distance;
}

void shf(Execution& execution) {
  const SourceOperand a(execution, Role::kA), b(execution, Role::kB), c(execution, Role::kC);
  const Funnel funnel(execution.instruction);
  const bool same = !execution.operand(Role::kB).is(Operand::Kind::kRegister);
  if (!funnel.right && !funnel.upper)
    return write_result(execution, shifted_left(a, b, funnel, same));
  if (funnel.right && funnel.upper)
    return write_result(execution, shifted_right(c, b, funnel, same));
  const unsigned word = funnel.upper ? 32 : 0;
  set_result(execution, [&](unsigned lane) {
    const uint64_t value = uint64_t{c[lane]} << 32 | a[lane];
    return static_cast<uint32_t>(shifted(value, funnel.distance(b[lane]), funnel) >> word);
  });
}

/// A number of bits, 32 at most; .W takes it modulo 32.
uint32_t bits_of_width(uint32_t wanted, bool wraps) {
  return wraps ? wanted & 31 : std::min(wanted, 32u);
}

uint32_t low_bits(uint32_t count) { return count == 32 ? ~0u : (1u << count) - 1; }

/// D = b ones from bit a up.
void bmsk(Execution& execution) {
  const SourceOperand a(execution, Role::kA), b(execution, Role::kB);
  const bool wraps = execution.instruction[Mod::k_wrap] != 0;
  set_result(execution, [&](unsigned lane) {
    const uint32_t position = bits_of_width(a[lane], wraps);
    const uint32_t ones = low_bits(bits_of_width(b[lane], wraps));
    return position == 32 ? 0 : ones << position;
  });
}

/// D = the b lowest bits of a, zero- or sign-extended.
void sgxt(Execution& execution) {
  const SourceOperand a(execution, Role::kA), b(execution, Role::kB);
  const bool wraps = execution.instruction[Mod::k_wrap] != 0;
  const bool is_signed = execution.instruction[Mod::k_unsigned_] != 0;
  set_result(execution, [&](unsigned lane) {
    const uint32_t count = bits_of_width(b[lane], wraps);
    const uint32_t kept = low_bits(count);
    const bool fills = is_signed && count != 0 && ((a[lane] >> (count - 1)) & 1u) != 0;
    return fills ? a[lane] | ~kept : a[lane] & kept;
  });
}

void brev(Execution& execution) {
  const SourceOperand b(execution, Role::kB);
  const uint32_t flip = all_ones_if(execution.operand(Role::kB).invert);
  set_result(execution, [&](unsigned lane) { return bit_reverse(b[lane] ^ flip); });
}

}  // namespace

void add_sm70_shift_operations(OperationTable& table) {
  for (const Op op : {Op::kSm70_SHF, Op::kSm70_USHF}) entry(table, op) = {shf};
  for (const Op op : {Op::kSm70_BMSK, Op::kSm70_UBMSK}) entry(table, op) = {bmsk};
  for (const Op op : {Op::kSm70_SGXT, Op::kSm70_USGXT}) entry(table, op) = {sgxt};
  for (const Op op : {Op::kSm70_BREV, Op::kSm70_UBREV}) entry(table, op) = {brev};
}

}  // namespace shflsim::isa
