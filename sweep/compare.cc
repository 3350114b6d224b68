// SPDX-License-Identifier: Apache-2.0
#include "sweep/compare.h"

#include <memory>
#include <string>
#include <utility>

#include "model/run.h"
#include "report/compare_design.h"
#include "sweep/jobs.h"

namespace shflsim::sweep {
namespace {

using report::Comparison;
using report::Design;
using report::Workload;

/// What a design's config chooses for the shuffle units.
struct ChosenNetwork {
  report::DesignCost cost;
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
  const std::unique_ptr<model::NetworkChoice> choice = report::network_choice(design.layers);
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

/// The runs, workload by workload.
void run_points(unsigned processes, const std::function<void(size_t, size_t)>& done,
                model::Cycle most_cycles, Comparison* comparison) {
  const std::vector<Design>& designs = comparison->designs;
  const std::vector<Workload>& workloads = comparison->workloads;
  const size_t count = workloads.size() * designs.size();
  const auto job = [&](size_t number) {
    const Workload& workload = workloads[number / designs.size()];
    return Job{kept_by_owner(workload.trace), designs[number % designs.size()].layers, 1,
               most_cycles};
  };
  const auto take = [&](size_t number, Outcome outcome) {
    const size_t workload = number / designs.size();
    const Design& design = designs[number % designs.size()];
    throw_failure(outcome, workloads[workload].name + " on " + design.name + ": ");
    comparison->points[workload].push_back(std::move(outcome.result));
    done(number + 1, count);
  };
  comparison->points.resize(workloads.size());
  run_each(count, processes, job, take);
}

}  // namespace

Comparison compare(std::vector<Workload> workloads, std::vector<Design> designs, unsigned processes,
                   const std::function<void(size_t, size_t)>& done, model::Cycle most_cycles) {
  Comparison comparison;
  comparison.workloads = std::move(workloads);
  comparison.designs = std::move(designs);
  comparison.ports.resize(comparison.workloads.size());
  for (const Design& design : comparison.designs) {
    comparison.machines.push_back(report::machine_of(design.layers));
    const ChosenNetwork chosen = chosen_network(design);
    comparison.costs.push_back(chosen.cost);
    for (size_t i = 0; i < comparison.workloads.size(); ++i) {
      comparison.ports[i].push_back(
          report::port_use(comparison.workloads[i].trace, *chosen.network));
    }
  }
  run_points(processes, done, most_cycles, &comparison);
  comparison.dominated_by.resize(comparison.designs.size());
  return comparison;
}

}  // namespace shflsim::sweep
