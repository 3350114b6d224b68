// SPDX-License-Identifier: Apache-2.0
#include "report/run/sensitivity.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/terminal/text_table.h"

namespace shflsim::report {
namespace {

constexpr size_t kMostShown = 12;

using Count = std::optional<uint64_t>;

Count value_of(const std::optional<VariedValue::Trial>& trial) {
  return trial ? Count(trial->value) : Count();
}
Count cycles_of(const std::optional<VariedValue::Trial>& trial) {
  return trial ? Count(trial->cycles) : Count();
}

std::string text_of(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return is_empty(value) ? "-" : fmt::format("{}", std::get<uint64_t>(value));
}

/// The number of values that change the cycles; they come before the others.
size_t changing(const Sensitivity& sensitivity) {
  const auto changes = [](const VariedValue& value) { return value.least() != value.most(); };
  return static_cast<size_t>(
      std::count_if(sensitivity.values.begin(), sensitivity.values.end(), changes));
}

void write_range(std::ostream& out, const Sensitivity& sensitivity) {
  uint64_t least = sensitivity.cycles;
  uint64_t most = sensitivity.cycles;
  for (const VariedValue& value : sensitivity.values) {
    least = std::min(least, value.least());
    most = std::max(most, value.most());
  }
  const size_t count = changing(sensitivity);
  write_wrapped(
      out, fmt::format("{} cycles; {} to {} where one {}value is half or double, or at an "
                       "end of its range; {} of {} values change them",
                       sensitivity.cycles, least, most, sensitivity.are_wanted ? "" : "assumed ",
                       count, sensitivity.values.size()));
}

}  // namespace

uint64_t VariedValue::least() const {
  return std::min({cycles, low ? low->cycles : cycles, high ? high->cycles : cycles});
}

uint64_t VariedValue::most() const {
  return std::max({cycles, low ? low->cycles : cycles, high ? high->cycles : cycles});
}

const Fields<VariedValue>& varied_columns() {
  using Row = VariedValue;
  static const Fields<Row> fields = {
      {"key", "", "Parameter whose value is varied.", [](const Row& row) { return row.key; },
       "\nvalue"},
      {"value", "", "Its value in this run.", [](const Row& row) { return row.value; }, "\nis"},
      {"low", "", "A lower one: half, or 0 of a rate.",
       [](const Row& row) { return value_of(row.low); }, "\nlow"},
      {"high", "", "A higher one: double, or all of a rate.",
       [](const Row& row) { return value_of(row.high); }, "\nhigh"},
      {"cycles_low", "cycles", "Cycles of the run with the lower one.",
       [](const Row& row) { return cycles_of(row.low); }, "cycles\nif low"},
      {"cycles_high", "cycles", "Cycles of the run with the higher one.",
       [](const Row& row) { return cycles_of(row.high); }, "cycles\nif high"},
  };
  return fields;
}

void write_sensitivity(std::ostream& out, const Sensitivity& sensitivity) {
  out << (sensitivity.are_wanted ? "\nSensitivity\n" : "\nSensitivity to assumed values\n");
  write_range(out, sensitivity);
  const size_t shown = sensitivity.are_wanted ? sensitivity.values.size()
                                              : std::min(kMostShown, changing(sensitivity));
  std::vector<TextColumn> columns;
  for (const Field<VariedValue>& field : varied_columns()) {
    TextColumn column{field.heading, field.key == "key"};
    for (size_t i = 0; i < shown; ++i)
      column.cells.push_back(text_of(field.get(sensitivity.values[i])));
    columns.push_back(column);
  }
  write_columns(out, columns);
}

}  // namespace shflsim::report
