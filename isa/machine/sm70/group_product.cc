// SPDX-License-Identifier: Apache-2.0
// Products of a group of four warps (PTX: wgmma): D = A * B + D; each warp has 16 rows of D. Each
// warp computes its rows when it executes the instruction, so that WARPGROUP.DEPBAR does not have
// to wait.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "isa/codec/group_shape.h"
#include "isa/machine/cluster.h"
#include "isa/machine/operations.h"
#include "isa/machine/sm70/dot_product.h"
#include "isa/machine/sm70/matrix.h"
#include "isa/machine/sm70/shared_matrix.h"
#include "isa/machine/sm70/sparse_row.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kRowsOfWarp = 16;
constexpr unsigned kWarpsOfGroup = 4;

/// The factors of a warp's part, as bytes.
struct Factors {
  std::vector<MatrixLine> a;  ///< rows
  std::vector<MatrixLine> b;  ///< columns; a sparse product has two lines per column
  unsigned columns = 0;
  uint8_t marks = 0;  ///< marks of the bytes in shared memory
};

/// The descriptor in two uniform registers behind the first; 0 where that is URZ, as in the product
/// without a result by which ptxas ends a group.
uint64_t descriptor_in(const Execution& execution, unsigned first, unsigned behind) {
  if (first == kRZ) return 0;
  const Warp& warp = execution.warp;
  const unsigned index = first + behind;
  return uint64_t{warp.uniform(index + 1)} << 32 | warp.uniform(index);
}

/// A's rows from registers: a lane has four bytes of row lane / 4 in each half of the row.
std::vector<MatrixLine> rows_in_registers(const Execution& execution) {
  std::vector<MatrixLine> rows(kRowsOfWarp);
  for (unsigned i = 0; i < 4; ++i) {
    const SourceOperand source(execution, Role::kA, i);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const uint32_t word = source[lane];
      std::memcpy(&rows[lane / 4 + 8 * (i % 2)][16 * (i / 2) + 4 * (lane % 4)], &word, 4);
    }
  }
  return rows;
}

/// The factors of the product. B's descriptor is the second of two, even if A has none.
Factors factors_of(Execution& execution, unsigned columns) {
  const Instruction& instruction = execution.instruction;
  Factors factors;
  const bool is_shared = has_shared_factor(instruction);
  const unsigned descriptors = execution.operand(is_shared ? Role::kA : Role::kB).index;
  if (is_shared) {
    const unsigned first = execution.warp_index % kWarpsOfGroup * kRowsOfWarp;
    factors.a =
        read_shared_matrix(execution, descriptor_in(execution, descriptors, 0),
                           instruction[Mod::k_tnsp_a] != 0, first, kRowsOfWarp, &factors.marks);
  } else {
    factors.a = rows_in_registers(execution);
  }
  const uint64_t b = descriptor_in(execution, descriptors, 2);
  const bool is_transposed = instruction[Mod::k_tnsp_b] != 0;
  factors.columns = columns;
  factors.b = read_shared_matrix(execution, b, is_transposed, 0, columns, &factors.marks);
  if (!is_sparse(instruction)) return factors;
  const std::vector<MatrixLine> more =
      read_shared_matrix(execution, b, is_transposed, 0, columns, &factors.marks, 1);
  std::vector<MatrixLine> both;
  for (unsigned i = 0; i < columns; ++i) {
    both.push_back(factors.b[i]);
    both.push_back(more[i]);
  }
  factors.b = std::move(both);
  return factors;
}

