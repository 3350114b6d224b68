// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "isa/check/hazards.h"
#include "isa/machine/machine.h"

namespace shflsim::isa {

/// A fault of the code, or a suspicious place in it.
struct CheckFinding {
  uint32_t index = 0;     ///< into Program::code
  bool executed = false;  ///< the instruction was executed: block, warp and lanes are known
  uint32_t block = 0;     ///< the first block concerned
  uint32_t warp = 0;
  LaneMask lanes = 0;  ///< lanes of the warp that are concerned
  std::string what;
};

/// Looks for faults in shuffle code while the machine executes it: reads from lanes that do not
/// execute, membermask faults, uses of undefined values, shuffles that move nothing, .UP with a
/// clamp other than zero, predicates that are never read, and results that are used before the
/// control bits guarantee them.
class Checker final : public StepObserver {
 public:
  explicit Checker(const Program& program);

  void on_step(const ExecutedStep& step) override;
  void on_undefined_use(const UndefinedUse& use) override;

  /// All findings by address, without duplicates.
  std::vector<CheckFinding> finish();

 private:
  /// Properties of the lane maps in all executions of a shuffle.
  struct Moves {
    bool any_pair = false;   ///< at least two lanes have executed it together
    bool any_other = false;  ///< a lane has read another lane's value
  };
  void add(const CheckFinding& finding);
  void look_at_map(const ExecutedStep& step);
  void check_text();

  const Program& program_;
  std::vector<Effects> effects_;     ///< by instruction
  std::vector<CheckFinding> first_;  ///< by instruction: its first execution
  LaneMask reported_ = 0;            ///< lanes with an undefined use in the current step
  std::map<uint32_t, Moves> moves_;
  std::map<std::pair<uint32_t, uint32_t>, Hazards> hazards_;  ///< by block and warp
  std::map<std::pair<uint32_t, std::string>, CheckFinding> findings_;
};

}  // namespace shflsim::isa
