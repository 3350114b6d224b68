// SPDX-License-Identifier: Apache-2.0
#include "cli/result_format.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "isa/input_error.h"

namespace shflsim::cli {

namespace po = boost::program_options;

void add_format_option(po::options_description& options) {
  options.add_options()(
      "format", po::value<std::string>()->value_name("FORMAT")->default_value("text"),
      "how the result is printed: text, json, jsonl (an object a row) or csv; with "
      "json, errors are JSON too, on standard error");
}

ResultFormat result_format(const po::variables_map& values) {
  if (values.count("format") == 0) return ResultFormat::kText;
  static const std::vector<std::string> names = {"text", "json", "jsonl", "csv"};
  const std::string given = values["format"].as<std::string>();
  const auto found = std::find(names.begin(), names.end(), given);
  if (found == names.end()) throw InputError("--format '" + given + "'" + suggestion(given, names));
  return static_cast<ResultFormat>(std::distance(names.begin(), found));
}

bool asks_for_json(const std::vector<std::string>& arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  const auto is_json = [&](auto argument) {
    if (*argument == "--format=json") return true;
    return *argument == "--format" && argument + 1 != end && argument[1] == "json";
  };
  for (auto argument = arguments.begin(); argument != end; ++argument) {
    if (is_json(argument)) return true;
  }
  return false;
}

bool print_formatted(const po::variables_map& values, const report::Document& document) {
  switch (result_format(values)) {
    case ResultFormat::kText: return false;
    case ResultFormat::kJson: std::cout << report::json_of(document.json); break;
    case ResultFormat::kJsonl: std::cout << report::json_lines_of(rows_of(document)); break;
    case ResultFormat::kCsv: std::cout << report::csv_of(document); break;
  }
  return true;
}

}  // namespace shflsim::cli