/// D's registers: two neighbouring elements of a row are in two registers, or if they are halves
/// in one.
class GroupSums {
 public:
  GroupSums(const Execution& execution, unsigned columns, bool are_halves)
      : are_halves_(are_halves), words_(columns / (are_halves ? 4 : 2)) {
    if (predicate_of(execution, Role::kS) == 0) {
      for (LaneValues& word : words_) word.fill(0);
      return;
    }
    for (unsigned i = 0; i < words_.size(); ++i) {
      const SourceOperand source(execution, Role::kC, i);
      for (unsigned lane = 0; lane < kLanes; ++lane) words_[i][lane] = source[lane];
    }
  }
  uint32_t get(unsigned row, unsigned column) const {
    const uint32_t word = words_[index_of(row, column)][lane_of(row, column)];
    return are_halves_ ? word >> (16 * (column % 2)) & 0xFFFFu : word;
  }
  void set(unsigned row, unsigned column, uint32_t value) {
    uint32_t& word = words_[index_of(row, column)][lane_of(row, column)];
    const unsigned shift = 16 * (column % 2);
    word = are_halves_ ? (word & ~(0xFFFFu << shift)) | value << shift : value;
  }
  void write(Execution& execution) const {
    for (unsigned i = 0; i < words_.size(); ++i) write_result(execution, words_[i], i);
  }

 private:
  unsigned index_of(unsigned row, unsigned column) const {
    const unsigned pair = 2 * (column / 8) + row / 8;
    return are_halves_ ? pair : 2 * pair + column % 2;
  }
  static unsigned lane_of(unsigned row, unsigned column) { return 4 * (row % 8) + column % 8 / 2; }

  bool are_halves_;
  std::vector<LaneValues> words_;
};

void check_group(const Execution& execution) {
  if (execution.lanes != kAllLanes)
    fail(execution, "a product of a group of warps without all lanes of a warp");
  if (execution.warp_index / kWarpsOfGroup * kWarpsOfGroup + kWarpsOfGroup >
      execution.block.warps.size())
    fail(execution, "a product of four warps in a group of fewer");
}

void end_group(const Execution& execution) {
  constexpr uint8_t kNoGroup = 7;  // value of the modifier gsb
  AccessOrder* const order = execution.block.order();
  if (order != nullptr && execution.instruction[Mod::k_gsb] != kNoGroup)
    order->end_products({execution.block.rank, execution.warp_index});
}

/// Sets D = f(row, column, sum so far).
template <class F>
void make_product(Execution& execution, const Factors& factors, bool are_halves, F f) {
  GroupSums sums(execution, factors.columns, are_halves);
  for (unsigned row = 0; row < kRowsOfWarp; ++row)
    for (unsigned column = 0; column < factors.columns; ++column)
      sums.set(row, column, f(row, column, sums.get(row, column)));
  sums.write(execution);
  mark_product(execution, factors.marks);
  end_group(execution);
}

std::vector<Term> terms_of_lines(const std::vector<MatrixLine>& lines, const TermType& type,
                                 bool negate) {
  std::vector<Term> terms;
  terms.reserve(lines.size() * sizeof(MatrixLine) / type.bytes);
  for (const MatrixLine& line : lines) {
    for (unsigned at = 0; at < line.size(); at += type.bytes) {
      uint32_t bits = 0;
      std::memcpy(&bits, &line[at], type.bytes);
      Term term = type.read(bits);
      if (negate) {
        term.negative = !term.negative;
        term.significand = -term.significand;
      }
      terms.push_back(term);
    }
  }
  return terms;
}

void multiply_floats(Execution& execution, const TermType& a, const TermType& b,
                     const DotProductUnit& unit) {
  const Instruction& instruction = execution.instruction;
  const unsigned depth = static_cast<unsigned>(sizeof(MatrixLine)) / a.bytes;
  const Factors factors = factors_of(execution, group_shape(instruction).columns);
  const bool negates_a = instruction[Mod::k_neg_a] != 0 || execution.operand(Role::kA).negate;
  const std::vector<Term> rows = terms_of_lines(factors.a, a, negates_a);
  MetColumns<Term> columns(execution, depth * (is_sparse(instruction) ? 2 : 1), a.bytes,
                           terms_of_lines(factors.b, b, instruction[Mod::k_neg_b] != 0));
  const bool are_halves = instruction[Mod::k_hd] == 0;
  const FloatFormat& format = are_halves ? kHalfFormat : kSingleFormat;
  make_product(execution, factors, are_halves, [&](unsigned row, unsigned column, uint32_t sum) {
    return dot_product(unit, &rows[size_t{row} * depth], columns.met(row, column), depth, sum,
                       format);
  });
}

