// SPDX-License-Identifier: Apache-2.0
// The matrix unit: D = A * B + C of small matrices that are distributed over the lanes of a warp.
// The place of an element: PTX ISA, "Matrix fragments" of mma.sync; SASS has the same places.
// g = lane / 4 is a row of A and C and a column of B; the four lanes of a g hold consecutive
// elements, each lane one register of them.
#include <algorithm>
#include <array>
#include <vector>

#include "isa/machine/address_space.h"
#include "isa/machine/alu/double_arithmetic.h"
#include "isa/machine/alu/float_lanes.h"
#include "isa/machine/operations.h"
#include "isa/machine/sm70/dot_product.h"
#include "isa/machine/sm70/matrix.h"
#include "isa/machine/sm70/sparse_row.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kColumns = 8;  // columns of B and C
constexpr unsigned kMostRows = 16;

/// A's rows and depth, and the number of elements in a register.
struct Shape {
  unsigned rows;
  unsigned depth;
  unsigned in_register;

  unsigned bits() const { return 32 / in_register; }
  /// Elements of a row in one register of the four lanes.
  unsigned span() const { return 4 * in_register; }
};

/// The shape of the registers of A: those of a sparse product hold half of a row.
Shape kept_shape(const Shape& whole, bool is_sparse) {
  return {whole.rows, is_sparse ? whole.depth / 2 : whole.depth, whole.in_register};
}

/// The registers of an operand, in all lanes.
class Registers {
 public:
  Registers(const Execution& execution, Role role, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      const SourceOperand source(execution, role, i);
      for (unsigned lane = 0; lane < kLanes; ++lane) words_[i][lane] = source[lane];
    }
  }
  uint32_t word(unsigned index, unsigned lane) const { return words_[index][lane]; }
  /// Element `k` of row (or column) `line` of A (or B), which has `lines` lines.
  uint32_t element(const Shape& shape, unsigned lines, unsigned line, unsigned k) const {
    const unsigned lane = 4 * (line % 8) + k % shape.span() / shape.in_register;
    const unsigned index = line / 8 + lines / 8 * (k / shape.span());
    const uint32_t word = words_[index][lane];
    const unsigned bits = shape.bits();
    return bits == 32 ? word : word >> (bits * (k % shape.in_register)) & ((1u << bits) - 1);
  }

 private:
  std::array<LaneValues, 4> words_;
};

unsigned registers_of_a(const Shape& shape) {
  return shape.rows / 8 * ((shape.depth + shape.span() - 1) / shape.span());
}
unsigned registers_of_b(const Shape& shape) {
  return (shape.depth + shape.span() - 1) / shape.span();
}

/// The lane of element (row, column) of C or D.
unsigned lane_of(unsigned row, unsigned column) { return 4 * (row % 8) + column / 2; }

/// D's registers, which are written when all are computed.
class Result {
 public:
  uint32_t& word(unsigned row, unsigned column) {
    return words_[2 * (row / 8) + column % 2][lane_of(row, column)];
  }
  void set_half(unsigned row, unsigned column, uint32_t half) {
    uint32_t& word = words_[row / 8][lane_of(row, column)];
    word |= half << (16 * (column % 2));
  }
  void write(Execution& execution, unsigned count) const {
    for (unsigned i = 0; i < count; ++i) write_result(execution, words_[i], i);
  }

 private:
  std::array<LaneValues, 4> words_{};
};

enum FloatType : uint8_t { kHalves, kBfloats, kTensorFloats };
enum FloatShape : uint8_t { k1688, k16816, k1684 };

Shape float_shape(const Instruction& instruction) {
  static constexpr unsigned kDepths[] = {8, 16, 4, 0};
  const unsigned in_register = instruction[Mod::k_mty] == kTensorFloats ? 1 : 2;
  Shape shape{kMostRows, kDepths[instruction[Mod::k_hshape] & 3], in_register};
  // Texts of TensorFloat-32 do not tell 8 from 16.
  if (is_sparse(instruction)) shape.depth = instruction[Role::kA].count * shape.span();
  return shape;
}

