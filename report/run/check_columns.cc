// SPDX-License-Identifier: Apache-2.0
#include "report/run/check_columns.h"

#include <fmt/format.h>

#include <optional>

#include "report/run/columns.h"
#include "report/run/report.h"
#include "report/run/source_lines.h"

namespace shflsim::report {
namespace {

using Count = std::optional<uint64_t>;

bool is_executed(const CheckRow& row) { return row.finding != nullptr && row.finding->executed; }

}  // namespace

std::string source_of(const CheckRow& row) {
  if (row.finding == nullptr || row.finding->index >= row.program.source_lines.size()) return "";
  return source_place(row.program.source_lines[row.finding->index], row.program.source_files);
}

const Fields<Origin>& check_header() {
  static const Fields<Origin> fields = [] {
    Fields<Origin> all = {
        {"schema", "", "Name and version of this layout; the version changes when a key goes.",
         [](const Origin&) { return "shflsim-check/1"; }},
        {"version", "", "Version of shflsim.", [](const Origin&) { return tool_version(); }},
    };
    all.insert(all.end(), input_columns().begin(), input_columns().end());
    return all;
  }();
  return fields;
}

const Fields<CheckRow>& check_columns() {
  using Row = CheckRow;
  static const Fields<Row> fields = {
      {"kernel", "", "Name of the kernel.", [](const Row& row) { return row.program.name; }},
      {"pc", "", "Byte address of the instruction; empty where the kernel as a whole is meant.",
       [](const Row& row) -> Value {
         if (row.finding == nullptr) return {};
         return fmt::format("0x{:04x}", row.program.code[row.finding->index].address);
       }},
      {"text", "", "The instruction in SASS.",
       [](const Row& row) -> Value {
         if (row.finding == nullptr) return {};
         return row.program.texts[row.finding->index];
       }},
      {"source", "", "File and line that it was compiled from, where the code says (-lineinfo).",
       [](const Row& row) -> Value {
         const std::string place = source_of(row);
         return place.empty() ? Value() : Value(place);
       }},
      {"what", "", "What is wrong with it.",
       [](const Row& row) { return row.finding == nullptr ? row.warning : row.finding->what; }},
      {"block", "", "Linear index of the block that executed it first; empty where none did.",
       [](const Row& row) { return is_executed(row) ? Count(row.finding->block) : Count(); }},
      {"warp", "", "Index of that warp in its block.",
       [](const Row& row) { return is_executed(row) ? Count(row.finding->warp) : Count(); }},
      {"lanes", "", "Numbers of the lanes concerned.",
       [](const Row& row) {
         return is_executed(row) ? lanes_of(row.finding->lanes) : std::vector<uint64_t>{};
       }},
  };
  return fields;
}

}  // namespace shflsim::report
