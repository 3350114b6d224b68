// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "isa/codec/codec.h"
#include "report/explain/explain.h"
#include "report/run/json_fields.h"
#include "report/run/rows.h"

#include "isa/lanes/lane_bits.h"

namespace shflsim::report {
namespace {

Json lane_json(const isa::LaneMap& map, unsigned lane) {
  return {{"lane", lane},
          {"executes", isa::bit_of(map.executing, lane)},
          {"source", map.source[lane]},
          {"in_range", isa::bit_of(map.in_range, lane)},
          {"undefined", isa::bit_of(map.undefined, lane)}};
}

/// The word of the SHFL in each family: for its own architecture, and for the oldest architecture
/// of the other family.
Json words_json(const isa::Instruction& shfl) {
  const bool is_maxwell = isa::family_of(shfl.arch) == isa::Family::kMaxwell;
  const std::string text = isa::text_of(shfl);
  const isa::Arch later = is_maxwell ? isa::Arch::kSm70 : shfl.arch;
  const isa::Word word = isa::encode(isa::Arch::kSm50, text, 0).word;
  const isa::Word wide = isa::encode(later, text, 0).word;
  return {{{"arch", "sm_50"}, {"word", fmt::format("{:016x}", word.low)}},
          {{"arch", isa::name_of(later)},
           {"word", fmt::format("{:016x}{:016x}", wide.high, wide.low)}}};
}

Json pass_json(const model::Pass& pass, const ExplainedRoute& route) {
  Json lanes = Json::array();
  Json ports = Json::array();
  for (const model::Delivery& delivery : pass.deliveries) lanes.push_back(delivery.lane);
  for (const model::PortUse& use : pass.uses)
    ports.push_back({{"port", route.port_names.at(use.port)}, {"source", use.source}});
  return {{"lanes", lanes}, {"ports", ports}, {"through_memory", pass.through_memory}};
}

Json cost_json(const model::NetworkCost& cost) {
  return {{"mux2", cost.mux2},
          {"switches", cost.switches},
          {"mux_levels", cost.mux_levels},
          {"wire_tracks", cost.wire_tracks},
          {"wire_length", cost.wire_length},
          {"configuration_bits", cost.configuration_bits},
          {"result_registers", cost.result_registers},
          {"state_registers", cost.state_registers},
          {"lane_enables", cost.lane_enables}};
}

Json route_json(const ExplainedRoute& route) {
  Json schedule = Json::array();
  for (const model::Pass& pass : route.schedule.passes) schedule.push_back(pass_json(pass, route));
  return {{"network", route.network},
          {"passes", route.schedule.pass_count()},
          {"port_conflicts", route.schedule.port_conflicts()},
          {"energy_pj", route.energy ? Json(*route.energy) : Json()},
          {"collisions", route.collisions},
          {"set_up", route.schedule.set_up},
          {"cost", cost_json(route.cost)},
          {"schedule", schedule}};
}

}  // namespace

Document explanation(const ExplainedShuffle& shuffle, const std::vector<ExplainedRoute>& routes) {
  Json json = {{"schema", "shflsim-explain/1"},      {"text", isa::text_of(shuffle.shfl)},
               {"word", word_digits(shuffle.shfl)},  {"words", words_json(shuffle.shfl)},
               {"ptx", ptx_spelling(shuffle)},       {"cuda", cuda_spelling(shuffle)},
               {"segments", segments_text(shuffle)}, {"lanes", Json::array()},
               {"networks", Json::array()}};
  for (unsigned lane = 0; lane < isa::kLanes; ++lane)
    json["lanes"].push_back(lane_json(shuffle.map, lane));
  for (const ExplainedRoute& route : routes) json["networks"].push_back(route_json(route));
  return {json, "networks", {"network", "passes", "port_conflicts", "energy_pj", "collisions"}};
}

}  // namespace shflsim::report