std::vector<Term> terms_of(const Registers& registers, const Shape& shape, unsigned lines,
                           uint8_t type) {
  std::vector<Term> terms;
  terms.reserve(size_t{lines} * shape.depth);
  for (unsigned line = 0; line < lines; ++line) {
    for (unsigned k = 0; k < shape.depth; ++k) {
      const uint32_t bits = registers.element(shape, lines, line, k);
      if (type == kTensorFloats) {
        terms.push_back(term_of(bits >> kBelowTensorFloat, kTensorFormat));
      } else {
        terms.push_back(term_of(bits, type == kHalves ? kHalfFormat : kBfloatFormat));
      }
    }
  }
  return terms;
}

void negate(std::vector<Term>* terms) {
  for (Term& term : *terms) {
    term.negative = !term.negative;
    term.significand = -term.significand;
  }
}

/// A row of A times a column of B plus c, group by group.
uint32_t row_times_column(const DotProductUnit& unit, const Term* a, const Term* b,
                          const Shape& shape, uint32_t c, const FloatFormat& format) {
  const unsigned group = std::min(unit.group_bytes * shape.in_register / 4, shape.depth);
  for (unsigned k = 0; k < shape.depth; k += group)
    c = dot_product(unit, a + k, b + k, group, c, format);
  return c;
}

void hmma(Execution& execution) {
  const Instruction& instruction = execution.instruction;
  if (form_says(instruction, ".884")) return multiply_in_quad_pairs(execution);
  const Shape whole = float_shape(instruction), shape = kept_shape(whole, is_sparse(instruction));
  const uint8_t type = instruction[Mod::k_mty];
  const bool single = instruction[Mod::k_hd] != 0;
  const unsigned results = single ? 4 : 2;
  std::vector<Term> a =
      terms_of(Registers(execution, Role::kA, registers_of_a(shape)), shape, shape.rows, type);
  MetColumns<Term> b(
      execution, whole.depth, whole.bits() / 8,
      terms_of(Registers(execution, Role::kB, registers_of_b(whole)), whole, kColumns, type));
  if (execution.operand(Role::kA).negate != execution.operand(Role::kB).negate) negate(&a);
  const Registers c(execution, Role::kC, results);
  const DotProductUnit unit = dot_product_unit(instruction.arch);
  Result d;
  for (unsigned row = 0; row < shape.rows; ++row) {
    for (unsigned column = 0; column < kColumns; ++column) {
      const Term* const x = &a[size_t{row} * shape.depth];
      const Term* const y = b.met(row, column);
      const unsigned lane = lane_of(row, column);
      if (single) {
        const uint32_t addend = c.word(2 * (row / 8) + column % 2, lane);
        d.word(row, column) = row_times_column(unit, x, y, shape, addend, kSingleFormat);
      } else {
        const uint32_t addend = c.word(row / 8, lane) >> (16 * (column % 2)) & 0xFFFFu;
        d.set_half(row, column, row_times_column(unit, x, y, shape, addend, kHalfFormat));
      }
    }
  }
  d.write(execution, results);
  mark_product(execution);
}

/// The shape by the field ishape: its bits are the word's bits 75, 85 and 86.
Shape integer_shape(const Instruction& instruction) {
  const unsigned in_register = (instruction[Mod::k_imt] & 2) != 0 ? 8 : 4;
  switch (instruction[Mod::k_ishape]) {
    case 0: return {8, 16, in_register};
    case 2: return {8, 32, in_register};
    case 4: return {16, 16, in_register};
    case 5: return {16, 32, in_register};
    default: return {16, 64, in_register};
  }
}

std::vector<int32_t> integers_of(const Registers& registers, const Shape& shape, unsigned lines,
                                 bool is_signed) {
  std::vector<int32_t> integers;
  integers.reserve(size_t{lines} * shape.depth);
  const unsigned drop = 32 - shape.bits();
  for (unsigned line = 0; line < lines; ++line) {
    for (unsigned k = 0; k < shape.depth; ++k) {
      const uint32_t top = registers.element(shape, lines, line, k) << drop;
      integers.push_back(is_signed ? static_cast<int32_t>(top) >> drop
                                   : static_cast<int32_t>(top >> drop));
    }
  }
  return integers;
}

uint32_t integer_sum(int64_t sum, bool saturates) {
  constexpr int64_t kLeast = INT32_MIN, kMost = INT32_MAX;
  return static_cast<uint32_t>(saturates ? std::min(std::max(sum, kLeast), kMost) : sum);
}

