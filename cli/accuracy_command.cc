// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>

#include "cli/accuracy/timing_file.h"
#include "cli/command.h"
#include "cli/region_options.h"
#include "cli/result_format.h"
#include "cli/spec.h"
#include "isa/input_error.h"
#include "isa/volta/volta_listing.h"
#include "model/run.h"
#include "report/progress.h"
#include "sweep/jobs.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

constexpr uint64_t kMostPasses = 1000;
constexpr uint64_t kMostSkew = 1'000'000;  // cycles

/// Relative error in percent; none within what was measured.
double error_of(double model, const Measured& measured) {
  if (model >= measured.least && model <= measured.most) return 0;
  return 100.0 * (model - measured.median) / std::max(1.0, measured.median);
}

/// Mean absolute errors of one group of rows.
struct Group {
  double span = 0;
  double warp = 0;
  size_t rows = 0;

  void add(const TimingRow& row, const RegionTimes& times) {
    span += std::abs(error_of(times.span, row.span));
    warp += std::abs(error_of(times.warp_median, row.warp));
    ++rows;
  }
  double mean(double sum) const { return rows == 0 ? 0 : sum / static_cast<double>(rows); }
  double worse() const { return mean(std::max(span, warp)); }
};

po::options_description accuracy_options() {
  po::options_description options("options");
  options.add_options()("listing", po::value<std::string>()->value_name("LISTING")->required(),
                        "cuobjdump -sass of the kernels, sm_70 or later")(
      "timing", po::value<std::string>()->value_name("TIMING")->required(),
      "measured times, one line a run")("bases", po::value<std::string>()->value_name("FILE"),
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
      "machine or overlay: a shipped name or a file; repeatable (default gh100)")(
      "set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "KEY=VALUE over the config; repeatable");
  add_format_option(options);
  return options;
}

class Comparison {
 public:
  explicit Comparison(const po::variables_map& values)
      : listing_(isa::read_source_text(values["listing"].as<std::string>())),
        rows_(read_timing_file(values["timing"].as<std::string>())),
        layers_(config_layers(values, "gh100")) {
    model::effective_config(layers_);
    if (values.count("bases") != 0) bases_ = read_bases_file(values["bases"].as<std::string>());
    options_.iterations =
        static_cast<uint32_t>(read_number(text_of(values, "passes"), 1, kMostPasses, "--passes"));
    options_.skew =
        static_cast<uint32_t>(read_number(text_of(values, "skew"), kMostSkew, "--skew"));
    options_.epilogue = values.count("no-epilogue") == 0;
    for (const TimingRow& row : rows_) {
      if (kernels_.count(row.kernel) == 0)
        kernels_[row.kernel] = isa::read_volta_kernel(listing_, row.kernel);
    }
  }

  /// True where both averages are within their limits.
  bool print(const po::variables_map& values, double most_thin, double most_more) const {
    const std::vector<RegionTimes> times = run_rows();
    Group thin;
    Group more;
    for (size_t i = 0; i < rows_.size(); ++i)
      (rows_[i].is_spread_thin() ? thin : more).add(rows_[i], times[i]);
    if (!print_formatted(values, document(times, thin, more))) print_text(times, thin, more);
    return thin.worse() <= most_thin && more.worse() <= most_more;
  }

 private:
  void print_text(const std::vector<RegionTimes>& times, const Group& thin,
                  const Group& more) const {
    std::cout << fmt::format("{:<26}{:<8}{:>5}{:>10}{:>10}{:>9}{:>10}{:>10}{:>9}\n", "kernel",
                             "placed", "warps", "span", "model", "error", "warp", "model", "error");
    for (size_t i = 0; i < rows_.size(); ++i) print_row(rows_[i], times[i]);
    print_group("1-4 warps", thin);
    print_group("8-32 warps", more);
    std::cout << fmt::format("MAPE 1-4 warps: {:.2f} %, 8-32 warps: {:.2f} % ({} points)\n",
                             thin.worse(), more.worse(), rows_.size());
  }

  report::Document document(const std::vector<RegionTimes>& times, const Group& thin,
                            const Group& more) const {
    report::Json points = report::Json::array();
    for (size_t i = 0; i < rows_.size(); ++i) points.push_back(point(rows_[i], times[i]));
    return {{{"schema", "shflsim-accuracy/1"},
             {"mape_1_4_warps", thin.worse()},
             {"mape_8_32_warps", more.worse()},
             {"points", points}},
            "points",
            {"kernel", "placement", "warps", "span_measured", "span_modelled", "span_error",
             "warp_measured", "warp_modelled", "warp_error"}};
  }

  static report::Json point(const TimingRow& row, const RegionTimes& times) {
    return {{"kernel", row.kernel},
            {"placement", row.one_sub_partition ? "one" : "spread"},
            {"warps", row.warps},
            {"span_measured", row.span.median},
            {"span_modelled", times.span},
            {"span_error", error_of(times.span, row.span)},
            {"warp_measured", row.warp.median},
            {"warp_modelled", times.warp_median},
            {"warp_error", error_of(times.warp_median, row.warp)}};
  }

  static void print_row(const TimingRow& row, const RegionTimes& times) {
    std::cout << fmt::format("{:<26}{:<8}{:>5}{:>10}{:>10}{:>8.1f}%{:>10}{:>10}{:>8.1f}%\n",
                             row.kernel, row.one_sub_partition ? "one" : "spread", row.warps,
                             row.span.median, times.span, error_of(times.span, row.span),
                             row.warp.median, times.warp_median,
                             error_of(times.warp_median, row.warp));
  }

  static void print_group(const char* name, const Group& group) {
    std::cout << fmt::format(
        "{}: mean absolute error of warp_median {:.2f} %, span_median {:.2f} %"
        " ({} points)\n",
        name, group.mean(group.warp), group.mean(group.span), group.rows);
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

  traces::Trace trace_of(const TimingRow& row) const {
    traces::RegionOptions options = options_;
    options.warps = row.warps;
    options.one_sub_partition = row.one_sub_partition;
    options.shared = traces::shared_pattern(row.note, "note");
    const auto bases = bases_.find(row.kernel);
    if (bases != bases_.end()) options.bases = bases->second;
    for (unsigned lane = 0; lane < isa::kLanes; ++lane) options.lanes[lane] = lane;
    return traces::region_trace(kernels_.at(row.kernel), options);
  }

  const isa::SourceText listing_;
  const std::vector<TimingRow> rows_;
  const model::ConfigLayers layers_;
  std::map<std::string, std::map<int, traces::SharedPattern>> bases_;
  traces::RegionOptions options_;
  std::map<std::string, isa::Code> kernels_;
};

int run(const std::vector<std::string>& arguments) {
  po::positional_options_description positions;
  positions.add("listing", 1).add("timing", 1);
  po::variables_map values;
  const Usage usage{"shflsim accuracy LISTING TIMING.csv [--bases BASES.csv]",
                    "  shflsim accuracy tests/data/h200/bench.sm90.cuobjdump.txt.gz \\\n"
                    "      tests/data/h200/timing.csv\n"};
  if (!parse(arguments, usage, accuracy_options(), positions, &values)) return kFine;
  const auto limit = [&values](const char* name) {
    return values.count(name) == 0 ? std::numeric_limits<double>::max()
                                   : read_limit(text_of(values, name), std::string("--") + name);
  };
  const double most_thin = limit("most-thin");
  const double most_more = limit("most-more");
  return Comparison(values).print(values, most_thin, most_more) ? kFine : kNo;
}

}  // namespace

const Command kAccuracy = {"accuracy", "compare modelled times with a timing file", run};

}  // namespace shflsim::cli
