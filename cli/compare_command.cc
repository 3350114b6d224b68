// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <sstream>
#include <utility>

#include "cli/command.h"
#include "cli/input.h"
#include "cli/launches.h"
#include "cli/result_format.h"
#include "cli/signals.h"
#include "cli/spec.h"
#include "isa/input_error.h"
#include "model/run.h"
#include "report/compare.h"
#include "report/messages.h"
#include "report/page.h"
#include "report/progress.h"
#include "sweep/compare.h"
#include "sweep/jobs.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;
using Strings = std::vector<std::string>;

constexpr int kMostCount = 1000;  // of --jobs, --top and --lines

po::options_description compare_options() {
  po::options_description options("options");
  options.add_options()("input", po::value<Strings>()->value_name("FILE")->required(),
                        "code or traces, each FILE or FILE:KERNEL (`shflsim list inputs`)")(
      "config", po::value<Strings>()->value_name("NAME"),
      "machine or overlay: a shipped name or a file; repeatable: an overlay is put over the "
      "machine "
      "in front of it, A+B is one machine, a further machine is compared with the first (default: "
      "the machine that the inputs are of)")(
      "network", po::value<std::string>()->value_name("NAMES"),
      "shuffle networks for each machine: names with commas, or all")(
      "set", po::value<Strings>()->value_name("KEY=VALUE"),
      "KEY=VALUE over every machine; repeatable")(
      "design", po::value<Strings>()->value_name("NAME=SETS"),
      "NAME=KEY=VALUE,KEY=VALUE: each machine with these values too, beside it; repeatable")(
      "pareto", po::value<std::string>()->value_name("A,B"),
      "mark designs that another beats in two figures, such as cycles,mux2")(
      "sort", po::value<std::string>()->value_name("KEY"),
      "order of the designs behind the first: a figure such as cycles or mux2, the best first")(
      "top", po::value<std::string>()->value_name("N"),
      "designs shown, the first ones, 1 to 1000 (default: all)")(
      "lines", po::value<std::string>()->value_name("N")->default_value("1"),
      "instructions named for each difference, 1 to 1000")(
      "programs", "the inputs beside one another, figure by figure")(
      "ports", "also each SHFL's passes, and a picture of the ports' use")(
      "jobs",
      po::value<std::string>()->value_name("N")->default_value(
          std::to_string(sweep::default_processes())),
      "runs at a time, 1 to 1000")("csv", po::value<std::string>()->value_name("FILE"),
                                   "write a row for each input and design")(
      "json", po::value<std::string>()->value_name("FILE"), "write everything as JSON")(
      "html", po::value<std::string>()->value_name("FILE"),
      "write everything as a page that opens in a browser without a network")(
      "max-cycles", po::value<std::string>()->value_name("N"),
      "stop each run after this many cycles; the report says which are partial (status 3)");
  Input::add_options(options);
  add_format_option(options);
  return options;
}

Strings networks_of(const po::variables_map& values, const std::string& own) {
  if (values.count("network") == 0) return {own};
  const std::string text = values["network"].as<std::string>();
  Strings names;
  if (text == "all") {
    names = model::ShuffleNetworks::names();
    std::rotate(names.begin(), std::find(names.begin(), names.end(), own),
                std::next(std::find(names.begin(), names.end(), own)));
    std::sort(std::next(names.begin()), names.end());
    return names;
  }
  std::istringstream items(text);
  for (std::string name; std::getline(items, name, ',');) names.push_back(name);
  if (names.empty()) throw InputError("--network '': expected names with commas, or all");
  return names;
}

std::string value_of(const model::ConfigLayers& layers, const std::string& key) {
  for (const model::ConfigValue& value : model::effective_config(layers)) {
    if (value.key == key) return value.value;
  }
  return "";
}

/// The machine that all inputs are of.
std::string machine_of(const std::vector<Input>& inputs) {
  std::string machine = inputs.front().machine();
  for (const Input& input : inputs) {
    if (input.machine() == machine) continue;
    throw InputError({input.path()}, "is of " + input.machine() + ", but " + inputs.front().path() +
                                         " is of " + machine +
                                         "; expected --config to choose one machine for both");
  }
  return machine;
}

/// A machine with some values of its own, as `--design` writes it.
struct Variant {
  std::string name;
  Strings settings;
};

Variant variant_of(const std::string& text) {
  const size_t equals = text.find('=');
  Variant variant{text.substr(0, equals), {}};
  std::istringstream items(equals == std::string::npos ? "" : text.substr(equals + 1));
  for (std::string item; std::getline(items, item, ',');) variant.settings.push_back(item);
  if (variant.name.empty() || variant.settings.empty())
    throw InputError("--design '" + text + "'; expected NAME=KEY=VALUE,KEY=VALUE");
  return variant;
}

/// The designs of `--design` on a machine; `prefix` tells machines apart.
void add_variants(const po::variables_map& values, const model::ConfigLayers& layers,
                  const std::string& prefix, std::vector<report::Design>* designs) {
  if (values.count("design") == 0) return;
  for (const std::string& text : values["design"].as<Strings>()) {
    const Variant variant = variant_of(text);
    report::Design design{prefix + variant.name, layers};
    for (const std::string& setting : variant.settings)
      design.layers.add_setting(setting, "--design");
    model::effective_config(design.layers);
    designs->push_back(design);
  }
}

