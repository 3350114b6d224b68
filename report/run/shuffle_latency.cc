// SPDX-License-Identifier: Apache-2.0
#include "report/run/shuffle_latency.h"

#include <algorithm>
#include <numeric>

namespace shflsim::report {
namespace {

uint64_t count_of(const std::vector<uint64_t>& by_latency) {
  return std::accumulate(by_latency.begin(), by_latency.end(), uint64_t{0});
}

}  // namespace

void add_latencies(const std::vector<uint64_t>& more, std::vector<uint64_t>* sum) {
  if (sum->size() < more.size()) sum->resize(more.size());
  for (size_t cycles = 0; cycles < more.size(); ++cycles) (*sum)[cycles] += more[cycles];
}

std::vector<uint64_t> shuffles_by_latency(const traces::Trace& trace,
                                          const model::RunResult& result) {
  std::vector<uint64_t> sum;
  for (size_t index = 0; index < result.instructions.size(); ++index) {
    if (trace.code.lines[index].is_shuffle())
      add_latencies(result.instructions[index].by_latency, &sum);
  }
  return sum;
}

Value mean_latency(const std::vector<uint64_t>& by_latency) {
  const uint64_t count = count_of(by_latency);
  if (count == 0) return {};
  uint64_t sum = 0;
  for (size_t cycles = 0; cycles < by_latency.size(); ++cycles) sum += cycles * by_latency[cycles];
  return static_cast<double>(sum) / static_cast<double>(count);
}

Value latency_percentile(const std::vector<uint64_t>& by_latency, unsigned percent) {
  const uint64_t count = count_of(by_latency);
  uint64_t below = 0;
  for (size_t cycles = 0; cycles < by_latency.size(); ++cycles) {
    below += by_latency[cycles];
    if (below * 100 >= count * percent && below != 0) return uint64_t{cycles};
  }
  return {};
}

}  // namespace shflsim::report