void hgmma(Execution& execution) {
  check_group(execution);
  static constexpr TermType kTypes[] = {kHalfTerm, kBfloatTerm, kTensorTerm};
  const TermType& type = kTypes[execution.instruction[Mod::k_mty]];
  multiply_floats(execution, type, type, dot_product_unit(execution.instruction.arch));
}

void qgmma(Execution& execution) {
  check_group(execution);
  static constexpr TermType kTypes[] = {kE4m3Term, kE5m2Term};
  multiply_floats(execution, kTypes[execution.instruction[Mod::k_eight_a]],
                  kTypes[execution.instruction[Mod::k_eight_b]], kByteProductUnit);
}

std::vector<int32_t> integers_of_lines(const std::vector<MatrixLine>& lines, bool are_signed) {
  std::vector<int32_t> integers;
  integers.reserve(lines.size() * sizeof(MatrixLine));
  for (const MatrixLine& line : lines)
    for (const uint8_t byte : line)
      integers.push_back(are_signed ? static_cast<int8_t>(byte) : int32_t{byte});
  return integers;
}

void igmma(Execution& execution) {
  check_group(execution);
  constexpr unsigned kDepth = sizeof(MatrixLine);
  const Instruction& instruction = execution.instruction;
  const Factors factors = factors_of(execution, group_shape(instruction).columns);
  const std::vector<int32_t> a = integers_of_lines(factors.a, instruction[Mod::k_imt] != 0);
  MetColumns<int32_t> b(execution, kDepth * (is_sparse(instruction) ? 2 : 1), 1,
                        integers_of_lines(factors.b, instruction[Mod::k_imtb] != 0));
  const bool saturates = instruction[Mod::k_sat] != 0;
  make_product(execution, factors, false, [&](unsigned row, unsigned column, uint32_t sum) {
    int64_t total = static_cast<int32_t>(sum);
    const int32_t* const met = b.met(row, column);
    for (unsigned k = 0; k < kDepth; ++k) total += a[row * kDepth + k] * met[k];
    return integer_sum(total, saturates);
  });
}

/// Counts the places where both factors have ones.
void bgmma(Execution& execution) {
  check_group(execution);
  const Factors factors = factors_of(execution, group_shape(execution.instruction).columns);
  make_product(execution, factors, false, [&](unsigned row, unsigned column, uint32_t sum) {
    const MatrixLine &a = factors.a[row], &b = factors.b[column];
    for (size_t i = 0; i < a.size(); ++i)
      sum += static_cast<uint32_t>(__builtin_popcount(a[i] & b[i]));
    return sum;
  });
}

/// WARPGROUP.DEPBAR: products are complete at once; only AccessOrder needs the wait.
void wait_for_products(Execution& execution) {
  const Operand& most = execution.operand(Role::kB);
  AccessOrder* const order = execution.block.order();
  if (order != nullptr && most.is(Operand::Kind::kImmediate))
    order->wait_for_products({execution.block.rank, execution.warp_index},
                             static_cast<uint32_t>(most.value));
}

std::string refuse_group_product(const Instruction& instruction) {
  if (is_sparse(instruction) && instruction[Mod::k_regoffset] != 0) return "the form .REGOFFSET";
  const bool has_bytes = instruction.op != Op::kSm70_IGMMA ||
                         ((instruction[Mod::k_imt] | instruction[Mod::k_imtb]) & 2) == 0;
  return has_bytes ? "" : "the form with elements of 4 bits";
}

}  // namespace

void add_sm70_group_operations(OperationTable& table) {
  entry(table, Op::kSm70_HGMMA) = {hgmma, refuse_group_product, true};
  entry(table, Op::kSm70_IGMMA) = {igmma, refuse_group_product, true};
  entry(table, Op::kSm70_QGMMA) = {qgmma, refuse_group_product, true};
  entry(table, Op::kSm70_BGMMA) = {bgmma, nullptr, true};
  entry(table, Op::kSm70_WARPGROUP) = {wait_for_products};
}

}  // namespace shflsim::isa
