// SPDX-License-Identifier: Apache-2.0
#include "report/page/described_columns.h"

#include "report/compare/accuracy.h"
#include "report/compare/compare.h"
#include "report/run/columns.h"
#include "report/run/energy_columns.h"
#include "report/run/head.h"
#include "report/run/metrics.h"
#include "report/run/occupancy.h"
#include "report/run/sensitivity.h"
#include "report/time/critical_path.h"

namespace shflsim::report {
namespace {

template <class Row>
void describe(const char* list, const Fields<Row>& fields, std::vector<DescribedColumn>* all) {
  for (const Field<Row>& field : fields) all->push_back({list, field.key, field.unit, field.help});
}

}  // namespace

std::vector<DescribedColumn> described_columns() {
  std::vector<DescribedColumn> all;
  describe("run: head of the JSON", header(), &all);
  describe("input: head of table, JSON, CSV", input_columns(), &all);
  describe("machine: head of table, JSON, CSV", machine_columns(), &all);
  describe("launch: JSON", launch(), &all);
  describe("occupancy: table, JSON", occupancy(), &all);
  describe("totals: table, JSON", totals(), &all);
  describe("states: table, JSON; one row for each warp state", state_columns(), &all);
  describe("units: table, JSON; one row for each unit", unit_columns(), &all);
  describe("energy: table, JSON; one row for each kind of work", energy_columns(), &all);
  describe("instructions: table, JSON, CSV; one row for each static instruction",
           instruction_columns(), &all);
  describe("warps: JSON; one row for each warp", warp_columns(), &all);
  describe("findings: table, JSON; one row for each use of an undefined value", finding_columns(),
           &all);
  describe("critical path: JSON; one row for each kind of wait", path_columns(), &all);
  describe("verdict, bounds: text, JSON; one row for each part of the critical path",
           bound_columns(), &all);
  describe("verdict, busiest: text, JSON; one row for each unit", busiest_columns(), &all);
  describe("verdict, what-ifs: text, JSON; one row for each machine tried", what_if_columns(),
           &all);
  describe("sensitivity: text, JSON; one row for each value varied", varied_columns(), &all);
  describe("config: JSON; one row for each parameter", config_columns(), &all);
  describe("compare, designs: table, JSON; one row for each design", design_columns(), &all);
  describe("compare, points: table, JSON, CSV; one row for each workload and design",
           point_columns(), &all);
  describe("sweep, metrics: results, CSV, JSON; one row for each point", metrics(), &all);
  describe("accuracy: head of the JSON", accuracy_header(), &all);
  describe("accuracy, points: JSON, CSV; one row for each line of the timing file",
           accuracy_columns(), &all);
  return all;
}

}  // namespace shflsim::report
