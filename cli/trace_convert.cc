// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/trace_command.h"
#include "cli/trace_input.h"
#include "isa/input_error.h"
#include "traces/shft/writer.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

po::options_description convert_options() {
  po::options_description options("options");
  options.add_options()("input", po::value<std::string>()->required(), "a trace")(
      "output,o", po::value<std::string>()->required(), "the trace to write");
  return options;
}

}  // namespace

int convert_trace(const std::vector<std::string>& arguments) {
  po::positional_options_description positions;
  positions.add("input", 1);
  po::variables_map values;
  const Usage usage{"shflsim trace convert TRACE -o TRACE [options]",
                    "  shflsim trace convert kernel-1.traceg.xz -o kernel-1.shft\n"};
  if (!parse(arguments, usage, convert_options(), positions, &values)) return kFine;
  traces::LaunchShape shape;
  const traces::Trace trace = open_trace(values["input"].as<std::string>(), &shape);
  traces::write_shft(values["output"].as<std::string>(), trace, shape);
  return kFine;
}

}  // namespace shflsim::cli
