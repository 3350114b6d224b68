// SPDX-License-Identifier: Apache-2.0
#include "model/constant_memory/constant_memory.h"

#include <algorithm>

namespace shflsim::model {

void ConstantMemoryParams::list(ParameterList& out) {
  out.number("constant_memory.bytes", &bytes, 0, 1048576, "bytes",
             "of the cache for operands and ULDC, and of the one for LDC; 0: nothing misses");
  out.number("constant_memory.line_bytes", &line_bytes, 16, 1024, "bytes", "line of both");
  out.number("constant_memory.ways", &ways, 1, 64, "lines", "in a set of both");
  out.number("constant_memory.immediate_latency", &immediate_latency, 0, 4096, "cycles",
             "that a warp waits for an operand, or a constant for ULDC, whose line is missing");
  out.number("constant_memory.load_latency", &load_latency, 0, 4096, "cycles",
             "from the issue of an LDC whose line is missing to its start, at the least");
  out.number("constant_memory.first_latency", &first_latency, 0, 4096, "cycles",
             "more for a line that the launch uses for the first time on the SM");
  out.number("constant_memory.misses", &misses, 1, 64, "lines", "on their way at a time");
  out.together(
      {"constant_memory.bytes", "constant_memory.line_bytes", "constant_memory.ways"},
      [this] { return bytes == 0 || bytes >= line_bytes * ways; },
      "no caches, or of at least a set: constant_memory.line_bytes * constant_memory.ways");
}

ConstantCache::ConstantCache(const ConstantMemoryParams& params, uint32_t latency)
    : ways_in_set_(params.ways),
      latency_(latency),
      first_latency_(params.first_latency),
      ways_(params.bytes / params.line_bytes / params.ways * params.ways),
      coming_(params.misses) {}

Cycle ConstantCache::ask(uint32_t line, bool is_first, Cycle now) {
  const size_t sets = ways_.size() / ways_in_set_;
  const auto set = ways_.begin() + static_cast<std::ptrdiff_t>(line % sets * ways_in_set_);
  const auto end = set + ways_in_set_;
  auto way = std::find_if(set, end, [line](const Way& each) { return each.line == line; });
  if (way == end) {
    way = std::min_element(set, end, [](const Way& a, const Way& b) { return a.used < b.used; });
    way->line = line;
    way->since = bring(latency_ + (is_first ? first_latency_ : 0), now);
  }
  way->used = ++uses_;
  return std::max(now, way->since);
}

Cycle ConstantCache::bring(Cycle latency, Cycle now) {
  Cycle& last = coming_[oldest_++ % coming_.size()];
  last = std::max(now, last) + latency;
  return last;
}

ConstantMemory::ConstantMemory(const sc_core::sc_module_name& name,
                               const ConstantMemoryParams& params)
    : Module(name),
      params_(params),
      immediates_(params, params.immediate_latency),
      loads_(params, params.load_latency) {}

Cycle ConstantMemory::immediate(uint32_t bank, uint32_t offset, Cycle now) {
  if (params_.bytes == 0) return now;
  const uint32_t line = constant_line(bank, offset, params_.line_bytes);
  return immediates_.ask(line, is_first(line), now);
}

Cycle ConstantMemory::load(uint32_t bank, const traces::LaneAddresses& offsets, isa::LaneMask lanes,
                           Cycle now) {
  if (params_.bytes == 0) return now;
  Cycle all = now;
  for (; lanes != 0; lanes &= lanes - 1) {
    const uint64_t offset = offsets[static_cast<unsigned>(__builtin_ctz(lanes))];
    const uint32_t line = constant_line(bank, offset, params_.line_bytes);
    all = std::max(all, loads_.ask(line, is_first(line), now));
  }
  return all;
}

}  // namespace shflsim::model
