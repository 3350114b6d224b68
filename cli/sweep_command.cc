// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>

#include "cli/command.h"
#include "cli/input.h"
#include "cli/spec.h"
#include "cli/sweep_cluster.h"
#include "cli/sweep_inputs.h"
#include "cli/sweep_outcome.h"
#include "cli/version.h"
#include "isa/faults.h"
#include "model/core/interruption.h"
#include "model/run.h"
#include "report/messages.h"
#include "report/page.h"
#include "report/point_table.h"
#include "report/progress.h"
#include "sweep/jobs.h"
#include "sweep/plan.h"

namespace shflsim::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;
using Strings = std::vector<std::string>;

constexpr int kMostJobs = 1000;

po::options_description sweep_options() {
  po::options_description options("options");
  options.add_options()("input", po::value<Strings>()->value_name("FILE")->required(),
                        "a sweep file (docs/sweeps.md), or with --vary what it would name: code, "
                        "traces and launch files, each FILE or FILE:KERNEL")(
      "vary", po::value<Strings>()->value_name("KEY=VALUES"),
      "values of a parameter, such as 8,16,32 or 8..32 step 8 or all; repeatable")(
      "config", po::value<Strings>()->value_name("NAME"),
      "machine or overlay: a shipped name or a file; repeatable: an overlay is put over the "
      "machine in "
      "front of it, A+B is one machine (default: those of the file, else the one that each input "
      "is "
      "of)")("set", po::value<Strings>()->value_name("KEY=VALUE"),
             "KEY=VALUE over every machine; repeatable")(
      "keep", po::value<std::string>()->value_name("METRICS"),
      "metrics to keep, with commas (`shflsim list stats`); rows for each instruction's too "
      "(default: all metrics)")("seconds", po::value<std::string>()->value_name("S"),
                                "most that a point may take")(
      "memory", po::value<std::string>()->value_name("MIB"),
      "most that the process of a point may have")(
      "jobs,j",
      po::value<std::string>()->value_name("N")->default_value(
          std::to_string(sweep::default_processes())),
      "points at a time, 1 to 1000")(
      "db", po::value<std::string>()->value_name("FILE"),
      "results, a SQLite database (default: the sweep file's name, as .sqlite, here)")(
      "html", po::value<std::string>()->value_name("FILE"),
      "write the points too, as a page that opens in a browser without a network (`shflsim "
      "results` "
      "with --html)")("retry", "run points again that failed before")(
      "dry-run", "only say which points there are and, from a few of them, how long they take");
  add_cluster_options(options);
  Input::add_options(options);
  return options;
}

Strings list_of(const po::variables_map& values, const char* name) {
  return values.count(name) == 0 ? Strings() : values[name].as<Strings>();
}

model::Assignment option_word(const char* option, const std::string& text) {
  return {option, text, "", "command line", 0, 0, 0};
}

/// A config as the sweep names it; the file of a part is looked for from the sweep's folder.
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

/// Its config, with what cannot be used of it said at the place that names it.
model::ConfigLayers named_config(const model::Assignment& config, const sweep::Spec& spec) {
  const std::string folder = config.line == 0 ? "" : fs::path(spec.path).parent_path().string();
  try {
    return config_of(config, folder);
  } catch (const InputError& error) {
    if (!error.faults().front().where.file.empty()) throw;
    throw InputError(config.where(), error.what());
  }
}

/// An overlay belongs to the machine in front of it, as with every command.
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

