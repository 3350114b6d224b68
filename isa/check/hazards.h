// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/check/effects.h"
#include "isa/code/latency.h"
#include "isa/code/program.h"
#include "isa/lanes/lane_map.h"

namespace shflsim::isa {

/// Follows one warp's instructions through their control bits. Checks that each result is certainly
/// available when it is read, and that each source has been read when it is overwritten. The
/// distances are those of isa/code/latency.h; time advances by stall counts alone, the least that
/// can pass.
class Hazards {
 public:
  Hazards(const Program& program, const std::vector<Effects>& effects)
      : program_(&program), effects_(&effects) {}

  /// What is wrong with an instruction, and in which of its lanes; "" for nothing.
  struct Problem {
    std::string what;
    LaneMask lanes = 0;
  };
  /// The next executed instruction: the lanes that are active, and those that its guard lets
  /// execute it.
  Problem step(uint32_t index, LaneMask active, LaneMask lanes);

 private:
  /// A result of fixed latency that may not have arrived yet.
  struct Arriving {
    Resource resource = 0;
    uint32_t index = 0;  ///< the producer's
    int64_t issued = 0;  ///< cycle
    LaneMask lanes = 0;
  };
  /// An instruction timed by scoreboards: what it still owes.
  struct Flight {
    uint32_t index = 0;
    int64_t issued = 0;
    LaneMask lanes = 0;
    bool read_open = false;     ///< its sources may still have to be read
    bool written_open = false;  ///< its results may still have to be written
    bool holds_read = false;    ///< its read barrier
    bool holds_write = false;
    std::vector<Resource> reads;
    std::vector<Resource> writes;
  };
  /// What one step does. Its guard is read in all active lanes, the rest in `lanes`; what is
  /// uniform has all lanes as one.
  struct Access {
    const Effects& effects;
    LaneMask active;
    LaneMask lanes;
    LaneMask reading(Resource read) const;
  };

  void wait(const Instruction& instruction, LaneMask active, Problem* problem);
  void wait_in_front(const Instruction& depbar);
  void wait_for_groups(const Instruction& depbar);
  void pass_block_barrier(const Instruction& bar);
  void arrive(uint8_t scoreboard, size_t still_flying);
  void close_reads(size_t flight);
  void close_writes(size_t flight);
  void forget_closed();
  void check_deliveries(const Instruction& instruction, const Access& access,
                        Problem* problem) const;
  void check_distances(const Instruction& instruction, const Access& access,
                       Problem* problem) const;
  void check_writes(const Instruction& instruction, const Access& access, Problem* problem) const;
  void note(uint32_t index, const Access& access);
  std::string place_of(uint32_t index) const;

  const Program* program_;
  const std::vector<Effects>* effects_;  ///< by index into the code
  std::vector<Arriving> arriving_;
  std::vector<Flight> flights_;  ///< in order of issue
  int64_t now_ = 0;
};

}  // namespace shflsim::isa
