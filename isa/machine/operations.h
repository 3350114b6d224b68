// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "isa/codec/form.h"
#include "isa/machine/execution.h"

namespace shflsim::isa {

/// How one operation is executed.
struct Operation {
  void (*execute)(Execution& execution) = nullptr;
  /// The part of an instruction that cannot be executed ("the .X form"); "" if all can.
  std::string (*refuse)(const Instruction& instruction) = nullptr;
  /// Sets the marks of its results itself; otherwise a result is marked if any source is.
  bool own_marks = false;
  /// Control flow: runs even if no lane executes.
  bool control = false;
};

using OperationTable = std::array<Operation, static_cast<size_t>(Op::kCount)>;
/// The table of all operations, made once.
const OperationTable& operations();

inline Operation& entry(OperationTable& table, Op op) { return table[static_cast<size_t>(op)]; }

/// Executes an operation without effect: NOP, MEMBAR.
inline void nothing(Execution& /*execution*/) {}
/// Refuses the form .CC.
std::string refuse_cc(const Instruction& instruction);

/// Checks the membermasks of lowered PTX: of the instruction, which `execution.lanes` execute, and
/// of bar.warp.sync in front of it, to which the lanes `active` have come.
///
/// The rules are those of PTX for sm_6x and below: each lane is in its membermask, and all lanes in
/// it that have not ended execute the instruction in convergence. Lanes that break them are
/// reported to the observer. PTX for sm_70 or later may have its lanes at several places. SPA 5.0
/// cannot, and would give other values: throws InputError for such code.
void check_members(const Execution& execution, LaneMask active);

/// vprintf of the CUDA runtime, as nvcc's code calls it: the address of the format is in R4 and R5,
/// that of the arguments in R6 and R7, each argument at a multiple of its size. Each lane, the
/// lowest first, prints through MachineOptions::print and gets the number of printed arguments in
/// R4, or -1 without a format. Formats are those of CUDA C++ ("Formatted Output").
void print_formatted(Execution& execution);
/// __assertfail of the CUDA runtime: the addresses of the assertion, the file and the function are
/// in the register pairs from R4, R6 and R10 on, the line is in R8. Throws LaunchError.
void fail_assertion(Execution& execution);
/// malloc of the CUDA runtime: the bytes are in R4 and R5, which receive the address; 0 if the heap
/// has no room.
void allocate_memory(Execution& execution);
/// free of the CUDA runtime: the address is in R4 and R5. Throws LaunchError for other addresses.
void free_memory(Execution& execution);

// Each adds the operations of one file.
void add_integer_operations(OperationTable& table);
void add_multiply_operations(OperationTable& table);
void add_logic_operations(OperationTable& table);
void add_shift_operations(OperationTable& table);
void add_compare_operations(OperationTable& table);
void add_float_operations(OperationTable& table);
void add_double_operations(OperationTable& table);
void add_half_operations(OperationTable& table);
void add_conversion_operations(OperationTable& table);
void add_video_operations(OperationTable& table);
void add_special_function_operations(OperationTable& table);
void add_special_operations(OperationTable& table);
void add_memory_operations(OperationTable& table);
void add_atomic_operations(OperationTable& table);
void add_shuffle_operations(OperationTable& table);
void add_control_operations(OperationTable& table);
void add_sm70_barrier_operations(OperationTable& table);
void add_sm70_bulk_operations(OperationTable& table);
void add_sm70_cluster_operations(OperationTable& table);
void add_sm70_compare_operations(OperationTable& table);
void add_sm70_constant_operations(OperationTable& table);
void add_sm70_control_operations(OperationTable& table);
void add_sm70_conversion_operations(OperationTable& table);
void add_sm70_copy_operations(OperationTable& table);
void add_sm70_float_operations(OperationTable& table);
void add_sm70_group_operations(OperationTable& table);
void add_sm70_half_operations(OperationTable& table);
void add_sm70_integer_operations(OperationTable& table);
void add_sm70_logic_operations(OperationTable& table);
void add_sm70_matrix_operations(OperationTable& table);
void add_sm70_matrix_memory_operations(OperationTable& table);
void add_sm70_minimum_operations(OperationTable& table);
void add_sm70_multiply_operations(OperationTable& table);
void add_sm70_pack_operations(OperationTable& table);
void add_sm70_refusals(OperationTable& table);
void add_sm70_shift_operations(OperationTable& table);
void add_sm70_space_operations(OperationTable& table);
void add_sm70_sync_operations(OperationTable& table);
void add_sm70_tensor_operations(OperationTable& table);
void add_sm70_warp_operations(OperationTable& table);

}  // namespace shflsim::isa
