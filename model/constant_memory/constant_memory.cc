// SPDX-License-Identifier: Apache-2.0
#include "model/constant_memory/constant_memory.h"

#include <algorithm>
#include <utility>

namespace shflsim::model {

void ConstantMemoryParams::list(ParameterList& out) {
  out.number(
      "constant_memory.bytes", &bytes, 0, 1048576, "bytes",
      "size of the cache for operands and ULDC, and of the cache for LDC; 0: nothing misses");
  out.number("constant_memory.line_bytes", &line_bytes, 16, 1024, "bytes",
             "line size of both caches");
  out.number("constant_memory.ways", &ways, 1, 64, "lines", "associativity of both caches");
  out.number("constant_memory.immediate_latency", &immediate_latency, 0, 4096, "cycles",
             "time that a warp waits for an operand, or a constant of ULDC, that misses");
  out.number("constant_memory.load_latency", &load_latency, 0, 4096, "cycles",
             "least time from the issue of an LDC that misses to its start");
  out.number("constant_memory.first_latency", &first_latency, 0, 4096, "cycles",
             "further time for a line that the launch uses for the first time on this SM");
  out.number("constant_memory.cold_latency", &cold_latency, 0, 4096, "cycles",
             "further time for 256 bytes of a bank other than 0 that a launch with empty caches "
             "(global_memory.l2_warm = 0) uses for the first time on this SM");
  out.number("constant_memory.misses", &misses, 1, 64, "lines", "outstanding misses");
  out.number(
      "constant_memory.request", &request, 0, 64, "cycles",
      "time in which a GPC serves the first miss of one of its SMs in a launch; the SMs miss "
      "together, and one after another is served");
  out.together(
      {"constant_memory.bytes", "constant_memory.line_bytes", "constant_memory.ways"},
      [this] { return bytes == 0 || bytes >= line_bytes * ways; },
      "no caches, or of at least a set: constant_memory.line_bytes * constant_memory.ways");
}

ConstantCache::ConstantCache(const ConstantMemoryParams& params, uint32_t latency, uint32_t turn)
    : ways_in_set_(params.ways),
      latency_(latency),
      first_latency_(params.first_latency),
      turn_(turn),
      ways_(params.bytes / params.line_bytes / params.ways * params.ways),
      coming_(params.misses) {}

Cycle ConstantCache::ask(uint32_t line, bool is_first, Cycle now, Cycle there) {
  const size_t sets = ways_.size() / ways_in_set_;
  const auto set = ways_.begin() + static_cast<std::ptrdiff_t>(line % sets * ways_in_set_);
  const auto end = set + ways_in_set_;
  auto way = std::find_if(set, end, [line](const Way& each) { return each.line == line; });
  if (way == end) {
    way = std::min_element(set, end, [](const Way& a, const Way& b) { return a.used < b.used; });
    way->line = line;
    way->since = bring(latency_ + (is_first ? first_latency_ : 0), there + std::exchange(turn_, 0));
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
                               const ConstantMemoryParams& params, uint32_t place)
    : Module(name),
      params_(params),
      immediates_(params, params.immediate_latency, params.request * place),
      loads_(params, params.load_latency, params.request * place) {}

/// First cycle from `now` on in which the next level has these bytes.
Cycle ConstantMemory::there(uint32_t bank, uint64_t offset, Cycle now) {
  constexpr uint32_t kBlockBytes = 256;
  if (params_.cold_latency == 0 || bank == 0) return now;
  const uint32_t block = constant_line(bank, offset, kBlockBytes);
  return std::max(now, blocks_.try_emplace(block, now + params_.cold_latency).first->second);
}

Cycle ConstantMemory::immediate(uint32_t bank, uint32_t offset, Cycle now) {
  if (params_.bytes == 0) return now;
  const uint32_t line = constant_line(bank, offset, params_.line_bytes);
  return immediates_.ask(line, is_first(line), now, there(bank, offset, now));
}

Cycle ConstantMemory::load(uint32_t bank, const traces::LaneAddresses& offsets, isa::LaneMask lanes,
                           Cycle now) {
  if (params_.bytes == 0) return now;
  Cycle all = now;
  for (; lanes != 0; lanes &= lanes - 1) {
    const uint64_t offset = offsets[static_cast<unsigned>(__builtin_ctz(lanes))];
    const uint32_t line = constant_line(bank, offset, params_.line_bytes);
    all = std::max(all, loads_.ask(line, is_first(line), now, there(bank, offset, now)));
  }
  return all;
}

}  // namespace shflsim::model
