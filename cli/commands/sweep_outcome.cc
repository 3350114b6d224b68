// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/sweep_outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <map>
#include <numeric>
#include <set>

#include "cli/options/command.h"
#include "report/run/head.h"
#include "report/terminal/messages.h"
#include "report/terminal/text_table.h"

namespace shflsim::cli {
namespace {

constexpr size_t kMostFailures = 3;
constexpr size_t kMostPoints = 12;  ///< points that a dry run shows
constexpr size_t kSamples = 16;     ///< points that a dry run simulates

std::vector<size_t> first_points(size_t all) {
  std::vector<size_t> numbers(std::min(kMostPoints, all));
  std::iota(numbers.begin(), numbers.end(), size_t{0});
  return numbers;
}

/// Points spread over the grid, at distances that match the period of no axis.
std::vector<size_t> samples_of(size_t all) {
  constexpr double kGolden = 0.6180339887498949;
  std::set<size_t> numbers;
  for (size_t i = 0; i < kSamples; ++i) {
    const double part = std::fmod(static_cast<double>(i) * kGolden, 1.0);
    numbers.insert(static_cast<size_t>(part * static_cast<double>(all)));
  }
  return {numbers.begin(), numbers.end()};
}

report::Sheet sheet_of(const sweep::Grid& grid, const std::vector<size_t>& numbers) {
  report::Sheet sheet{{"point", "input", "kernel", "config"}, {}};
  for (const std::string& key : grid.keys()) sheet.keys.push_back(key);
  for (const size_t number : numbers) {
    const sweep::GridPoint point = grid.at(number);
    std::vector<report::Value> row = {uint64_t{number}, grid.launch(point).input,
                                      grid.launch(point).kernel, grid.config(point)};
    for (size_t key = 0; key < grid.keys().size(); ++key) row.emplace_back(grid.value(point, key));
    sheet.rows.push_back(std::move(row));
  }
  return sheet;
}

}  // namespace

std::string count_by_state(const report::PointTable& table) {
  std::map<std::string, size_t> by_state;
  for (const auto& row : table.rows) ++by_state[std::get<std::string>(row.back())];
  std::vector<std::string> words;
  for (const auto& [state, count] : by_state) words.push_back(fmt::format("{} {}", count, state));
  return fmt::format("{} point{}: {}", table.rows.size(), table.rows.size() == 1 ? "" : "s",
                     report::joined(words, ", "));
}

void print_failures(const sweep::ResultsFile& file) {
  const std::vector<sweep::ResultsFile::Failure> failures = file.failures();
  for (size_t i = 0; i < std::min(failures.size(), kMostFailures); ++i)
    std::cout << fmt::format("{}: {}\n  {}\n", failures[i].state, failures[i].reason,
                             failures[i].command);
  if (failures.size() > kMostFailures)
    std::cout << fmt::format("and {} more that failed; the table `failures` of {} has all\n",
                             failures.size() - kMostFailures, file.path());
}

int print_outcome(const sweep::ResultsFile& file, bool is_shard) {
  const report::PointTable table = file.table();
  const report::PointTable done = report::done_points(table);
  std::cout << file.path() << ": " << count_by_state(table) << "\n";
  print_failures(file);
  for (const std::string& axis : report::axes_without_effect(done))
    std::cout << axis << " changed nothing on any point\n";
  const std::vector<std::string> verdict =
      is_shard ? std::vector<std::string>{} : report::verdict_on(done);
  for (const std::string& line : verdict) report::write_wrapped(std::cout, line);
  return done.rows.size() == table.rows.size() ? kFine : kNo;
}

int print_dry_run(const sweep::Sweep& sweep, unsigned jobs) {
  const size_t all = sweep.grid.size();
  const std::vector<size_t> samples = samples_of(all);
  double seconds = 0;
  const auto start = std::chrono::steady_clock::now();
  run_points(sweep, samples, jobs,
             [&](size_t, const sweep::Point& point) { seconds += point.seconds; });
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - start;
  const double a_point = seconds / static_cast<double>(samples.size());
  const std::vector<size_t> first = first_points(all);
  std::cout << all << " points";
  if (first.size() != all) std::cout << ", the first of which are";
  std::cout << "\n\n";
  report::write_sheet(std::cout, sheet_of(sweep.grid, first));
  report::remark(fmt::format("about {:.1f} s with {} jobs: {} points took {:.2g} s each",
                             whole.count() + a_point * static_cast<double>(all) / jobs, jobs,
                             samples.size(), a_point));
  return kFine;
}

}  // namespace shflsim::cli
