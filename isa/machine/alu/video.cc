// SPDX-License-Identifier: Apache-2.0
// Video instructions: arithmetic on a byte, a half or a word of each operand, and a second
// operation with c (PTX: vadd, vabsdiff, vmin, vmax, vset, vshl, vshr, vmad, vabsdiff4).
#include <algorithm>

#include "isa/machine/alu/relation.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

enum Merge : uint8_t { kHigh16, kLow16, kByte0, kByte2, kAccumulate, kMinimum, kMaximum, kNoMerge };

/// One source: a part of a word, signed or unsigned. Forms without these fields take signed words;
/// 16-bit immediates are taken whole.
struct Part {
  Part(const Execution& execution, Role role, const char* field, Mod type)
      : source(execution, role),
        typed(form_says(execution.instruction, field)),
        is_signed(!typed || (execution.instruction[type] & 8) != 0),
        part(typed ? execution.operand(role).half : uint8_t{6}) {
    immediate = execution.operand(role).is(Operand::Kind::kImmediate);
  }

  int64_t operator[](unsigned lane) const {
    const uint32_t word = source[lane];
    if (immediate) return static_cast<int32_t>(word);
    const unsigned bits = part < 4 ? 8 : part < 6 ? 16 : 32;
    const unsigned shift = part < 4 ? 8u * part : part < 6 ? 16u * (part & 1u) : 0;
    const unsigned drop = 32 - bits;
    const uint32_t top = (word >> shift) << drop;
    return is_signed ? int64_t{static_cast<int32_t>(top) >> drop} : int64_t{top >> drop};
  }

  SourceOperand source;
  bool typed;
  bool is_signed;
  uint8_t part;
  bool immediate = false;
};

struct Sources {
  explicit Sources(const Execution& execution)
      : a(execution, Role::kA, "{vtype@", Mod::k_vtype),
        b(execution, Role::kB, "{vtype_b", Mod::k_vtype_b),
        c(execution, Role::kC) {}
  Part a;
  Part b;
  SourceOperand c;
};

unsigned merged_bits(uint8_t merge) { return merge <= kLow16 ? 16 : merge <= kByte2 ? 8 : 32; }

int64_t clamp_to(int64_t value, unsigned bits, bool is_signed) {
  const int64_t low = is_signed ? -(int64_t{1} << (bits - 1)) : 0;
  const int64_t high = (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  return std::clamp(value, low, high);
}

int64_t as_type(uint32_t word, bool is_signed) {
  return is_signed ? int64_t{static_cast<int32_t>(word)} : int64_t{word};
}

uint32_t merged(uint32_t value, uint32_t c, uint8_t merge, bool is_signed) {
  const bool below = as_type(value, is_signed) < as_type(c, is_signed);
  switch (merge) {
    case kHigh16: return value << 16 | (c & 0xFFFFu);
    case kLow16: return (value & 0xFFFFu) | (c & 0xFFFF0000u);
    case kByte0: return (value & 0xFFu) | (c & ~0xFFu);
    case kByte2: return (value & 0xFFu) << 16 | (c & ~0xFF0000u);
    case kAccumulate: return value + c;
    case kMinimum: return below ? value : c;
    case kMaximum: return below ? c : value;
    default: return value;
  }
}

/// D = f(lane), clamped with .SAT, then combined with c.
template <class F>
void finish(Execution& execution, const SourceOperand& c, bool is_signed, F f) {
  const uint8_t merge = execution.instruction[Mod::k_vmerge];
  const bool saturates = execution.instruction[Mod::k_sat] != 0;
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    int64_t value = f(lane);
    if (saturates) value = clamp_to(value, merged_bits(merge), is_signed);
    values[lane] = merged(static_cast<uint32_t>(value), c[lane], merge, is_signed);
  }
  write_result(execution, values);
  write_condition(execution, values, 0, 0);
}

bool signed_result(const Execution& execution) { return execution.instruction[Mod::k_vud] != 0; }

