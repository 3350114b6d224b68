// SPDX-License-Identifier: Apache-2.0
#include "tests/model/shuffle/patterns.h"

#include <algorithm>
#include <numeric>
#include <ostream>

namespace shflsim::test {
namespace {

void set(const model::Parameter& parameter, const Settings& settings) {
  const auto named = std::find_if(settings.begin(), settings.end(), [&](const auto& setting) {
    return setting.first == parameter.key;
  });
  const bool given = named != settings.end();
  if (parameter.word) {
    *parameter.word = given ? named->second : parameter.choices.front();
  } else {
    *parameter.number = given ? static_cast<uint32_t>(std::stoul(named->second)) : parameter.least;
  }
}

}  // namespace

std::unique_ptr<model::ShuffleNetwork> make_network(const std::string& name,
                                                    const Settings& settings, unsigned lanes) {
  model::NetworkChoice choice;
  model::ParameterList list;
  choice.list(list);
  for (const model::Parameter& parameter : list.all()) set(parameter, settings);
  return choice.make(name, lanes);
}

void PrintTo(const Design& design, std::ostream* out) { *out << design.label; }

const std::vector<Design>& designs() {
  static const std::vector<Design> designs = {
      {"crossbar", "crossbar", {}},
      {"half_outputs", "half_outputs", {}},
      {"half_inputs", "half_inputs", {}},
      {"banked_2x1", "banked", {{"shuffle.banked.banks", "2"}}},
      {"banked_4x1", "banked", {{"shuffle.banked.banks", "4"}}},
      {"banked_2x2_high",
       "banked",
       {{"shuffle.banked.banks", "2"},
        {"shuffle.banked.ports", "2"},
        {"shuffle.banked.interleave", "high"}}},
      {"benes", "benes", {}},
      {"benes_looping", "benes", {{"shuffle.benes.routing", "looping"}}},
      {"benes_self_routing", "benes", {{"shuffle.benes.routing", "self_routing"}}, true},
      {"benes_copy", "benes_copy", {}},
      {"omega", "omega", {}},
      {"omega_by_bits", "omega", {{"shuffle.omega.routing", "destination_bits"}}, true},
      {"butterfly", "butterfly", {}},
      {"butterfly_by_bits", "butterfly", {{"shuffle.butterfly.routing", "destination_bits"}}, true},
      {"butterfly_pair", "butterfly_pair", {}},
      {"butterfly_pair_by_bits",
       "butterfly_pair",
       {{"shuffle.butterfly_pair.routing", "destination_bits"}},
       true},
      {"rotator", "rotator", {}},
      {"xor", "xor", {}},
      {"shifter", "shifter", {}},
      {"hierarchical_2", "hierarchical", {{"shuffle.hierarchical.group", "2"}}},
      {"hypercube", "hypercube", {}, true},
      {"quad", "quad", {}},
      {"ring_one_way", "ring", {{"shuffle.ring.ways", "1"}}},
      {"ring_two_way", "ring", {{"shuffle.ring.ways", "2"}}},
      {"toy_bus", "toy_bus", {{"shuffle.toy_bus.buses", "2"}}},
      {"shared_memory_2", "shared_memory", {{"shuffle.shared_memory.banks", "2"}}},
  };
  return designs;
}

isa::LaneMap map_of(const std::function<unsigned(unsigned)>& source, isa::LaneMask executing,
                    unsigned lanes) {
  isa::LaneMap map;
  map.executing = executing & static_cast<isa::LaneMask>((uint64_t{1} << lanes) - 1);
  map.in_range = isa::kAllLanes;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    map.source[lane] = static_cast<uint8_t>(source(lane));
  }
  return map;
}

isa::LaneMap shfl(isa::ShuffleMode mode, unsigned b, unsigned width) {
  const uint32_t clamp = mode == isa::ShuffleMode::kUp ? 0 : 31;
  const uint32_t segment_mask = ~(width - 1) & 31;
  isa::LaneValues sb;
  isa::LaneValues sc;
  sb.fill(b);
  sc.fill(segment_mask << 8 | clamp);
  return isa::lane_map(mode, sb, sc, isa::kAllLanes);
}

void for_every_map(unsigned lanes, const std::function<void(const isa::LaneMap&)>& visit) {
  unsigned maps = 1;
  for (unsigned lane = 0; lane < lanes; ++lane) maps *= lanes;
  for (unsigned code = 0; code < maps; ++code) {
    unsigned rest = code;
    const isa::LaneMap map = map_of(
        [&](unsigned) {
          const unsigned source = rest % lanes;
          rest /= lanes;
          return source;
        },
        isa::kAllLanes, lanes);
    for (isa::LaneMask executing = 1; executing < 1u << lanes; ++executing) {
      isa::LaneMap masked = map;
      masked.executing = executing;
      visit(masked);
    }
  }
}

isa::LaneMap random_map(std::mt19937* random, unsigned lanes) {
  const bool all_execute = (*random)() % 4 != 0;
  const isa::LaneMask executing = all_execute ? isa::kAllLanes : static_cast<uint32_t>((*random)());
  return map_of([&](unsigned) { return static_cast<unsigned>((*random)() % lanes); }, executing,
                lanes);
}

isa::LaneMap random_permutation(std::mt19937* random) {
  std::vector<unsigned> order(isa::kLanes);
  std::iota(order.begin(), order.end(), 0u);
  for (size_t left = order.size(); left > 1; --left) {  // std::shuffle differs between libraries
    std::swap(order[left - 1], order[(*random)() % left]);
  }
  return map_of([&](unsigned lane) { return order[lane]; });
}

}  // namespace shflsim::test
