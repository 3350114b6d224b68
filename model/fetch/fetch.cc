// SPDX-License-Identifier: Apache-2.0
#include "model/fetch/fetch.h"

namespace shflsim::model {

Fetch::Fetch(const sc_core::sc_module_name& name, const FetchParams& params,
             const CodeLayout& layout)
    : Module(name),
      code("code"),
      params_(params),
      layout_(layout),
      buffer_(std::min(params.buffer, layout.per_line - 1)),
      can_miss_(!params.fills_l0() || layout.lines > params.l0_bytes / params.line_bytes),
      l0_(layout.lines + params.ahead + 2, params.l0_bytes / params.line_bytes,
          params.l0_bytes / params.line_bytes),
      run_into_(layout.lines + params.ahead + 2, params.fills_l0()),
      whole_(layout.lines + params.ahead + 2),
      quiet_(layout.lines + params.ahead + 2),
      on_their_way_(size_t{kMostSlots} * params.stream) {
  if (params.fills_l0()) l0_.fill(layout.lines);
}

bool Fetch::is_point(uint32_t index) const {
  return can_miss_ && (index % layout_.per_line <= 1 || (index + buffer_) % layout_.per_line == 0);
}

Cycle Fetch::jump(unsigned slot, uint32_t index, Cycle now) {
  const uint32_t line = index / layout_.per_line;
  leave_stream(slot);
  const bool is_new = run_into_[line] == 0;
  Cycle there = ask(slot, line, now);
  if (is_new) there = std::max(there, now + params_.l0_latency);
  if (there <= now) stream(slot, line, now);
  second_line_[slot] = std::max(there, now) + params_.second_line;
  const bool runs_on = index % layout_.per_line + buffer_ >= layout_.per_line;
  if (runs_on) next_line_[slot] = ask(slot, line + 1, now);
  return there;
}

Cycle Fetch::advance(unsigned slot, uint32_t index, Cycle now) {
  const uint32_t line = index / layout_.per_line;
  const uint32_t place = index % layout_.per_line;
  if (quiet_[line] == l0_.puts()) {
    if (place == 0) return std::max(next_line_[slot], second_line_[slot]);
    return next_line_[slot] = 0;
  }
  const bool is_ahead = place + buffer_ == layout_.per_line;
  if (is_ahead || place + buffer_ == 0) next_line_[slot] = ask(slot, line + is_ahead, now);
  if (place == 1) stream(slot, line, now);
  if (is_ahead) note_quiet(line, now);
  return place == 0 ? std::max(next_line_[slot], second_line_[slot]) : 0;
}

/// Notes if neither this line nor the next one can delay a warp any more, as long as both stay.
void Fetch::note_quiet(uint32_t line, Cycle now) {
  const bool are_there = std::max(l0_.since(line), l0_.since(line + 1)) <= now;
  const bool were_asked = run_into_[line] != 0 && run_into_[line + 1] != 0;
  if (are_there && were_asked && whole_[line] == l0_.puts()) quiet_[line] = l0_.puts();
}

/// Returns the cycle in which the line that the warp's fetch needs is available.
Cycle Fetch::ask(unsigned slot, uint32_t line, Cycle now) {
  Cycle there = l0_.since(line);
  const bool is_missing = there == InstructionCache::kAbsent;
  if (is_missing) there = bring(slot, line, now);
  run_into_[line] = 1;
  if (is_missing) stream(slot, line, now);
  return there;
}

/// Requests the following lines, as far as the warp may have more requests pending.
void Fetch::stream(unsigned slot, uint32_t line, Cycle now) {
  const uint64_t puts = l0_.puts();
  if (whole_[line] == puts) return;
  for (uint32_t next = line + 1; next <= line + params_.ahead; ++next) {
    if (l0_.since(next) != InstructionCache::kAbsent) continue;
    if (oldest_of(slot) > now) return;
    bring(slot, next, now);
  }
  if (l0_.puts() == puts) whole_[line] = puts;
}

/// L0 and L1 are accessed at the same time.
Cycle Fetch::bring(unsigned slot, uint32_t line, Cycle now) {
  const Cycle there = std::max(now + params_.l0_latency, code->line(line, now));
  l0_.put(line, there);
  run_into_[line] = 0;
  oldest_of(slot) = there;
  if (++place_[slot] == params_.stream) place_[slot] = 0;
  return there;
}

/// A jump leaves the stream: lines that were requested for the warp do not count any more.
void Fetch::leave_stream(unsigned slot) {
  const auto first = on_their_way_.begin() + slot * params_.stream;
  std::fill(first, first + params_.stream, 0);
}

}  // namespace shflsim::model
