// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/wiring.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>

namespace shflsim::model {

Wiring::Wiring(unsigned lanes) : lanes_(lanes) {
  for (unsigned lane = 0; lane < lanes; ++lane) add({{}, lane});
}

Wire Wiring::add(const Node& node) {
  nodes_.push_back(node);
  return static_cast<Wire>(nodes_.size() - 1);
}

Wire Wiring::mux(unsigned group, const std::vector<Wire>& inputs, unsigned place, unsigned port) {
  if (inputs.size() == 1) return inputs.front();
  return add({inputs, place, group, port});
}

Wire Wiring::tree(std::vector<Wire> inputs, unsigned port) {
  while (inputs.size() > 1) {
    const unsigned level = group();
    const unsigned own_port = inputs.size() == 2 ? port : kNoPort;
    for (size_t pair = 0; pair < inputs.size() / 2; ++pair) {
      const std::vector<Wire> both = {inputs[2 * pair], inputs[2 * pair + 1]};
      const unsigned middle = (nodes_[both[0]].place + nodes_[both[1]].place) / 2;
      inputs[pair] = mux(level, both, middle, own_port);
    }
    inputs.resize(inputs.size() / 2);
  }
  return inputs.front();
}

std::vector<Wire> Wiring::crossbars(const std::vector<Wire>& from, unsigned size,
                                    unsigned first_port) {
  std::vector<Wire> outputs;
  outputs.reserve(from.size());
  for (unsigned place = 0; place < from.size(); ++place) {
    outputs.push_back(
        mux(group(), every(from, place / size * size, 1, size), place, first_port + place));
  }
  return outputs;
}

std::vector<Wire> Wiring::selectors(const std::vector<Wire>& buses, unsigned count) {
  std::vector<Wire> outputs;
  outputs.reserve(count);
  for (unsigned place = 0; place < count; ++place) outputs.push_back(mux(group(), buses, place));
  return outputs;
}

std::vector<Wire> Wiring::either(const std::vector<Wire>& one, const std::vector<Wire>& other) {
  std::vector<Wire> outputs;
  const unsigned choice = group();
  for (unsigned place = 0; place < one.size(); ++place) {
    outputs.push_back(mux(choice, {one[place], other[place]}, place));
  }
  return outputs;
}

std::vector<Wire> Wiring::stage(const std::vector<Wire>& from,
                                const std::function<unsigned(unsigned)>& partner, Control control,
                                unsigned first_port) {
  std::vector<Wire> outputs;
  std::vector<unsigned> groups;
  for (unsigned place = 0; place < from.size(); ++place) {
    const unsigned other = partner(place);
    const bool shared =
        (control == Control::kStage && place > 0) || (control == Control::kSwitch && other < place);
    groups.push_back(!shared ? group() : control == Control::kStage ? groups[0] : groups[other]);
    outputs.push_back(mux(groups[place], {from[place], from[other]}, place, first_port + place));
  }
  return outputs;
}

std::vector<Wire> Wiring::exchanges(std::vector<Wire> from, const std::vector<unsigned>& distances,
                                    Control control, unsigned first_port) {
  for (const unsigned distance : distances) {
    const auto partner = [distance](unsigned place) { return place ^ distance; };
    const auto lanes = static_cast<unsigned>(from.size());
    from = stage(from, partner, control, first_port);
    first_port += lanes;
  }
  return from;
}

Wire Wiring::hold(unsigned place) {
  Node held;
  held.place = place;
  held.clocked = true;
  return add(held);
}

std::vector<Wire> Wiring::inputs() const {
  std::vector<Wire> inputs(lanes_);
  for (unsigned lane = 0; lane < lanes_; ++lane) inputs[lane] = static_cast<Wire>(lane);
  return inputs;
}

std::string Wiring::fingerprint() const {
  std::vector<uint32_t> numbers;
  for (const Node& node : nodes_) {
    numbers.insert(numbers.end(),
                   {node.clocked ? 1u : 0u, node.group, static_cast<uint32_t>(node.inputs.size())});
    numbers.insert(numbers.end(), node.inputs.begin(), node.inputs.end());
  }
  numbers.insert(numbers.end(), outputs_.begin(), outputs_.end());
  return fmt::format("{:016x}", XXH3_64bits(numbers.data(), numbers.size() * sizeof numbers[0]));
}

std::vector<Wire> every(const std::vector<Wire>& wires, unsigned first, unsigned step,
                        unsigned count) {
  std::vector<Wire> chosen;
  chosen.reserve(count);
  for (unsigned index = 0; index < count; ++index) chosen.push_back(wires[first + index * step]);
  return chosen;
}

std::vector<unsigned> butterfly_distances(unsigned lanes) {
  std::vector<unsigned> distances;
  for (unsigned distance = lanes / 2; distance > 0; distance /= 2) distances.push_back(distance);
  return distances;
}

std::vector<unsigned> inverse_distances(unsigned lanes) {
  std::vector<unsigned> distances = butterfly_distances(lanes);
  std::reverse(distances.begin(), distances.end());
  return distances;
}

std::vector<unsigned> benes_distances(unsigned lanes) {
  std::vector<unsigned> distances = butterfly_distances(lanes);
  const std::vector<unsigned> back = inverse_distances(lanes);
  distances.insert(distances.end(), back.begin() + 1, back.end());
  return distances;
}

}  // namespace shflsim::model