int64_t turned(int64_t value, bool negate) {
  return negate ? static_cast<int64_t>(0 - static_cast<uint64_t>(value)) : value;
}

void vadd(Execution& execution) {
  const Sources in(execution);
  const bool minus_a = execution.operand(Role::kA).negate;
  const bool minus_b = execution.operand(Role::kB).negate;
  const int64_t one = execution.instruction[Mod::k_po] == 3 ? 1 : 0;
  finish(execution, in.c, signed_result(execution), [&](unsigned lane) {
    return turned(in.a[lane], minus_a) + turned(in.b[lane], minus_b) + one;
  });
}

void vabsdiff(Execution& execution) {
  const Sources in(execution);
  finish(execution, in.c, execution.instruction[Mod::k_vsd] != 0, [&](unsigned lane) {
    const int64_t difference = in.a[lane] - in.b[lane];
    return difference < 0 ? -difference : difference;
  });
}

void vmnmx(Execution& execution) {
  const Sources in(execution);
  const bool maximum = execution.instruction[Mod::k_vmx] != 0;
  finish(execution, in.c, signed_result(execution), [&](unsigned lane) {
    return maximum ? std::max(in.a[lane], in.b[lane]) : std::min(in.a[lane], in.b[lane]);
  });
}

Relation relation_of(const Sources& in) {
  Relation relation;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const int64_t a = in.a[lane], b = in.b[lane];
    relation.below |= LaneMask{a < b} << lane;
    relation.equal |= LaneMask{a == b} << lane;
  }
  relation.above = ~(relation.below | relation.equal);
  return relation;
}

void vset(Execution& execution) {
  const Sources in(execution);
  const LaneMask test = holds(relation_of(in), execution.instruction[Mod::k_icmp]);
  finish(execution, in.c, false, [&](unsigned lane) { return int64_t{bit_of(test, lane)}; });
}

void vsetp(Execution& execution) {
  const Sources in(execution);
  write_set_predicates(execution, holds(relation_of(in), execution.instruction[Mod::k_icmp]));
}

/// Distances of 32 and more shift everything out, unless they wrap.
unsigned distance_of(int64_t wanted, bool wraps) {
  const uint32_t distance = static_cast<uint32_t>(wanted);
  return wraps ? distance & 31 : std::min(distance, 32u);
}

template <bool left>
void vshift(Execution& execution) {
  const Sources in(execution);
  const bool wraps = execution.instruction[Mod::k_wrap] != 0;
  finish(execution, in.c, signed_result(execution), [&](unsigned lane) {
    const unsigned distance = distance_of(in.b[lane], wraps);
    const int64_t a = in.a[lane];
    return left ? static_cast<int64_t>(static_cast<uint64_t>(a) << distance) : a >> distance;
  });
}

