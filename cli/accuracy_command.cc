// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <limits>
#include <memory>

#include "cli/accuracy/timing_file.h"
#include "cli/chips.h"
#include "cli/command.h"
#include "cli/region_options.h"
#include "cli/result_format.h"
#include "cli/spec.h"
#include "cli/timed_launch.h"
#include "isa/input_error.h"
#include "isa/reader/source.h"
#include "model/run.h"
#include "report/accuracy.h"
#include "report/progress.h"
#include "sweep/jobs.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

constexpr uint64_t kMostPasses = 1000;
constexpr uint64_t kMostSkew = 1'000'000;  // cycles

/// With the relative error in percent; none within what was measured.
report::ModelledTime timed(const Measured& measured, double model) {
  const bool is_within = model >= measured.least && model <= measured.most;
  const double error = 100.0 * (model - measured.median) / std::max(1.0, measured.median);
  return {measured.median, model, is_within ? 0 : error};
}

/// The options that a reader has to repeat for the same figures, those that were given.
std::vector<std::string> arguments_of(const po::variables_map& values) {
  std::vector<std::string> arguments;
  for (const char* name : {"bases", "passes", "skew"}) {
    if (values.count(name) == 0 || values[name].defaulted()) continue;
    arguments.push_back(std::string("--") + name + " " + text_of(values, name));
  }
  for (const char* name : {"no-epilogue", "whole"}) {
    if (values.count(name) != 0) arguments.push_back(std::string("--") + name);
  }
  return arguments;
}

po::options_description accuracy_options() {
  po::options_description options("options");
  options.add_options()("listing", po::value<std::string>()->value_name("LISTING")->required(),
                        "the kernels, sm_70 or later: cuobjdump -sass, or with --whole a cubin")(
      "whole",
      "execute each kernel from its first to its last instruction; without, the loop that "
      "it times is replayed")("timing", po::value<std::string>()->value_name("TIMING")->required(),
                              "measured times, one line a run")(
      "bases", po::value<std::string>()->value_name("FILE"),
      "address registers with a pattern of their own")(
      "passes", po::value<std::string>()->value_name("N")->default_value("4"),
      "iterations of the loop, from 1; the last is timed")(
      "skew", po::value<std::string>()->value_name("N")->default_value("80"),
      "cycles that each row of four warps enters later")(
      "most-thin", po::value<std::string>()->value_name("PERCENT"),
      "exit status 1 where the first of the last line is above")(
      "most-more", po::value<std::string>()->value_name("PERCENT"),
      "exit status 1 where the second of the last line is above")(
      "no-epilogue", "leave out what follows the loop")(
      "config", po::value<std::vector<std::string>>()->value_name("NAME"),
      "machine or overlay: a shipped name or a file; repeatable (default: the code's own chip)")(
      "set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "KEY=VALUE over the config; repeatable");
  add_format_option(options);
  return options;
}

class Comparison {
 public:
  explicit Comparison(const po::variables_map& values)
      : origin_{text_of(values, "listing"), arguments_of(values)},
        timing_(text_of(values, "timing")),
        is_whole_(values.count("whole") != 0),
        source_(isa::open_source(origin_.input)),
        rows_(read_timing_file(timing_)),
        layers_(config_layers(values, machine_of(source_->arch()))) {
    model::effective_config(layers_);
    if (values.count("bases") != 0) bases_ = read_bases_file(values["bases"].as<std::string>());
    options_.iterations =
        static_cast<uint32_t>(read_number(text_of(values, "passes"), 1, kMostPasses, "--passes"));
    options_.skew =
        static_cast<uint32_t>(read_number(text_of(values, "skew"), kMostSkew, "--skew"));
    options_.epilogue = values.count("no-epilogue") == 0;
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
    const auto job = [this](size_t i) {
      return sweep::Job{std::make_shared<traces::Trace>(trace_of(rows_[i])), layers_};
    };
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

  traces::Trace trace_of(const TimingRow& row) const {
    if (is_whole_) return timed_launch(programs_.at(row.kernel), row);
    traces::RegionOptions options = options_;
    options.warps = row.warps;
    options.one_sub_partition = row.one_sub_partition;
    options.shared = traces::shared_pattern(row.note, "note");
    const auto bases = bases_.find(row.kernel);
    if (bases != bases_.end()) options.bases = bases->second;
    for (unsigned lane = 0; lane < isa::kLanes; ++lane) options.lanes[lane] = lane;
    return traces::region_trace(kernels_.at(row.kernel), options);
  }

  const report::Origin origin_;
  const std::string timing_;
  const bool is_whole_;
  const std::unique_ptr<isa::Source> source_;
  const std::vector<TimingRow> rows_;
  const model::ConfigLayers layers_;
  std::map<std::string, std::map<int, traces::SharedPattern>> bases_;
  traces::RegionOptions options_;
  std::map<std::string, isa::Code> kernels_;      ///< of which regions are replayed
  std::map<std::string, isa::Program> programs_;  ///< that are executed
};

int run(const std::vector<std::string>& arguments) {
  po::positional_options_description positions;
  positions.add("listing", 1).add("timing", 1);
  po::variables_map values;
  const Usage usage{"shflsim accuracy LISTING TIMING.csv [--whole] [--bases BASES.csv]",
                    "  shflsim accuracy tests/data/h200/bench.sm90.cuobjdump.txt.gz \\\n"
                    "      tests/data/h200/timing.csv\n"};
  if (!parse(arguments, usage, accuracy_options(), positions, &values)) return kFine;
  const auto limit = [&values](const char* name) {
    return values.count(name) == 0 ? std::numeric_limits<double>::max()
                                   : read_limit(text_of(values, name), std::string("--") + name);
  };
  const double most_thin = limit("most-thin");
  const double most_more = limit("most-more");
  const report::Accuracy accuracy = Comparison(values).compared();
  if (!print_formatted(values, report::accuracy_document(accuracy)))
    report::write_accuracy(std::cout, accuracy);
  const bool is_within = report::mean_error(accuracy, true) <= most_thin &&
                         report::mean_error(accuracy, false) <= most_more;
  return is_within ? kFine : kNo;
}

}  // namespace

const Command kAccuracy = {"accuracy", "compare modelled times with a timing file", run};

}  // namespace shflsim::cli
