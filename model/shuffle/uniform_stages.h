// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/shuffle/routing.h"

namespace shflsim::model {

/// How a network of log2 N stages moves all lanes at once: stage k moves them by 2^k, or not.
enum class UniformMove : uint8_t {
  kRotate,  ///< to the lane 2^k further, around the end
  kXor,     ///< to the lane whose number differs in bit k
};

/// The setting, one bit per stage, that delivers the value of `request`.
unsigned uniform_setting(UniformMove move, const Request& request, unsigned lanes);

/// One pass per distinct setting, in ascending order: the fewest passes possible, since a pass has
/// one setting. Ports are the links after the stages (stage_port_name). A lane that waits is
/// assigned the first stage whose setting in its pass differs from that in the first pass.
Schedule uniform_passes(UniformMove move, const std::vector<Request>& requests, unsigned lanes);

}  // namespace shflsim::model
