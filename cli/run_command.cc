// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "cli/command.h"
#include "cli/launch_line.h"
#include "cli/launch_options.h"
#include "cli/launch_run.h"
#include "cli/machine_options.h"
#include "cli/region_run.h"
#include "cli/spec.h"
#include "cli/trace_input.h"
#include "isa/input_error.h"
#include "isa/reader/source.h"
#include "isa/volta/volta_listing.h"
#include "model/run.h"
#include "report/report.h"
#include "traces/recorder.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

po::options_description run_options() {
  po::options_description options("options");
  options.add_options()(
      "input", po::value<std::string>(),
      "cubin, listing of sm_5x/6x code, PTX, code in the manual's syntax, or a trace");
  LaunchOptions::add_to(options);
  add_region_options(options);
  options.add_options()("config", po::value<std::vector<std::string>>(),
                        "machine or overlay: a shipped name or a file; repeatable (default gm107)")(
      "set", po::value<std::vector<std::string>>(), "KEY=VALUE over the config; repeatable")(
      "json", po::value<std::string>(), "write the whole result as JSON")(
      "csv", po::value<std::string>(), "write the per-instruction table as CSV")(
      "sms", po::value<std::string>(),
      "SMs of a chip, 1 to 256, that share the grid's blocks and the memory behind them (default "
      "1)")("launch", po::value<std::string>(),
            "INI file of launches that share device memory, instead of FILE and its arguments");
  add_machine_options(options);
  add_trace_options(options);
  return options;
}

std::string option(const po::variables_map& values, const char* name) {
  return values.count(name) == 0 ? "" : values[name].as<std::string>();
}

unsigned sms_of(const po::variables_map& values) {
  if (values.count("sms") == 0) return 1;
  const auto sms = static_cast<unsigned>(read_number(option(values, "sms"), 256, "--sms"));
  if (sms == 0) throw InputError("--sms 0; expected 1 to 256");
  return sms;
}

void write_reports(const po::variables_map& values, const traces::Trace& trace,
                   const model::RunResult& result) {
  if (values.count("json") != 0) report::write_json(option(values, "json"), trace, result);
  if (values.count("csv") != 0) report::write_csv(option(values, "csv"), trace, result);
  report::write_table(std::cout, trace, result);
}

int run_trace(const std::string& file, const po::variables_map& values) {
  refuse_launch_options(file, values);
  traces::LaunchShape shape;
  const traces::Trace trace = open_trace(file, values, &shape);
  for (const std::string& warning : trace.code.warnings) std::cerr << warning << "\n";
  write_reports(values, trace,
                model::run(trace, trace_config(trace, shape, values), sms_of(values)));
  return kFine;
}

int run_launches(const po::variables_map& values) {
  if (values.count("input") != 0) {
    throw InputError("FILE and --launch both given; expected one of them");
  }
  return run_launch_file(option(values, "launch"),
                         {config_layers(values), machine_options(values, false),
                          option(values, "json"), option(values, "csv")});
}

int run(const std::vector<std::string>& arguments) {
  po::positional_options_description positions;
  positions.add("input", 1);
  po::variables_map values;
  const Usage usage{
      "shflsim run FILE [options]",
      "  shflsim run traces/scan_inclusive.sass --reg Rsum=1.0 --dump-reg Rsum:sums.bin\n"
      "  shflsim run kernels.sass --kernel reduce --grid 4 --block 256 --arg file:in.bin \\\n"
      "      --arg fill:4096:cd --arg u32:1024 --save 1:out.bin --set shuffle.network=banked\n"
      "  shflsim run --launch launches.ini\n"};
  if (!parse(arguments, usage, run_options(), positions, &values)) return kFine;

  if (values.count("launch") != 0) return run_launches(values);
  if (values.count("input") == 0) {
    throw InputError(std::string("no input given; expected ") + usage.call);
  }
  const std::string file = values["input"].as<std::string>();
  if (is_trace_file(file)) return run_trace(file, values);
  const isa::SourceText source = isa::read_source_text(file);
  if (isa::is_volta_listing(source)) return run_region(source, values);
  const isa::Program program =
      isa::find_kernel(*isa::open_source(file), option(values, "kernel"), file);
  for (const std::string& warning : program.warnings) std::cerr << warning << "\n";
  const model::ConfigLayers layers = config_layers(values);
  const unsigned sms = sms_of(values);
  model::effective_config(layers);  // a config that cannot be used is said before any work

  LaunchOptions launch(with_launch_line(values, file), program);
  isa::Outcome outcome;
  const isa::MachineOptions options = machine_options(values, launch.keeps_registers());
  const traces::Trace trace =
      traces::record(program, launch.launch(), launch.memory(), options, &outcome);
  const model::RunResult result = model::run(trace, layers, sms);

  launch.save(outcome);
  write_reports(values, trace, result);
  return kFine;
}

}  // namespace

const Command kRun = {
    "run",
    "execute code or replay a trace, time it on one SM and report instruction by instruction", run};

}  // namespace shflsim::cli
