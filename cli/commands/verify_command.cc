// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>
#include <optional>

#include "cli/launch/input.h"
#include "cli/options/command.h"
#include "cli/options/result_format.h"
#include "isa/dialects/verify.h"
#include "isa/dialects/verify_words.h"
#include "report/run/json_fields.h"
#include "report/terminal/screen.h"
#include "traces/trace_format.h"

namespace shflsim::cli {
namespace {

constexpr size_t kShown = 10;

report::Document document(const isa::Verification& found) {
  report::Json differences = report::Json::array();
  for (const isa::Verification::Difference& each : found.differences)
    differences.push_back({{"line", each.line}, {"kernel", each.kernel}, {"what", each.what}});
  return {report::Json{{"schema", "shflsim-verify/1"},
                       {"instructions", found.instructions},
                       {"decoded", found.decoded},
                       {"texts_equal", found.texts_equal},
                       {"reencoded", found.reencoded},
                       {"differences", differences}},
          "differences",
          {"line", "kernel", "what"}};
}

void print_differences(const std::string& file, const isa::Verification& found, size_t most) {
  for (size_t i = 0; i < found.differences.size() && i < most; ++i) {
    const isa::Verification::Difference& difference = found.differences[i];
    report::write_line(std::cout, fmt::format("{}:{}: {}: {}", file, difference.line,
                                              difference.kernel, difference.what));
  }
  if (found.differences.size() > most) {
    std::cout << fmt::format("and {} more; --all prints each\n", found.differences.size() - most);
  }
}

/// The text to verify. Of the files that other commands read, only code of SPA 5.0 is accepted.
isa::SourceText source_of(const std::string& file) {
  if (traces::TraceFormats::of_file(file) == nullptr) {
    isa::SourceText text = isa::read_source_text(file);
    if (isa::has_long_words(text)) return text;
  }
  const Input input(file, {});
  input.source("verify");
  return isa::read_source_text(input.path());
}

struct VerifyOptions : OptionGroup {
  std::string listing;
  bool all = false;
  std::optional<isa::Arch> arch;
  FormatOption format;

  void list(OptionList& list);
};

void VerifyOptions::list(OptionList& list) {
  list.group("options", this);
  list.argument("listing", &listing, "LISTING",
                "cuobjdump -sass or nvdisasm -hex listing, or table of words, gzipped or not");
  list.flag("all", &all, "print every difference, not only the first ten").common();
  list.value("arch", &arch, "ARCH",
             "of a table of words, such as sm_90; default: smXX in the file's name",
             [](const std::string& text, const std::string& /*option*/) {
               return isa::arch_named(text);
             })
      .common();
  format.list(list);
}

int verify(const VerifyOptions& options) {
  const isa::SourceText source = source_of(options.listing);
  const isa::Verification found = isa::has_long_words(source)
                                      ? isa::verify_words(source, options.arch)
                                      : isa::verify_listing(source);
  if (found.instructions == 0)
    throw InputError({options.listing},
                     "no words of instructions; expected the output of cuobjdump -sass or nvdisasm "
                     "-hex, or a table of words");
  const int status = found.all_equal() ? kFine : kNo;
  if (print_formatted(options.format.format, document(found))) return status;
  print_differences(options.listing, found, options.all ? found.differences.size() : kShown);
  std::cout << fmt::format("{} instructions: {} decoded, {} texts equal, {} words re-encoded\n",
                           found.instructions, found.decoded, found.texts_equal, found.reencoded);
  return status;
}

}  // namespace

const Command kVerify = command("verify", "check a listing's words and texts against each other",
                                "shflsim verify LISTING [--all]",
                                "  shflsim verify traces/kernels.sm50.sass\n", verify);

}  // namespace shflsim::cli
