// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "isa/machine/execution.h"

namespace shflsim::isa {

/// How one operation is executed.
struct Operation {
  void (*execute)(Execution& execution) = nullptr;
  /// What of this instruction cannot be executed ("the .X form"); "" if all can.
  std::string (*refuse)(const Instruction& instruction) = nullptr;
  /// Sets the marks of its results itself; otherwise a result is marked where any source is.
  bool own_marks = false;
  /// Steers the warp: runs even where no lane executes.
  bool control = false;
};

using OperationTable = std::array<Operation, static_cast<size_t>(Op::kCount)>;
/// The whole table, made once.
const OperationTable& operations();

inline Operation& entry(OperationTable& table, Op op) { return table[static_cast<size_t>(op)]; }

/// Executes an operation without effect: NOP, MEMBAR.
inline void nothing(Execution& /*execution*/) {}
/// What cannot be executed of an operation whose form .CC cannot.
std::string refuse_cc(const Instruction& instruction);

/// Whether the instruction's form has these words in its text (".CAS"): what its opcode says beyond
/// its fields.
bool form_says(const Instruction& instruction, const char* words);

/// vprintf of the CUDA runtime, as nvcc's code calls it: the address of the format in R4 and R5, of
/// the arguments in R6 and R7, each argument at a multiple of its size. Each lane, the lowest
/// first, prints through MachineOptions::print and gets in R4 how many arguments it has printed, or
/// -1 without a format. The format is that of CUDA C++ ("Formatted Output"), a text of the host.
void print_formatted(Execution& execution);
/// __assertfail of the CUDA runtime: the addresses of the assertion, the file and the function are
/// in R4, R6 and R10 with the registers behind them, the line is in R8. Throws LaunchError.
void fail_assertion(Execution& execution);
/// malloc of the CUDA runtime: the bytes are in R4 and R5, where the address goes; 0 if the heap
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