void imma(Execution& execution) {
  const Instruction& instruction = execution.instruction;
  const Shape whole = integer_shape(instruction), shape = kept_shape(whole, is_sparse(instruction));
  const bool saturates = instruction[Mod::k_sat] != 0;
  const unsigned results = shape.rows / 4;
  const std::vector<int32_t> a = integers_of(Registers(execution, Role::kA, registers_of_a(shape)),
                                             shape, shape.rows, (instruction[Mod::k_imt] & 1) != 0);
  MetColumns<int32_t> b(execution, whole.depth, whole.bits() / 8,
                        integers_of(Registers(execution, Role::kB, registers_of_b(whole)), whole,
                                    kColumns, (instruction[Mod::k_imtb] & 1) != 0));
  const Registers c(execution, Role::kC, results);
  Result d;
  for (unsigned row = 0; row < shape.rows; ++row) {
    for (unsigned column = 0; column < kColumns; ++column) {
      int64_t sum = static_cast<int32_t>(c.word(2 * (row / 8) + column % 2, lane_of(row, column)));
      const int32_t* const y = b.met(row, column);
      for (unsigned k = 0; k < shape.depth; ++k) sum += int64_t{a[row * shape.depth + k]} * y[k];
      d.word(row, column) = integer_sum(sum, saturates);
    }
  }
  d.write(execution, results);
  mark_product(execution);
}

std::string refuse_imma(const Instruction& instruction) {
  if (is_sparse(instruction) && (instruction[Mod::k_imt] & 2) != 0)
    return "the form .SP with elements of 4 bits";
  const bool mixed = ((instruction[Mod::k_imt] ^ instruction[Mod::k_imtb]) & 2) != 0;
  if (mixed) return "the form with elements of 4 and 8 bits";
  const bool by_row = instruction[Mod::k_rc] == 0 && instruction[Mod::k_rcb] == 1;
  return by_row ? "" : "the form that is not .ROW by .COL";
}

std::string refuse_hmma(const Instruction& instruction) {
  const bool narrows = instruction[Mod::k_hd] == 0 && instruction[Mod::k_hdb] != 0;
  if (form_says(instruction, ".884") && narrows) return "the form .F16.F32";
  if (is_sparse(instruction)) {
    const bool is_known = instruction[Role::kA].count > 1;
    return is_known ? "" : "the form .SP with these types and shapes";
  }
  const Operand& predicate = instruction[Role::kS];
  const bool has_none = predicate.is(Operand::Kind::kNone) || predicate.index == kPT;
  return has_none ? "" : "the form with a uniform predicate";
}

/// Counts bits that differ, or that are both set. Shapes 8x8x128, 16x8x128, 16x8x256.
void bmma(Execution& execution) {
  const Instruction& instruction = execution.instruction;
  const unsigned rows = instruction[Mod::k_bshape] == 0 ? 8 : 16;
  const unsigned parts = instruction[Mod::k_bshape] == 2 ? 2 : 1;
  const bool both = instruction[Mod::k_bop] != 0;
  const Registers a(execution, Role::kA, rows / 8 * parts);
  const Registers b(execution, Role::kB, parts);
  const Registers c(execution, Role::kC, rows / 4);
  Result d;
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned column = 0; column < kColumns; ++column) {
      uint32_t sum = c.word(2 * (row / 8) + column % 2, lane_of(row, column));
      for (unsigned k = 0; k < 4 * parts; ++k) {
        const uint32_t x = a.word(row / 8 + rows / 8 * (k / 4), 4 * (row % 8) + k % 4);
        const uint32_t y = b.word(k / 4, 4 * column + k % 4);
        sum += static_cast<uint32_t>(__builtin_popcount(both ? x & y : x ^ y));
      }
      d.word(row, column) = sum;
    }
  }
  d.write(execution, rows / 4);
  mark_product(execution);
}

/// The shape of a product of doubles, each of which takes two registers.
Shape double_shape(const Instruction& instruction) {
  if (form_says(instruction, ".16x8x4")) return {16, 4, 1};
  if (form_says(instruction, ".16x8x8")) return {16, 8, 1};
  if (form_says(instruction, ".16x8x16")) return {16, 16, 1};
  return {8, 4, 1};
}

