// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/shuffle/shuffle_network.h"
#include "traces/trace.h"

namespace shflsim::report {

/// The use of a network's ports by the SHFLs of a trace. It follows from lane maps and topology
/// alone: timing changes when a pass happens, but not what it carries.
struct PortUseReport {
  /// One static SHFL.
  struct Shuffle {
    size_t index = 0;                     ///< into Code::lines
    std::map<uint32_t, uint64_t> issues;  ///< by passes: warp instructions that needed that many
    /// By port: lanes that had to wait for it, summed over the passes that served other lanes. The
    /// sum over all ports are the port conflicts (Schedule::port_conflicts).
    std::map<uint32_t, uint64_t> port_conflicts;
  };

  std::vector<Shuffle> shuffles;
  uint64_t passes = 0;             ///< passes of all SHFLs
  std::vector<std::string> names;  ///< of the ports
  std::vector<uint64_t> carried;   ///< by port: passes in which it carried a value
};

PortUseReport port_use(const traces::Trace& trace, const model::ShuffleNetwork& network);

/// "1: 8, 4: 24": numbers of passes, each with the number of warp instructions that needed it.
std::string distribution_text(const PortUseReport::Shuffle& shuffle);
/// The ports that lanes waited for most: "bank 3 (96), bank 1 (64), 6 more".
std::string collisions_text(const PortUseReport::Shuffle& shuffle,
                            const std::vector<std::string>& names, size_t most);
/// One digit per port: the tenths of all passes in which it carried a value ('.' none, '#' all). A
/// line has 32 ports and begins with the name of the first.
std::string utilization_picture(const PortUseReport& use);

}  // namespace shflsim::report
