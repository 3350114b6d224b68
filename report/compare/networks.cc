// SPDX-License-Identifier: Apache-2.0
#include "report/compare/networks.h"

#include <fmt/format.h>

#include "report/run/field_table.h"
#include "report/run/rows.h"
#include "report/terminal/screen.h"

namespace shflsim::report {
namespace {

constexpr size_t kNameWidth = 24;

Fields<NetworkRow> make_columns() {
  using Row = const NetworkRow&;
  Fields<NetworkRow> fields = {
      {"name", "", "Name of the network.", [](Row row) { return row.name; }, "network"},
      {"help", "", "What it is.", [](Row row) { return row.help; }}};
  for (const Field<DesignCost>& column : hardware_columns()) {
    Field<NetworkRow> field{column.key, column.unit, column.help,
                            [&column](Row row) { return column.get(row.cost); }, column.heading};
    field.kind = column.kind;
    fields.push_back(field);
  }
  return fields;
}

std::vector<TextColumn> cost_columns(const Json& rows) {
  std::vector<TextColumn> columns;
  for (const Field<NetworkRow>& field : network_columns()) {
    if (field.heading.empty()) continue;
    TextColumn column{field.heading, field.key == "name"};
    column.rank = field.key == "name" ? 0 : rank_of(field.key);
    for (const Json& row : rows) column.cells.push_back(figure_text(value_of(row[field.key])));
    columns.push_back(column);
  }
  return columns;
}

}  // namespace

const Fields<NetworkRow>& network_columns() {
  static const Fields<NetworkRow> fields = make_columns();
  return fields;
}

Document networks_document(const std::vector<NetworkRow>& rows) {
  Document list = document_of("shflsim-list-networks/1", "networks", network_columns(), rows);
  const model::Technology& technology = rows.front().cost.technology;
  list.json()["library"] = technology.library;
  list.json()["lane_pitch"] = technology.lane_pitch;
  return list;
}

void write_networks(std::ostream& out, const Document& list) {
  for (const Json& row : list.rows()) {
    write_line(out,
               fmt::format("{:<{}}{}", row["name"].get<std::string>(), kNameWidth,
                           row["help"].get<std::string>()),
               kNameWidth);
  }
  out << '\n';
  write_wrapped(out,
                fmt::format("All units of an SM; areas and delays as multiples of a crossbar's, "
                            "in cells of {} with lanes {} um apart",
                            list.json()["library"].get<std::string>(),
                            list.json()["lane_pitch"].get<uint64_t>()));
  write_columns(out, cost_columns(list.rows()));
}

}  // namespace shflsim::report
