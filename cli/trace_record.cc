// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "cli/command.h"
#include "cli/launch_options.h"
#include "cli/machine_options.h"
#include "cli/trace_command.h"
#include "isa/reader/source.h"
#include "traces/shft/file_recorder.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

po::options_description record_options() {
  po::options_description options("options");
  options.add_options()("input", po::value<std::string>()->required(),
                        "cubin, listing, PTX, or code in the manual's syntax")(
      "output,o", po::value<std::string>()->required(), "the trace to write");
  LaunchOptions::add_to(options);
  add_machine_options(options);
  return options;
}

}  // namespace

int record_trace(const std::vector<std::string>& arguments) {
  po::positional_options_description positions;
  positions.add("input", 1);
  po::variables_map values;
  const Usage usage{
      "shflsim trace record FILE -o TRACE [options]",
      "  shflsim trace record traces/scan_inclusive.sass --reg Rsum=1.0 -o scan.shft\n"
      "  shflsim run scan.shft --set shuffle.network=banked\n"};
  if (!parse(arguments, usage, record_options(), positions, &values)) return kFine;
  const std::string file = values["input"].as<std::string>();
  const std::string kernel = values.count("kernel") == 0 ? "" : values["kernel"].as<std::string>();
  const isa::Program program = isa::find_kernel(*isa::open_source(file), kernel, file);
  for (const std::string& warning : program.warnings) std::cerr << warning << "\n";
  LaunchOptions launch(values, program);
  launch.save(traces::record_to_file(values["output"].as<std::string>(), program, launch.launch(),
                                     launch.memory(),
                                     machine_options(values, launch.keeps_registers())));
  return kFine;
}

}  // namespace shflsim::cli
