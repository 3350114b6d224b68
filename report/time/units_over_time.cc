// SPDX-License-Identifier: Apache-2.0
#include "report/time/units_over_time.h"

#include <fmt/format.h>

#include <algorithm>

namespace shflsim::report {

void UnitsOverTime::sampled(model::Cycle /*end*/, const std::vector<model::UnitStats>& units) {
  std::vector<uint64_t> busy;
  for (size_t unit = 0; unit < units.size(); ++unit) {
    // If two units share a pipe, a request of one makes the other look busy.
    const uint64_t before = samples_.empty() ? 0 : samples_.back()[unit];
    busy.push_back(std::max(before, units[unit].busy));
  }
  samples_.push_back(std::move(busy));
  if (samples_.size() == kMostBins) widen();
}

void UnitsOverTime::stood(const model::ResidentWarp& warp, uint32_t /*index*/,
                          model::WarpState state, model::Cycle from, model::Cycle to) {
  if (state != model::WarpState::kSelected) return;
  std::vector<uint64_t>& bins = issues_[warp.sub_partition];
  for (model::Cycle cycle = from; cycle < to; ++cycle) {
    const size_t bin = cycle / width_;
    if (bins.size() <= bin) bins.resize(bin + 1);
    ++bins[bin];
  }
}

/// Merges each two bins into one.
void UnitsOverTime::widen() {
  for (size_t i = 0; i < samples_.size() / 2; ++i) samples_[i] = std::move(samples_[2 * i + 1]);
  samples_.resize(samples_.size() / 2);
  for (std::vector<uint64_t>& bins : issues_) {
    std::vector<uint64_t> wide((bins.size() + 1) / 2);
    for (size_t i = 0; i < bins.size(); ++i) wide[i / 2] += bins[i];
    bins = std::move(wide);
  }
  width_ *= 2;
}

size_t UnitsOverTime::bins(const model::RunResult& result) const {
  return static_cast<size_t>((result.cycles + width_ - 1) / width_);
}

std::vector<UnitStrip> UnitsOverTime::strips(const model::RunResult& result) const {
  std::vector<UnitStrip> strips;
  const size_t count = bins(result);
  for (size_t s = 0; s < issues_.size(); ++s) {
    strips.push_back({fmt::format("issue slot {}", s), result.sms, issues_[s]});
    strips.back().busy.resize(count);
  }
  for (size_t unit = 0; unit < result.units.size(); ++unit) {
    const model::UnitStats& stats = result.units[unit];
    UnitStrip strip{stats.name, stats.instances, std::vector<uint64_t>(count)};
    uint64_t before = 0;
    for (size_t bin = 0; bin < count; ++bin) {
      const bool is_last = bin + 1 == count || bin >= samples_.size();
      const uint64_t until = is_last ? stats.busy : std::min(samples_[bin][unit], stats.busy);
      strip.busy[bin] = until - before;
      before = until;
    }
    strips.push_back(std::move(strip));
  }
  return strips;
}

}  // namespace shflsim::report
