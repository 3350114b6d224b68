// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/lines/intervals.h"

#include <algorithm>

#include "isa/ptx/lines/uses.h"

namespace shflsim::isa::ptx {

void Interval::include(int position) {
  if (first < 0 || position < first) first = position;
  last = std::max(last, position);
}

Intervals::Intervals(const Code& code, const Position& where) {
  const std::vector<Ids> live = live_on_entry(code, where);
  place(code, live);
  has_calls_ = std::any_of(code.blocks.begin(), code.blocks.end(), [](const Block& block) {
    return std::any_of(block.lines.begin(), block.lines.end(), is_call);
  });
  if (!has_calls_ && !code.is_called) return;
  for (size_t id = 0; id < code.registers.size(); ++id) {
    const bool is_passed =
        code.registers[id].fixed >= 0 && static_cast<int>(id) != code.stack_pointer;
    if (is_passed) fixed_.push_back(static_cast<int>(id));
  }
  const Slots slots(code);
  for (const Block& block : code.blocks) {
    LiveSlots behind(code, slots, live_behind(block, live));
    for (auto line = block.lines.rbegin(); line != block.lines.rend(); ++line) {
      look_behind(code, *line, behind);
      behind.pass(*line);
    }
  }
}

void Intervals::place(const Code& code, const std::vector<Ids>& live) {
  std::vector<Interval> intervals(code.registers.size());
  for (size_t i = 0; i < intervals.size(); ++i) intervals[i].id = static_cast<int>(i);
  const auto include = [&intervals](int id, int position) {
    intervals[static_cast<size_t>(id)].include(position);
  };
  int position = 0;
  for (size_t b = 0; b < code.blocks.size(); ++b) {
    const Block& block = code.blocks[b];
    for (const int id : live[b]) include(id, position);
    for (const Line& line : block.lines) {
      for_each_use(
          line, [&](int id) { include(id, position); }, [&](int id) { include(id, position + 1); });
      position += 2;
    }
    if (block.guard >= 0) include(block.guard, position);
    for (const int next : {block.taken, block.next}) {
      if (next < 0) continue;
      for (const int id : live[static_cast<size_t>(next)]) include(id, position + 1);
    }
    position += 2;
  }
  for (Interval& interval : intervals) {
    const VirtualRegister& held = code.registers[static_cast<size_t>(interval.id)];
    if (held.keep) {
      interval.include(0);
      interval.include(position);
    }
    if (interval.first >= 0 && held.fixed < 0) in_order_.push_back(interval);
  }
  std::stable_sort(in_order_.begin(), in_order_.end(),
                   [](const Interval& a, const Interval& b) { return a.first < b.first; });
}

/// Notes conflicts: a register that a line writes coexists with all that are live after the line.
void Intervals::look_behind(const Code& code, const Line& line, const LiveSlots& live) {
  const auto fixed = [&code](int id) {
    return id == code.stack_pointer ? -1 : code.registers[static_cast<size_t>(id)].fixed;
  };
  std::set<int> written;
  for_each_use(
      line, [](int) {}, [&written](int id) { written.insert(id); });
  const bool passes =
      std::any_of(written.begin(), written.end(), [&](int id) { return fixed(id) >= 0; });
  const bool meets =
      std::any_of(fixed_.begin(), fixed_.end(), [&live](int id) { return live.holds(id); });
  const Ids wanted = passes || meets || is_call(line) ? live.ids() : Ids{};
  for (const int id : wanted) {
    if (is_call(line) && written.count(id) == 0) over_calls_.insert(id);
  }
  for (const int one : written) {
    for (const int other : wanted) {
      if (one == other) continue;
      if (fixed(one) >= 0) passed_[static_cast<unsigned>(fixed(one))].insert(other);
      if (fixed(other) >= 0) passed_[static_cast<unsigned>(fixed(other))].insert(one);
    }
  }
}

}  // namespace shflsim::isa::ptx
