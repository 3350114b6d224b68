// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "isa/code.h"

namespace shflsim::isa {

/// What is known of an operation by its name alone, where there is no word to decode.
struct Operation {
  enum class Kind : uint8_t { kPlain, kStore, kBarrier, kBarrierState, kConstantLoad, kReduction };
  Pipe pipe = Pipe::kFxu;
  Kind kind = Kind::kPlain;
  uint8_t destinations = 1;  ///< operands of its text in front of the sources
};

/// The operation of a name with its modifiers, "IMAD.WIDE.U32". SPA 5.0: by isa/opcodes.inc, and
/// integer arithmetic where the name is unknown. Volta and later: by isa/volta_opcodes.inc, where
/// a name with its first modifier goes before the name alone; what is unknown is of the uniform
/// data path if it starts with a U, else integer arithmetic.
Operation operation_named(Family family, std::string_view name);

/// Writes what the operation says into the line.
void set_operation(const Operation& operation, CodeLine* line);

}  // namespace shflsim::isa