/// The doubles of an operand, one per pair of registers and lane, with absolute value and negation
/// applied.
std::vector<std::array<double, kLanes>> doubles_of(const Execution& execution, Role role,
                                                   unsigned pairs) {
  const Operand& operand = execution.operand(role);
  std::vector<std::array<double, kLanes>> doubles(pairs);
  for (unsigned i = 0; i < pairs; ++i) {
    const SourceOperand low(execution, role, 2 * i), high(execution, role, 2 * i + 1);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const uint64_t bits = uint64_t{high[lane]} << 32 | low[lane];
      doubles[i][lane] = as_operand(bits, operand.absolute, operand.negate);
    }
  }
  return doubles;
}

/// Fused multiply-adds, in the order of k, each rounded. A NaN of B goes before one of the sum, and
/// that before one of A (measured: H200).
void dmma(Execution& execution) {
  const Shape shape = double_shape(execution.instruction);
  const auto a = doubles_of(execution, Role::kA, registers_of_a(shape));
  const auto b = doubles_of(execution, Role::kB, registers_of_b(shape));
  const auto c = doubles_of(execution, Role::kC, shape.rows / 4);
  const Rounding rounding = rounding_of(execution.instruction);
  std::array<LaneValues, 8> words{};
  for (unsigned row = 0; row < shape.rows; ++row) {
    for (unsigned column = 0; column < kColumns; ++column) {
      const unsigned lane = lane_of(row, column), pair = 2 * (row / 8) + column % 2;
      double sum = c[pair][lane];
      for (unsigned k = 0; k < shape.depth; ++k) {
        const double x = a[row / 8 + shape.rows / 8 * (k / 4)][4 * (row % 8) + k % 4];
        const double y = b[k / 4][4 * column + k % 4];
        sum = with_nan(fused_rounded(x, y, sum, rounding), {y, sum, x});
      }
      words[2 * pair][lane] = static_cast<uint32_t>(bits_of(sum));
      words[2 * pair + 1][lane] = static_cast<uint32_t>(bits_of(sum) >> 32);
    }
  }
  for (unsigned i = 0; i < shape.rows / 2; ++i) write_result(execution, words[i], i);
  mark_product(execution);
}

/// Transposes 8 x 8 values of 16 bits; a lane has two values of a row.
void movm(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const auto value = [&](unsigned row, unsigned column) {
    return a[4 * row + column / 2] >> (16 * (column % 2)) & 0xFFFFu;
  };
  set_result(execution, [&](unsigned lane) {
    const unsigned row = lane / 4, column = 2 * (lane % 4);
    return value(column, row) | value(column + 1, row) << 16;
  });
  mark_product(execution);
}

std::string refuse_movm(const Instruction& instruction) {
  return form_says(instruction, ".U4TO8") ? "the form .U4TO8" : "";
}

}  // namespace

uint32_t integer_sum(int64_t sum, bool saturates) {
  constexpr int64_t kLeast = INT32_MIN, kMost = INT32_MAX;
  return static_cast<uint32_t>(saturates ? std::min(std::max(sum, kLeast), kMost) : sum);
}

void mark_product(Execution& execution, uint8_t in_memory) {
  Warp& warp = execution.warp;
  const Operand& d = execution.operand(Role::kD);
  if (in_memory != 0) warp.marked = true;
  if (!warp.marked || !d.is_live_register()) return;
  Marks marks;
  note_marks(marks, 0, in_memory);
  const bool adds = predicate_of(execution, Role::kS) != 0;  // products of groups: D = A * B + D
  for (const Role role : {Role::kA, Role::kB, Role::kC, Role::kG}) {
    if (role == Role::kC && !adds) continue;
    const Operand& operand = execution.operand(role);
    for (unsigned i = 0; i < operand.count && operand.is_live_register(); ++i)
      marks = marks | warp.register_marks[operand.index + i];
  }
  const Marks spread{all_ones_if(marks.undefined != 0)};
  for (unsigned i = 0; i < d.count; ++i) {
    Marks& target = warp.register_marks[d.index + i];
    target = target.replaced(spread, execution.lanes);
  }
}

void add_sm70_matrix_operations(OperationTable& table) {
  entry(table, Op::kSm70_BMMA) = {bmma, nullptr, true};
  entry(table, Op::kSm70_DMMA) = {dmma, nullptr, true};
  entry(table, Op::kSm70_HMMA) = {hmma, refuse_hmma, true};
  entry(table, Op::kSm70_IMMA) = {imma, refuse_imma, true};
  entry(table, Op::kSm70_MOVM) = {movm, refuse_movm, true};
}

}  // namespace shflsim::isa
