// SPDX-License-Identifier: Apache-2.0
#include "report/run/csv.h"

#include "report/run/columns.h"
#include "report/run/report.h"
#include "report/run/view.h"

namespace shflsim::report {
namespace {

/// `head`: the cells that end every row.
template <class CellOf>
void add_line(const CellOf& cell_of, const std::string& head, std::string* text) {
  const char* separator = "";
  for (const Field<InstructionRow>& column : instruction_columns()) {
    *text += separator + cell_of(column);
    separator = ",";
  }
  *text += head + '\n';
}

}  // namespace

std::string csv_text(const traces::Trace& trace, const model::RunResult& result,
                     const Origin& origin) {
  const Run run{trace, result, origin};
  const std::string head = csv_head(origin, machine_of(run));
  std::string text = result.stopped_by.empty() ? "" : "# " + partial_text(result) + "\n";
  add_line([](const auto& column) { return column.key; }, csv_head_keys(), &text);
  for (size_t i = 0; i < result.instructions.size(); ++i) {
    add_line([&](const auto& column) { return csv_cell(column.get({run, i})); }, head, &text);
  }
  return text;
}

namespace {

class Csv final : public View {
 public:
  std::string content(const Run& run) override {
    return csv_text(run.trace, run.result, run.origin);
  }
};

const bool csv_registered = Views::add<Csv>("csv", "a row for each static instruction, RFC 4180");

}  // namespace
}  // namespace shflsim::report