/// Every machine with every network, and then with the values of every `--design`; a name says no
/// more than what tells the designs apart.
std::vector<report::Design> designs_of(const std::vector<Input>& inputs,
                                       const po::variables_map& values) {
  const std::vector<model::ConfigLayers> all =
      machines(values, values.count("config") == 0 ? machine_of(inputs) : "");
  std::vector<report::Design> designs;
  for (const model::ConfigLayers& layers : all) {
    const std::string& config = layers.name();
    const std::string own = value_of(layers, "shuffle.network");
    for (const std::string& network : networks_of(values, own)) {
      report::Design design{config, layers};
      if (values.count("network") != 0) {
        design.layers.add_setting("shuffle.network=" + network, "--network");
        design.name = all.size() == 1 ? network : config + " " + network;
      }
      model::effective_config(design.layers);  // what cannot be used is said before any work
      designs.push_back(design);
    }
    add_variants(values, layers, all.size() == 1 ? "" : config + " ", &designs);
  }
  return designs;
}

/// Where designs are given value by value: says of each that makes no difference on any workload.
void say_what_changed_nothing(const report::Comparison& comparison,
                              const po::variables_map& values) {
  if (values.count("design") == 0) return;
  for (size_t design = 1; design < comparison.designs.size(); ++design) {
    if (report::changes_nothing({comparison, design}))
      report::remark(comparison.designs[design].name + " differs in nothing from " +
                     comparison.designs.front().name);
  }
}

unsigned count_of(const po::variables_map& values, const std::string& name) {
  return static_cast<unsigned>(
      read_number(values[name].as<std::string>(), 1, kMostCount, "--" + name));
}

report::Comparison compared(std::vector<report::Workload> workloads,
                            std::vector<report::Design> designs, unsigned jobs, model::Cycle most) {
  report::ProgressLine progress(report::progress_out());
  return sweep::compare(
      std::move(workloads), std::move(designs), jobs,
      [&](size_t done, size_t all) { progress.update_count(done, all, "runs"); }, most);
}

/// A list of traces stands for all that it names.
std::vector<Input> inputs_of(const po::variables_map& values) {
  std::vector<Input> inputs;
  for (const std::string& text : values["input"].as<Strings>()) {
    inputs.emplace_back(text, values);
    const Strings listed = listed_launches(inputs.back());
    if (!listed.empty()) inputs.pop_back();
    for (const std::string& launch : listed) inputs.emplace_back(launch, values);
  }
  return inputs;
}

std::vector<report::Workload> workloads_of(const std::vector<Input>& inputs) {
  std::vector<report::Workload> workloads;
  for (const Input& input : inputs) {
    Launch launch = input.launch();
    const std::string name = launch.trace.code.name;
    workloads.push_back({name, std::move(launch.trace), launch.origin});
  }
  return workloads;
}

void print_text(const report::Comparison& comparison, const report::Shown& shown,
                const po::variables_map& values) {
  if (values.count("programs") != 0) {
    report::write_programs(std::cout, comparison);
  } else {
    report::write_comparison(std::cout, comparison, shown);
  }
}

void print_comparison(const report::Comparison& comparison, const report::Shown& shown,
                      const po::variables_map& values) {
  switch (result_format(values)) {
    case ResultFormat::kText: return print_text(comparison, shown, values);
    case ResultFormat::kCsv: std::cout << report::comparison_csv(comparison); return;
    default:
      print_formatted(values,
                      {report::Json::parse(report::comparison_json(comparison)), "points", {}});
  }
}

report::Shown shown_of(const po::variables_map& values) {
  report::Shown shown;
  shown.lines = count_of(values, "lines");
  if (values.count("top") != 0) shown.designs = count_of(values, "top");
  shown.ports = values.count("ports") != 0;
  return shown;
}

int compare_inputs(const po::variables_map& values) {
  const unsigned jobs = count_of(values, "jobs");
  const report::Shown shown = shown_of(values);
  const std::vector<Input> inputs = inputs_of(values);
  std::vector<report::Design> designs = designs_of(inputs, values);
  std::optional<isa::OutFile> json = file_of(values, "json");
  std::optional<isa::OutFile> csv = file_of(values, "csv");
  std::optional<isa::OutFile> html = file_of(values, "html");
  report::Comparison comparison =
      compared(workloads_of(inputs), std::move(designs), jobs, most_cycles(values));
  if (values.count("pareto") != 0) report::pareto(values["pareto"].as<std::string>(), &comparison);
  if (values.count("sort") != 0)
    report::sort_designs(values["sort"].as<std::string>(), &comparison);
  if (json) json->finish(report::comparison_json(comparison));
  if (csv) csv->finish(report::comparison_csv(comparison));
  if (html) html->finish(report::page_of(report::comparison_json(comparison)));
  print_comparison(comparison, shown, values);
  say_what_changed_nothing(comparison, values);
  say_machine(inputs.front().machine(), values);
  return report::is_complete(comparison) ? kFine : kDeadlock;
}

int run(const std::vector<std::string>& arguments) {
  po::positional_options_description positions;
  positions.add("input", -1);
  po::variables_map values;
  const Usage usage{"shflsim compare INPUT... [options]",
                    "  shflsim compare traces/suite/*.sass --network all --sort cycles --top 5\n"
                    "  shflsim compare traces/suite/fft_32.sass --network crossbar,ring --ports\n"
                    "  shflsim compare traces/suite/*.sass --design half=shuffle.lanes=16 \\\n"
                    "      --design slow=shuffle.latency=30,shuffle.pipelined=0\n"
                    "  shflsim compare traces/suite/reduce_down.sass \\\n"
                    "      traces/suite/reduce_butterfly.sass --programs --config gh100\n"};
  if (!parse(arguments, usage, compare_options(), positions, &values)) return kFine;
  return compare_inputs(values);
}

}  // namespace

const Command kCompare = {"compare", "run code on several machines or networks, side by side", run};

}  // namespace shflsim::cli
