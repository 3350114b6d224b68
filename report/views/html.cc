// SPDX-License-Identifier: Apache-2.0
// The run as an HTML page: the JSON view and more: the states, the units and the shuffle ports over
// time, the states of each warp, and whose values the SHFLs moved.
#include <algorithm>
#include <map>
#include <memory>

#include "model/observers.h"
#include "report/page/page.h"
#include "report/run/bins.h"
#include "report/run/json_fields.h"
#include "report/run/source_lines.h"
#include "report/run/view.h"
#include "report/time/port_passes.h"
#include "report/time/ports_over_time.h"
#include "report/time/units_over_time.h"

namespace shflsim::report {
namespace {

constexpr size_t kMostWarps = 256;  // most warps with their own row
constexpr size_t kMostMaps = 32;    // most different lane maps of an instruction

/// Sums the states of warps over time, and by warp.
class StatesOverTime final : public model::Observer {
 public:
  void stood(const model::ResidentWarp& warp, uint32_t /*index*/, model::WarpState state,
             model::Cycle from, model::Cycle to) override {
    const auto which = static_cast<size_t>(state);
    if (warp.index < kMostWarps) {
      if (warps_.size() <= warp.index) warps_.resize(warp.index + 1);
      warps_[warp.index][which] += to - from;
    }
    bins_.add(which, from, to);
  }
  Json over_time(model::Cycle cycles) const {
    return {{"cycles", bins_.width()}, {"states", bins_.over(cycles)}};
  }
  Json warps() const { return warps_; }

 private:
  Bins bins_ = Bins(model::kWarpStates);
  std::vector<model::StateCycles> warps_;
};

Json map_json(const isa::LaneMap& map) {
  return {{"source", map.source},
          {"executing", map.executing},
          {"in_range", map.in_range},
          {"undefined", map.undefined}};
}

/// The different lane maps of each SHFL line, in the order of their issue.
class LaneMaps final : public model::Observer {
 public:
  std::shared_ptr<void> elaborate(const traces::Trace& trace,
                                  const model::RunResult& result) override {
    code_ = &trace.code;
    passes_ = std::make_unique<PortPasses>(trace, result);
    return nullptr;
  }
  void issued(const model::ResidentWarp& /*warp*/, const model::Issue& issue) override {
    const bool has_map = issue.payload != traces::Step::kNone;
    if (!has_map || !code_->lines[issue.index].is_shuffle()) return;
    std::vector<uint32_t>& of_line = maps_[issue.index];
    if (std::find(of_line.begin(), of_line.end(), issue.payload) == of_line.end())
      of_line.push_back(issue.payload);
  }
  /// The first maps of each line, and the number of all.
  Json of(const traces::Trace& trace) const {
    Json lines = Json::object();
    for (const auto& [index, payloads] : maps_) {
      Json shown = Json::array();
      for (size_t i = 0; i < std::min(kMostMaps, payloads.size()); ++i)
        shown.push_back(map_json(trace.maps()[payloads[i]]));
      for (size_t i = 0; i < shown.size(); ++i)
        shown[i]["pass"] = passes_->passes_of_lanes(payloads[i]);
      lines[std::to_string(index)] = {{"maps", payloads.size()}, {"shown", shown}};
    }
    return lines;
  }

 private:
  const isa::Code* code_ = nullptr;
  std::unique_ptr<PortPasses> passes_;
  std::map<uint32_t, std::vector<uint32_t>> maps_;  ///< map payloads by line
};

Json units_json(const UnitsOverTime& units, const model::RunResult& result) {
  Json strips = Json::array();
  for (const UnitStrip& strip : units.strips(result))
    strips.push_back({{"unit", strip.unit}, {"instances", strip.instances}, {"busy", strip.busy}});
  return {{"cycles", units.width()}, {"strips", strips}};
}

Json ports_json(const PortsOverTime& ports, const model::RunResult& result) {
  Json strips = Json::array();
  for (const PortsOverTime::Port& port : ports.ports(result.cycles))
    strips.push_back({{"port", port.name}, {"passes", port.passes}});
  return {{"cycles", ports.width()}, {"instances", ports.instances()}, {"ports", strips}};
}

class HtmlView final : public View {
 public:
  HtmlView() {
    for (model::Observer* each : std::initializer_list<model::Observer*>{
             &states_, &units_, &ports_, &lane_maps_, json_->observer()})
      observers_.add(each);
  }
  model::Observer* observer() override { return &observers_; }
  std::string content(const Run& run) override {
    Json json = Json::parse(json_->content(run));
    json["over_time"] = states_.over_time(run.result.cycles);
    json["units_over_time"] = units_json(units_, run.result);
    json["ports_over_time"] = ports_json(ports_, run.result);
    json["warp_states"] = states_.warps();
    json["lane_maps"] = lane_maps_.of(run.trace);
    json["sources"] = source_texts(run);
    return page_of(json.dump(-1, ' ', false, Json::error_handler_t::replace));
  }

 private:
  const std::unique_ptr<View> json_ = Views::table().at("json").make();
  StatesOverTime states_;
  UnitsOverTime units_;
  PortsOverTime ports_;
  LaneMaps lane_maps_;
  model::Observers observers_;
};

const bool html_registered = Views::add<HtmlView>("html", "a page for a browser, in one file");

}  // namespace
}  // namespace shflsim::report
