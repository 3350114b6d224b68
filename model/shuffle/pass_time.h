// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/shuffle/technology.h"

namespace shflsim::model {

class Wiring;

/// How long a pass takes from the lanes' registers through the network to the results', at a lane
/// pitch in micrometres (docs/sources.md, "Depth"):
///   t_pass = t_logic + pitches lane_pitch t_wire
///   stages = ceil(t_pass / (1/clock - t_register))
/// with t_logic of the cell library (synthesised, else estimated from the multiplexer levels),
/// pitches the longest way along the row that a value can take between registers, and t_wire that
/// of a wire with repeaters at the best distance, 1.52 sqrt(FO4 R C) a micrometre.
///
/// Networks whose passes build on registers that the pass before has filled (ring, butterfly_pair)
/// have `step` stages up to such a register, and the next pass waits for as many; 0 where there are
/// none.
struct PassTime {
  double logic = 0;             ///< picoseconds
  double wire = 0;              ///< picoseconds
  uint32_t stages = 0;          ///< clock cycles; 0 for a network without wires of its own
  uint32_t step = 0;            ///< clock cycles
  bool is_synthesised = false;  ///< logic; else it is estimated
};

/// Throws InputError if the library cannot be had, and where its registers alone take longer
/// than a clock cycle.
PassTime pass_time(const Wiring& wiring, const Technology& technology, uint32_t lane_pitch);

/// Lane pitches of the longest way between the lanes' registers and the results'.
uint32_t pitches(const Wiring& wiring);

/// shuffle.latency of `network` where a crossbar of `crossbar`'s wiring has `latency`: a cycle more
/// for each stage that its passes have more, less for one that they have less; at least 1.
uint32_t latency_by_depth(uint32_t latency, const PassTime& network, const PassTime& crossbar);

}  // namespace shflsim::model
