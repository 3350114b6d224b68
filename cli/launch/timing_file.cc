// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/timing_file.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "isa/base/faults.h"
#include "isa/dialects/source.h"

namespace shflsim::cli {
namespace {

constexpr size_t kFieldsWithoutNote = 8;

/// A file of comma-separated fields that are never quoted.
struct Table {
  std::string file;
  std::vector<std::vector<std::string>> lines;  ///< the heading first
};

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line + ",");
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  return fields;
}

void check_last(const Table& table) {
  const size_t fields = table.lines.back().size();
  const size_t expected = table.lines.front().size();
  if (fields == expected) return;
  throw InputError(
      {table.file, static_cast<unsigned>(table.lines.size()), 1},
      "has " + std::to_string(fields) + " fields; expected " + std::to_string(expected));
}

Table read_table(const std::string& path, const std::vector<std::string>& headings) {
  const isa::SourceText source = isa::read_source_text(path);
  Table table{path, {}};
  Faults faults;
  std::istringstream stream{std::string(source.text)};
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (table.lines.empty() && std::find(headings.begin(), headings.end(), line) == headings.end())
      throw InputError({path, 1, 1}, "has another heading; expected '" + headings.front() + "'");
    table.lines.push_back(fields_of(line));
    faults.hold([&table] { check_last(table); });
  }
  faults.raise();
  if (table.lines.empty())
    throw InputError({path}, "is empty; expected '" + headings.front() + "'");
  return table;
}

uint32_t number_in(const std::string& field, const Position& where) {
  const bool digits = !field.empty() && field.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || field.size() > 9)
    throw InputError(where, "'" + field + "' is no number of cycles or warps");
  return static_cast<uint32_t>(std::strtoul(field.c_str(), nullptr, 10));
}

TimingRow row_of(const std::vector<std::string>& fields, const Position& where) {
  TimingRow row;
  size_t next = 0;
  row.kernel = fields[next++];
  row.has_note = fields.size() > kFieldsWithoutNote;
  if (row.has_note) row.note = fields[next++];
  const bool has_placement = fields.size() > kFieldsWithoutNote + 1;
  if (has_placement) {
    const std::string& placement = fields[next++];
    if (placement != "one" && placement != "spread")
      throw InputError(where, "placement '" + placement + "'; expected one or spread");
    row.one_sub_partition = placement == "one";
  }
  row.warps = number_in(fields[next++], where);
  if (row.warps < 1 || row.warps > 32) throw InputError(where, "warps; expected 1 to 32");
  for (double* value : {&row.span.least, &row.span.median, &row.span.most, &row.warp.least,
                        &row.warp.median, &row.warp.most})
    *value = number_in(fields[next++], where);
  return row;
}

int register_in(const std::string& name, const Position& where) {
  if (name.size() < 2 || name.front() != 'R')
    throw InputError(where, "'" + name + "' is no register; expected R0 to R254");
  const uint32_t index = number_in(name.substr(1), where);
  if (index > 254) throw InputError(where, "'" + name + "' is no register; expected R0 to R254");
  return static_cast<int>(index);
}

traces::SharedPattern pattern_in(const std::string& text, const Position& where) {
  return traces::shared_pattern(text, where.file + ":" + std::to_string(where.line) + ": pattern");
}

}  // namespace

std::vector<TimingRow> read_timing_file(const std::string& path) {
  const std::string times = "warps,span_min,span_median,span_max,warp_min,warp_median,warp_max";
  const Table table = read_table(
      path, {"kernel,note," + times, "kernel,note,placement," + times, "kernel," + times});
  std::vector<TimingRow> rows;
  Faults faults;
  for (size_t i = 1; i < table.lines.size(); ++i) {
    const Position where{path, static_cast<unsigned>(i + 1), 1};
    faults.hold([&] { rows.push_back(row_of(table.lines[i], where)); });
  }
  faults.raise();
  return rows;
}

std::map<std::string, std::map<int, traces::SharedPattern>> read_bases_file(
    const std::string& path) {
  const Table table = read_table(path, {"kernel,register,pattern"});
  std::map<std::string, std::map<int, traces::SharedPattern>> bases;
  Faults faults;
  for (size_t i = 1; i < table.lines.size(); ++i) {
    const auto& fields = table.lines[i];
    const Position where{path, static_cast<unsigned>(i + 1), 1};
    faults.hold(
        [&] { bases[fields[0]][register_in(fields[1], where)] = pattern_in(fields[2], where); });
  }
  faults.raise();
  return bases;
}

}  // namespace shflsim::cli
