// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/exec_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/demangled.h"
#include "report/run/json_fields.h"
#include "report/run/report.h"
#include "report/terminal/text_table.h"

namespace shflsim::cli {
namespace {

using runtime::LaunchRow;

/// The sum over the launches of one kernel.
struct KernelRow {
  std::string kernel;
  std::string machine;
  uint64_t launches = 0;
  uint64_t timed = 0;
  uint64_t warp_instructions = 0;
  uint64_t cycles = 0;
  double microseconds = 0;
};

/// The kernels in the order of their first launches.
std::vector<KernelRow> kernels_of(const std::vector<LaunchRow>& rows) {
  std::vector<KernelRow> kernels;
  for (const LaunchRow& row : rows) {
    auto kernel = std::find_if(kernels.begin(), kernels.end(),
                               [&row](const KernelRow& each) { return each.kernel == row.kernel; });
    if (kernel == kernels.end())
      kernel = kernels.insert(kernels.end(), KernelRow{row.kernel, row.machine});
    ++kernel->launches;
    kernel->timed += row.cycles ? 1 : 0;
    kernel->warp_instructions += row.warp_instructions;
    kernel->cycles += row.cycles.value_or(0);
    kernel->microseconds += row.microseconds();
  }
  return kernels;
}

/// The name as the source has it, if it is a C++ name.
std::string shown_name(const std::string& kernel) {
  std::string shown = isa::demangled(kernel);
  constexpr size_t kMostLetters = 80;  // names of templates have thousands
  if (shown.size() > kMostLetters) shown = shown.substr(0, kMostLetters) + "...";
  return shown;
}

std::string extent_text(const std::array<uint32_t, 3>& extent) {
  return fmt::format("{},{},{}", extent[0], extent[1], extent[2]);
}

std::string time_text(double microseconds) { return fmt::format("{:.3f}", microseconds); }

void add(std::vector<report::TextColumn>* columns, const std::vector<std::string>& cells) {
  for (size_t i = 0; i < cells.size(); ++i) (*columns)[i].cells.push_back(cells[i]);
}

void write_kernels(std::ostream& out, const std::vector<LaunchRow>& rows) {
  std::vector<report::TextColumn> columns = {
      {"kernel", true, true}, {"machine", true}, {"launches"},
      {"warp\ninstructions"}, {"cycles"},        {"us"}};
  for (const KernelRow& each : kernels_of(rows)) {
    const bool is_timed = each.timed != 0;
    add(&columns,
        {shown_name(each.kernel), each.machine, std::to_string(each.launches),
         std::to_string(each.warp_instructions), is_timed ? std::to_string(each.cycles) : "",
         is_timed ? time_text(each.microseconds) : ""});
  }
  report::write_columns(out, columns);
}

void write_launches(std::ostream& out, const std::vector<LaunchRow>& rows) {
  std::vector<report::TextColumn> columns = {
      {"launch"},      {"kernel", true, true}, {"grid", true},
      {"block", true}, {"shared\nbytes"},      {"cycles"},
      {"us"},          {"remark", true, true}};
  for (size_t i = 0; i < rows.size(); ++i) {
    const LaunchRow& row = rows[i];
    add(&columns, {std::to_string(i + 1), shown_name(row.kernel), extent_text(row.grid),
                   extent_text(row.block), std::to_string(row.shared_bytes),
                   row.cycles ? std::to_string(*row.cycles) : "",
                   row.cycles ? time_text(row.microseconds()) : "", row.remark});
  }
  report::write_columns(out, columns);
}

report::Json number_or_null(bool is_there, const report::Json& number) {
  return is_there ? number : report::Json(nullptr);
}

}  // namespace

void write_exec_table(std::ostream& out, const std::vector<LaunchRow>& rows, bool has_launches) {
  if (has_launches) {
    write_launches(out, rows);
    out << "\n";
  }
  write_kernels(out, rows);
}

report::Document exec_document(const std::vector<LaunchRow>& rows,
                               const std::vector<std::string>& program) {
  report::Json launches = report::Json::array();
  for (const LaunchRow& row : rows) {
    const bool is_timed = row.cycles.has_value();
    launches.push_back({{"kernel", row.kernel},
                        {"name", isa::demangled(row.kernel)},
                        {"machine", row.machine},
                        {"grid", row.grid},
                        {"block", row.block},
                        {"shared_bytes", row.shared_bytes},
                        {"warp_instructions", row.warp_instructions},
                        {"cycles", number_or_null(is_timed, row.cycles.value_or(0))},
                        {"microseconds", number_or_null(is_timed, row.microseconds())},
                        {"launch_file", row.launch_file},
                        {"remark", row.remark}});
  }
  report::Json kernels = report::Json::array();
  for (const KernelRow& each : kernels_of(rows)) {
    const bool is_timed = each.timed != 0;
    kernels.push_back({{"kernel", each.kernel},
                       {"name", isa::demangled(each.kernel)},
                       {"machine", each.machine},
                       {"launches", each.launches},
                       {"warp_instructions", each.warp_instructions},
                       {"cycles", number_or_null(is_timed, each.cycles)},
                       {"microseconds", number_or_null(is_timed, each.microseconds)}});
  }
  return {report::Json{{"schema", "shflsim-exec/1"},
                       {"version", report::tool_version()},
                       {"program", program},
                       {"kernels", kernels},
                       {"launches", launches}},
          "launches",
          {"kernel", "machine", "grid", "block", "shared_bytes", "warp_instructions", "cycles",
           "microseconds", "launch_file", "remark"}};
}

}  // namespace shflsim::cli