/// What the command line says is over what the file says.
sweep::Spec spec_of(const po::variables_map& values) {
  const Strings inputs = values["input"].as<Strings>();
  sweep::Spec spec;
  if (inputs.size() == 1 && sweep::is_spec(inputs.front())) {
    spec = sweep::read_spec(inputs.front());
  } else {
    for (const std::string& input : inputs) spec.inputs.push_back(option_word("input", input));
    if (values.count("vary") == 0) throw no_spec(inputs.front());
  }
  for (const std::string& text : list_of(values, "vary"))
    spec.axes.push_back(sweep::axis_of(sweep::assignment_of(text, "--vary")));
  for (const std::string& text : list_of(values, "set"))
    spec.settings.push_back(sweep::setting_of(text, "--set"));
  if (values.count("config") != 0) spec.configs.clear();
  for (const std::string& text : list_of(values, "config"))
    spec.configs.push_back(option_word("--config", text));
  if (values.count("keep") != 0) {
    spec.keep.clear();
    sweep::keep(option_word("--keep", text_of(values, "keep")), &spec);
  }
  if (values.count("seconds") != 0)
    spec.seconds = sweep::seconds_of(option_word("--seconds", text_of(values, "seconds")));
  if (values.count("memory") != 0)
    spec.memory_mib = sweep::memory_of(option_word("--memory", text_of(values, "memory")));
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

std::string database_of(const sweep::Spec& spec, const po::variables_map& values) {
  std::string chosen = text_of(values, "db");
  if (chosen == "-") throw InputError("--db -; expected a file, which is not written in a row");
  if (!chosen.empty()) return chosen;
  return (spec.path.empty() ? "sweep" : fs::path(spec.path).stem().string()) + ".sqlite";
}

sweep::PointResult result_of(const std::string& fingerprint, sweep::Point point) {
  return {fingerprint,   state_name(point.state),  point.reason,
          point.seconds, std::move(point.metrics), std::move(point.rows)};
}

/// Where the sweep runs here and now, so that there is something to show.
std::optional<isa::OutFile> page_file(const po::variables_map& values) {
  if (values.count("html") == 0) return {};
  const bool is_dry = values.count("dry-run") != 0;
  if (is_dry || is_for_cluster(values))
    throw InputError(std::string("--html with ") +
                     (is_dry ? "--dry-run" : "a sweep that runs elsewhere") +
                     "; expected `shflsim results FILE --html` when there are results");
  return file_of(values, "html");
}

/// Runs what is missing, and keeps each result as it comes.
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

int run(const Strings& arguments) {
  po::positional_options_description positions;
  positions.add("input", -1);
  po::variables_map values;
  const Usage usage{"shflsim sweep FILE [options]",
                    "  shflsim sweep traces/widths.ini -j 2 --db widths.sqlite\n"
                    "  shflsim sweep traces/suite/*.sass --vary shuffle.network=all \\\n"
                    "      --vary shuffle.lanes=8,16,32 --config gm107 --config gh100\n"};
  const po::options_description options = sweep_options();
  if (!parse(without_sbatch_options(arguments), usage, options, positions, &values)) return kFine;
  const auto jobs =
      static_cast<unsigned>(read_number(text_of(values, "jobs"), 1, kMostJobs, "--jobs"));
  std::optional<isa::OutFile> html = page_file(values);
  report::show_progress_in_logs();
  const sweep::Spec spec = spec_of(values);
  const std::vector<sweep::Input> inputs = sweep_inputs(spec, values);
  const auto configs = configs_of(spec, inputs);
  const sweep::Grid grid = grid_of(spec, inputs);
  const sweep::Sweep sweep{spec, inputs, configs, grid};
  if (values.count("dry-run") != 0) return print_dry_run(sweep, jobs);
  if (is_for_cluster(values))
    return hand_over({arguments, options, values}, sweep, database_of(spec, values));
  const std::optional<sweep::Shard> shard = chosen_shard(values);
  const sweep::PlannedSweep plan(sweep, version_word(), shard.value_or(sweep::Shard()));
  sweep::ResultsFile results = results_of(database_of(spec, values), shard);
  const std::vector<size_t> missing = plan.begin(&results, values.count("retry") != 0);
  run_missing(sweep, plan, missing, jobs, &results);
  if (html)
    html->finish(
        report::page_of(report::json_of(report::document_of(results.table(), "points").json)));
  return print_outcome(results);
}

}  // namespace

const Command kSweep = {"sweep", "run code on every combination of designs, and keep the results",
                        run};

}  // namespace shflsim::cli
