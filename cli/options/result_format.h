// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options/option_list.h"

namespace shflsim::report {
class Document;
}

namespace shflsim::cli {

/// How a command prints its result on standard output.
enum class ResultFormat : char { kText, kJson, kJsonl, kCsv };

/// `--format`
struct FormatOption : OptionGroup {
  ResultFormat format = ResultFormat::kText;

  void list(OptionList& list);
  bool is_text() const { return format == ResultFormat::kText; }
  /// The name of the format, such as "json".
  std::string name() const;
};

/// True if the command line asks for JSON, even if its command has no JSON: this decides how errors
/// in the command line are reported.
bool asks_for_json(const Strings& arguments);

/// Prints a result on standard output in the given format. Returns false and prints nothing for
/// text, which each command writes itself.
bool print_formatted(ResultFormat format, const report::Document& document);

}  // namespace shflsim::cli
