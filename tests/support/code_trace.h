// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "isa/dialects/source.h"
#include "traces/trace.h"

namespace shflsim::test {

/// The program of a text in the manual's syntax, as if the text were the file "test.sass".
inline isa::Program program_of(const std::string& text) {
  const std::string file = "test.sass";
  return isa::find_kernel(*isa::Dialects::named("manual").open({file, text}), "", file);
}
inline isa::Code code_of(const std::string& text) { return isa::code_of(program_of(text)); }

/// A block of `warps` warps that execute each line of the code once. SHFL gives each lane its own
/// value.
inline traces::Trace trace_of(const std::string& text, uint32_t warps = 1) {
  traces::Trace trace;
  trace.code = code_of(text);
  trace.threads_per_block = warps * isa::kLanes;
  isa::LaneMap own_lane;
  own_lane.executing = own_lane.in_range = isa::kAllLanes;
  for (unsigned lane = 0; lane < isa::kLanes; ++lane)
    own_lane.source[lane] = static_cast<uint8_t>(lane);
  trace.lane_maps = {own_lane};
  trace.warps.resize(warps);
  for (uint32_t w = 0; w < warps; ++w) {
    trace.warps[w].warp = w;
    for (uint32_t i = 0; i < trace.code.lines.size(); ++i) {
      const bool shuffles = trace.code.lines[i].is_shuffle();
      trace.warps[w].steps.push_back({i, isa::kAllLanes, shuffles ? 0 : traces::Step::kNone});
    }
  }
  return trace;
}

}  // namespace shflsim::test
