// SPDX-License-Identifier: Apache-2.0
#include "report/columns.h"
#include "report/rows.h"
#include "report/view.h"

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

const bool registered = Views::add<JsonLines>("jsonl", "a JSON object a line, one an instruction");

}  // namespace
}  // namespace shflsim::report
