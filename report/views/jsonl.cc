// SPDX-License-Identifier: Apache-2.0
#include "report/run/columns.h"
#include "report/run/rows.h"
#include "report/run/view.h"

namespace shflsim::report {
namespace {

class JsonLines final : public View {
 public:
  std::string content(const Run& run) override {
    Json rows = Json::array();
    for (size_t i = 0; i < run.result.instructions.size(); ++i)
      rows.push_back(object_of<InstructionRow>(instruction_columns(), {run, i}));
    return json_lines_of(rows);
  }
};

const bool jsonl_registered =
    Views::add<JsonLines>("jsonl", "a JSON object a line, one an instruction");

}  // namespace
}  // namespace shflsim::report
