// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/use_trace.h"

#include <stdexcept>

#include "tests/fuzz/harness.h"
#include "traces/trace_format.h"
#include "traces/warp_reader.h"

namespace shflsim::fuzz {
namespace {

constexpr uint64_t kMostSteps = 20'000;  ///< of all warps together

/// Reads all data of a step, also out of bounds.
uint64_t looked_at(const traces::Trace& trace, const traces::WarpReader& steps) {
  const traces::Step& step = steps.step();
  const isa::CodeLine& line = trace.code.lines.at(step.index);
  if (step.payload == traces::Step::kNone || step.lanes == 0) return 0;
  if (!line.is_shuffle()) return steps.addresses()[isa::kLanes - 1];
  const isa::LaneMap& map = trace.maps().at(step.payload);
  for (const uint8_t source : map.source) {
    if (source >= isa::kLanes) throw std::logic_error("a lane map of lanes that are not there");
  }
  return map.executing;
}

}  // namespace

uint64_t walk(const traces::Trace& trace) {
  volatile uint64_t sum = 0;
  uint64_t left = kMostSteps;
  for (size_t warp = 0; warp < trace.warps.size() && left > 0; ++warp) {
    traces::WarpReader steps(trace, warp);
    do {
      sum = sum + looked_at(trace, steps);
    } while (--left > 0 && steps.next());
  }
  return kMostSteps - left;
}

void use_trace_file(const std::string& path, const std::string& format,
                    const std::function<void(const traces::Trace&)>& use) {
  for (const traces::TraceFormat& each : traces::TraceFormats::all()) {
    if (each.name != format) continue;
    try_input([&] {
      if (!each.recognises(path)) return;
      each.kernels(path);
      traces::LaunchShape shape;
      use(each.open(path, {}, &shape));
    });
    return;
  }
  throw std::logic_error("no format " + format);
}

}  // namespace shflsim::fuzz
