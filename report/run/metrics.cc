// SPDX-License-Identifier: Apache-2.0
#include "report/run/metrics.h"

#include <algorithm>

namespace shflsim::report {
namespace {

using model::WarpState;

template <class Row, class Part>
void add_fields(const Fields<Row>& from, Part part, Fields<Measured>* fields) {
  for (const Field<Row>& field : from) {
    fields->push_back({field.key, field.unit, field.help, [&field, part](const Measured& measured) {
                         return field.get(part(measured));
                       }});
  }
}

void add_states(Fields<Measured>* fields) {
  for (const WarpState state : all_states()) {
    fields->push_back(
        {std::string("stall_") + model::warp_state_name(state), "warp-cycles",
         std::string("Warp-cycles in which the warp ") + model::warp_state_help(state) + ".",
         [state](const Measured& measured) {
           return measured.run.result.states[static_cast<size_t>(state)];
         }});
  }
}

/// Replaces the energy of totals() by that of the known cost.
void give_energy(Fields<Measured>* fields) {
  for (Field<Measured>& field : *fields) {
    if (field.key == "energy_nj") {
      field.get = [](const Measured& row) -> Value {
        if (!row.cost.has_wires) return {};
        return energy_of(row.run.trace, row.run.result, row.cost) / 1000;
      };
    } else if (field.key == "shfl_energy_pj") {
      field.get = [](const Measured& row) {
        return mean_energy(row.cost, shuffles_of(row.run.trace, row.run.result),
                           energy_of(row.run.trace, row.run.result, row.cost));
      };
    }
  }
}

Fields<Measured> make_metrics() {
  using Row = const Measured&;
  Fields<Measured> fields;
  add_fields(
      totals(), [](Row row) -> const Run& { return row.run; }, &fields);
  give_energy(&fields);
  fields.push_back({"shuffles", "warp instructions", "SHFLs issued.",
                    [](Row row) { return shuffles_of(row.run.trace, row.run.result); }});
  fields.push_back({"stall_cycles", "warp-cycles", "Warp-cycles in any state but `selected`.",
                    [](Row row) { return stalls_of(row.run.result); }});
  add_states(&fields);
  fields.push_back({"pass_energy_pj", "pJ",
                    "Energy of a pass of the network that serves all lanes.", [](Row row) -> Value {
                      return row.cost.has_wires ? Value(row.cost.pass_energy) : Value();
                    }});
  for (const Field<WatchedFigures>& field : watched_columns()) {
    fields.push_back({field.key, field.unit, field.help, [&field](Row row) {
                        return row.watched == nullptr ? Value() : field.get(*row.watched);
                      }});
  }
  add_fields(
      hardware_columns(), [](Row row) -> const DesignCost& { return row.cost; }, &fields);
  return fields;
}

}  // namespace

const Fields<WatchedFigures>& watched_columns() {
  using Row = const WatchedFigures&;
  static const Fields<WatchedFigures> fields = {
      {"shfl_queue_wait", "cycles", "SHFL: from its issue to its unit, mean. Only if asked for.",
       [](Row row) { return row.queue_wait ? Value(*row.queue_wait) : Value(); }},
      {"shfl_stalls", "warp-cycles",
       "In which a warp waits for a SHFL: its result, operand read or place. Only if asked for.",
       [](Row row) { return Value(row.stalls); }},
      {"shfl_path_share", "fraction",
       "Of the critical path, for the rate and latency of SHFLs. Only if asked for.",
       [](Row row) { return Value(row.path_share); }},
  };
  return fields;
}

const Fields<Measured>& metrics() {
  static const Fields<Measured> fields = make_metrics();
  return fields;
}

bool is_watched(const std::string& metric) {
  const Fields<WatchedFigures>& fields = watched_columns();
  return std::any_of(fields.begin(), fields.end(),
                     [&](const Field<WatchedFigures>& field) { return field.key == metric; });
}

bool is_of_hardware(const std::string& metric) {
  const Fields<DesignCost>& columns = hardware_columns();
  return metric == "pass_energy_pj" ||
         std::any_of(columns.begin(), columns.end(),
                     [&](const Field<DesignCost>& column) { return column.key == metric; });
}

}  // namespace shflsim::report
