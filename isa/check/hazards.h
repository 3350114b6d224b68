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

/// Simulates the control bits of one warp's instructions. Checks that each result is certainly
/// available when it is read, and that each source has been read when it is overwritten. The
/// distances are those of isa/code/latency.h; time advances by stall counts only, which are the
/// least time that can pass.
class Hazards {
 public:
  Hazards(const Program& program, const std::vector<Effects>& effects)
      : program_(&program), effects_(&effects) {}

  /// A fault of an instruction and the lanes that it affects; "" for no fault.
  struct Problem {
    std::string what;
    LaneMask lanes = 0;
  };
  /// Processes the next executed instruction. `active`: the active lanes; `lanes`: those of them
  /// whose guard is true.
  Problem step(uint32_t index, LaneMask active, LaneMask lanes);

 private:
  /// A fixed-latency result that may not be available yet.
  struct Arriving {
    Resource resource = 0;
    uint32_t index = 0;  ///< the producer's
    int64_t issued = 0;  ///< cycle
    LaneMask lanes = 0;
  };
  /// An instruction in flight that is timed by scoreboards.
  struct Flight {
    uint32_t index = 0;
    int64_t issued = 0;
    LaneMask lanes = 0;
    bool read_open = false;     ///< its sources may still have to be read
    bool written_open = false;  ///< its results may still have to be written
    bool holds_read = false;    ///< its read barrier is not released yet
    bool holds_write = false;
    std::vector<Resource> reads;
    std::vector<Resource> writes;
  };
  /// The accesses of one step. The guard is read in all active lanes, other operands in `lanes`;
  /// a uniform resource is one for all lanes.
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
