// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <utility>

#include "cli/launch/chips.h"
#include "cli/launch/compare_inputs.h"
#include "cli/options/command.h"
#include "cli/options/result_files.h"
#include "cli/options/result_format.h"
#include "cli/options/spec.h"
#include "cli/options/timing_options.h"
#include "isa/base/input_error.h"
#include "model/run.h"
#include "report/compare/compare.h"
#include "report/compare/lane_ranking.h"
#include "report/terminal/messages.h"
#include "report/terminal/progress.h"
#include "sweep/compare.h"
#include "sweep/jobs.h"
#include "traces/lane_profile.h"

namespace shflsim::cli {
namespace {

constexpr unsigned kMostCount = 1000;  // greatest value of --jobs, --top and --lines

/// A machine with some changed values, as `--design` describes it.
struct Variant {
  std::string name;
  Strings settings;
};

struct CompareOptions : OptionGroup {
  Strings files;
  InputOptions input;
  MachineChoice machine;
  std::string networks;
  std::vector<Variant> designs;
  std::string pareto;
  std::string sort;
  report::Shown shown;
  bool programs = false;
  unsigned jobs = sweep::default_processes();
  CycleLimit cycles;
  unsigned sms = 1;
  bool is_watched = false;
  ResultFileOptions results;
  FormatOption format;

  void list(OptionList& list);

