// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/footprint.h"
#include "isa/lane_map.h"
#include "isa/latency.h"
#include "isa/program.h"

namespace shflsim::isa {

/// Follows one warp's instructions through their control bits: whether each result is there for
/// certain when it is read, and each source has been read when it is overwritten. The distances are
/// those of isa/latency.h; time advances by stall counts alone, which is the least that can pass.
class Hazards {
 public:
  explicit Hazards(const Program& program) : program_(&program) {}

  /// What is wrong with an instruction, and in which of its lanes; "" for nothing.
  struct Problem {
    std::string what;
    LaneMask lanes = 0;
  };
  /// The next executed instruction: the lanes that are active, and those that its guard lets
  /// execute it.
  Problem step(uint32_t index, LaneMask active, LaneMask lanes);

 private:
  /// Registers, predicates and the carry in one numbering.
  using Resource = uint16_t;
  static constexpr Resource kFirstPredicate = 256;
  static constexpr Resource kCarry = 264;
  static constexpr Resource kNothing = 265;
  static std::string name_of(Resource resource);

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
  /// What one instruction does. Its guard is read in all active lanes, the rest in `lanes`.
  struct Effects {
    std::vector<Resource> reads;
    std::vector<Resource> writes;
    Resource guard = kNothing;
    LaneMask active = 0;
    LaneMask lanes = 0;
    LaneMask lanes_of(Resource read) const { return read == guard ? active : lanes; }
  };
  static Effects effects_of(const Instruction& instruction, LaneMask active, LaneMask lanes);

  void wait(const Instruction& instruction, LaneMask active, Problem* problem);
  void wait_in_front(const Instruction& depbar);
  void pass_block_barrier(const Instruction& bar);
  void arrive(uint8_t scoreboard, size_t still_flying);
  void close_reads(size_t flight);
  void close_writes(size_t flight);
  void forget_closed();
  void check_deliveries(const Effects& effects, Problem* problem) const;
  void check_distances(const Instruction& instruction, const Effects& effects,
                       Problem* problem) const;
  void check_writes(const Instruction& instruction, const Effects& effects, Problem* problem) const;
  void note(uint32_t index, const Effects& effects);
  std::string place_of(uint32_t index) const;

  const Program* program_;
  std::vector<Arriving> arriving_;
  std::vector<Flight> flights_;  ///< in order of issue
  int64_t now_ = 0;
};

}  // namespace shflsim::isa
