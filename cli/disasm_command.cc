// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "cli/code_options.h"
#include "cli/command.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

int run(const std::vector<std::string>& arguments) {
  po::options_description options("options");
  add_code_options(options, "nvdisasm");
  options.add_options()("line-info",
                        "say in front of each line's instructions which line of which source file "
                        "they are of, as nvdisasm -g does; of cubins of nvcc -lineinfo");
  po::positional_options_description positions;
  positions.add("file", 1);
  po::variables_map values;
  const Usage usage{"shflsim disasm FILE [options]",
                    "  shflsim disasm traces/kernels.cubin --kernel broadcast --dialect maxas\n"};
  if (!parse(arguments, usage, options, positions, &values)) return kFine;
  std::cout << printed_code(values);
  return kFine;
}

}  // namespace

const Command kDisasm = {"disasm", "print code in nvdisasm's, cuobjdump's or an assembler's words",
                         run};

}  // namespace shflsim::cli
