// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <iostream>

#include "cli/commands/sweep_outcome.h"
#include "cli/options/command.h"
#include "cli/options/result_files.h"
#include "cli/options/result_format.h"
#include "isa/base/input_error.h"
#include "report/compare/point_table.h"
#include "report/terminal/text_table.h"
#include "sweep/condition.h"
#include "sweep/results_file.h"

namespace shflsim::cli {
namespace {

namespace fs = std::filesystem;
using sweep::ResultsFile;

/// A view of the points and its option.
struct ResultsView {
  const char* option;
  const char* argument;
  const char* help;
  report::Sheet (*make)(const report::PointTable& done, const std::string& text);
};

constexpr ResultsView kResultsViews[] = {
    {"best", "METRIC", "the best point of each kernel, and the design that is the best of all",
     report::best_points},
    {"pareto", "A,B", "designs that no other one beats in two metrics, such as cycles,mux2",
     report::pareto_points},
    {"pivot", "ROWS,COLUMNS,METRIC",
     "means of a metric by two of input, kernel, config and the axes", report::pivot_points},
    {"sensitivity", "METRIC", "how much each axis changes a metric, all else equal",
     report::sensitive_axes},
};

struct ResultsOptions : OptionGroup {
  Strings files;
  std::string where;
  std::array<std::optional<std::string>, std::size(kResultsViews)> views;
  uint64_t top = 20;
  ResultFileOptions results;
  bool merge = false;
  std::optional<std::string> output;
  FormatOption format;

  void list(OptionList& list);
};

void ResultsOptions::list(OptionList& list) {
  list.group("options", this);
  list.arguments("results", &files, "FILE", "results of `shflsim sweep`");
  list.text("where", &where, "CONDITION",
            "only points that fulfil the condition: KEY = VALUE, also !=, <, <=, >, >=, joined by "
            "and, or")
      .common();
  for (size_t i = 0; i < views.size(); ++i) {
    const ResultsView& view = kResultsViews[i];
    list.text(view.option, &views[i], view.argument, view.help).common();
    for (size_t before = 0; before < i; ++before) list.excludes(&views[before], {&views[i]});
  }
  list.number("top", &top, 1, UINT32_MAX, "N",
              "number of rows shown as text; files and other formats have all")
      .common();
  list.flag("merge", &merge, "merge the results files of one sweep into the file of -o").common();
  results.list(list, "each point, or each row of the chosen view");
  list.group("output", this);
  list.text("output", &output, "FILE", "for --merge").short_form('o').common();
  list.needs(&output, {&merge}, "; expected --csv or --json FILE");
  list.needs(&merge, {&output}, "; expected -o FILE for what is merged");
  format.list(list);
}

/// The sheet that is shown, and the name of its view.
struct ShownResults {
  report::Sheet sheet;
  std::string view = "points";
};

ShownResults shown_of(const ResultsOptions& options, const report::PointTable& table) {
  for (size_t i = 0; i < options.views.size(); ++i) {
    if (!options.views[i]) continue;
    const ResultsView& view = kResultsViews[i];
    return {view.make(report::done_points(table), *options.views[i]), view.option};
  }
  return {table};
}

void keep_where(const std::string& text, report::PointTable* table) {
  if (text.empty()) return;
  const sweep::Condition condition(text, {"--where"}, table->keys);
  std::vector<std::vector<report::Value>> kept;
  for (std::vector<report::Value>& row : table->rows) {
    const auto value_of = [&](const std::string& key) {
      return row[table->column(key, "--where")];
    };
    if (condition.holds(value_of)) kept.push_back(std::move(row));
  }
  table->rows = std::move(kept);
}

void print_text(const ResultsFile& file, const report::PointTable& table, report::Sheet sheet,
                size_t most) {
  std::cout << file.path() << ": " << count_by_state(table) << "\n";
  print_failures(file);
  std::cout << "\n";
  const std::vector<std::string> remarks = sheet.remarks;
  const size_t all = sheet.rows.size();
  sheet.rows.resize(std::min(most, all));
  report::write_sheet(std::cout, sheet);
  if (all > most) std::cout << fmt::format("and {} more; --top {} shows them\n", all - most, all);
  for (const std::string& remark : remarks) report::write_wrapped(std::cout, remark);
}

int show(const std::string& path, const ResultsOptions& options) {
  ResultFiles files(options.results);
  const ResultsFile file(path, ResultsFile::Access::kRead);
  report::PointTable table = file.table();
  keep_where(options.where, &table);
  const ShownResults shown = shown_of(options, table);
  const report::Document document = shown.view == "points"
                                        ? report::points_document(table)
                                        : report::document_of(shown.sheet, shown.view);
  files.write([&] { return report::json_of(document); }, [&] { return report::csv_of(document); });
  if (!print_formatted(options.format.format, document))
    print_text(file, table, shown.sheet, options.top);
  return kFine;
}

/// A results file that is written beside the file that it finally replaces. Otherwise it is
/// removed, with its journal.
class MergedResults {
 public:
  explicit MergedResults(const std::string& path) : path_(path), beside_(path + ".merging") {
    if (fs::exists(path))
      ResultsFile(path, ResultsFile::Access::kRead);  // refuses to replace any other file
    remove();
  }
  MergedResults(const MergedResults&) = delete;
  ~MergedResults() { remove(); }

  void write(const Strings& files) const {
    {
      const ResultsFile first(files.front(), ResultsFile::Access::kRead);
      for (const std::string& file : files)
        first.check_same_sweep(ResultsFile(file, ResultsFile::Access::kRead));
      first.copy_to(beside_);
      ResultsFile merged(beside_, ResultsFile::Access::kWriteAlone);
      for (const std::string& file : files) merged.merge(file);
    }
    fs::rename(beside_, path_);
  }

 private:
  void remove() const {
    std::error_code ignored;
    for (const char* end : {"", "-journal", "-wal", "-shm"}) fs::remove(beside_ + end, ignored);
  }

  const std::string path_;
  const std::string beside_;
};

int merge(const Strings& files, const std::string& path) {
  MergedResults(path).write(files);
  std::cout << path << ": " << count_by_state(ResultsFile(path, ResultsFile::Access::kRead).table())
            << "\n";
  return kFine;
}

int show_or_merge(const ResultsOptions& options) {
  if (options.merge) return merge(options.files, *options.output);
  if (options.files.size() != 1)
    throw InputError("several files; expected one, or --merge with -o");
  return show(options.files.front(), options);
}

}  // namespace

const Command kResults =
    command("results", "show and export what a sweep found", "shflsim results FILE [options]",
            "  shflsim sweep traces/widths.ini\n"
            "  shflsim results widths.sqlite --best cycles\n"
            "  shflsim results widths.sqlite --csv widths.csv \\\n"
            "      --where 'shuffle.lanes >= 8 and kernel = scan_*'\n"
            "  shflsim results widths.sqlite --pivot kernel,shuffle.lanes,cycles\n",
            show_or_merge);

}  // namespace shflsim::cli
