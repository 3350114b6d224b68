// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>
#include <optional>

#include "cli/command.h"
#include "cli/input.h"
#include "cli/result_format.h"
#include "isa/reader/verify.h"
#include "isa/volta/verify_words.h"
#include "report/screen.h"
#include "traces/trace_format.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

constexpr size_t kShown = 10;

report::Document document(const isa::Verification& found) {
  report::Json differences = report::Json::array();
  for (const isa::Verification::Difference& each : found.differences)
    differences.push_back({{"line", each.line}, {"kernel", each.kernel}, {"what", each.what}});
  return {{{"schema", "shflsim-verify/1"},
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

/// The text of what can be verified. Of what other commands read, code of SPA 5.0 alone.
isa::SourceText source_of(const std::string& file, const po::variables_map& values) {
  if (traces::TraceFormats::of_file(file) == nullptr) {
    isa::SourceText text = isa::read_source_text(file);
    if (isa::has_long_words(text)) return text;
  }
  const Input input(file, values);
  input.source("verify");
  return isa::read_source_text(input.path());
}

int run(const std::vector<std::string>& arguments) {
  po::options_description options("options");
  options.add_options()("listing", po::value<std::string>()->value_name("LISTING")->required(),
                        "cuobjdump -sass or nvdisasm -hex listing, or table of words, gzipped or "
                        "not")("all", po::bool_switch(),
                               "print every difference, not only the first ten")(
      "arch", po::value<std::string>()->value_name("ARCH"),
      "of a table of words, such as sm_90; default: smXX in the file's name");
  add_format_option(options);
  po::positional_options_description positions;
  positions.add("listing", 1);
  po::variables_map values;
  const Usage usage{"shflsim verify LISTING [--all]",
                    "  shflsim verify traces/kernels.sm50.sass\n"};
  if (!parse(arguments, usage, options, positions, &values)) return kFine;
  std::optional<isa::Arch> arch;
  if (values.count("arch") != 0) arch = isa::arch_named(values["arch"].as<std::string>());
  const auto file = values["listing"].as<std::string>();
  const isa::SourceText source = source_of(file, values);
  const isa::Verification found =
      isa::has_long_words(source) ? isa::verify_words(source, arch) : isa::verify_listing(source);
  if (print_formatted(values, document(found))) return found.all_equal() ? kFine : kNo;
  const bool all = values["all"].as<bool>();
  print_differences(file, found, all ? found.differences.size() : kShown);
  std::cout << fmt::format("{} instructions: {} decoded, {} texts equal, {} words re-encoded\n",
                           found.instructions, found.decoded, found.texts_equal, found.reencoded);
  return found.all_equal() ? kFine : kNo;
}

}  // namespace

const Command kVerify = {"verify", "check a listing's words and texts against each other", run};

}  // namespace shflsim::cli
