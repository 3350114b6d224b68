// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <limits>
#include <memory>

#include "cli/launch/chips.h"
#include "cli/launch/region_options.h"
#include "cli/launch/timed_launch.h"
#include "cli/launch/timing_file.h"
#include "cli/options/command.h"
#include "cli/options/machine_choice.h"
#include "cli/options/result_format.h"
#include "cli/options/spec.h"
#include "isa/base/input_error.h"
#include "isa/dialects/source.h"
#include "model/run.h"
#include "report/compare/accuracy.h"
#include "report/terminal/progress.h"
#include "sweep/jobs.h"

namespace shflsim::cli {
namespace {

constexpr uint64_t kMostPasses = 1000;
constexpr uint64_t kMostSkew = 1'000'000;  // cycles

/// The modelled time and its relative error in percent, which is 0 within the measured range.
report::ModelledTime timed(const Measured& measured, double model) {
  const bool is_within = model >= measured.least && model <= measured.most;
  const double error = 100.0 * (model - measured.median) / std::max(1.0, measured.median);
  return {measured.median, model, is_within ? 0 : error};
}

/// Options for running the kernels of a timing file. They determine the figures.
struct TimedRunOptions : OptionGroup {
  std::optional<std::string> bases;
  uint32_t passes = 4;
  uint32_t skew = 80;
  uint32_t row_skew = 0;
  bool no_epilogue = false;
  bool whole = false;

  void list(OptionList& list);
};

struct AccuracyOptions : OptionGroup {
  std::string listing;
  std::string timing;
  TimedRunOptions runs;
  double most_thin = std::numeric_limits<double>::max();
  double most_more = std::numeric_limits<double>::max();
  MachineChoice machine;
  FormatOption format;

  void list(OptionList& list);
};

void TimedRunOptions::list(OptionList& list) {
  list.group("options", this);
  list.text("bases", &bases, "FILE", "CSV of kernel, address register, pattern").common();
  list.number("passes", &passes, 1, kMostPasses, "N",
              "iterations of the loop, from 1; the last is timed")
      .common();
  list.number("skew", &skew, 0, kMostSkew, "N",
              "cycles by which each group of four warps starts later")
      .common();
  list.number("row-skew", &row_skew, 0, kMostSkew, "N",
              "cycles from the start of the first to that of the fourth of such a group")
      .common();
  list.flag("no-epilogue", &no_epilogue, "leave out the code after the loop").common();
  list.flag("whole", &whole,
            "execute each kernel from its first to its last instruction, instead of replaying the "
            "timed loop")
      .common();
}

void AccuracyOptions::list(OptionList& list) {
  list.group("options", this);
  list.argument("listing", &listing, "LISTING",
                "the kernels, sm_70 or later: cuobjdump -sass, or with --whole a cubin");
  list.argument("timing", &timing, "TIMING", "measured times, a line for each run");
  runs.list(list);
  list.group("options", this);
  list.value("most-thin", &most_thin, "PERCENT",
             "exit status 1 if the first mean error of the last line is above this", read_limit)
      .common();
  list.value("most-more", &most_more, "PERCENT",
             "exit status 1 if the second mean error of the last line is above this", read_limit)
      .common();
  machine.list(list, " (default: the code's own chip)");
  format.list(list);
}

class Comparison {
 public:
  explicit Comparison(const AccuracyOptions& options)
      : origin_{options.listing, words_of(options.runs)},
        timing_(options.timing),
        is_whole_(options.runs.whole),
        source_(isa::open_source(origin_.input)),
        rows_(read_timing_file(timing_)),
        layers_(options.machine.layers(machine_of(source_->arch()))) {
    model::effective_config(layers_);
    if (options.runs.bases) bases_ = read_bases_file(*options.runs.bases);
    options_.iterations = options.runs.passes;
    options_.skew = options.runs.skew;
    options_.row_skew = options.runs.row_skew;
    options_.epilogue = !options.runs.no_epilogue;
    for (const TimingRow& row : rows_) take_kernel(row);
  }

