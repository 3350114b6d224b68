// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <optional>

#include "cli/launch/input.h"
#include "cli/launch/judged_run.h"
#include "cli/launch/launch_run.h"
#include "cli/launch/launches.h"
#include "cli/options/command.h"
#include "cli/options/result_format.h"
#include "cli/options/signals.h"
#include "cli/options/spec.h"
#include "isa/base/input_error.h"
#include "model/run.h"
#include "report/diff/profile_diff.h"
#include "report/run/report.h"
#include "report/terminal/progress.h"
#include "sweep/jobs.h"
#include "sweep/sensitivity.h"

namespace shflsim::cli {
namespace {

constexpr const char* kRunUsage = "shflsim run FILE [options]";
constexpr size_t kTopOfProfileShown = 10;

struct RunOptions : OptionGroup {
  std::optional<std::string> file;
  InputOptions input;
  TimingOptions timing;
  std::optional<std::string> launch_file;
  bool saves_anywhere = false;
  WhatIfOptions what_ifs;
  std::optional<Strings> sensitivity;  ///< keys; empty: the assumed parameters
  std::optional<std::string> profile;
  FormatOption format;

  void list(OptionList& list);

 private:
  void list_sensitivity(OptionList& list);
  void list_launch_file(OptionList& list);
};

void RunOptions::list(OptionList& list) {
  list.group("options", this);
  list.argument("input", &file, "FILE",
                "FILE or FILE:KERNEL, code or a trace (`shflsim list inputs`)");
  input.list(list);
  timing.list(list);
  input.save.list(list);
  format.list(list);
  list_sensitivity(list);
  list.group("output", this);
  list.text("profile", &profile, "FILE",
            "show the run beside a profile of Nsight Compute: the CSV of its source or raw page");
  what_ifs.list(list);
  list_launch_file(list);
}

void RunOptions::list_sensitivity(OptionList& list) {
  list.group("machine", this);
  list.add("sensitivity", &sensitivity, "KEY,...",
           "also run with each of these values of the machine lower and higher, to see which of "
           "them the cycles depend on; * stands for any letters (default: the assumed values)",
           [this](const std::string& text, const std::string& /*option*/) {
             sensitivity = split_at_commas(text);
           })
      .is_optional = true;
}

/// `--launch`, and the options that it excludes.
void RunOptions::list_launch_file(OptionList& list) {
  list.group("launch", this);
  list.text("launch", &launch_file, "FILE",
            "INI file of launches that share device memory, instead of FILE and its arguments")
      .common("INI file of launches, instead of FILE");
  list.flag("save-anywhere", &saves_anywhere,
            "let the save lines of --launch name any file, not only those in its folder");
  list.needs(&saves_anywhere, {&launch_file}, "; expected it with the save lines of its file");
  list.excludes(&launch_file, {&file});
  for (const void* of_one :
       {static_cast<const void*>(&sensitivity), static_cast<const void*>(&what_ifs.what_ifs),
        static_cast<const void*>(&profile)})
    list.excludes(&launch_file, {of_one}, "; expected it with one FILE");
  list.excludes(&launch_file, {&timing.views.timelines}, "; expected --view timeline:FILE");
  const char* const why = ", whose file says what is launched and saved";
  list.excludes(&launch_file, {&input.kernel}, why);
  for (const OptionGroup* group : input.groups_of_launch())
    list.excludes_group(&launch_file, *group, why);
}

void print_text(const report::Run& run) {
  report::write_table(std::cout, run.trace, run.result, run.origin, run.verdict);
  if (run.profile != nullptr) {
    std::cout << '\n';
    report::write_profile(std::cout, *run.profile, kTopOfProfileShown);
  }
  if (run.sensitivity != nullptr) report::write_sensitivity(std::cout, *run.sensitivity);
}

/// The comparison of the run with the profile, if one is given.
std::optional<report::ProfileDiff> profile_of(const RunOptions& options, const report::Run& run) {
  if (!options.profile) return {};
  return report::profile_diff(
      report::result_of_run(report::json_text(run.trace, run.result, run.origin)), *options.profile,
      false);
}

int run_launches(const RunOptions& options) {
  if (!options.format.is_text()) {
    throw InputError("--format " + options.format.name() +
                     " with --launch, which has several results; expected --json or --csv FILE");
  }
  return run_launch_file(*options.launch_file,
                         {options.timing, options.what_ifs, options.input.execution.machine(),
                          options.saves_anywhere});
}

/// The sensitivity that `--sensitivity` asks for, if given.
std::optional<report::Sensitivity> sensitivity_of(const RunOptions& options,
                                                  const sweep::Subject& subject, uint64_t cycles) {
  if (!options.sensitivity) return {};
  report::ProgressLine progress(report::progress_out());
  return sweep::sensitivity(
      subject, cycles, *options.sensitivity, sweep::default_processes(),
      [&](size_t done, size_t all) { progress.update_count(done, all, "runs"); });
}

/// Throws InputError for options that the table of several traces cannot show.
void refuse_with_list(const RunOptions& options) {
  if (!options.what_ifs.what_ifs.empty())
    throw InputError("--what-if with a list of traces; expected it with one of them");
  if (options.profile)
    throw InputError("--profile with a list of traces; expected it with one of them");
  if (options.sensitivity)
    throw InputError("--sensitivity with a list of traces; expected it with one of them");
  if (!options.timing.views.timelines.empty())
    throw InputError("--timeline with a list of traces; expected --view timeline:FILE");
}

int run_one(const Input& input, const RunOptions& options) {
  const TimingOptions& timing = options.timing;
  const ViewFiles views(timing.views);
  const model::ConfigLayers layers = timing.machine.layers(input.machine(timing.machine));
  model::effective_config(layers);  // reports an invalid config before any work
  if (options.sensitivity) sweep::varied_keys(layers, *options.sensitivity);
  Launch launch = input.live_launch();
  const report::Origin origin = report::on_machine(launch.origin, layers);
  ViewFiles::Shown shown = views.start();
  const bool is_text = options.format.is_text();
  if (!is_text) shown.print_as(options.format.name());
  const sweep::Subject subject{launch.trace, layers, timing.sms};
  JudgedRun judged = judged_run(subject, shown, timing.cycles.most, timing.jobs, options.what_ifs);
  model::RunResult& result = judged.result;
  if (launch.is_region) keep_timed_clock_reads(&result);
  launch.complete();
  launch.save();
  const std::optional<report::Sensitivity> sensitivity =
      sensitivity_of(options, subject, result.cycles);
  report::Run run{launch.trace, result, origin, sensitivity ? &*sensitivity : nullptr,
                  judged.verdict ? &*judged.verdict : nullptr};
  const std::optional<report::ProfileDiff> profile = profile_of(options, run);
  if (profile) run.profile = &*profile;
  shown.write(run);
  if (is_text) print_text(run);
  if (!is_text) shown.print(std::cout, run);
  shown.print_timeline(std::cout, run);
  say_machine(timing.machine.is_made() ? "" : input.machine(timing.machine), timing.machine);
  return status_of(result);
}

int run_launch(const RunOptions& options) {
  if (options.launch_file) return run_launches(options);
  if (!options.file) throw InputError(std::string("no input given; expected ") + kRunUsage);
  if (!options.timing.views.timelines.empty() && !options.format.is_text())
    throw InputError("--timeline with --format " + options.format.name() +
                     "; expected it with text, or --view timeline:FILE");
  const Input input(*options.file, options.input);
  const std::vector<std::string> listed = listed_launches(input);
  if (listed.empty()) return run_one(input, options);
  refuse_with_list(options);
  return run_list(listed, options.input, options.timing, options.format.format);
}

}  // namespace

const Command kRun = command(
    "run",
    "execute code or replay a trace, time it on one SM and report instruction by instruction",
    kRunUsage,
    "  shflsim run traces/scan_inclusive.sass --reg Rsum=1.0 --dump-reg Rsum:sums.bin\n"
    "  shflsim run traces/kernels.sm50.sass --kernel broadcast --grid 4 --block 256 \\\n"
    "      --arg fill:4096:3f --arg fill:4096:cd --arg u32:1024 --save 1:out.bin \\\n"
    "      --set shuffle.network=banked\n"
    "  shflsim run --launch traces/launches.ini\n"
    "  shflsim run tests/data/accel_sim/kernelslist.g\n",
    run_launch);

}  // namespace shflsim::cli
