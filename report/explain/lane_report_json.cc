// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/explain/lane_report.h"
#include "report/run/json_fields.h"

namespace shflsim::report {
namespace {

using isa::LaneSource;

std::string kind_text(LaneSource::Kind kind) {
  static const char* const kKinds[] = {"old", "lane", "zero", "undefined"};
  return kKinds[static_cast<size_t>(kind)];
}

Json move_json(const isa::LaneMove& move) {
  Json results = Json::array();
  for (unsigned result = 0; result < move.results; ++result) {
    Json lanes = Json::array();
    for (unsigned lane = 0; lane < move.lanes; ++lane) {
      const LaneSource& from = move.source[result][lane];
      lanes.push_back({{"lane", lane},
                       {"from", kind_text(from.kind)},
                       {"operand", from.operand},
                       {"source", from.lane}});
    }
    results.push_back(lanes);
  }
  return results;
}

Json sequence_json(const ExplainedLanes& lanes) {
  Json sequence = Json::array();
  for (const isa::LanePart& part : lanes.sequence) {
    sequence.push_back({{"text", part.instruction.text},
                        {"chained", part.chained},
                        {"needs", needs_text(part.candidate)},
                        {"cycles", part.instruction.cost.cycles},
                        {"cost", cost_text(part.instruction.cost)}});
  }
  return sequence;
}

}  // namespace

Document lanes_explanation(const ExplainedLanes& lanes) {
  const isa::LaneInstruction& instruction = lanes.read.instruction;
  Json json = {{"schema", "shflsim-explain-lanes/1"},
               {"text", instruction.text},
               {"family", lanes.read.family->name},
               {"word", lane_words(instruction.words)},
               {"cost", cost_text(instruction.cost)},
               {"active", fmt::format("0x{:x}", lanes.active)},
               {"steps", Json::array()},
               {"as", lanes.as == nullptr ? "" : lanes.as->name},
               {"sequence", sequence_json(lanes)},
               {"networks", Json::array()}};
  for (const isa::LaneMove& step : instruction.steps) json["steps"].push_back(move_json(step));
  for (const LaneRoute& route : lanes.routes) {
    json["networks"].push_back({{"network", route.network},
                                {"passes", route.passes},
                                {"port_conflicts", route.port_conflicts},
                                {"mux2", route.cost.mux2},
                                {"energy_pj", route.energy ? Json(*route.energy) : Json()}});
  }
  return {json, "networks", {"network", "passes", "port_conflicts", "mux2", "energy_pj"}};
}

}  // namespace shflsim::report
