// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "isa/instruction.h"

namespace shflsim::isa {

/// A register that an instruction reads, and the operand position that it is read for.
struct RegisterRead {
  uint8_t index = 0;
  uint8_t position = 0;  ///< 0, 1, 2: fields 15:8, 27:20, 46:39; 3: none of them (store data)
  bool reuse = false;    ///< marked ".reuse": keep it in the position's reuse cache
};

/// What an instruction reads and writes: all that dependences and register ports depend on.
/// RZ and PT are left out, a wide operand counts each of its registers.
struct Footprint {
  static constexpr unsigned kMostReads = 12;  ///< e.g. a 128-bit store: 4 data, 2 address
  std::array<RegisterRead, kMostReads> reads{};
  uint8_t read_count = 0;
  uint8_t operand_count = 0;  ///< register operands read, a wide one counted once
  uint8_t first_write = 0;    ///< destination registers first_write ... +write_count-1
  uint8_t write_count = 0;
  uint8_t predicates_read = 0;  ///< bit n: Pn; the guard is one of them
  uint8_t predicates_written = 0;
  bool reads_carry = false;
  bool writes_carry = false;
};

Footprint footprint(const Instruction& instruction);

}  // namespace shflsim::isa
