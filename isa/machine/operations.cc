// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/operations.h"

namespace shflsim::isa {

std::string refuse_cc(const Instruction& instruction) {
  return instruction.sets_cc ? "the form .CC" : "";
}

const OperationTable& operations() {
  static const OperationTable table = [] {
    OperationTable made{};
    add_integer_operations(made);
    add_multiply_operations(made);
    add_logic_operations(made);
    add_shift_operations(made);
    add_compare_operations(made);
    add_float_operations(made);
    add_double_operations(made);
    add_half_operations(made);
    add_conversion_operations(made);
    add_video_operations(made);
    add_special_function_operations(made);
    add_special_operations(made);
    add_memory_operations(made);
    add_atomic_operations(made);
    add_shuffle_operations(made);
    add_control_operations(made);
    add_sm70_compare_operations(made);
    add_sm70_constant_operations(made);
    add_sm70_control_operations(made);
    add_sm70_conversion_operations(made);
    add_sm70_barrier_operations(made);
    add_sm70_bulk_operations(made);
    add_sm70_cluster_operations(made);
    add_sm70_copy_operations(made);
    add_sm70_float_operations(made);
    add_sm70_group_operations(made);
    add_sm70_half_operations(made);
    add_sm70_integer_operations(made);
    add_sm70_logic_operations(made);
    add_sm70_matrix_operations(made);
    add_sm70_matrix_memory_operations(made);
    add_sm70_minimum_operations(made);
    add_sm70_multiply_operations(made);
    add_sm70_pack_operations(made);
    add_sm70_refusals(made);
    add_sm70_shift_operations(made);
    add_sm70_space_operations(made);
    add_sm70_sync_operations(made);
    add_sm70_tensor_operations(made);
    add_sm70_warp_operations(made);
    return made;
  }();
  return table;
}

}  // namespace shflsim::isa
