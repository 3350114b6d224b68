// SPDX-License-Identifier: Apache-2.0
#include "report/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "isa/input_error.h"
#include "model/run.h"
#include "report/columns.h"
#include "report/compare_design.h"
#include "report/compare_points.h"

namespace shflsim::report {
namespace {

using Json = nlohmann::ordered_json;

/// What a design's config chooses for the shuffle units.
struct ChosenNetwork {
  DesignCost cost;
  std::unique_ptr<model::ShuffleNetwork> network;
};

uint32_t units_of(const model::ConfigLayers& layers) {
  uint32_t cluster = model::kSubPartitions;  // that share a unit
  for (const model::ConfigValue& value : model::effective_config(layers)) {
    if (value.key == "shuffle.cluster") cluster = static_cast<uint32_t>(std::stoul(value.value));
  }
  return model::kSubPartitions / cluster;
}

ChosenNetwork chosen_network(const Design& design) {
  const std::unique_ptr<model::NetworkChoice> choice = network_choice(design.layers);
  ChosenNetwork chosen;
  chosen.network = choice->make();
  chosen.cost.network = choice->network();
  chosen.cost.units = units_of(design.layers);
  chosen.cost.network_cost = chosen.network->cost();
  const model::Technology& technology = choice->technology();
  chosen.cost.pass_energy = model::pass_energy(chosen.cost.network_cost, technology, isa::kLanes);
  chosen.cost.register_energy =
      model::shuffle_energy(chosen.cost.network_cost, technology, isa::kLanes, 0);
  return chosen;
}

Json json_of(const model::RunResult& result) {
  Json json = {{"cycles", result.cycles}, {"lines", Json::array()}};
  for (const model::InstructionStats& line : result.instructions) {
    json["lines"].push_back({line.issued, line.passes, line.port_conflicts, line.states});
  }
  return json;
}

Point point_of(const std::string& text) {
  const Json json = Json::parse(text);
  Point point;
  point.cycles = json["cycles"];
  for (const Json& line : json["lines"]) {
    point.lines.push_back({line[0], line[1], line[2], line[3].get<model::StateCycles>()});
  }
  return point;
}

/// One point's run, as run_in_processes wants it.
std::string run_point(const Workload& workload, const Design& design) {
  const std::string place = workload.name + " on " + design.name + ": ";
  try {
    return json_of(model::run(workload.trace, design.layers)).dump();
  } catch (const InputError& error) {
    throw InputError(place + error.what());
  } catch (const model::Deadlock& error) {
    throw model::Deadlock(place + error.what());
  }
}

std::vector<std::vector<Point>> run_points(const Comparison& comparison, unsigned jobs) {
  std::vector<std::function<std::string()>> tasks;
  for (const Workload& workload : comparison.workloads) {
    for (const Design& design : comparison.designs) {
      tasks.emplace_back([&workload, &design] { return run_point(workload, design); });
    }
  }
  std::vector<std::vector<Point>> points(comparison.workloads.size());
  const std::vector<std::string> results = run_in_processes(tasks, jobs);
  for (size_t i = 0; i < results.size(); ++i) {
    points[i / comparison.designs.size()].push_back(point_of(results[i]));
  }
  return points;
}

double number_of(const Figure& figure) {
  if (const auto* whole = std::get_if<int64_t>(&figure)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&figure)) return *real;
  return std::nan("");
}

/// A figure of every design, smaller being better.
std::vector<double> figures_of(const std::string& key, const Comparison& comparison) {
  std::vector<std::string> known;
  for (const Column<DesignRow>& column : design_columns()) {
    const Figure first = column.get({comparison, 0});
    if (std::isnan(number_of(first))) continue;
    known.push_back(column.key);
    if (column.key != key) continue;
    std::vector<double> figures;
    const double sign = key == "speedup" ? -1 : 1;
    for (size_t design = 0; design < comparison.designs.size(); ++design) {
      figures.push_back(sign * number_of(column.get({comparison, design})));
    }
    return figures;
  }
  throw InputError("--pareto: no figure '" + key + "'" + suggestion(key, known));
}

}  // namespace

Comparison compare(std::vector<Workload> workloads, std::vector<Design> designs, unsigned jobs) {
  Comparison comparison;
  comparison.workloads = std::move(workloads);
  comparison.designs = std::move(designs);
  comparison.ports.resize(comparison.workloads.size());
  for (const Design& design : comparison.designs) {
    const ChosenNetwork chosen = chosen_network(design);
    comparison.costs.push_back(chosen.cost);
    for (size_t i = 0; i < comparison.workloads.size(); ++i) {
      comparison.ports[i].push_back(port_use(comparison.workloads[i].trace, *chosen.network));
    }
  }
  comparison.points = run_points(comparison, jobs);
  comparison.dominated_by.resize(comparison.designs.size());
  return comparison;
}

void pareto(const std::string& figures, Comparison* comparison) {
  const size_t comma = figures.find(',');
  if (comma == std::string::npos) {
    throw InputError("--pareto '" + figures + "': expected two figures, such as cycles,mux2");
  }
  const std::vector<double> x = figures_of(figures.substr(0, comma), *comparison);
  const std::vector<double> y = figures_of(figures.substr(comma + 1), *comparison);
  for (size_t design = 0; design < x.size(); ++design) {
    comparison->dominated_by[design].clear();
    for (size_t other = 0; other < x.size(); ++other) {
      const bool as_good = x[other] <= x[design] && y[other] <= y[design];
      const bool better = x[other] < x[design] || y[other] < y[design];
      if (!as_good || !better) continue;
      comparison->dominated_by[design] = comparison->designs[other].name;
      break;
    }
  }
}

std::vector<LineDifference> line_differences(const PointRow& row) {
  const std::vector<Point>& points = row.comparison.points[row.workload];
  const std::vector<Point::Line>& base = points.front().lines;
  const std::vector<Point::Line>& lines = points[row.design].lines;
  std::vector<LineDifference> differences;
  for (size_t index = 0; index < lines.size(); ++index) {
    LineDifference difference{index, 0, 0, model::WarpState::kSelected};
    difference.passes =
        static_cast<int64_t>(lines[index].passes) - static_cast<int64_t>(base[index].passes);
    int64_t most = 0;
    for (const model::WarpState state : all_states()) {
      const auto s = static_cast<size_t>(state);
      const int64_t cycles = static_cast<int64_t>(lines[index].states[s]) -
                             static_cast<int64_t>(base[index].states[s]);
      difference.warp_cycles += cycles;
      if (std::abs(cycles) > most) difference.state = state;
      most = std::max(most, std::abs(cycles));
    }
    if (most != 0 || difference.passes != 0) differences.push_back(difference);
  }
  std::stable_sort(differences.begin(), differences.end(), [](const auto& a, const auto& b) {
    return std::abs(a.warp_cycles) > std::abs(b.warp_cycles);
  });
  return differences;
}

bool equals_first(const PointRow& row) {
  const std::vector<Point>& points = row.comparison.points[row.workload];
  return points[row.design].cycles == points.front().cycles && line_differences(row).empty();
}

}  // namespace shflsim::report
