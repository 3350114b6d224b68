// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "isa/lanes/lane_map.h"
#include "isa/machine/machine.h"

namespace shflsim::traces {

/// The launch that a trace records.
struct LaunchShape {
  isa::Extent grid;                 ///< in blocks
  isa::Extent block;                ///< in threads
  isa::Extent cluster = {1, 1, 1};  ///< in blocks
  /// What another format says of the trace, to be written back in that format.
  std::map<std::string, std::string> notes = {};
};

/// Accel-Sim's header lines are notes behind this prefix: "accel-sim nvbit version".
constexpr const char* kTracegNote = "accel-sim ";

}  // namespace shflsim::traces
