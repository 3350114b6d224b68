// SPDX-License-Identifier: Apache-2.0
#include "model/fetch/code_memory.h"

namespace shflsim::model {
namespace {

/// Lines of the code, and those after its end that streams may still request.
uint32_t lines_asked(const FetchParams& params, const CodeLayout& layout) {
  return layout.lines + params.ahead + 2;
}

InstructionCache make_l1(const FetchParams& params, const CodeLayout& layout) {
  return InstructionCache(lines_asked(params, layout), params.l1_bytes / params.line_bytes,
                          params.l1_ways);
}

InstructionCache make_l15(const FetchParams& params, const CodeLayout& layout) {
  const uint32_t code = lines_asked(params, layout) / params.l15_lines + 1 + params.l15_stream;
  const uint32_t capacity = params.l15_bytes / params.line_bytes / params.l15_lines;
  return InstructionCache(code, std::max(1u, capacity), params.l15_ways);
}

}  // namespace

CodeMemory::CodeMemory(const sc_core::sc_module_name& name, const FetchParams& params,
                       const CodeLayout& layout)
    : Module(name), params_(params), l1_(make_l1(params, layout)), l15_(make_l15(params, layout)) {
  if (params.warm != 0) l1_.fill(layout.lines);
  const uint32_t launched = params.launch_bytes / params.line_bytes;
  const uint32_t lines = params.warm != 0 ? layout.lines : std::min(layout.lines, launched);
  l15_.fill((lines + params.l15_lines - 1) / params.l15_lines,
            params.warm != 0 ? 0 : params.launch_latency);
}

Cycle CodeMemory::line(uint32_t line, Cycle now) {
  Cycle there = l1_.since(line);
  if (there == InstructionCache::kAbsent) {
    there = from_l15(line, now) + params_.l1_latency;
    l1_.put(line, there);
  }
  if (there > now) return there;
  const Cycle start = std::max(now, l1_free_);
  l1_free_ = start + params_.l1_interval;
  return start;
}

/// The cycle in which the L1.5 sends the line to the L1.
Cycle CodeMemory::from_l15(uint32_t line, Cycle now) {
  const Cycle start = std::max(now, l15_free_);
  l15_free_ = start + params_.l15_interval;
  if (params_.l15_bytes == 0) return start + params_.l15_latency;
  const uint32_t block = line / params_.l15_lines;
  const bool is_absent = l15_.since(block) == InstructionCache::kAbsent;
  if (is_absent) bring_block(block, start);
  const Cycle there = l15_.since(block);  // before the next blocks may evict it
  for (uint32_t next = block + 1; next < block + params_.l15_stream; ++next) {
    if (l15_.since(next) != InstructionCache::kAbsent) continue;
    bring_block(next, start);
    if (!is_absent) break;
  }
  return std::max(start, there);
}

void CodeMemory::bring_block(uint32_t block, Cycle now) {
  l15_.put(block, now + params_.l15_latency);
}

}  // namespace shflsim::model
