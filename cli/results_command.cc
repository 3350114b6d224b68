// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "cli/command.h"
#include "cli/result_format.h"
#include "cli/spec.h"
#include "cli/sweep_outcome.h"
#include "isa/input_error.h"
#include "report/page.h"
#include "report/point_table.h"
#include "sweep/condition.h"
#include "sweep/results_file.h"

namespace shflsim::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;
using Strings = std::vector<std::string>;
using sweep::ResultsFile;

/// What can be made of the points, each by its option.
struct View {
  const char* option;
  const char* argument;
  const char* help;
  report::Sheet (*make)(const report::PointTable& done, const std::string& text);
};

constexpr View kViews[] = {
    {"best", "METRIC", "the best point of each kernel, and the design that is the best of all",
     report::best_points},
    {"pareto", "A,B", "designs that no other one beats in two metrics, such as cycles,mux2",
     report::pareto_points},
    {"pivot", "ROWS,COLUMNS,METRIC",
     "means of a metric by two of input, kernel, config and the axes", report::pivot_points},
    {"sensitivity", "METRIC", "how much each axis changes a metric, all else equal",
     report::sensitive_axes},
};

po::options_description results_options() {
  po::options_description options("options");
  options.add_options()("results", po::value<Strings>()->value_name("FILE")->required(),
                        "results of `shflsim sweep`")(
      "where", po::value<std::string>()->value_name("CONDITION"),
      "only points that fulfil it: KEY = VALUE, also !=, <, <=, >, >=, joined by and and or");
  for (const View& view : kViews)
    options.add_options()(view.option, po::value<std::string>()->value_name(view.argument),
                          view.help);
  options.add_options()("top", po::value<std::string>()->value_name("N")->default_value("20"),
                        "rows shown as text; files and other formats have all")(
      "csv", po::value<std::string>()->value_name("FILE"),
      "write the points, or what is made of them, a row each")(
      "json", po::value<std::string>()->value_name("FILE"), "the same as JSON")(
      "html", po::value<std::string>()->value_name("FILE"),
      "the same as a page that opens in a browser without a network")(
      "merge", "put the results of several files of one sweep together, in -o")(
      "output,o", po::value<std::string>()->value_name("FILE"), "for --merge");
  add_format_option(options);
  return options;
}

/// What is shown, and its name.
struct Shown {
  report::Sheet sheet;
  std::string view = "points";
};

Shown shown_of(const po::variables_map& values, const report::PointTable& table) {
  Shown shown{table, "points"};
  bool is_chosen = false;
  for (const View& view : kViews) {
    if (values.count(view.option) == 0) continue;
    if (is_chosen)
      throw InputError(
          fmt::format("--{} and --{} both given; expected one of them", shown.view, view.option));
    is_chosen = true;
    shown = {view.make(report::done_points(table), text_of(values, view.option)), view.option};
  }
  return shown;
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
  const size_t all = sheet.rows.size();
  sheet.rows.resize(std::min(most, all));
  report::write_sheet(std::cout, sheet);
  if (all > most) std::cout << fmt::format("and {} more; --top {} shows them\n", all - most, all);
}

int show(const std::string& path, const po::variables_map& values) {
  if (values.count("output") != 0)
    throw InputError("-o without --merge; expected --csv or --json FILE");
  const size_t most = read_number(text_of(values, "top"), 1, UINT32_MAX, "--top");
  std::optional<isa::OutFile> csv = file_of(values, "csv");
  std::optional<isa::OutFile> json = file_of(values, "json");
  std::optional<isa::OutFile> html = file_of(values, "html");
  const ResultsFile file(path, ResultsFile::Access::kRead);
  report::PointTable table = file.table();
  keep_where(text_of(values, "where"), &table);
  const Shown shown = shown_of(values, table);
  const report::Document document = report::document_of(shown.sheet, shown.view);
  if (csv) csv->finish(report::csv_of(document));
  if (json) json->finish(report::json_of(document.json));
  if (html) html->finish(report::page_of(report::json_of(document.json)));
  if (!print_formatted(values, document)) print_text(file, table, shown.sheet, most);
  return kFine;
}

/// Written beside, and then in the place of what may be there, one of `files` for example.
int merge(const Strings& files, const po::variables_map& values) {
  const std::string path = text_of(values, "output");
  if (path.empty()) throw InputError("--merge without -o; expected -o FILE for what is merged");
  const std::string beside = path + ".merging";
  fs::remove(beside);
  ResultsFile(files.front(), ResultsFile::Access::kRead).copy_to(beside);
  {
    ResultsFile merged(beside, ResultsFile::Access::kWriteAlone);
    for (const std::string& file : files) merged.merge(file);
  }
  fs::rename(beside, path);
  std::cout << path << ": " << count_by_state(ResultsFile(path, ResultsFile::Access::kRead).table())
            << "\n";
  return kFine;
}

int run(const Strings& arguments) {
  po::positional_options_description positions;
  positions.add("results", -1);
  po::variables_map values;
  const Usage usage{"shflsim results FILE [options]",
                    "  shflsim sweep traces/widths.ini\n"
                    "  shflsim results widths.sqlite --best cycles\n"
                    "  shflsim results widths.sqlite --csv widths.csv \\\n"
                    "      --where 'shuffle.lanes >= 8 and kernel = scan_*'\n"
                    "  shflsim results widths.sqlite --pivot kernel,shuffle.lanes,cycles\n"};
  if (!parse(arguments, usage, results_options(), positions, &values)) return kFine;
  const Strings files = values["results"].as<Strings>();
  if (values.count("merge") != 0) return merge(files, values);
  if (files.size() != 1) throw InputError("several files; expected one, or --merge with -o");
  return show(files.front(), values);
}

}  // namespace

const Command kResults = {"results", "show and export what a sweep found", run};

}  // namespace shflsim::cli
