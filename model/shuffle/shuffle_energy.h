// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/shuffle/technology.h"

namespace shflsim::model {

struct NetworkCost;

/// The energy of a shuffle with a chip's technology, which is all switching energy:
///   E_pass    = W a (e_wire pitch (L + (S - 1) (L - L_steady)) + e_mux M N)
///                                                                  (docs/sources.md, "Energy")
///   E_shuffle = passes E_pass + N e_register
/// with W bits per lane, activity a, L the lane pitches of wire and M the multiplexer levels of a
/// pass (NetworkCost), N lanes, and e_register a lane's operand read and result write. A unit that
/// delivers `width` lanes per cycle serves the lanes in S = N / width slices, in which the lanes'
/// wires, L_steady, keep their values. The result is in picojoules, for a network of `lanes` lanes
/// and a pass that serves all of them.
double pass_energy(const NetworkCost& cost, const Technology& technology, unsigned lanes,
                   unsigned width);
inline double pass_energy(const NetworkCost& cost, const Technology& technology, unsigned lanes) {
  return pass_energy(cost, technology, lanes, lanes);
}
double shuffle_energy(const NetworkCost& cost, const Technology& technology, unsigned lanes,
                      unsigned width, uint32_t passes);
inline double shuffle_energy(const NetworkCost& cost, const Technology& technology, unsigned lanes,
                             uint32_t passes) {
  return shuffle_energy(cost, technology, lanes, lanes, passes);
}

}  // namespace shflsim::model