  report::Accuracy compared() const {
    const std::vector<RegionTimes> times = run_rows();
    report::Accuracy accuracy{origin_, timing_, report::machine_of(layers_), {}};
    for (size_t i = 0; i < rows_.size(); ++i) accuracy.points.push_back(point(rows_[i], times[i]));
    return accuracy;
  }

 private:
  static report::AccuracyPoint point(const TimingRow& row, const RegionTimes& times) {
    return {row.kernel,           row.one_sub_partition,       row.warps,
            row.is_spread_thin(), timed(row.span, times.span), timed(row.warp, times.warp_median)};
  }

  std::vector<RegionTimes> run_rows() const {
    std::vector<RegionTimes> times;
    report::ProgressLine progress(report::progress_out());
    const auto job = [this](size_t i) { return sweep::Job{trace_of(rows_[i]), layers_}; };
    const auto take = [&](size_t i, const sweep::Outcome& outcome) {
      sweep::throw_failure(outcome, fmt::format("{}, {} warps: ", rows_[i].kernel, rows_[i].warps));
      times.push_back(region_times(outcome.result));
      progress.update_count(times.size(), rows_.size(), "runs");
    };
    sweep::run_each(rows_.size(), sweep::default_processes(), job, take);
    return times;
  }

  void take_kernel(const TimingRow& row) {
    if (!is_whole_ && !row.has_note)
      throw InputError({timing_}, "is of kernels that are executed; expected --whole with it");
    if (is_whole_ && programs_.count(row.kernel) == 0)
      programs_[row.kernel] = isa::find_kernel(*source_, row.kernel, origin_.input);
    if (!is_whole_ && kernels_.count(row.kernel) == 0)
      kernels_[row.kernel] = source_->code(isa::choose_kernel(*source_, row.kernel, origin_.input));
  }

  std::shared_ptr<const traces::Trace> trace_of(const TimingRow& row) const {
    if (is_whole_) return timed_launch(programs_.at(row.kernel), row);
    traces::RegionOptions options = options_;
    options.warps = row.warps;
    options.one_sub_partition = row.one_sub_partition;
    options.shared = traces::shared_pattern(row.note, "note");
    const auto bases = bases_.find(row.kernel);
    if (bases != bases_.end()) options.bases = bases->second;
    for (unsigned lane = 0; lane < isa::kLanes; ++lane) options.lanes[lane] = lane;
    return std::make_shared<traces::Trace>(traces::region_trace(kernels_.at(row.kernel), options));
  }

  const report::Origin origin_;
  const std::string timing_;
  const bool is_whole_;
  const std::unique_ptr<isa::Source> source_;
  const std::vector<TimingRow> rows_;
  const model::ConfigLayers layers_;
  std::map<std::string, std::map<int, traces::SharedPattern>> bases_;
  traces::RegionOptions options_;
  std::map<std::string, isa::Code> kernels_;      ///< code whose regions are replayed
  std::map<std::string, isa::Program> programs_;  ///< programs that are executed
};

int compare_with_file(const AccuracyOptions& options) {
  const report::Accuracy accuracy = Comparison(options).compared();
  if (!print_formatted(options.format.format, report::accuracy_document(accuracy)))
    report::write_accuracy(std::cout, accuracy);
  const bool is_within = report::mean_error(accuracy, true) <= options.most_thin &&
                         report::mean_error(accuracy, false) <= options.most_more;
  return is_within ? kFine : kNo;
}

}  // namespace

const Command kAccuracy =
    command("accuracy", "compare modelled times with a timing file",
            "shflsim accuracy LISTING TIMING.csv [--whole] [--bases BASES.csv]",
            "  shflsim accuracy tests/data/h200/bench.sm90.cuobjdump.txt.gz \\\n"
            "      tests/data/h200/timing.csv\n",
            compare_with_file);

}  // namespace shflsim::cli
