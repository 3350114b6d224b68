// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shflsim::model {

class Wiring;

constexpr unsigned kWordBits = 32;  ///< bits of a lane's value

/// The hardware of a network for lanes of 32 bits: sums over its wiring. Each network's file gives
/// them as formulas of N lanes and W bits, with their source.
struct NetworkCost {
  uint64_t mux2 = 0;         ///< 2:1 multiplexers of one bit; one of K inputs counts K-1
  uint64_t switches = 0;     ///< switching elements of a word: two multiplexers over the same two
                             ///< inputs are a 2x2 switch, another of two inputs is one, and a wider
                             ///< one is a crosspoint per input
  uint32_t mux_levels = 0;   ///< 2:1 multiplexers in a row on the longest path of a pass
  uint32_t wire_tracks = 0;  ///< 32-bit wires across the widest place of the lane row; those that
                             ///< begin after equally many multiplexers share a channel, and the
                             ///< channels are added
  uint64_t wire_length = 0;  ///< lane pitches spanned by the 32-bit wires driven in a pass, each
                             ///< from its first to its last end
  uint32_t configuration_bits = 0;  ///< control bits per pass: the binary selects
  uint64_t result_registers = 0;    ///< bits of the registers for the lanes' results
  uint64_t state_registers = 0;     ///< bits of registers that hold values between passes
  uint32_t lane_enables = 0;        ///< bits per pass that enable the writes of lanes
  uint64_t steady_length = 0;       ///< part of wire_length: wires of lanes and registers, which
                                    ///< keep their values through a pass
};

NetworkCost cost_of(const Wiring& wiring);

}  // namespace shflsim::model
