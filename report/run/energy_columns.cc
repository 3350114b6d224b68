// SPDX-License-Identifier: Apache-2.0
#include "report/run/energy_columns.h"

#include <optional>
#include <utility>

#include "report/run/chosen_network.h"
#include "report/run/design_cost.h"

namespace shflsim::report {
namespace {

constexpr double kPicojoules = 1e12;  // per joule
constexpr const char* kIdle = "idle";

/// Joules of one kind of work.
double joules_of(const model::RunResult& result, const char* work) {
  double joules = 0;
  for (const model::EnergyStats& each : result.energy) {
    if (each.work == work) joules += static_cast<double>(each.picojoules) / kPicojoules;
  }
  return joules;
}

Value if_known(const Run& run, double figure) {
  return run.result.energy.empty() ? Value() : Value(figure);
}

/// Picojoules of all SHFLs of a run, and their number; nothing if the energy is unknown.
std::optional<std::pair<double, uint64_t>> energy_of_shuffles(const Run& run) {
  const uint64_t shuffles = shuffles_of(run.trace, run.result);
  if (shuffles == 0) return {};
  const std::optional<DesignCost> cost = cost_of_run(run.result);
  if (!cost || !cost->has_wires) return {};
  return std::pair(energy_of(run.trace, run.result, *cost), shuffles);
}

}  // namespace

double joules_of(const model::RunResult& result) {
  double joules = 0;
  for (const model::EnergyStats& each : result.energy)
    joules += static_cast<double>(each.picojoules) / kPicojoules;
  return joules;
}

Fields<Run> energy_totals() {
  return {
      {"energy_nj", "nJ", "Energy of all SHFLs: their passes, operand reads and result writes.",
       [](const Run& run) -> Value {
         const auto energy = energy_of_shuffles(run);
         return energy ? Value(energy->first / 1000) : Value();
       }},
      {"shfl_energy_pj", "pJ", "Energy of a SHFL: its passes, operand read and result write; mean.",
       [](const Run& run) -> Value {
         const auto energy = energy_of_shuffles(run);
         return energy ? Value(energy->first / static_cast<double>(energy->second)) : Value();
       }},
      {"energy_joules", "J",
       "Energy of the launch on the whole board, its idle power included; empty where the chip's "
       "energies were not measured.",
       [](const Run& run) { return if_known(run, joules_of(run.result)); }},
      {"idle_joules", "J", "Of this, the idle power of the board while the launch runs.",
       [](const Run& run) { return if_known(run, joules_of(run.result, kIdle)); }},
  };
}

const Fields<EnergyRow>& energy_columns() {
  static const Fields<EnergyRow> fields = {
      {"work", "", "What the energy is spent on, as in the section `energy` of the configuration.",
       [](const EnergyRow& row) { return row.energy.work; }},
      {"amount", "",
       "Warp instructions, lanes, wavefronts, words of four bytes, sectors, blocks, or cycles.",
       [](const EnergyRow& row) { return row.energy.amount; }},
      {"toggling", "", "Of these, as many as would have half of their bits toggle.",
       [](const EnergyRow& row) { return row.energy.toggling; }},
      {"picojoules", "pJ", "What they take.",
       [](const EnergyRow& row) { return row.energy.picojoules; }},
      {"share", "fraction", "Its part of the energy of the launch.",
       [](const EnergyRow& row) {
         return static_cast<double>(row.energy.picojoules) / kPicojoules /
                joules_of(row.run.result);
       }},
  };
  return fields;
}

}  // namespace shflsim::report
