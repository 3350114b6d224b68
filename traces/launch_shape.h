// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "isa/lanes/lane_map.h"
#include "isa/machine/machine.h"

namespace shflsim::traces {

/// The shape of a recorded launch.
struct LaunchShape {
  isa::Extent grid;                 ///< in blocks
  isa::Extent block;                ///< in threads
  isa::Extent cluster = {1, 1, 1};  ///< in blocks
  /// What another format says about the trace, for writing that format again.
  std::map<std::string, std::string> notes = {};
};

/// Prefix of the notes that hold Accel-Sim's header lines: "accel-sim nvbit version".
constexpr const char* kTracegNote = "accel-sim ";

}  // namespace shflsim::traces
