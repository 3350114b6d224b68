// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "isa/code/program.h"

namespace shflsim::isa {

/// One warp's way through code of sm_70 or later, all lanes together and without values: predicates
/// take chances, guards and branches obey them. What the control bits have to hold for any input
/// they have to hold on such a way.
class CodeWalk {
 public:
  CodeWalk(const Program& program, uint32_t seed) : program_(program), random_(seed) {}

  struct Step {
    uint32_t index;
    bool executes;  ///< its guard holds
  };
  /// `most` steps, or those up to an end or a jump to a computed address.
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

/// What the hazards of such a way are, "0x0120: ...", each once.
std::vector<std::string> hazards_on_walks(const Program& program, unsigned walks, size_t steps);

}  // namespace shflsim::isa