 private:
  void list_shown(OptionList& list);
};

Variant variant_of(const std::string& text) {
  const size_t equals = text.find('=');
  Variant variant{text.substr(0, equals), {}};
  if (equals != std::string::npos) variant.settings = split_at_commas(text.substr(equals + 1));
  if (variant.name.empty() || variant.settings.empty())
    throw InputError("--design '" + text + "'; expected NAME=KEY=VALUE,KEY=VALUE");
  return variant;
}

void CompareOptions::list(OptionList& list) {
  list.group("options", this);
  list.arguments(
      "input", &files, "FILE",
      "code or traces (`shflsim list inputs`), each FILE or FILE:KERNEL, launch files, or lane "
      "profiles");
  machine.list(
      list,
      ": an overlay changes the machine before it, A+B is one machine, and a further machine "
      "is compared with the first (default: the chip of the inputs' architecture)");
  list.group("machine", this);
  list.value("network", &networks, "NAMES",
             "shuffle networks for each machine: names with commas, or all",
             [](const std::string& text, const std::string& option) {
               if (split_at_commas(text).empty())
                 throw InputError(option + " '" + text + "': expected names with commas, or all");
               return text;
             })
      .common();
  list.add("design", &designs, "NAME=SETS",
           "NAME=KEY=VALUE,KEY=VALUE: adds each machine with these values; repeatable",
           [this](const std::string& text, const std::string& /*option*/) {
             designs.push_back(variant_of(text));
           })
      .common("add each machine with these values")
      .repeats = true;
  list.number("sms", &sms, 1, kMostSms, "N",
              "SMs of a chip, 1 to 256, that share the grid's blocks and the chip's memory")
      .common("SMs of a chip, 1 to 256");
  cycles.list(list,
              "stop each run after this many cycles; the report says which are partial (status 3)");
  input.list(list);
  list_shown(list);
  results.list(list, "each input and design");
  list.group("execution", this);
  list.flag("watch", &is_watched,
            "also report the time of SHFLs in queues, stalls for SHFLs, and their share of the "
            "critical path; slower");
  list.number("jobs", &jobs, 1, kMostCount, "N", "runs at a time, 1 to 1000");
  format.list(list);
}

void CompareOptions::list_shown(OptionList& list) {
  list.group("output", this);
  list.text("pareto", &pareto, "A,B",
            "mark designs that another design beats in two figures, such as cycles,mux2")
      .common("mark designs that another beats in two figures");
  list.text("sort", &sort, "KEY",
            "order of the designs after the first: a figure such as cycles or mux2, the best "
            "first")
      .common("order of the designs: a figure, the best first");
  list.number("top", &shown.designs, 1, kMostCount, "N",
              "number of designs shown, 1 to 1000 (default: all)")
      .standard = "";
  list.number("lines", &shown.lines, 1, kMostCount, "N",
              "number of instructions shown for each difference, 1 to 1000");
  list.flag("programs", &programs, "show the inputs side by side, figure by figure").common();
  list.flag("ports", &shown.ports, "also show the passes of each SHFL and the use of the ports")
      .common();
}

/// The networks of `--network`; `own` is the machine's own network.
Strings networks_of(const std::string& text, const std::string& own) {
  if (text != "all") return split_at_commas(text);
  Strings names = model::ShuffleNetworks::names();
  std::rotate(names.begin(), std::find(names.begin(), names.end(), own),
              std::next(std::find(names.begin(), names.end(), own)));
  std::sort(std::next(names.begin()), names.end());
  return names;
}

std::string value_of(const model::ConfigLayers& layers, const std::string& key) {
  for (const model::ConfigValue& value : model::effective_config(layers)) {
    if (value.key == key) return value.value;
  }
  return "";
}

/// The machine of all inputs.
std::string machine_of(const std::vector<ComparedInput>& inputs) {
  const std::string& machine = inputs.front().machine;
  for (const ComparedInput& input : inputs) {
    if (input.machine == machine) continue;
    throw InputError({input.path}, "is of " + input.machine + ", but " + inputs.front().path +
                                       " is of " + machine +
                                       "; expected --config to choose one machine for both");
  }
  return machine;
}

/// A design of a machine. Reports invalid settings before any work.
report::Design design_of(const model::ConfigLayers& layers, const Variant& variant,
                         const char* option) {
  report::Design design{variant.name, layers};
  for (const std::string& setting : variant.settings) design.layers.add_setting(setting, option);
  model::effective_config(design.layers);
  return design;
}

/// Every machine with every network, and then with the values of every `--design`. A name states
/// only what distinguishes the design from the others.
std::vector<report::Design> designs_of(const std::string& machine, const CompareOptions& options) {
  const std::vector<model::ConfigLayers> all = options.machine.machines(machine);
  std::vector<report::Design> designs;
  for (const model::ConfigLayers& layers : all) {
    const std::string prefix = all.size() == 1 ? "" : layers.name() + " ";
    if (options.networks.empty()) designs.push_back(design_of(layers, {layers.name(), {}}, ""));
    for (const std::string& network :
         networks_of(options.networks, value_of(layers, "shuffle.network"))) {
      designs.push_back(
          design_of(layers, {prefix + network, {"shuffle.network=" + network}}, "--network"));
    }
    for (const Variant& variant : options.designs)
      designs.push_back(design_of(layers, {prefix + variant.name, variant.settings}, "--design"));
  }
  return designs;
}

/// For designs of `--design`: names each that changes nothing on any workload.
void say_what_changed_nothing(const report::Comparison& comparison, const CompareOptions& options) {
  if (options.designs.empty()) return;
  for (size_t design = 1; design < comparison.designs.size(); ++design) {
    if (report::changes_nothing({comparison, design}))
      report::remark(comparison.designs[design].name + " differs in nothing from " +
                     comparison.designs.front().name);
  }
}

report::Comparison compared(std::vector<report::Workload> workloads,
                            std::vector<report::Design> designs, const CompareOptions& options) {
  report::ProgressLine progress(report::progress_out());
  return sweep::compare(
      std::move(workloads), std::move(designs), options.jobs,
      [&](size_t done, size_t all) { progress.update_count(done, all, "runs"); },
      options.cycles.most, options.sms, options.is_watched);
}

std::vector<report::Workload> workloads_of(const std::vector<ComparedInput>& inputs) {
  std::vector<report::Workload> workloads;
  for (const ComparedInput& input : inputs) {
    for (report::Workload& workload : input.open()) workloads.push_back(std::move(workload));
  }
  return workloads;
}

void print_text(const report::Comparison& comparison, const CompareOptions& options) {
  if (options.programs) {
    report::write_programs(std::cout, comparison);
  } else {
    report::write_comparison(std::cout, comparison, options.shown);
  }
}

void print_comparison(const report::Comparison& comparison, const CompareOptions& options) {
  switch (options.format.format) {
    case ResultFormat::kText: return print_text(comparison, options);
    case ResultFormat::kCsv: std::cout << report::comparison_csv(comparison); return;
    default: print_formatted(options.format.format, report::comparison_document(comparison));
  }
}

/// Throws InputError for options of timing and launching, which lane profiles do not have.
void refuse_timing(const CompareOptions& options) {
  const std::string because = "a lane profile; expected code or a trace";
  for (const OptionGroup* group : options.input.groups_of_launch()) refuse(*group, because);
  refuse(options.input.execution, because);
  refuse(options.cycles, because);
  if (!options.input.kernel.empty()) throw InputError("--kernel with " + because);
  if (options.results.html) throw InputError("--html with " + because);
  const Strings fitting = {"--input", "--network", "--design", "--sort", "--top"};
  for (const GivenOption& option : options.given) {
    const bool fits = std::find(fitting.begin(), fitting.end(), option.name) != fitting.end();
    if (!fits) throw InputError(option.name + " with " + because);
  }
}

/// The profiles of the command line; none if it names none.
std::vector<report::RankedProfile> profiles_of(const CompareOptions& options) {
  std::vector<report::RankedProfile> profiles;
  std::string other;
  for (const std::string& file : options.files) {
    if (traces::is_lane_profile(file)) {
      profiles.push_back({file, traces::read_lane_profile(file)});
    } else {
      other = file;
    }
  }
  if (profiles.empty() || other.empty()) return profiles;
  throw InputError({other}, "is no lane profile beside " + profiles.front().file +
                                "; expected profiles alone (run --view lanes:FILE writes one)");
}

int compare_profiles(std::vector<report::RankedProfile> profiles, const CompareOptions& options) {
  refuse_timing(options);
  const auto& arch = profiles.front().profile.arch;
  const std::string machine = arch ? cli::machine_of(*arch) : kDefaultMachine;
  std::vector<report::Design> designs = designs_of(machine, options);
  ResultFiles files(options.results);
  report::LaneRanking ranking = report::ranked(std::move(profiles), std::move(designs));
  if (!options.sort.empty()) report::sort_rows(options.sort, &ranking);
  const report::Document document = report::ranking_document(ranking);
  files.write([&] { return report::json_of(document); }, [&] { return report::csv_of(document); });
  if (!print_formatted(options.format.format, document))
    report::write_ranking(std::cout, ranking, options.shown.designs);
  say_machine(machine, options.machine);
  return kFine;
}

int compare(const CompareOptions& options) {
  std::vector<report::RankedProfile> profiles = profiles_of(options);
  if (!profiles.empty()) return compare_profiles(std::move(profiles), options);
  const std::vector<ComparedInput> inputs =
      compared_inputs(options.files, options.input, options.machine);
  std::vector<report::Design> designs = designs_of(machine_of(inputs), options);
  ResultFiles files(options.results);
  report::Comparison comparison = compared(workloads_of(inputs), std::move(designs), options);
  if (!options.pareto.empty()) report::pareto(options.pareto, &comparison);
  if (!options.sort.empty()) report::sort_designs(options.sort, &comparison);
  files.write([&] { return report::comparison_json(comparison); },
              [&] { return report::comparison_csv(comparison); });
  print_comparison(comparison, options);
  say_what_changed_nothing(comparison, options);
  say_machine(inputs.front().machine, options.machine);
  return report::is_complete(comparison) ? kFine : kDeadlock;
}

}  // namespace

const Command kCompare =
    command("compare", "run code on several machines or networks, side by side",
            "shflsim compare INPUT... [options]",
            "  shflsim compare traces/suite/*.sass --network all --sort cycles --top 5\n"
            "  shflsim compare traces/suite/*.sass --design half=shuffle.lanes=16 \\\n"
            "      --design slow=shuffle.latency=30,shuffle.pipelined=0\n"
            "  shflsim compare traces/suite/reduce_down.sass \\\n"
            "      traces/suite/reduce_butterfly.sass --programs --config gh100\n"
            "  shflsim compare traces/llama.lanes traces/suite.lanes --network all\n",
            compare);

}  // namespace shflsim::cli
