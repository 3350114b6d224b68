// SPDX-License-Identifier: Apache-2.0
#include "report/time/verdict_watch.h"

#include <algorithm>
#include <map>

#include "report/run/design_cost.h"

namespace shflsim::report {
namespace {

constexpr size_t kMostOperations = 2;  // most operations named for a share of the path

/// True if the operations of this pipe are named for a share of the path with this bound.
bool is_for(Bound bound, isa::Pipe pipe) {
  switch (bound) {
    case Bound::kGlobalMemory: return pipe == isa::Pipe::kGlobal;
    case Bound::kMathPipes:
    case Bound::kMathLatency: return isa::is_math(pipe);
    case Bound::kSpecialFunctions: return pipe == isa::Pipe::kXu;
    case Bound::kSpecialRegisters: return pipe == isa::Pipe::kSpecial;
    default: return false;
  }
}

/// The names with the most cycles, the most first.
std::vector<std::string> most_of(const std::map<std::string, model::Cycle>& cycles) {
  std::vector<std::pair<model::Cycle, std::string>> sorted;
  for (const auto& [name, its] : cycles) sorted.emplace_back(its, name);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> names;
  for (size_t i = 0; i < std::min(kMostOperations, sorted.size()); ++i)
    names.push_back(sorted[i].second);
  return names;
}

double part(uint64_t of, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(of) / static_cast<double>(whole);
}

/// The tenth of the strip's bins with the most busy cycles, the first of equal ones.
BusiestTenth busiest(const UnitStrip& strip, model::Cycle width, model::Cycle cycles) {
  const size_t length = std::max<size_t>(1, strip.busy.size() / 10);
  uint64_t sum = 0;
  uint64_t most = 0;
  uint64_t all = 0;
  size_t first = 0;
  for (size_t bin = 0; bin < strip.busy.size(); ++bin) {
    all += strip.busy[bin];
    sum += strip.busy[bin];
    if (bin >= length) sum -= strip.busy[bin - length];
    if (sum <= most) continue;
    most = sum;
    first = bin + 1 < length ? 0 : bin + 1 - length;
  }
  const model::Cycle from = first * width;
  const model::Cycle to = std::min<model::Cycle>(cycles, (first + length) * width);
  return {strip.unit, std::min(1.0, part(most, (to - from) * strip.instances)), from, to,
          part(all, cycles * strip.instances)};
}

}  // namespace

std::vector<BoundShare> bounds_of(const isa::Code& code, const std::vector<PathLink>& links) {
  BoundCycles sums{};
  model::Cycle all = 0;
  std::array<std::map<std::string, model::Cycle>, kBounds> operations;
  for (const PathLink& link : links) {
    const isa::CodeLine* on = link.on ? &code.lines[*link.on] : nullptr;
    all += link.cycles;
    for (size_t i = 0; i < kBounds; ++i) {
      sums[i] += link.bounds[i];
      if (link.bounds[i] != 0 && on != nullptr && is_for(static_cast<Bound>(i), on->pipe))
        operations[i][on->name] += link.bounds[i];
    }
  }
  std::vector<BoundShare> shares;
  for (size_t i = 0; i < kBounds; ++i) {
    if (sums[i] == 0) continue;
    shares.push_back(
        {bound_name(static_cast<Bound>(i)), most_of(operations[i]), sums[i], part(sums[i], all)});
  }
  std::stable_sort(shares.begin(), shares.end(),
                   [](const BoundShare& a, const BoundShare& b) { return a.cycles > b.cycles; });
  return shares;
}

std::vector<BusiestTenth> busiest_of(const UnitsOverTime& units, const model::RunResult& result) {
  std::vector<BusiestTenth> all;
  for (const UnitStrip& strip : units.strips(result)) {
    const BusiestTenth one = busiest(strip, units.width(), result.cycles);
    if (one.share > 0) all.push_back(one);
  }
  std::stable_sort(all.begin(), all.end(), [](const BusiestTenth& a, const BusiestTenth& b) {
    return a.share != b.share ? a.share > b.share : a.utilization > b.utilization;
  });
  return all;
}

VerdictWatch::VerdictWatch() {
  observers_.add(&path_);
  observers_.add(&units_);
}

Verdict VerdictWatch::verdict(const Run& run) const {
  Verdict verdict;
  verdict.cycles = run.result.cycles;
  verdict.shuffles = shuffles_of(run.trace, run.result);
  verdict.cut = path_.cut_length();
  verdict.bounds = bounds_of(run.trace.code, path_.links(run.result));
  verdict.units = busiest_of(units_, run.result);
  return verdict;
}

}  // namespace shflsim::report
