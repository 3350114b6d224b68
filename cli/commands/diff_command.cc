// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <sstream>

#include "cli/options/command.h"
#include "cli/options/result_files.h"
#include "cli/options/result_format.h"
#include "report/diff/diff.h"

namespace shflsim::cli {
namespace {

constexpr uint64_t kMostRows = 1'000'000;  // greatest value of --top

struct DiffOptions : OptionGroup {
  std::string a;
  std::string b;
  report::Tolerances tolerances;
  std::string metrics;
  uint64_t top = 20;
  ResultFileOptions files;
  FormatOption format;

  void list(OptionList& list);
};

void DiffOptions::list(OptionList& list) {
  list.group("options", this);
  list.argument("a", &a, "A.json",
                "the result that the other one is compared with: what --json of run, compare or "
                "results wrote, or --format json printed");
  list.argument("b", &b, "B.json", "the other, of the same command");
  list.add("tolerance", &tolerances, "METRIC=AMOUNT",
           "how far apart is no difference: cycles=2% (of A), 'stall_*=10', or 2% for all; "
           "repeatable, the last for a metric holds (default 0)",
           [this](const std::string& text, const std::string& /*option*/) { tolerances.add(text); })
      .common()
      .repeats = true;
  list.text(
          "metrics", &metrics, "NAMES",
          "compare these alone: names or patterns with commas, such as 'cycles,stall_*' (`shflsim "
          "list stats`; default: all)")
      .common();
  list.number("top", &top, 1, kMostRows, "N",
              "instructions and points shown as text, those that differ most; files and other "
              "formats have all")
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

int diff(const DiffOptions& options) {
  const report::Diff diff =
      report::diff_of(report::read_result_file(options.a), report::read_result_file(options.b),
                      options.tolerances, metrics_of(options));
  const report::Document document = report::diff_document(diff);
  ResultFiles(options.files)
      .write([&] { return report::json_of(document); }, [&] { return report::csv_of(document); });
  if (!print_formatted(options.format.format, document))
    report::write_diff(std::cout, diff, options.top);
  return diff.beyond == 0 ? kFine : kNo;
}

}  // namespace

const Command kDiff =
    command("diff", "compare two results, figure by figure, with tolerances",
            "shflsim diff A.json B.json [options]",
            "  shflsim run traces/suite/fft_32.sass --json whole.json\n"
            "  shflsim run traces/suite/fft_32.sass --set shuffle.lanes=16 \\\n"
            "      --json half.json\n"
            "  shflsim diff whole.json half.json --metrics cycles --tolerance 10%\n"
            "  shflsim diff whole.json half.json --top 5 || test $? = 1\n",
            diff);

}  // namespace shflsim::cli
