// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "traces/accel_sim/modifiers.h"

namespace shflsim::traces {

/// Registers of a lane for each operand of a matrix product.
struct MatrixRegisters {
  uint8_t result = 1;
  uint8_t first = 1;   ///< of the first factor
  uint8_t second = 1;  ///< of the second factor
};

/// Follows from the shape and the types in the name, "HMMA" with ".16816.F32": the registers of a
/// warp hold each matrix once. The addend has as many registers as the result.
MatrixRegisters matrix_registers(std::string_view name, const Modifiers& modifiers);

/// True for OMMA, "OMMA.SF.16864.F32.E2M1.E2M1.UE8" of sm_120.
inline bool is_half_byte_product(std::string_view opcode) {
  return opcode.substr(0, opcode.find('.')) == "OMMA";
}

}  // namespace shflsim::traces
