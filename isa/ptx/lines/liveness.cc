// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>
#include <iterator>
#include <set>

#include "isa/ptx/lines/definitions.h"
#include "isa/ptx/lines/uses.h"

namespace shflsim::isa::ptx {
namespace {

using IdSet = std::set<int>;

/// The registers that a block reads before writing them, and those that it certainly writes.
struct Summary {
  Ids read_first;
  Ids killed;
};

/// The union of two sets.
Ids united(const Ids& a, const Ids& b) {
  Ids all;
  all.reserve(a.size() + b.size());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

Ids in_order(Ids ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

/// True if the register's previous value is dead after a line that writes it. Temporary registers
/// are read only under the guard under which they were written.
bool ends_value(const Code& code, const Line& line, int id) {
  return line.guard < 0 || code.registers[static_cast<size_t>(id)].name.empty();
}

/// The slots that some line of the code reads.
std::vector<bool> slots_read(const Code& code, const Slots& slots) {
  std::vector<bool> are_read(static_cast<size_t>(slots.count()));
  const auto read = [&](int slot, bool) { are_read[static_cast<size_t>(slot)] = true; };
  for (const Block& block : code.blocks) {
    for (const Line& line : block.lines) for_each_slot_read(slots, line, read);
    if (block.guard >= 0) read(slots.first(block.guard), true);
  }
  return are_read;
}

class Summarising {
 public:
  explicit Summarising(const Code& code)
      : code_(code), slots_(code), are_read_(slots_read(code, slots_)) {}

  Summary summary_of(const Block& block) const {
    Summary summary;
    IdSet written;  // slots
    const auto read = [&](int slot, bool) {
      if (written.count(slot) == 0) summary.read_first.push_back(slots_.id_of(slot));
    };
    for (const Line& line : block.lines) {
      for_each_slot_read(slots_, line, read);
      for_each_slot_written(slots_, line, [&](int slot) {
        const int id = slots_.id_of(slot);
        if (!ends_value(code_, line, id)) return;
        written.insert(slot);
        if (is_whole(written, id)) summary.killed.push_back(id);
      });
    }
    if (block.guard >= 0) read(slots_.first(block.guard), true);
    return {in_order(std::move(summary.read_first)), in_order(std::move(summary.killed))};
  }

 private:
  bool is_whole(const IdSet& written, int id) const {
    for (int slot = slots_.first(id); slot < slots_.first(id + 1); ++slot) {
      if (are_read_[static_cast<size_t>(slot)] && written.count(slot) == 0) return false;
    }
    return true;
  }

  const Code& code_;
  Slots slots_;
  std::vector<bool> are_read_;
};

/// The registers that are live at the begin of `block`, given those of all blocks.
Ids live_before(const Block& block, const Summary& summary, const std::vector<Ids>& live) {
  Ids now = summary.read_first;
  for (const int next : {block.taken, block.next}) {
    if (next < 0) continue;
    const Ids& there = live[static_cast<size_t>(next)];
    Ids passed;
    passed.reserve(there.size());
    std::set_difference(there.begin(), there.end(), summary.killed.begin(), summary.killed.end(),
                        std::back_inserter(passed));
    now = united(now, passed);
  }
  return now;
}

/// Limits the number of live registers in all blocks together; more could not be spilled.
void check_room(size_t live, const Position& where) {
  constexpr size_t kMostLive = size_t{1} << 24;
  if (live > kMostLive) fail_for_room(where, false);
}

}  // namespace

void fail_for_room(const Position& where, bool predicates) {
  throw NoRoom(where, predicates
                          ? "more predicates in use at once than there are; expected 7 at most"
                          : "more registers in use at once than there are; expected 255 at most");
}

std::vector<Ids> live_on_entry(const Code& code, const Position& where) {
  const Edges before = flow_of(code).predecessors;
  const Summarising summarising(code);
  std::vector<Summary> summaries;
  std::vector<Ids> live(code.blocks.size());
  size_t in_all = 0;
  std::deque<size_t> open;  // blocks after which a register has become live, each once
  std::vector<bool> is_open(code.blocks.size(), true);
  for (size_t b = 0; b < code.blocks.size(); ++b) {
    summaries.push_back(summarising.summary_of(code.blocks[b]));
    open.push_front(b);
  }
  while (!open.empty()) {
    const size_t b = open.front();
    open.pop_front();
    is_open[b] = false;
    Ids now = live_before(code.blocks[b], summaries[b], live);
    if (now.size() == live[b].size()) continue;
    in_all += now.size() - live[b].size();
    check_room(in_all, where);
    live[b] = std::move(now);
    for (const int each : before[b]) {
      const auto p = static_cast<size_t>(each);
      if (!is_open[p]) open.push_back(p);
      is_open[p] = true;
    }
  }
  return live;
}

LiveSlots::LiveSlots(const Code& code, const Slots& slots, const Ids& behind)
    : code_(code), slots_(slots), is_live_(static_cast<size_t>(slots.count())) {
  for (const int id : behind) {
    std::fill(is_live_.begin() + slots.first(id), is_live_.begin() + slots.first(id + 1), true);
  }
}

bool LiveSlots::holds(int id) const {
  for (int slot = slots_.first(id), end = slots_.first(id + 1); slot < end; ++slot) {
    if (is_live_[static_cast<size_t>(slot)]) return true;
  }
  return false;
}

Ids LiveSlots::ids() const {
  Ids ids;
  for (int slot = 0; slot < slots_.count(); ++slot) {
    if (is_live_[static_cast<size_t>(slot)]) ids.push_back(slots_.id_of(slot));
  }
  return in_order(std::move(ids));
}

void LiveSlots::pass(const Line& line) {
  for_each_slot_written(slots_, line, [&](int slot) {
    if (ends_value(code_, line, slots_.id_of(slot))) is_live_[static_cast<size_t>(slot)] = false;
  });
  for_each_slot_read(slots_, line,
                     [&](int slot, bool) { is_live_[static_cast<size_t>(slot)] = true; });
}

Ids live_behind(const Block& block, const std::vector<Ids>& live) {
  Ids ids;
  for (const int next : {block.taken, block.next}) {
    if (next >= 0) ids = united(ids, live[static_cast<size_t>(next)]);
  }
  return block.guard >= 0 ? united(ids, {block.guard}) : ids;
}

}  // namespace shflsim::isa::ptx
