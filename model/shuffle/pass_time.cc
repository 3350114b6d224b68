// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/pass_time.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "isa/base/input_error.h"
#include "model/shuffle/cell_library.h"
#include "model/shuffle/wiring.h"

namespace shflsim::model {
namespace {

/// sqrt(ps mOhm aF), with 1e-12 s, 1e-3 Ohm and 1e-18 F, in picoseconds.
constexpr double kPicoseconds = 3.1622776601683795e-5;
constexpr double kRepeated = 1.52;  // docs/sources.md, "Depth"

unsigned apart(unsigned a, unsigned b) { return a < b ? b - a : a - b; }

/// The longest paths between registers, in lane pitches.
struct Ways {
  unsigned to_results = 0;
  unsigned to_held = 0;  ///< registers of the network's own
  bool holds = false;
};

Ways longest_ways(const Wiring& wiring) {
  const std::vector<Node>& nodes = wiring.nodes();
  std::vector<unsigned> behind(nodes.size());  // registers, by wire
  for (size_t wire = 0; wire < nodes.size(); ++wire) {
    if (nodes[wire].clocked) continue;
    for (const Wire input : nodes[wire].inputs) {
      behind[wire] =
          std::max(behind[wire], behind[input] + apart(nodes[input].place, nodes[wire].place));
    }
  }
  Ways ways;
  for (unsigned lane = 0; lane < wiring.outputs().size(); ++lane) {
    const Wire output = wiring.outputs()[lane];
    ways.to_results = std::max(ways.to_results, behind[output] + apart(nodes[output].place, lane));
  }
  for (const Node& node : nodes) {
    if (!node.clocked) continue;
    const Wire input = node.inputs.front();
    ways.holds = true;
    ways.to_held = std::max(ways.to_held, behind[input] + apart(nodes[input].place, node.place));
  }
  return ways;
}

}  // namespace

uint32_t pitches(const Wiring& wiring) {
  const Ways ways = longest_ways(wiring);
  return std::max(ways.to_results, ways.to_held);
}

PassTime pass_time(const Wiring& wiring, const Technology& technology, uint32_t lane_pitch) {
  PassTime time;
  if (wiring.outputs().empty()) return time;
  const CellLibrary& library = cell_library(technology.library);
  const double room =
      Technology::kPicosecondsPerMegahertz / technology.clock - library.register_delay;
  const double of_a_micrometre =
      kRepeated * kPicoseconds *
      std::sqrt(library.fo4 * technology.wire_resistance * technology.wire_capacitance);
  const auto stages_of = [&](unsigned pitches) {
    return static_cast<uint32_t>(
        std::max(1.0, std::ceil((time.logic + pitches * lane_pitch * of_a_micrometre) / room)));
  };
  const Ways ways = longest_ways(wiring);
  time.logic = library.logic_delay(wiring);
  time.is_synthesised = library.find(wiring) != nullptr;
  time.wire = std::max(ways.to_results, ways.to_held) * lane_pitch * of_a_micrometre;
  time.stages = stages_of(ways.to_results);
  if (ways.holds) time.step = stages_of(ways.to_held);
  return time;
}

uint32_t latency_by_depth(uint32_t latency, const PassTime& network, const PassTime& crossbar) {
  if (network.stages == 0) return latency;
  const int64_t deeper = int64_t{latency} + network.stages - crossbar.stages;
  return static_cast<uint32_t>(std::max<int64_t>(1, deeper));
}

}  // namespace shflsim::model
