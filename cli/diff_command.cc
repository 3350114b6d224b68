// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <sstream>

#include "cli/command.h"
#include "cli/result_format.h"
#include "cli/spec.h"
#include "report/diff.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;
using Strings = std::vector<std::string>;

constexpr uint64_t kMostRows = 1'000'000;  // of --top

po::options_description diff_options() {
  po::options_description options("options");
  options.add_options()("a", po::value<std::string>()->value_name("A.json")->required(),
                        "the result that the other one is compared with: what --json of run, "
                        "compare or results wrote, or --format json printed")(
      "b", po::value<std::string>()->value_name("B.json")->required(),
      "the other, of the same command")(
      "tolerance", po::value<Strings>()->value_name("METRIC=AMOUNT"),
      "how far apart is no difference: cycles=2% (of A), 'stall_*=10', or 2% for all; "
      "repeatable, the last for a metric holds (default 0)")(
      "metrics", po::value<std::string>()->value_name("NAMES"),
      "compare these alone: names or patterns with commas, such as 'cycles,stall_*' (`shflsim "
      "list stats`; default: all)")(
      "top", po::value<std::string>()->value_name("N")->default_value("20"),
      "instructions and points shown as text, those that differ most; files and other formats "
      "have all")("csv", po::value<std::string>()->value_name("FILE"),
                  "write a row for each figure that differs")(
      "json", po::value<std::string>()->value_name("FILE"), "write everything as JSON");
  add_format_option(options);
  return options;
}

Strings metrics_of(const po::variables_map& values) {
  Strings names;
  std::istringstream items(text_of(values, "metrics"));
  for (std::string name; std::getline(items, name, ',');) names.push_back(name);
  return names;
}

int diff(const po::variables_map& values) {
  const auto top = read_number(text_of(values, "top"), 1, kMostRows, "--top");
  report::Tolerances tolerances;
  if (values.count("tolerance") != 0) {
    for (const std::string& text : values["tolerance"].as<Strings>()) tolerances.add(text);
  }
  const report::Diff diff = report::diff_of(report::read_result_file(text_of(values, "a")),
                                            report::read_result_file(text_of(values, "b")),
                                            tolerances, metrics_of(values));
  const report::Document document = report::diff_document(diff);
  if (auto json = file_of(values, "json")) json->finish(report::json_of(document.json));
  if (auto csv = file_of(values, "csv")) csv->finish(report::csv_of(document));
  if (!print_formatted(values, document)) report::write_diff(std::cout, diff, top);
  return diff.beyond == 0 ? kFine : kNo;
}

int run(const Strings& arguments) {
  po::positional_options_description positions;
  positions.add("a", 1).add("b", 1);
  po::variables_map values;
  const Usage usage{"shflsim diff A.json B.json [options]",
                    "  shflsim run traces/suite/fft_32.sass --json whole.json\n"
                    "  shflsim run traces/suite/fft_32.sass --set shuffle.lanes=16 \\\n"
                    "      --json half.json\n"
                    "  shflsim diff whole.json half.json --metrics cycles --tolerance 10%\n"
                    "  shflsim diff whole.json half.json --top 5 || test $? = 1\n"};
  if (!parse(arguments, usage, diff_options(), positions, &values)) return kFine;
  return diff(values);
}

}  // namespace

const Command kDiff = {"diff", "compare two results, figure by figure, with tolerances", run};

}  // namespace shflsim::cli
