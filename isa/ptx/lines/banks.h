// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/ptx/lines/lines.h"

namespace shflsim::isa::ptx {

constexpr unsigned kBanks = 4;  ///< a register's bank is its number modulo 4 (maxas wiki)
/// The number of reads that collide, by the bank of a register's (first) number.
using Collisions = std::array<unsigned, kBanks>;

/// Registers that math instructions read together: two of one bank take an additional cycle.
/// Instructions of the MIO queue are left out, since they collect their operands in the queue.
class SharedReads {
 public:
  explicit SharedReads(const Code& code);

  void place(int id, unsigned number);
  /// The collisions of this register with registers that are placed.
  Collisions collisions(int id) const;

 private:
  struct Other {
    int id = 0;
    unsigned shift = 0;  ///< banks from its first number to the register that collides with it
  };
  struct Read {
    int id = 0;
    unsigned part = 0;
  };
  static std::vector<Read> reads_of(const Line& line);
  void add(const std::vector<Read>& reads);

  std::vector<std::vector<Other>> others_;  ///< by register
  std::vector<int> numbers_;                ///< by register; -1: not placed
};

}  // namespace shflsim::isa::ptx
