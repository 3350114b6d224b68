// SPDX-License-Identifier: Apache-2.0
#include "report/diff/diff.h"

#include "report/run/json_fields.h"
#include "report/run/report.h"

namespace shflsim::report {
namespace {

Json side(const ResultFile& file) {
  return {{"file", file.path}, {"result", file.schema}, {"title", file.title}};
}

Json or_null(const std::optional<std::string>& text) { return text ? Json(*text) : Json(); }

Json json_number(const Value& value) { return std::visit(ToJson(), value); }

Json row_of(const Difference& one) {
  return {{"part", one.kind},
          {"name", one.name},
          {"pc_a", or_null(one.pc_a)},
          {"pc_b", or_null(one.pc_b)},
          {"metric", one.metric},
          {"a", json_number(one.a)},
          {"b", json_number(one.b)},
          {"difference", json_number(one.difference())},
          {"percent", json_number(one.percent())},
          {"within", one.is_within}};
}

}  // namespace

Document diff_document(const Diff& diff) {
  Json config = Json::array();
  for (const Diff::Setting& each : diff.config)
    config.push_back({{"key", each.key}, {"a", each.a}, {"b", each.b}});
  Json differences = Json::array();
  for (const Difference& each : diff.differences) differences.push_back(row_of(each));
  return {Json{{"schema", "shflsim-diff/1"},
               {"version", tool_version()},
               {"a", side(diff.a)},
               {"b", side(diff.b)},
               {"aligned_by", diff.is_by_text ? "text" : "pc"},
               {"aligned", diff.aligned},
               {"only_a", diff.a.instructions.size() - diff.aligned},
               {"only_b", diff.b.instructions.size() - diff.aligned},
               {"compared", diff.compared},
               {"beyond", diff.beyond},
               {"config", config},
               {"differences", differences}},
          "differences",
          {"part", "name", "pc_a", "pc_b", "metric", "a", "b", "difference", "percent", "within"}};
}

}  // namespace shflsim::report
