// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/shuffle/technology.h"

namespace shflsim::model {

class Wiring;

/// The time of a pass from the lanes' registers through the network to the results' registers, at a
/// lane pitch in micrometres (docs/sources.md, "Depth"):
///   t_pass = t_logic + pitches lane_pitch t_wire
///   stages = ceil(t_pass / (1/clock - t_register))
/// where t_logic is from the cell library (synthesised, else estimated from the multiplexer
/// levels), pitches is the longest distance along the row between registers, and t_wire is that of
/// a wire with repeaters at the best distance, 1.52 sqrt(FO4 R C) per micrometre.
///
/// In networks whose passes use registers that the previous pass has written (ring,
/// butterfly_pair), a pass reaches such a register after `step` stages, and the next pass waits for
/// that long; 0 for other networks.
struct PassTime {
  double logic = 0;             ///< picoseconds
  double wire = 0;              ///< picoseconds
  uint32_t stages = 0;          ///< clock cycles; 0 for a network without wires of its own
  uint32_t step = 0;            ///< clock cycles
  bool is_synthesised = false;  ///< logic is synthesised; false: it is estimated
};

/// Throws InputError if the library is missing, or if its registers alone take longer than a clock
/// cycle.
PassTime pass_time(const Wiring& wiring, const Technology& technology, uint32_t lane_pitch);

/// Lane pitches of the longest path between the lanes' registers and the results' registers.
uint32_t pitches(const Wiring& wiring);

/// shuffle.latency of `network`, if a crossbar of `crossbar`'s wiring has `latency`: a cycle more
/// for each further stage of its passes, a cycle less for each missing one; at least 1.
uint32_t latency_by_depth(uint32_t latency, const PassTime& network, const PassTime& crossbar);

}  // namespace shflsim::model
