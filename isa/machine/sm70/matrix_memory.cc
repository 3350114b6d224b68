// SPDX-License-Identifier: Apache-2.0
// Matrices of 8 by 8 values of 16 bits between shared memory and the registers of a warp: lane 8i +
// r says where row r of matrix i is, and lane l holds the values 2 (l % 4) and the next of row l /
// 4 of each matrix; transposed, of that column. PTX ISA, ldmatrix and stmatrix.
#include <fmt/format.h>

#include "isa/codec/form.h"
#include "isa/machine/address_space.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kRows = 8;
constexpr unsigned kRowBytes = 16;
constexpr uint8_t kTransposed = 1;  // value of the fields trans and matrix

/// The place of one of a lane's two values in its matrix.
struct Place {
  unsigned row;
  unsigned column;
};
Place place_of(unsigned lane, unsigned half, bool transposed) {
  const Place place{lane / 4, lane % 4 * 2 + half};
  return transposed ? Place{place.column, place.row} : place;
}

unsigned matrices_of(const Instruction& instruction) { return 1u << instruction[Mod::k_mnum]; }

bool is_transposed(const Instruction& instruction) {
  return instruction[Mod::k_trans] == kTransposed || instruction[Mod::k_matrix] == kTransposed;
}

/// The places of a matrix's rows; all lanes take part, as the instruction requires.
std::array<Access, kRows> rows_of(Execution& execution, const LaneAddresses& addresses,
                                  unsigned matrix) {
  std::array<Access, kRows> rows;
  for (unsigned row = 0; row < kRows; ++row) {
    const unsigned lane = matrix * kRows + row;
    rows[row] = locate(execution, Space::kShared, addresses[lane], kRowBytes, lane);
  }
  return rows;
}

void check_whole(const Execution& execution) {
  if (execution.lanes == kAllLanes) return;
  fail(execution,
       fmt::format("executes in lanes 0x{:x} alone; expected all of the warp", execution.lanes));
}

void ldsm(Execution& execution) {
  check_whole(execution);
  const bool transposed = is_transposed(execution.instruction);
  const LaneAddresses& addresses = resolve_addresses(execution);
  std::array<LaneValues, 4> values{};
  Marks marks;
  const unsigned matrices = matrices_of(execution.instruction);
  for (unsigned matrix = 0; matrix < matrices; ++matrix) {
    const std::array<Access, kRows> rows = rows_of(execution, addresses, matrix);
    for (unsigned i = 0; i < 2 * kLanes; ++i) {
      const unsigned lane = i / 2, half = i % 2;
      const Place place = place_of(lane, half, transposed);
      const Access& row = rows[place.row];
      uint16_t value = 0;
      row.storage->read(row.offset + 2 * place.column, &value, sizeof value);
      values[matrix][lane] |= static_cast<uint32_t>(value) << (16 * half);
      note_marks(marks, lane, row.storage->marks(row.offset + 2 * place.column, sizeof value));
    }
  }
  mark_loaded(execution, Role::kD, matrices, marks);
  for (unsigned matrix = 0; matrix < matrices; ++matrix)
    write_result(execution, values[matrix], matrix);
}

void stsm(Execution& execution) {
  check_whole(execution);
  const bool transposed = is_transposed(execution.instruction);
  const LaneAddresses& addresses = resolve_addresses(execution);
  const unsigned matrices = matrices_of(execution.instruction);
  const Marks marks = stored_marks(execution, Role::kB, matrices);
  for (unsigned matrix = 0; matrix < matrices; ++matrix) {
    const std::array<Access, kRows> rows = rows_of(execution, addresses, matrix);
    const SourceOperand data(execution, Role::kB, matrix);
    for (unsigned i = 0; i < 2 * kLanes; ++i) {
      const unsigned lane = i / 2, half = i % 2;
      const Place place = place_of(lane, half, transposed);
      const Access& row = rows[place.row];
      const uint16_t value = static_cast<uint16_t>(data[lane] >> (16 * half));
      row.storage->write(row.offset + 2 * place.column, &value, sizeof value,
                         marks_of_lane(marks, lane));
    }
  }
}

/// Refuses matrices of 8-bit values, which are unpacked or have another layout.
std::string refuse_matrix(const Instruction& instruction) {
  if (form_says(instruction, "STSM.8")) return "the form .8";
  return instruction[Mod::k_matrix] > kTransposed ? "this shape of matrix" : "";
}

}  // namespace

void add_sm70_matrix_memory_operations(OperationTable& table) {
  entry(table, Op::kSm70_LDSM) = {ldsm, refuse_matrix, true};
  entry(table, Op::kSm70_STSM) = {stsm, refuse_matrix};
}

}  // namespace shflsim::isa
