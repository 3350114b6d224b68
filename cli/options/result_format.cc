// SPDX-License-Identifier: Apache-2.0
#include "cli/options/result_format.h"

#include <algorithm>
#include <iostream>

#include "cli/options/common_options.h"
#include "report/run/document.h"

namespace shflsim::cli {
namespace {

const Strings& format_names() {
  static const Strings names = {"text", "json", "jsonl", "csv"};
  return names;
}

}  // namespace

void FormatOption::list(OptionList& list) {
  list.group(CommonOptions::kTitle, this);
  list.choice("format", &format, format_names(), "FORMAT",
              "how the result is printed: text, json, jsonl (an object a row) or csv; with json, "
              "errors are JSON too, on standard error")
      .common("text, json, jsonl or csv");
}

std::string FormatOption::name() const { return format_names()[static_cast<size_t>(format)]; }

bool asks_for_json(const Strings& arguments) {
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

bool print_formatted(ResultFormat format, const report::Document& document) {
  switch (format) {
    case ResultFormat::kText: return false;
    case ResultFormat::kJson: std::cout << report::json_of(document); break;
    case ResultFormat::kJsonl: std::cout << report::json_lines_of(document); break;
    case ResultFormat::kCsv: std::cout << report::csv_of(document); break;
  }
  return true;
}

}  // namespace shflsim::cli
