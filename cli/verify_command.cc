// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "cli/command.h"
#include "cli/input.h"
#include "cli/result_format.h"
#include "isa/reader/verify.h"
#include "report/screen.h"

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

int run(const std::vector<std::string>& arguments) {
  po::options_description options("options");
  options.add_options()("listing", po::value<std::string>()->value_name("LISTING")->required(),
                        "cuobjdump -sass or nvdisasm -hex listing, gzipped or not")(
      "all", po::bool_switch(), "print every difference, not only the first ten");
  add_format_option(options);
  po::positional_options_description positions;
  positions.add("listing", 1);
  po::variables_map values;
  const Usage usage{"shflsim verify LISTING [--all]",
                    "  shflsim verify traces/kernels.sm50.sass\n"};
  if (!parse(arguments, usage, options, positions, &values)) return kFine;
  const Input input(values["listing"].as<std::string>(), values);
  input.source("verify");
  const std::string& file = input.path();
  const isa::Verification found = isa::verify_listing(isa::read_source_text(file));
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
