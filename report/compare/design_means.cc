// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>
#include <set>

#include "report/compare/point_groups.h"
#include "report/compare/point_table.h"

namespace shflsim::report {
namespace {

/// The figures of a row in these columns; none if the row lacks one of them.
std::vector<double> figures_of(const Row& row, const std::vector<size_t>& columns) {
  std::vector<double> figures;
  for (const size_t column : columns) {
    const double value = number_of(row[column]);
    if (std::isnan(value)) return {};
    figures.push_back(value);
  }
  return figures;
}

}  // namespace

double sign_of(const std::string& metric) {
  return metric == "ipc" || metric == "issue_active" ? -1 : 1;
}

DesignMeans design_means(const PointTable& table, const std::vector<size_t>& columns) {
  std::set<Key> launches;
  std::map<Key, std::set<Key>> done;  // launches by design
  Ordered<std::vector<Mean>> all;
  for (const Row& row : table.rows) {
    const std::vector<double> figures = figures_of(row, columns);
    std::vector<Mean>& means = all.at(design_of(table, row));
    means.resize(columns.size());
    done[design_of(table, row)].insert(launch_of(row));
    if (figures.empty()) continue;
    launches.insert(launch_of(row));
    for (size_t i = 0; i < figures.size(); ++i) means[i].add(figures[i]);
  }
  DesignMeans found;
  found.launches = launches.size();
  found.are_geometric.assign(columns.size(), true);
  const auto is_whole = [&](const std::vector<Mean>& means) {
    return !launches.empty() && means.front().count() == launches.size();
  };
  for (const auto& [design, means] : all.items()) {
    for (size_t i = 0; i < columns.size() && is_whole(means); ++i)
      found.are_geometric[i] = found.are_geometric[i] && means[i].is_positive();
  }
  for (const auto& [design, means] : all.items()) {
    if (!is_whole(means) && !launches.empty() && done[design].size() == launches.size()) {
      ++found.without_figure;
      continue;
    }
    if (!is_whole(means)) {
      found.left_out_by.push_back(std::get<std::string>(design.front()));
      continue;
    }
    found.designs.push_back({design, {}});
    for (size_t i = 0; i < columns.size(); ++i)
      found.designs.back().means.push_back(means[i].of_kind(found.are_geometric[i]));
  }
  return found;
}

namespace {

/// Counts equal words: "16 on ga100, 32 on gb100".
std::string counts_text(const std::vector<std::string>& words) {
  std::map<std::string, size_t> counts;
  for (const std::string& word : words) ++counts[word];
  std::string text;
  for (const auto& [word, count] : counts)
    text += fmt::format("{}{} on {}", text.empty() ? "" : ", ", count, word);
  return text;
}

}  // namespace

std::vector<std::string> remarks_on(const DesignMeans& means,
                                    const std::vector<std::string>& metrics) {
  std::vector<std::string> remarks;
  const std::string launches =
      means.launches == 1 ? "1 launch" : fmt::format("all {} launches", means.launches);
  if (!means.left_out_by.empty())
    remarks.push_back(fmt::format(
        "{} design{} left out, not done on {}: {}", means.left_out_by.size(),
        means.left_out_by.size() == 1 ? "" : "s", launches, counts_text(means.left_out_by)));
  if (means.without_figure != 0)
    remarks.push_back(fmt::format(
        "{} design{} left out: {} not known", means.without_figure,
        means.without_figure == 1 ? "" : "s",
        metrics.empty() ? "a figure is" : fmt::format("{} is", fmt::join(metrics, " or "))));
  if (means.designs.empty())
    remarks.push_back(fmt::format("no design is done on {}; --where chooses launches", launches));
  if (means.launches < 2 || means.designs.empty()) return remarks;
  for (size_t i = 0; i < metrics.size(); ++i)
    remarks.push_back(fmt::format("{}: {} mean over {} launches", metrics[i],
                                  means.are_geometric[i] ? "geometric" : "arithmetic",
                                  means.launches));
  return remarks;
}

}  // namespace shflsim::report
