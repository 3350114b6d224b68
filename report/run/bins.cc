// SPDX-License-Identifier: Apache-2.0
#include "report/run/bins.h"

#include <algorithm>

namespace shflsim::report {

void Bins::add(size_t row, model::Cycle from, model::Cycle to) {
  while ((to - 1) / width_ >= kMost) widen();
  std::vector<uint64_t>& bins = rows_[row];
  for (model::Cycle cycle = from; cycle < to;) {
    const size_t bin = cycle / width_;
    const model::Cycle end = std::min<model::Cycle>(to, (bin + 1) * width_);
    if (bins.size() <= bin) bins.resize(bin + 1);
    bins[bin] += end - cycle;
    cycle = end;
  }
}

void Bins::widen() {
  for (std::vector<uint64_t>& bins : rows_) {
    std::vector<uint64_t> wide((bins.size() + 1) / 2);
    for (size_t i = 0; i < bins.size(); ++i) wide[i / 2] += bins[i];
    bins = std::move(wide);
  }
  width_ *= 2;
}

std::vector<std::vector<uint64_t>> Bins::over(model::Cycle cycles) const {
  const size_t count = std::max<size_t>(1, (cycles + width_ - 1) / width_);
  std::vector<std::vector<uint64_t>> rows = rows_;
  for (std::vector<uint64_t>& bins : rows) {
    for (size_t bin = count; bin < bins.size(); ++bin) bins[count - 1] += bins[bin];
    bins.resize(count);
  }
  return rows;
}

}  // namespace shflsim::report
