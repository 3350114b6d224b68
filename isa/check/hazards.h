// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/footprint.h"
#include "isa/lane_map.h"
#include "isa/program.h"

namespace shflsim::isa {

/// Follows one warp's instructions through their control bits: which results are there for certain
/// when an instruction reads them. Distances are those of maxwell_isa.md 4.2; time advances by
/// stall counts alone, which is the least that can pass.
class Hazards {
 public:
  explicit Hazards(const Program& program) : program_(&program) {}

  /// The next executed instruction. Returns what is wrong with it, "" for nothing.
  std::string step(uint32_t index, LaneMask lanes);

 private:
  /// Who wrote a register, predicate or the carry last.
  struct Write {
    bool pending = false;  ///< variable latency, and nobody has waited for it
    bool any = false;
    uint32_t index = 0;     ///< the producer's
    int64_t issued = 0;     ///< cycle
    uint64_t sequence = 0;  ///< number of the producer among the warp's instructions
    LaneMask lanes = 0;
  };
  /// An instruction on its way that releases a barrier when its result is there.
  struct Flight {
    uint8_t barrier = 0;
    uint32_t index = 0;
    int64_t issued = 0;
    uint64_t sequence = 0;
  };

  void wait(const Instruction& instruction, std::string* problem);
  void arrive(uint8_t barrier, size_t still_flying);
  void complete(const Flight& flight);
  std::string read_problem(const Write& write, const Instruction& reader, const std::string& name,
                           int distance) const;
  std::string check_reads(const Instruction& instruction, const Footprint& footprint,
                          LaneMask lanes) const;
  void note_writes(uint32_t index, const Instruction& instruction, const Footprint& footprint,
                   LaneMask lanes);
  template <class F>
  void for_each_write(F f);

  const Program* program_;
  std::array<Write, 256> registers_;
  std::array<Write, 8> predicates_;
  Write carry_;
  std::vector<Flight> flights_;
  int64_t now_ = 0;
  uint64_t sequence_ = 0;
};

}  // namespace shflsim::isa
