// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/pipeline_stages.h"

#include <algorithm>

#include "model/shuffle/network_cost.h"
#include "model/shuffle/routing.h"

namespace shflsim::model {
namespace {

bool is_select(const Node& node) { return !node.clocked && !node.inputs.empty(); }

}  // namespace

PipelineStages::PipelineStages(const Wiring& wiring, unsigned stages)
    : stages_(stages), delays_(wiring.nodes().size()), select_delays_(wiring.groups()) {
  const std::vector<Node>& nodes = wiring.nodes();
  for (const Node& node : nodes) {
    unsigned depth = 0;
    if (is_select(node)) {
      for (const Wire input : node.inputs) depth = std::max(depth, depths_[input] + 1);
    }
    depths_.push_back(depth);
    deepest_ = std::max(deepest_, depth);
  }
  for (size_t wire = 0; wire < nodes.size(); ++wire) {
    if (!is_select(nodes[wire])) continue;
    for (const Wire input : nodes[wire].inputs)
      delays_[input] = std::max(delays_[input], stage_of(wire) - stage_of(input));
    unsigned& delay = select_delays_[nodes[wire].group];
    delay = std::max(delay, stage_of(wire));
  }
  for (const Wire output : wiring.outputs())
    delays_[output] = std::max(delays_[output], stages_ - 1 - stage_of(output));
}

uint64_t PipelineStages::register_bits(const Wiring& wiring, unsigned bits) const {
  std::vector<unsigned> ways(wiring.groups(), 1);
  for (const Node& node : wiring.nodes()) {
    if (is_select(node))
      ways[node.group] = std::max(ways[node.group], static_cast<unsigned>(node.inputs.size()));
  }
  uint64_t sum = uint64_t{stages_ - 1} * wiring.outputs().size();
  for (const unsigned delay : delays_) sum += uint64_t{delay} * bits;
  for (size_t group = 0; group < ways.size(); ++group)
    sum += uint64_t{select_delays_[group]} * log2_of(ways[group]);
  return sum;
}

}  // namespace shflsim::model
