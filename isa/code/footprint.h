// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "isa/codec/instruction.h"

namespace shflsim::isa {

/// A register operand that an instruction reads, and the operand position that it is read for.
struct RegisterRead {
  uint8_t index = 0;     ///< the first register
  uint8_t count = 1;     ///< consecutive registers
  uint8_t position = 0;  ///< 0, 1, 2: the operand's reuse cache; 3: it has none (store data)
  bool reuse = false;    ///< marked ".reuse": keep it in the position's reuse cache
};

/// The registers, predicates and carry that an instruction reads and writes; dependences and
/// register ports follow from them. RZ and PT are left out.
struct Footprint {
  static constexpr unsigned kMostReads = 8;  ///< instructions have five operands at most
  std::array<RegisterRead, kMostReads> reads{};
  uint8_t read_count = 0;
  uint8_t first_write = 0;  ///< destination registers first_write ... +write_count-1
  uint8_t write_count = 0;
  uint8_t predicates_read = 0;  ///< bit n: Pn; includes the guard
  uint8_t predicates_written = 0;
  bool reads_carry = false;
  bool writes_carry = false;

  /// Calls `f` with each register that is read, twice for a register that two operands name.
  template <class F>
  void for_each_read(F f) const {
    for (unsigned i = 0; i < read_count; ++i) {
      for (unsigned each = 0; each < reads[i].count; ++each) f(reads[i].index + each);
    }
  }
};

Footprint footprint(const Instruction& instruction);

}  // namespace shflsim::isa
