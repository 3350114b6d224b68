// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>

#include "cli/commands/sweep_cluster.h"
#include "cli/commands/sweep_outcome.h"
#include "cli/launch/input.h"
#include "cli/launch/sweep_inputs.h"
#include "cli/options/command.h"
#include "cli/options/result_files.h"
#include "cli/options/version.h"
#include "isa/base/faults.h"
#include "model/core/interruption.h"
#include "model/run.h"
#include "report/compare/point_table.h"
#include "report/page/page.h"
#include "report/terminal/messages.h"
#include "report/terminal/progress.h"
#include "sweep/jobs.h"
#include "sweep/plan.h"

namespace shflsim::cli {
namespace {

namespace fs = std::filesystem;
struct SweepOptions : OptionGroup {
  Strings files;
  Strings axes;
  MachineChoice machine;
  std::optional<std::string> keep;
  std::optional<std::string> seconds;
  std::optional<std::string> memory_mib;
  std::optional<std::string> html;
  std::optional<unsigned> sms;
  bool dry_run = false;
  ClusterOptions cluster;
  InputOptions input;

  void list(OptionList& list);
};

void SweepOptions::list(OptionList& list) {
  list.group("options", this);
  list.arguments("input", &files, "FILE",
                 "a sweep file (docs/sweeps.md), or with --vary its inputs: code, traces and "
                 "launch files, each FILE or FILE:KERNEL");
  list.texts("vary", &axes, "KEY=VALUES",
             "values of a parameter, such as 8,16,32 or 8..32 step 8 or all; repeatable")
      .common();
  list.text("keep", &keep, "METRICS",
            "metrics to keep, with commas (`shflsim list stats`); rows for each instruction's too "
            "(default: all metrics)")
      .common("metrics to keep, with commas (default: all)");
  machine.list(list,
               ": an overlay changes the machine before it, A+B is one machine (default: the "
               "machines of the file, else the chip of each input's architecture)");
  cluster.list(list);
  list.group("execution", this);
  list.number("sms", &sms, 1, sweep::kMostSms, "N",
              "SMs of a chip that each point is timed on, which share the grid's blocks")
      .common("SMs of a chip that each point is timed on")
      .standard = "1";
  list.text("seconds", &seconds, "S", "time limit of a point").common();
  list.text("memory", &memory_mib, "MIB", "memory limit of a point's process").common();
  list.flag("dry-run", &dry_run,
            "only print the points and an estimate of their time, from a few of them")
      .common("only print the points and an estimate of their time");
  list.text("html", &html, "FILE",
            "also write the points as a page that opens in a browser without a network (as "
            "`shflsim results --html`)")
      .common("write a page that opens in a browser");
  const char* const later = "; expected `shflsim results FILE --html` when there are results";
  for (const void* other :
       {static_cast<const void*>(&dry_run), static_cast<const void*>(&cluster.slurm),
        static_cast<const void*>(&cluster.engine)})
    list.excludes(other, {&html}, later);
  input.list(list);
}

model::Assignment option_word(const char* option, const std::string& text) {
  return {option, text, "", "command line", 0, 0, 0};
}

/// A config that the sweep names; its parts are looked up relative to the sweep's folder.
model::ConfigLayers config_of(const model::Assignment& config, const std::string& folder) {
  model::ConfigLayers layers;
  std::istringstream parts(config.value);
  for (std::string part; std::getline(parts, part, '+');) {
    const bool is_path =
        part.find('/') != std::string::npos || fs::path(part).extension() == ".cfg";
    layers.add_file(is_path ? (fs::path(folder) / part).string() : part);
  }
  return layers;
}

/// Reads the config. Errors name the place in the sweep file that refers to it.
model::ConfigLayers named_config(const model::Assignment& config, const sweep::Spec& spec) {
  const std::string folder = config.line == 0 ? "" : fs::path(spec.path).parent_path().string();
  try {
    return config_of(config, folder);
  } catch (const InputError& error) {
    if (!error.faults().front().where.file.empty()) throw;
    throw InputError(config.where(), error.what());
  }
}

/// Joins each overlay with the machine before it, as in all commands.
void put_overlays_over_machines(sweep::Spec* spec) {
  std::vector<model::Assignment> machines;
  for (const model::Assignment& config : spec->configs) {
    if (machines.empty() || model::is_whole(named_config(config, *spec))) {
      machines.push_back(config);
    } else {
      machines.back().value += "+" + config.value;
    }
  }
  spec->configs = machines;
}

InputError no_spec(const std::string& path) {
  std::error_code unknown;
  const char* what = fs::exists(path, unknown) ? "is no sweep file" : "no such file";
  return {{path}, std::string(what) + "; expected one that begins with [sweep], or --vary"};
}

/// The spec of the sweep; the command line overrides the file.
sweep::Spec spec_of(const SweepOptions& options) {
  const Strings& inputs = options.files;
  sweep::Spec spec;
  if (inputs.size() == 1 && sweep::is_spec(inputs.front())) {
    spec = sweep::read_spec(inputs.front());
  } else {
    for (const std::string& input : inputs) spec.inputs.push_back(option_word("input", input));
    if (options.axes.empty()) throw no_spec(inputs.front());
  }
  for (const std::string& text : options.axes)
    spec.axes.push_back(sweep::axis_of(sweep::assignment_of(text, "--vary")));
  for (const std::string& text : options.machine.settings)
    spec.settings.push_back(sweep::setting_of(text, "--set"));
  if (options.machine.is_made()) spec.configs.clear();
  for (const std::string& text : options.machine.configs)
    spec.configs.push_back(option_word("--config", text));
  if (options.keep) {
    spec.keep.clear();
    sweep::keep(option_word("--keep", *options.keep), &spec);
  }
  if (options.seconds) spec.seconds = sweep::seconds_of(option_word("--seconds", *options.seconds));
  if (options.memory_mib)
    spec.memory_mib = sweep::memory_of(option_word("--memory", *options.memory_mib));
  if (options.sms) spec.sms = *options.sms;
  sweep::check_axes(spec);
  put_overlays_over_machines(&spec);
  return spec;
}

std::map<std::string, model::ConfigLayers> configs_of(const sweep::Spec& spec,
                                                      const std::vector<sweep::Input>& inputs) {
  std::vector<model::Assignment> configs = spec.configs;
  for (const sweep::Input& input : inputs) {
    if (spec.configs.empty()) configs.push_back(option_word("--config", input.machine));
  }
  std::map<std::string, model::ConfigLayers> all;
  Faults faults;
  for (const model::Assignment& config : configs) {
    if (all.count(config.value) != 0) continue;
    faults.hold([&] {
      const model::ConfigLayers layers = named_config(config, spec);
      model::effective_config(layers);
      all[config.value] = layers;
    });
  }
  faults.raise();
  return all;
}

sweep::Grid grid_of(const sweep::Spec& spec, const std::vector<sweep::Input>& inputs) {
  std::vector<sweep::LaunchLabel> launches;
  for (const sweep::Input& input : inputs) {
    for (const std::string& kernel : input.kernels)
      launches.push_back({input.label, kernel, input.machine});
  }
  Strings configs;
  for (const model::Assignment& config : spec.configs) configs.push_back(config.value);
  return {launches, configs, spec};
}

std::string database_of(const sweep::Spec& spec, const std::string& chosen) {
  if (chosen == "-") throw InputError("--db -; expected a file, which is not written in a row");
  if (!chosen.empty()) return chosen;
  return (spec.path.empty() ? "sweep" : fs::path(spec.path).stem().string()) + ".sqlite";
}

sweep::PointResult result_of(const std::string& fingerprint, sweep::Point point) {
  return {fingerprint,   state_name(point.state),  point.reason,
          point.seconds, std::move(point.metrics), std::move(point.rows)};
}

/// Runs the missing points, and stores each result as it arrives.
void run_missing(const sweep::Sweep& sweep, const sweep::PlannedSweep& plan,
                 const std::vector<size_t>& missing, unsigned jobs, sweep::ResultsFile* results) {
  report::ProgressLine progress(report::progress_out());
  size_t done = 0;
  try {
    run_points(sweep, missing, jobs, [&](size_t number, sweep::Point point) {
      results->add(result_of(plan.fingerprint(number), std::move(point)));
      progress.update_count(++done, missing.size(), "points");
    });
  } catch (const model::Interrupted& stop) {
    throw model::Interrupted(
        fmt::format("stopped with {} of {} points done, which {} keeps; the same command runs the "
                    "rest",
                    plan.size() - missing.size() + done, plan.size(), results->path()),
        stop.signal);
  }
}

/// Runs the points that have no result yet; of one shard only, if the user names one.
int run_here(const sweep::Sweep& sweep, const SweepOptions& options, const std::string& database) {
  const ClusterOptions& cluster = options.cluster;
  std::optional<isa::OutFile> html = begun(options.html);
  const std::optional<sweep::Shard> shard = chosen_shard(cluster);
  const sweep::PlannedSweep plan(sweep, version_word(), shard.value_or(sweep::Shard()));
  sweep::ResultsFile results = results_of(database, shard);
  const std::vector<size_t> missing = plan.begin(&results, cluster.retry);
  run_missing(sweep, plan, missing, cluster.jobs.value_or(sweep::default_processes()), &results);
  if (html)
    html->finish(report::page_of(report::json_of(report::points_document(results.table()))));
  return print_outcome(results, shard.has_value());
}

int sweep_points(const SweepOptions& options) {
  const ClusterOptions& cluster = options.cluster;
  report::show_progress_in_logs();
  const sweep::Spec spec = spec_of(options);
  const std::vector<sweep::Input> inputs = sweep_inputs(spec, options.input, options.machine);
  const auto configs = configs_of(spec, inputs);
  const sweep::Grid grid = grid_of(spec, inputs);
  const sweep::Sweep sweep{spec, inputs, configs, grid};
  if (options.dry_run)
    return print_dry_run(sweep, cluster.jobs.value_or(sweep::default_processes()));
  const std::string database = database_of(spec, cluster.database);
  if (cluster.is_elsewhere()) return hand_over(cluster, sweep, database);
  return run_here(sweep, options, database);
}

}  // namespace

const Command kSweep =
    command("sweep", "run code on every combination of designs, and keep the results",
            "shflsim sweep FILE [options]",
            "  shflsim sweep traces/widths.ini -j 2 --db widths.sqlite\n"
            "  shflsim sweep traces/suite/*.sass --vary shuffle.network=all \\\n"
            "      --vary shuffle.lanes=8,16,32 --config gm107 --config gh100\n",
            sweep_points);

}  // namespace shflsim::cli
