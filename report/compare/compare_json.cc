// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/compare/compare.h"
#include "report/run/csv.h"
#include "report/run/json_fields.h"
#include "report/run/rows.h"

namespace shflsim::report {
namespace {

std::string pc_of(const isa::CodeLine& line) { return fmt::format("0x{:04x}", line.address); }

Json lines_of(const PointRow& row) {
  const isa::Code& code = row.comparison.workloads[row.workload].trace.code;
  Json lines = Json::array();
  for (const LineDifference& difference : line_differences(row)) {
    lines.push_back({{"pc", pc_of(code.lines[difference.index])},
                     {"text", code.lines[difference.index].text},
                     {"warp_cycles", difference.warp_cycles},
                     {"passes", difference.passes},
                     {"state", model::warp_state_name(difference.state)}});
  }
  return lines;
}

Json ports_of(const PortUseReport& use) {
  Json ports = Json::array();
  for (size_t port = 0; port < use.carried.size(); ++port) {
    ports.push_back({{"port", use.names[port]}, {"passes", use.carried[port]}});
  }
  return ports;
}

Json shuffles_of(const PortUseReport& use, const isa::Code& code) {
  Json shuffles = Json::array();
  for (const PortUseReport::Shuffle& shuffle : use.shuffles) {
    Json one = {{"pc", pc_of(code.lines[shuffle.index])},
                {"text", code.lines[shuffle.index].text},
                {"issues_by_passes", Json::object()},
                {"port_conflicts_by_port", Json::object()}};
    for (const auto& [passes, issues] : shuffle.issues) {
      one["issues_by_passes"][std::to_string(passes)] = issues;
    }
    for (const auto& [port, lanes] : shuffle.port_conflicts) {
      one["port_conflicts_by_port"][use.names[port]] = lanes;
    }
    shuffles.push_back(one);
  }
  return shuffles;
}

Json point_json(const PointRow& row) {
  const PortUseReport& use = row.comparison.ports[row.workload][row.design];
  Json json = object_of(point_columns(), row);
  json["equals_first"] = equals_first(row);
  json["differences"] = lines_of(row);
  json["shuffle_instructions"] =
      shuffles_of(use, row.comparison.workloads[row.workload].trace.code);
  json["ports"] = ports_of(use);
  return json;
}

Json input_of(const Workload& workload) {
  Json json = {{"workload", workload.name}, {"kernel", workload.trace.code.name}};
  json.update(object_of(input_columns(), workload.origin));
  json["remarks"] = remarks_on(workload.trace);
  json["launch"] = object_of<Run>(launch(), {workload.trace, {}});
  return json;
}

/// A row for each parameter; if `first` is given, only for those that differ from it.
Json config_of(const Machine& machine, const Machine* first) {
  Json config = Json::array();
  for (size_t i = 0; i < machine.values.size(); ++i) {
    if (first != nullptr && machine.values[i].value == first->values[i].value) continue;
    config.push_back(object_of(config_columns(), machine.values[i]));
  }
  return config;
}

Json design_json(const DesignRow& row) {
  const Machine& machine = row.comparison.machines[row.design];
  Json json = object_of(design_columns(), row);
  json["machine"] = object_of(machine_columns(), machine);
  json["remarks"] = remarks_on(machine);
  for (const Workload& workload : row.comparison.workloads) {
    for (const std::string& remark : remarks_on(workload.trace, machine))
      json["remarks"].push_back(workload.name + " on " + remark);
  }
  json["config_differences"] = config_of(machine, &row.comparison.machines.front());
  return json;
}

/// Every workload on every design: the designs of the first workload, then of the next.
std::vector<PointRow> rows_of(const Comparison& comparison) {
  std::vector<PointRow> rows;
  for (size_t workload = 0; workload < comparison.workloads.size(); ++workload) {
    for (size_t design = 0; design < comparison.designs.size(); ++design) {
      rows.push_back({comparison, workload, design});
    }
  }
  return rows;
}

}  // namespace

Document comparison_document(const Comparison& comparison) {
  Json json = object_of(comparison_header(), comparison);
  json["verdict"] = verdict_on(comparison);
  json["complete"] = is_complete(comparison);
  json["inputs"] = Json::array();
  for (const Workload& workload : comparison.workloads)
    json["inputs"].push_back(input_of(workload));
  json["designs"] = Json::array();
  for (size_t design = 0; design < comparison.designs.size(); ++design)
    json["designs"].push_back(design_json({comparison, design}));
  json["points"] = Json::array();
  for (const PointRow& row : rows_of(comparison)) json["points"].push_back(point_json(row));
  json["config"] = config_of(comparison.machines.front(), nullptr);
  return {json, "points", {}};
}

std::string comparison_json(const Comparison& comparison) {
  return json_of(comparison_document(comparison));
}

std::string comparison_csv(const Comparison& comparison) {
  std::string text;
  for (const Field<PointRow>& column : point_columns()) {
    text += (text.empty() ? "" : ",") + column.key;
  }
  text += csv_head_keys();
  for (const PointRow& row : rows_of(comparison)) {
    std::string line;
    for (const Field<PointRow>& column : point_columns()) {
      line += (&column == point_columns().data() ? "" : ",") + csv_cell(column.get(row));
    }
    text += "\n" + line +
            csv_head(row.comparison.workloads[row.workload].origin,
                     row.comparison.machines[row.design]);
  }
  return text + "\n";
}

}  // namespace shflsim::report