int64_t wrapped_product(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

int64_t wrapped_sum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

/// (a * b + c) >> 0, 7 or 15; c is signed even if the factors are not.
void vmad(Execution& execution) {
  const Sources in(execution);
  const unsigned scales[] = {0, 7, 15, 0};
  const unsigned shift = scales[execution.instruction[Mod::k_vscale] & 3];
  const bool is_signed = in.a.is_signed || in.b.is_signed;
  const bool saturates = execution.instruction[Mod::k_sat] != 0;
  const bool minus_product = execution.operand(Role::kA).negate;
  const bool minus_c = execution.operand(Role::kC).negate;
  const int64_t one = execution.instruction[Mod::k_po] == 3 ? 1 : 0;
  set_result(execution, [&](unsigned lane) {
    const int64_t product = turned(wrapped_product(in.a[lane], in.b[lane]), minus_product);
    const int64_t addend = turned(as_type(in.c[lane], true), minus_c) + one;
    const int64_t sum = wrapped_sum(product, addend) >> shift;
    return static_cast<uint32_t>(saturates ? clamp_to(sum, 32, is_signed) : sum);
  });
}

/// c plus four products of bytes, or plus two products of a's halves and b's bytes.
void idp(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const SourceOperand c(execution, Role::kC);
  const Instruction& in = execution.instruction;
  const unsigned products = form_says(in, ".4A") ? 4 : 2;
  const unsigned a_bits = products == 4 ? 8 : 16;
  const unsigned first = products == 2 && in[Mod::k_dot_part] != 0 ? 2 : 0;
  const uint32_t flip = all_ones_if(execution.operand(Role::kC).negate);
  const auto field = [](uint32_t word, unsigned shift, unsigned bits, bool is_signed) {
    const uint32_t top = (word >> shift) << (32 - bits);
    return is_signed ? static_cast<uint32_t>(static_cast<int32_t>(top) >> (32 - bits))
                     : top >> (32 - bits);
  };
  set_result(execution, [&](unsigned lane) {
    uint32_t sum = (c[lane] ^ flip) + (flip & 1);
    for (unsigned i = 0; i < products; ++i) {
      sum += field(a[lane], a_bits * i, a_bits, in[Mod::k_vbyte] != 0) *
             field(b[lane], 8 * (first + i), 8, in[Mod::k_vbyte_b] != 0);
    }
    return sum;
  });
}

constexpr uint8_t kAllInOrder = 4;  // the byte order without a name
constexpr uint8_t kAllBytes = 15;

/// Four absolute differences of bytes, as four bytes or added to c.
void vabsdiff4(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const SourceOperand c(execution, Role::kC);
  const Instruction& in = execution.instruction;
  const bool typed = form_says(in, "{vbyte@");
  const bool is_u8 = family_of(in.arch) != Family::kMaxwell;  // later chips have no other form
  const bool signed_a = !is_u8 && (!typed || in[Mod::k_vbyte] != 0);
  const bool signed_b = !is_u8 && (!typed || in[Mod::k_vbyte_b] != 0);
  const bool sums = in[Mod::k_vreduce] != 0;
  const auto byte = [](uint32_t word, unsigned i, bool is_signed) {
    const uint32_t bits = (word >> (8 * i)) & 0xFF;
    return is_signed ? static_cast<int>(static_cast<int8_t>(bits)) : static_cast<int>(bits);
  };
  set_result(execution, [&](unsigned lane) {
    uint32_t total = sums ? c[lane] : 0;
    for (unsigned i = 0; i < 4; ++i) {
      const int difference = byte(a[lane], i, signed_a) - byte(b[lane], i, signed_b);
      const uint32_t magnitude = static_cast<uint32_t>(difference < 0 ? -difference : difference);
      total += sums ? magnitude : (magnitude & 0xFF) << (8 * i);
    }
    return total;
  });
}

std::string refuse_partial(const Instruction& instruction) {
  const bool plain = instruction[Role::kA].half == kAllInOrder &&
                     instruction[Role::kB].half == kAllInOrder &&
                     instruction[Mod::k_vmask] == kAllBytes && instruction[Mod::k_sat] == 0;
  return plain ? "" : "the forms with a byte order, a byte mask or .SAT";
}

}  // namespace

void add_video_operations(OperationTable& table) {
  entry(table, Op::kVADD) = {vadd};
  entry(table, Op::kVABSDIFF) = {vabsdiff};
  entry(table, Op::kVABSDIFF4) = {vabsdiff4, refuse_partial};
  entry(table, Op::kSm70_VABSDIFF4) = {vabsdiff4};
  entry(table, Op::kVMNMX) = {vmnmx};
  entry(table, Op::kVSET) = {vset};
  entry(table, Op::kVSETP) = {vsetp};
  entry(table, Op::kVSHL) = {vshift<true>};
  entry(table, Op::kVSHR) = {vshift<false>};
  entry(table, Op::kVMAD) = {vmad};
  for (const Op op : {Op::kIDP, Op::kSm70_IDP}) entry(table, op) = {idp};
}

}  // namespace shflsim::isa
