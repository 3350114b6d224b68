// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <optional>

#include "cli/command.h"
#include "cli/input.h"
#include "cli/launch_options.h"
#include "cli/launch_run.h"
#include "cli/launches.h"
#include "cli/machine_options.h"
#include "cli/region_options.h"
#include "cli/result_format.h"
#include "cli/signals.h"
#include "cli/spec.h"
#include "cli/view_options.h"
#include "cli/watched_run.h"
#include "isa/input_error.h"
#include "model/run.h"
#include "report/progress.h"
#include "report/report.h"
#include "sweep/jobs.h"
#include "sweep/sensitivity.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

po::options_description run_options() {
  po::options_description options("options");
  options.add_options()("input", po::value<std::string>()->value_name("FILE"),
                        "FILE or FILE:KERNEL, code or a trace (`shflsim list inputs`)");
  Input::add_options(options);
  LaunchOptions::add_saves_to(options);
  options.add_options()("config", po::value<std::vector<std::string>>()->value_name("NAME"),
                        "machine or overlay: a shipped name or a file; repeatable (default: the "
                        "machine that the input is of)")(
      "set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "KEY=VALUE over the config; repeatable")(
      "sms", po::value<std::string>()->value_name("N"),
      "SMs of a chip, 1 to 256, that share the grid's blocks and the memory behind them (default "
      "1)")("launch", po::value<std::string>()->value_name("FILE"),
            "INI file of launches that share device memory, instead of FILE and its arguments")(
      "sensitivity",
      "also run with each assumed value of the machine lower and higher: what the cycles hang on")(
      "max-cycles", po::value<std::string>()->value_name("N"),
      "stop each launch after this many cycles; the report says that it is partial (status 3)");
  options.add_options()(
      "save-anywhere",
      "let the save lines of --launch name any file, not only those in its folder");
  add_view_options(options);
  add_format_option(options);
  return options;
}

unsigned sms_of(const po::variables_map& values) {
  if (values.count("sms") == 0) return 1;
  return static_cast<unsigned>(read_number(text_of(values, "sms"), 1, 256, "--sms"));
}

void print_text(const report::Run& run) {
  report::write_table(std::cout, run.trace, run.result, run.origin);
  if (run.sensitivity != nullptr) report::write_sensitivity(std::cout, *run.sensitivity);
}

int run_launches(const po::variables_map& values) {
  if (result_format(values) != ResultFormat::kText) {
    throw InputError("--format " + text_of(values, "format") +
                     " with --launch, which has several results; expected --json or --csv FILE");
  }
  if (values.count("input") != 0) {
    throw InputError("FILE and --launch both given; expected one of them");
  }
  if (values.count("sensitivity") != 0)
    throw InputError("--sensitivity with --launch; expected it with one FILE");
  if (values.count("timeline") != 0)
    throw InputError("--timeline with --launch; expected --view timeline:FILE");
  const std::string because = "--launch, whose file says what is launched and saved";
  refuse(values, add_code_choices, {}, because);
  refuse(values, LaunchOptions::add_to, {}, because);
  refuse(values, LaunchOptions::add_saves_to, {}, because);
  refuse(values, add_region_options, {}, because);
  refuse(values, add_trace_options, {}, because);
  return run_launch_file(
      values["launch"].as<std::string>(),
      {[&values](const std::string& machine) { return config_layers(values, machine); },
       machine_options(values, false), sms_of(values), ViewFiles(values), most_cycles(values),
       values.count("save-anywhere") != 0});
}

/// What `--sensitivity` asks for, if it is given.
std::optional<report::Sensitivity> sensitivity_of(const po::variables_map& values,
                                                  const sweep::Subject& subject, uint64_t cycles) {
  if (values.count("sensitivity") == 0) return {};
  report::ProgressLine progress(report::progress_out());
  return sweep::sensitivity(
      subject, cycles, sweep::default_processes(),
      [&](size_t done, size_t all) { progress.update_count(done, all, "runs"); });
}

int run_input(const Input& input, const po::variables_map& values) {
  const ViewFiles views(values);
  if (views.has_timeline() && result_format(values) != ResultFormat::kText)
    throw InputError("--timeline with --format " + text_of(values, "format") +
                     "; expected it with text, or --view timeline:FILE");
  const unsigned sms = sms_of(values);
  const std::vector<std::string> listed = listed_launches(input);
  if (!listed.empty()) {
    if (values.count("sensitivity") != 0)
      throw InputError("--sensitivity with a list of traces; expected it with one of them");
    if (views.has_timeline())
      throw InputError("--timeline with a list of traces; expected --view timeline:FILE");
    return run_list(listed, views, sms, values);
  }
  const model::ConfigLayers layers = config_layers(values, input.machine());
  model::effective_config(layers);  // a config that cannot be used is said before any work
  const Launch launch = input.launch();
  const report::Origin origin = report::on_machine(launch.origin, layers);
  ViewFiles::Shown shown = views.start();
  const bool is_text = result_format(values) == ResultFormat::kText;
  if (!is_text) shown.print_as(text_of(values, "format"));
  model::RunResult result = watched_run(launch.trace, layers, sms, shown, most_cycles(values));
  if (launch.is_region) keep_timed_clock_reads(&result);
  launch.save();
  const std::optional<report::Sensitivity> sensitivity =
      sensitivity_of(values, {launch.trace, layers, sms}, result.cycles);
  const report::Run run{launch.trace, result, origin, sensitivity ? &*sensitivity : nullptr};
  shown.write(run);
  if (is_text) print_text(run);
  if (!is_text) shown.print(std::cout, run);
  shown.print_timeline(std::cout, run);
  say_machine(input.machine(), values);
  return status_of(result);
}

int run(const std::vector<std::string>& arguments) {
  po::positional_options_description positions;
  positions.add("input", 1);
  po::variables_map values;
  const Usage usage{
      "shflsim run FILE [options]",
      "  shflsim run traces/scan_inclusive.sass --reg Rsum=1.0 --dump-reg Rsum:sums.bin\n"
      "  shflsim run traces/kernels.sm50.sass --kernel broadcast --grid 4 --block 256 \\\n"
      "      --arg fill:4096:3f --arg fill:4096:cd --arg u32:1024 --save 1:out.bin \\\n"
      "      --set shuffle.network=banked\n"
      "  shflsim run --launch traces/launches.ini\n"
      "  shflsim run tests/data/accel_sim/kernelslist.g\n"};
  if (!parse(arguments, usage, run_options(), positions, &values)) return kFine;
  if (values.count("launch") != 0) return run_launches(values);
  if (values.count("input") == 0) {
    throw InputError(std::string("no input given; expected ") + usage.call);
  }
  if (values.count("save-anywhere") != 0)
    throw InputError(
        "--save-anywhere without --launch; expected it with the save lines of its file");
  return run_input(Input(values["input"].as<std::string>(), values), values);
}

}  // namespace

const Command kRun = {
    "run",
    "execute code or replay a trace, time it on one SM and report instruction by instruction", run};

}  // namespace shflsim::cli
