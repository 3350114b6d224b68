// SPDX-License-Identifier: Apache-2.0
#include "sweep/compare.h"

#include <utility>

#include "report/run/chosen_network.h"
#include "sweep/jobs.h"

namespace shflsim::sweep {
namespace {

using report::Comparison;
using report::Design;
using report::Workload;

/// Runs all points, workload by workload.
void run_points(unsigned processes, const std::function<void(size_t, size_t)>& done,
                model::Cycle most_cycles, unsigned sms, bool is_watched, Comparison* comparison) {
  const std::vector<Design>& designs = comparison->designs;
  const std::vector<Workload>& workloads = comparison->workloads;
  const size_t count = workloads.size() * designs.size();
  const auto job = [&](size_t number) {
    const Workload& workload = workloads[number / designs.size()];
    return Job{kept_by_owner(workload.trace), designs[number % designs.size()].layers, sms,
               most_cycles, is_watched};
  };
  const auto take = [&](size_t number, Outcome outcome) {
    const size_t workload = number / designs.size();
    const Design& design = designs[number % designs.size()];
    throw_failure(outcome, workloads[workload].name + " on " + design.name + ": ");
    comparison->points[workload].push_back(std::move(outcome.result));
    if (is_watched) comparison->watched[workload].push_back(outcome.watched);
    done(number + 1, count);
  };
  comparison->points.resize(workloads.size());
  if (is_watched) comparison->watched.resize(workloads.size());
  run_each(count, processes, job, take);
}

}  // namespace

Comparison compare(std::vector<Workload> workloads, std::vector<Design> designs, unsigned processes,
                   const std::function<void(size_t, size_t)>& done, model::Cycle most_cycles,
                   unsigned sms, bool is_watched) {
  Comparison comparison;
  comparison.workloads = std::move(workloads);
  comparison.designs = std::move(designs);
  comparison.ports.resize(comparison.workloads.size());
  for (const Design& design : comparison.designs) {
    comparison.machines.push_back(report::machine_of(design.layers));
    const report::ChosenNetwork chosen = report::chosen_network(design.layers);
    comparison.costs.push_back(chosen.cost);
    for (size_t i = 0; i < comparison.workloads.size(); ++i) {
      comparison.ports[i].push_back(
          report::port_use(comparison.workloads[i].trace, *chosen.network));
    }
  }
  run_points(processes, done, most_cycles, sms, is_watched, &comparison);
  comparison.dominated_by.resize(comparison.designs.size());
  return comparison;
}

}  // namespace shflsim::sweep
