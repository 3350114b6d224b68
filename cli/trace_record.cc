// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/input.h"
#include "cli/launch_line.h"
#include "cli/launch_options.h"
#include "cli/machine_options.h"
#include "cli/shown_work.h"
#include "cli/trace_command.h"
#include "isa/input_error.h"
#include "report/messages.h"
#include "traces/shft/file_recorder.h"
#include "traces/shft/writer.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

po::options_description record_options() {
  po::options_description options("options");
  options.add_options()("input", po::value<std::string>()->value_name("FILE")->required(),
                        "FILE or FILE:KERNEL, code (`shflsim list inputs`)")(
      "output,o", po::value<std::string>()->value_name("FILE")->required(), "the trace to write");
  Input::add_options(options);
  LaunchOptions::add_saves_to(options);
  return options;
}

/// Writes the steps while they are executed, so that a long launch need not be in memory.
void record(const Input& input, const po::variables_map& values) {
  input.refuse_foreign_options();
  const isa::Program program =
      isa::find_kernel(input.source("trace record"), input.kernel(), input.path());
  for (const std::string& warning : program.warnings) report::remark(warning);
  LaunchOptions launch(with_launch_line(values, input.path()), program);
  const ShownWork shown;
  launch.save(traces::record_to_file(values["output"].as<std::string>(), program, launch.launch(),
                                     launch.memory(),
                                     machine_options(values, launch.keeps_registers())));
}

/// A region is one block of warps.
void record_region(const Input& input, const po::variables_map& values) {
  const traces::Trace trace = input.launch().trace;
  traces::LaunchShape shape;
  shape.block.x = trace.threads_per_block;
  traces::write_shft(values["output"].as<std::string>(), trace, shape);
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
  const Input input(values["input"].as<std::string>(), values);
  if (input.is_trace())
    throw InputError({input.path()}, "is a trace already; expected code, or shflsim trace convert");
  input.is_region() ? record_region(input, values) : record(input, values);
  return kFine;
}

}  // namespace shflsim::cli
