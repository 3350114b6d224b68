// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "isa/codec.h"
#include "report/explain.h"
#include "report/rows.h"

namespace shflsim::report {
namespace {

bool has(isa::LaneMask mask, unsigned lane) { return (mask >> lane & 1u) != 0; }

Json lane_json(const isa::LaneMap& map, unsigned lane) {
  return {{"lane", lane},
          {"executes", has(map.executing, lane)},
          {"source", map.source[lane]},
          {"in_range", has(map.in_range, lane)},
          {"undefined", has(map.undefined, lane)}};
}

Json route_json(const ExplainedRoute& route) {
  return {{"network", route.network},
          {"passes", route.passes},
          {"port_conflicts", route.port_conflicts},
          {"energy_pj", route.energy},
          {"collisions", route.collisions}};
}

}  // namespace

Document explanation(const ExplainedShuffle& shuffle, const std::vector<ExplainedRoute>& routes) {
  Json json = {{"schema", "shflsim-explain/1"},     {"text", isa::text_of(shuffle.shfl)},
               {"word", word_digits(shuffle.shfl)}, {"ptx", ptx_spelling(shuffle)},
               {"cuda", cuda_spelling(shuffle)},    {"lanes", Json::array()},
               {"networks", Json::array()}};
  for (unsigned lane = 0; lane < isa::kLanes; ++lane)
    json["lanes"].push_back(lane_json(shuffle.map, lane));
  for (const ExplainedRoute& route : routes) json["networks"].push_back(route_json(route));
  return {json, "networks", {"network", "passes", "port_conflicts", "energy_pj", "collisions"}};
}

}  // namespace shflsim::report
