// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "isa/code/program.h"

namespace shflsim::isa {

/// One warp's path through code of sm_70 or later, without values and with all lanes together:
/// predicates are random, guards and branches follow them. Control bits that are right for any
/// input are right on such a path.
class CodeWalk {
 public:
  CodeWalk(const Program& program, uint32_t seed) : program_(program), random_(seed) {}

  struct Step {
    uint32_t index;
    bool executes;  ///< true if its guard holds
  };
  /// At most `most` steps; they end at an end or a jump to a computed address.
  std::vector<Step> steps(size_t most);

 private:
  bool holds(const Operand& predicate) const;
  bool guard_holds(const Instruction& instruction) const;
  bool goes_away(const Instruction& instruction);
  void set_predicates(const Instruction& instruction);

  const Program& program_;
  std::mt19937 random_;
  unsigned predicates_ = 0;  ///< bit n: Pn, bit 8 + n: UPn
};

/// The hazards on such paths, as "0x0120: ...", each once.
std::vector<std::string> hazards_on_walks(const Program& program, unsigned walks, size_t steps);

}  // namespace shflsim::isa
