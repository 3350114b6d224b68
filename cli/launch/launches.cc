// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/launches.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "cli/launch/watched_run.h"
#include "cli/options/command.h"
#include "cli/options/signals.h"
#include "isa/base/out_file.h"
#include "report/page/page.h"
#include "report/run/columns.h"
#include "report/run/json_fields.h"
#include "report/run/report.h"
#include "report/terminal/messages.h"
#include "report/terminal/text_table.h"

namespace shflsim::cli {
namespace {

/// The totals that have a column; all of them are sums.
constexpr const char* kSummed[] = {"cycles", "warp_instructions", "passes", "port_conflicts",
                                   "register_conflicts"};

uint64_t figure(const report::Run& run, const std::string& key) {
  for (const report::Field<report::Run>& field : report::totals()) {
    if (field.key != key) continue;
    const report::Value value = field.get(run);
    return report::is_empty(value) ? 0 : std::get<uint64_t>(value);
  }
  return 0;
}

/// A table with a row for each kernel and one for all.
class Rows {
 public:
  Rows()
      : document_(
            report::Json{{"schema", "shflsim-launches/1"}, {"launches", report::Json::array()}},
            "launches", {"kernel", "name", "machine"}) {
    document_.keys.insert(document_.keys.end(), std::begin(kSummed), std::end(kSummed));
    columns_ = {{"kernel", true}, {"name", true, true}, {"machine", true}};
    for (const char* key : kSummed)
      columns_.push_back({key, false, false, {}, report::rank_of(key)});
    columns_.push_back({"ipc"});
    sums_.resize(std::size(kSummed));
  }

  void add(const std::string& kernel, const std::string& machine, const report::Run& run) {
    std::vector<uint64_t> figures;
    for (const char* key : kSummed) figures.push_back(figure(run, key));
    for (size_t i = 0; i < figures.size(); ++i) sums_[i] += figures[i];
    add_row({kernel, run.trace.code.name, machine}, figures);
    report::Json row = {{"kernel", kernel}, {"name", run.trace.code.name}, {"machine", machine}};
    for (size_t i = 0; i < figures.size(); ++i) row[kSummed[i]] = figures[i];
    document_.add_row(row);
  }

  /// Writes a page with a row for each launch, which links to the launch's own page beside it.
  void write_index(const std::string& path, const std::string& list) const {
    report::Json json = document_.json();
    json["list"] = list;
    json["version"] = report::tool_version();
    for (size_t i = 0; i < json["launches"].size(); ++i) {
      const std::filesystem::path page = numbered(path, i + 1, json["launches"].size());
      json["launches"][i]["page"] = page.filename().string();
    }
    isa::OutFile file(path);
    file.finish(report::page_of(json.dump(-1, ' ', false, report::Json::error_handler_t::replace)));
  }

  void print(ResultFormat format) {
    if (print_formatted(format, document_)) return;
    add_row({"total", "", ""}, sums_);
    report::write_columns(std::cout, columns_);
  }

 private:
  void add_row(std::vector<std::string> cells, const std::vector<uint64_t>& figures) {
    for (const uint64_t value : figures) cells.push_back(std::to_string(value));
    const double cycles = static_cast<double>(figures[0]);
    cells.push_back(
        fmt::format("{:.2f}", cycles > 0 ? static_cast<double>(figures[1]) / cycles : 0));
    for (size_t i = 0; i < cells.size(); ++i) columns_[i].cells.push_back(cells[i]);
  }

  std::vector<report::TextColumn> columns_;
  report::Document document_;
  std::vector<uint64_t> sums_;
};

}  // namespace

std::vector<std::string> listed_launches(const Input& input) {
  if (!input.is_list()) return {};
  const std::vector<std::string> kernels = input.kernels();
  if (kernels.size() < 2) return {};
  std::vector<std::string> launches;
  for (const std::string& kernel : kernels) launches.push_back(input.path() + ":" + kernel);
  return launches;
}

int run_list(const std::vector<std::string>& launches, const InputOptions& options,
             const TimingOptions& timing, ResultFormat format) {
  const ViewFiles views(timing.views);
  Rows rows;
  int status = kFine;
  for (size_t i = 0; i < launches.size() && status == kFine; ++i) {
    const Input input(launches[i], options);
    const model::ConfigLayers layers = timing.machine.layers(input.machine(timing.machine));
    const Launch launch = input.launch();
    ViewFiles::Shown shown = views.start(i + 1, launches.size());
    const model::RunResult result =
        watched_run(launch.trace, layers, timing.sms, shown, timing.cycles.most, timing.jobs);
    const report::Run run{launch.trace, result, report::on_machine(launch.origin, layers)};
    shown.write(run);
    rows.add(input.kernel(), layers.name(), run);
    status = status_of(result);
    if (status != kFine) report::remark(input.kernel() + ": " + report::partial_text(result));
  }
  for (const ViewOptions::Asked& asked : timing.views.views) {
    if (asked.view == "html" && status == kFine)
      rows.write_index(asked.path, launches.front().substr(0, launches.front().rfind(':')));
  }
  rows.print(format);
  return status;
}

}  // namespace shflsim::cli
