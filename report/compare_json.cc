// SPDX-License-Identifier: Apache-2.0
#include "report/compare.h"
#include "report/csv.h"
#include "report/json_fields.h"

namespace shflsim::report {
namespace {

Json lines_of(const PointRow& row) {
  const isa::Code& code = row.comparison.workloads[row.workload].trace.code;
  Json lines = Json::array();
  for (const LineDifference& difference : line_differences(row)) {
    lines.push_back({{"address", code.lines[difference.index].address},
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
    Json one = {{"address", code.lines[shuffle.index].address},
                {"text", code.lines[shuffle.index].text},
                {"issues_by_passes", Json::object()},
                {"lanes_waited_by_port", Json::object()}};
    for (const auto& [passes, issues] : shuffle.issues) {
      one["issues_by_passes"][std::to_string(passes)] = issues;
    }
    for (const auto& [port, lanes] : shuffle.lanes_waited) {
      one["lanes_waited_by_port"][use.names[port]] = lanes;
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

/// Every workload on every design, in that order.
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

std::string comparison_json(const Comparison& comparison) {
  Json json = {
      {"complete", is_complete(comparison)}, {"designs", Json::array()}, {"points", Json::array()}};
  for (size_t design = 0; design < comparison.designs.size(); ++design) {
    json["designs"].push_back(object_of<DesignRow>(design_columns(), {comparison, design}));
  }
  for (const PointRow& row : rows_of(comparison)) json["points"].push_back(point_json(row));
  // Names come from the user's file: bytes that are no UTF-8 are replaced.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string comparison_csv(const Comparison& comparison) {
  std::string text;
  for (const Field<PointRow>& column : point_columns()) {
    text += (text.empty() ? "" : ",") + column.key;
  }
  for (const PointRow& row : rows_of(comparison)) {
    std::string line;
    for (const Field<PointRow>& column : point_columns()) {
      line += (&column == point_columns().data() ? "" : ",") + csv_cell(column.get(row));
    }
    text += "\n" + line;
  }
  return text + "\n";
}

}  // namespace shflsim::report
