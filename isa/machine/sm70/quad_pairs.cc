// SPDX-License-Identifier: Apache-2.0
// HMMA.884 of sm_70 and sm_75: each pair of quads, lanes 4n to 4n + 3 and the lanes 16 above,
// multiplies its own 8 x 4 halves of A by 4 x 8 halves of B. The place of an element: PTX ISA,
// "Matrix fragments for mma.m8n8k4". A step writes two registers of D's fragment: ptxas makes an
// mma.sync of two steps if D has halves, else of four.
#include <array>

#include "isa/machine/operations.h"
#include "isa/machine/sm70/dot_product.h"
#include "isa/machine/sm70/matrix.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kDepth = 4;

/// The lane with this row, or column, among the eight of a quad pair.
unsigned lane_with(unsigned pair, unsigned line) { return 4 * pair + line % 4 + line / 4 * 16; }

/// A or B: each lane has four halves in two registers.
class Factor {
 public:
  /// `along`: a lane has all four elements of a line (row of A or column of B); else one element of
  /// each of four lines.
  Factor(const Execution& execution, Role role, bool along)
      : low_(execution, role), high_(execution, role, 1), along_(along) {}

  Term term(unsigned pair, unsigned line, unsigned k) const {
    const unsigned lane = along_ ? lane_with(pair, line) : 4 * pair + k + line / 4 * 16;
    const unsigned index = along_ ? k : line % 4;
    const uint32_t word = index < 2 ? low_[lane] : high_[lane];
    return term_of(word >> (16 * (index % 2)) & 0xFFFFu, kHalfFormat);
  }

 private:
  SourceOperand low_, high_;
  bool along_;
};

/// The part of the product that a step computes.
struct Step {
  unsigned number;
  bool single;  ///< D has single precision: two elements per lane and step, else four

  unsigned elements() const { return single ? 2 : 4; }
  unsigned row(unsigned lane, unsigned element) const {
    const unsigned index = number * elements() + element;
    return (single ? (lane & 1) + (index & 2) : lane % 4) + lane / 16 * 4;
  }
  unsigned column(unsigned lane, unsigned element) const {
    const unsigned index = number * elements() + element;
    return single ? (index & 4) + (lane & 2) + (index & 1) : index;
  }
};

/// C's element in D's format. Halves are stored by row, and a step names the pair of registers with
/// its columns; elements of single precision are at the step's own place.
uint32_t addend(const SourceOperand& low, const SourceOperand& high, bool single_c,
                const Step& step, unsigned lane, unsigned element) {
  if (single_c) return element == 0 ? low[lane] : high[lane];
  const unsigned column = step.column(lane, element) % 4;
  const unsigned from = lane_with(lane / 4 % 4, step.row(lane, element));
  const uint32_t half = (column < 2 ? low[from] : high[from]) >> (16 * (column % 2)) & 0xFFFFu;
  if (!step.single) return half;
  const Unpacked value = unpack(half, kHalfFormat);
  if (value.kind == Unpacked::Kind::kNan) return kNan32;
  if (value.kind == Unpacked::Kind::kInfinite) return (half & 0x8000u) << 16 | 0x7F800000u;
  return static_cast<uint32_t>(pack(value.value, kSingleFormat, Rounding::kNearest));
}

}  // namespace

void multiply_in_quad_pairs(Execution& execution) {
  const Instruction& instruction = execution.instruction;
  const bool by_columns = instruction[Mod::k_rc] != 0;
  const bool by_rows = instruction[Mod::k_rcb] == 0;
  const Factor a(execution, Role::kA, !by_columns), b(execution, Role::kB, !by_rows);
  const SourceOperand low(execution, Role::kC), high(execution, Role::kC, 1);
  const Step step{instruction[Mod::k_step], instruction[Mod::k_hd] != 0};
  const FloatFormat& format = step.single ? kSingleFormat : kHalfFormat;
  const DotProductUnit unit = dot_product_unit(instruction.arch);
  std::array<LaneValues, 2> words{};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    for (unsigned element = 0; element < step.elements(); ++element) {
      const unsigned pair = lane / 4 % 4;
      std::array<Term, kDepth> row, column;
      for (unsigned k = 0; k < kDepth; ++k) {
        row[k] = a.term(pair, step.row(lane, element), k);
        column[k] = b.term(pair, step.column(lane, element), k);
      }
      const uint32_t c = addend(low, high, instruction[Mod::k_hdb] != 0, step, lane, element);
      const uint32_t sum = dot_product(unit, row.data(), column.data(), kDepth, c, format);
      if (step.single) {
        words[element][lane] = sum;
      } else {
        words[element / 2][lane] |= sum << (16 * (element % 2));
      }
    }
  }
  write_result(execution, words[0]);
  write_result(execution, words[1], 1);
  mark_product(execution);
}

}  // namespace shflsim::isa
