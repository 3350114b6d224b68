// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <optional>
#include <sstream>

#include "cli/options/command.h"
#include "cli/options/result_files.h"
#include "cli/options/result_format.h"
#include "isa/base/input_error.h"
#include "report/diff/diff.h"
#include "report/diff/nsight_profile.h"
#include "report/diff/profile_diff.h"
#include "report/terminal/text_table.h"

namespace shflsim::cli {
namespace {

constexpr uint64_t kMostRows = 1'000'000;  // greatest value of --top
constexpr uint64_t kTop = 20;
constexpr uint64_t kTopOfProfile = 10;

struct DiffOptions : OptionGroup {
  std::string a;
  std::string b;
  report::Tolerances tolerances;
  std::string metrics;
  std::optional<uint64_t> top;
  bool is_of_repeated = false;
  ResultFileOptions files;
  FormatOption format;

  void list(OptionList& list);
};

void DiffOptions::list(OptionList& list) {
  list.group("options", this);
  list.argument("a", &a, "A.json",
                "the result to compare with: the JSON of run, compare or results (--json or "
                "--format json)");
  list.argument("b", &b, "B.json",
                "another result of the same command; or, for a run, a profile of Nsight Compute: "
                "the CSV of its source or raw page");
  list.add(
          "tolerance", &tolerances, "METRIC=AMOUNT",
          "largest difference that counts as equal: cycles=2% (of A), 'stall_*=10', or 2% for all; "
          "repeatable, the last one for a metric counts (default 0)",
          [this](const std::string& text, const std::string& /*option*/) { tolerances.add(text); })
      .common()
      .repeats = true;
  list.text("metrics", &metrics, "NAMES",
            "compare only these metrics: names or patterns with commas, such as 'cycles,stall_*' "
            "(`shflsim list stats`; default: all)")
      .common();
  list.number("top", &top, 1, kMostRows, "N",
              "number of rows shown as text, those that differ most first; files and other formats "
              "have all (default 20; 10 for a profile)")
      .common();
  list.flag("repeated", &is_of_repeated,
            "with a source page: compare only instructions that a warp issues more than once")
      .common();
  files.list(list, "each figure that differs", false);
  format.list(list);
}

Strings metrics_of(const DiffOptions& options) {
  Strings names;
  std::istringstream items(options.metrics);
  for (std::string name; std::getline(items, name, ',');) names.push_back(name);
  return names;
}

void write(const DiffOptions& options, const report::Document& document) {
  ResultFiles(options.files)
      .write([&] { return report::json_of(document); }, [&] { return report::csv_of(document); });
}

int diff_with_profile(const DiffOptions& options, const report::ResultFile& run) {
  for (const bool is_given : {!options.metrics.empty(), !options.tolerances.patterns().empty()}) {
    if (is_given)
      throw InputError("--metrics and --tolerance with a profile; expected them with two results");
  }
  const report::ProfileDiff diff = report::profile_diff(run, options.b, options.is_of_repeated);
  const report::Document document = report::profile_document(run, diff);
  write(options, document);
  if (print_formatted(options.format.format, document)) return kFine;
  report::write_line(std::cout, "run: " + run.path + ": " + run.title);
  report::write_profile(std::cout, diff, options.top.value_or(kTopOfProfile));
  return kFine;
}

int diff(const DiffOptions& options) {
  const report::ResultFile a = report::read_result_file(options.a);
  if (report::may_be_nsight(options.b)) return diff_with_profile(options, a);
  if (options.is_of_repeated)
    throw InputError("--repeated with two results; expected it with a profile");
  const report::Diff diff = report::diff_of(a, report::read_result_file(options.b),
                                            options.tolerances, metrics_of(options));
  const report::Document document = report::diff_document(diff);
  write(options, document);
  if (!print_formatted(options.format.format, document))
    report::write_diff(std::cout, diff, options.top.value_or(kTop));
  return diff.beyond == 0 ? kFine : kNo;
}

}  // namespace

const Command kDiff =
    command("diff", "compare two results, or a run with a profile of Nsight Compute",
            "shflsim diff A.json B.json [options]",
            "  shflsim run traces/suite/fft_32.sass --json whole.json\n"
            "  shflsim run traces/suite/fft_32.sass --set shuffle.lanes=16 \\\n"
            "      --json half.json\n"
            "  shflsim diff whole.json half.json --metrics cycles --tolerance 10%\n"
            "  shflsim diff whole.json half.json --top 5 || test $? = 1\n"
            "  shflsim run traces/suite/fft_32.sass --view ncu:source.csv --quiet\n"
            "  shflsim diff half.json source.csv\n",
            diff);

}  // namespace shflsim::cli
