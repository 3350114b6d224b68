// SPDX-License-Identifier: Apache-2.0
#include "cli/code_options.h"
#include "cli/command.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

int run(const std::vector<std::string>& arguments) {
  po::options_description options("options");
  add_code_options(options, "nvdisasm");
  options.add_options()("output,o", po::value<std::string>()->value_name("FILE")->required(),
                        "file to write")(
      "dump-after", po::value<std::string>()->value_name("PASS"),
      "PTX: write the lines that the code has after this pass of the lowering");
  po::positional_options_description positions;
  positions.add("file", 1);
  po::variables_map values;
  const Usage usage{"shflsim asm FILE -o OUT [options]",
                    "  shflsim asm traces/scan_inclusive.sass -o scan.sass\n"
                    "  shflsim asm traces/kernels.cubin --kernel broadcast -o broadcast.maxas \\\n"
                    "      --dialect maxas\n"};
  if (!parse(arguments, usage, options, positions, &values)) return kFine;
  const bool dumps = values.count("dump-after") != 0;
  file_of(values, "output")
      ->finish(dumps ? lines_after(values["dump-after"].as<std::string>(), values)
                     : printed_code(values));
  return kFine;
}

}  // namespace

const Command kAsm = {"asm", "assemble code: words, stalls and barriers into a listing", run};

}  // namespace shflsim::cli
