// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/core/parameter.h"

namespace shflsim::model {

struct NetworkCost;

/// What a shuffle costs in energy under a chip's technology, all of it switching:
///   E_pass    = W a (e_wire pitch L + e_mux M N)                   (docs/sources.md, "Energy")
///   E_shuffle = passes E_pass + N e_register
/// with W bits a lane, activity a, L the lane pitches of wire and M the multiplexer levels of a
/// pass (NetworkCost), N lanes, and e_register a lane's operand read and result write.
struct Technology {
  uint32_t lane_pitch = 0;       ///< micrometres
  uint32_t wire_energy = 0;      ///< femtojoules a bit and millimetre
  uint32_t mux_energy = 0;       ///< attojoules a 2:1 multiplexer of one bit
  uint32_t register_energy = 0;  ///< femtojoules a 32-bit lane, for a read and a write
  uint32_t activity = 0;         ///< percent of bits that toggle from pass to pass

  void list(ParameterList& list);
};

/// Energies of a network of `lanes` lanes in picojoules.
double pass_energy(const NetworkCost& cost, const Technology& technology, unsigned lanes);
double shuffle_energy(const NetworkCost& cost, const Technology& technology, unsigned lanes,
                      uint32_t passes);

}  // namespace shflsim::model
