// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/network_cost.h"

#include <algorithm>
#include <map>
#include <utility>

#include "model/shuffle/routing.h"
#include "model/shuffle/wiring.h"

namespace shflsim::model {
namespace {

/// The inputs of a multiplexer without repetitions.
std::vector<Wire> distinct_inputs(const Node& node) {
  std::vector<Wire> inputs = node.inputs;
  std::sort(inputs.begin(), inputs.end());
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  return inputs;
}

void add_multiplexers(const Wiring& wiring, NetworkCost* cost) {
  std::map<std::vector<Wire>, uint64_t> of_two;
  std::vector<unsigned> ways(wiring.groups());
  for (const Node& node : wiring.nodes()) {
    if (node.clocked || node.inputs.empty()) continue;
    const std::vector<Wire> inputs = distinct_inputs(node);
    cost->mux2 += (inputs.size() - 1) * kWordBits;
    if (inputs.size() == 2) {
      ++of_two[inputs];
    } else {
      cost->switches += inputs.size();
    }
    ways[node.group] = std::max(ways[node.group], static_cast<unsigned>(node.inputs.size()));
  }
  for (const auto& [inputs, count] : of_two) cost->switches += (count + 1) / 2;
  for (const unsigned way : ways) cost->configuration_bits += log2_of(std::max(way, 1u));
}

void add_registers(const Wiring& wiring, NetworkCost* cost) {
  const std::vector<Node>& nodes = wiring.nodes();
  const auto held = static_cast<uint64_t>(
      std::count_if(nodes.begin(), nodes.end(), [](const Node& node) { return node.clocked; }));
  cost->result_registers = wiring.outputs().size() * kWordBits;
  cost->state_registers = held * kWordBits;
  cost->lane_enables = static_cast<uint32_t>(wiring.outputs().size());
}

/// The distance of a wire's beginning from the lanes and registers.
struct Depth {
  uint32_t channel = 0;  ///< multiplexers in a row
  uint32_t levels = 0;   ///< 2:1 multiplexers in a row
};

std::vector<Depth> depths(const Wiring& wiring) {
  std::vector<Depth> depths;
  for (const Node& node : wiring.nodes()) {
    Depth depth;
    if (!node.clocked && !node.inputs.empty()) {
      for (const Wire input : node.inputs) {
        depth.channel = std::max(depth.channel, depths[input].channel + 1);
        depth.levels = std::max(depth.levels, depths[input].levels);
      }
      depth.levels += log2_of(static_cast<unsigned>(distinct_inputs(node).size()));
    }
    depths.push_back(depth);
  }
  return depths;
}

/// The part of the row from a wire's first end to its last.
struct Span {
  unsigned first = 0;
  unsigned last = 0;
  void reach(unsigned place) {
    first = std::min(first, place);
    last = std::max(last, place);
  }
};

std::vector<Span> spans(const Wiring& wiring) {
  std::vector<Span> spans;
  for (const Node& node : wiring.nodes()) spans.push_back({node.place, node.place});
  for (const Node& node : wiring.nodes()) {
    for (const Wire input : node.inputs) spans[input].reach(node.place);
  }
  for (unsigned lane = 0; lane < wiring.outputs().size(); ++lane) {
    spans[wiring.outputs()[lane]].reach(lane);
  }
  return spans;
}

void add_wires(const Wiring& wiring, NetworkCost* cost) {
  const std::vector<Depth> depth = depths(wiring);
  const std::vector<Span> span = spans(wiring);
  std::map<uint32_t, std::map<unsigned, uint32_t>> crossing;  // by channel and place
  for (size_t wire = 0; wire < span.size(); ++wire) {
    cost->mux_levels = std::max(cost->mux_levels, depth[wire].levels);
    const unsigned length = span[wire].last - span[wire].first;
    const Node& node = wiring.nodes()[wire];
    cost->wire_length += length;
    if (node.clocked || node.inputs.empty()) cost->steady_length += length;
    for (unsigned place = span[wire].first; place < span[wire].last; ++place) {
      ++crossing[depth[wire].channel][place];
    }
  }
  for (const auto& [channel, places] : crossing) {
    uint32_t most = 0;
    for (const auto& [place, wires] : places) most = std::max(most, wires);
    cost->wire_tracks += most;
  }
}

}  // namespace

NetworkCost cost_of(const Wiring& wiring) {
  NetworkCost cost;
  add_multiplexers(wiring, &cost);
  add_registers(wiring, &cost);
  add_wires(wiring, &cost);
  return cost;
}

}  // namespace shflsim::model
