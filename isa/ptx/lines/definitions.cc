// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/lines/definitions.h"

#include <algorithm>

namespace shflsim::isa::ptx {

Flow flow_of(const Code& code) {
  Flow flow;
  const size_t count = code.blocks.size() + 1;
  flow.successors.resize(count);
  flow.predecessors.resize(count);
  for (size_t b = 0; b + 1 < count; ++b) {
    const Block& block = code.blocks[b];
    const int next = block.next < 0 ? flow.end() : block.next;
    if (block.taken >= 0) flow.successors[b].push_back(block.taken);
    if (block.taken != next) flow.successors[b].push_back(next);
    for (const int s : flow.successors[b]) {
      flow.predecessors[static_cast<size_t>(s)].push_back(static_cast<int>(b));
    }
  }
  return flow;
}

Slots::Slots(const Code& code) {
  for (size_t id = 0; id < code.registers.size(); ++id) {
    first_.push_back(static_cast<int>(ids_.size()));
    const size_t width = std::max<size_t>(code.registers[id].width, 1);
    ids_.insert(ids_.end(), width, static_cast<int>(id));
  }
  first_.push_back(static_cast<int>(ids_.size()));
}

Definitions::Definitions(const Code& code, const Slots& slots, const DominatorTree& dominators)
    : spots_(static_cast<size_t>(slots.count())), single_(static_cast<size_t>(slots.count())) {
  find_writes(code, slots);
  for (int b = 0; b < static_cast<int>(code.blocks.size()); ++b) {
    if (dominators.is_reached(b)) {
      check_reads(dominators, code.blocks[static_cast<size_t>(b)], b, slots);
    }
  }
}

void Definitions::check_reads(const DominatorTree& dominators, const Block& block, int b,
                              const Slots& slots) {
  const int length = static_cast<int>(block.lines.size());
  for (int i = 0; i < length; ++i) {
    for_each_slot_read(slots, block.lines[static_cast<size_t>(i)], [&](int slot, bool) {
      check_read(dominators, slot, {b, i});
    });
  }
  if (block.guard >= 0) check_read(dominators, slots.first(block.guard), {b, length});
}

void Definitions::find_writes(const Code& code, const Slots& slots) {
  std::vector<int> writes(single_.size());
  for (size_t b = 0; b < code.blocks.size(); ++b) {
    for (size_t i = 0; i < code.blocks[b].lines.size(); ++i) {
      const Line& line = code.blocks[b].lines[i];
      for_each_slot_written(slots, line, [&](int slot) {
        const auto at = static_cast<size_t>(slot);
        spots_[at] = {static_cast<int>(b), static_cast<int>(i)};
        writes[at] += line.guard >= 0 ? 2 : 1;
      });
    }
  }
  for (size_t slot = 0; slot < single_.size(); ++slot) {
    const auto id = static_cast<size_t>(slots.id_of(static_cast<int>(slot)));
    single_[slot] = writes[slot] == 1 && !code.registers[id].keep;
  }
}

void Definitions::check_read(const DominatorTree& dominators, int slot, Spot at) {
  const Spot from = of(slot);
  const bool holds = from.block == at.block
                         ? from.line < at.line
                         : from.block >= 0 && dominators.dominates(from.block, at.block);
  if (!holds) single_[static_cast<size_t>(slot)] = false;
}

}  // namespace shflsim::isa::ptx
