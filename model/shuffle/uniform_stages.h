// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/shuffle/routing.h"

namespace shflsim::model {

/// How a network of log2 N stages moves all lanes at once: stage k moves them by 2^k, or not.
enum class UniformMove : uint8_t {
  kRotate,  ///< to the lane 2^k further, around the end
  kXor,     ///< to the lane whose number differs in bit k
};

/// The setting, one bit a stage, that brings `request` its value.
unsigned uniform_setting(UniformMove move, const Request& request, unsigned lanes);

/// One pass a distinct setting, settings ascending: the fewest passes possible, since a pass has
/// one setting. Ports are the links behind the stages (stage_port_name). A lane that waits waits at
/// the first stage that its pass sets otherwise than the first pass.
Schedule uniform_passes(UniformMove move, const std::vector<Request>& requests, unsigned lanes);

/// Wires of a row of N lanes that rotates by 1, 2, .. N/2 in turn: a rotation by d has d links that
/// cross each place and d more on their way round, N-d links of d pitches and d of N-d
/// (docs/sources.md, "Cost": 62 tracks, 1302 pitches at N = 32).
uint32_t rotating_tracks(unsigned lanes);
uint64_t rotating_length(unsigned lanes);

}  // namespace shflsim::model
