// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>
#include <set>

#include "isa/ptx/definitions.h"
#include "isa/ptx/uses.h"

namespace shflsim::isa::ptx {
namespace {

using IdSet = std::set<int>;

/// What is read in the block before it is written, and what is written for certain.
struct Summary {
  IdSet read_first;
  IdSet killed;
};

Summary summary_of(const Code& code, const Block& block) {
  Summary summary;
  const auto read = [&summary](int id) {
    if (summary.killed.count(id) == 0) summary.read_first.insert(id);
  };
  for (const Line& line : block.lines) {
    std::vector<int> kills;
    for_each_use(code, line, read, [&](int id, bool ends) {
      if (ends) kills.push_back(id);
    });
    summary.killed.insert(kills.begin(), kills.end());
  }
  if (block.guard >= 0) read(block.guard);
  return summary;
}

/// What is live where `block` begins, given what is where each block does.
Ids live_before(const Block& block, const Summary& summary, const std::vector<Ids>& live) {
  IdSet now = summary.read_first;
  for (const int next : {block.taken, block.next}) {
    if (next < 0) continue;
    for (const int id : live[static_cast<size_t>(next)]) {
      if (summary.killed.count(id) == 0) now.insert(id);
    }
  }
  return {now.begin(), now.end()};
}

/// Of what is live at once a part can be spilled, but not without end: in all blocks together.
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
  std::vector<Summary> summaries;
  std::vector<Ids> live(code.blocks.size());
  size_t in_all = 0;
  std::deque<size_t> open;  // blocks behind which something has become live, each once
  std::vector<bool> is_open(code.blocks.size(), true);
  for (size_t b = 0; b < code.blocks.size(); ++b) {
    summaries.push_back(summary_of(code, code.blocks[b]));
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

Ids live_behind(const Block& block, const std::vector<Ids>& live) {
  IdSet ids;
  for (const int next : {block.taken, block.next}) {
    if (next >= 0)
      ids.insert(live[static_cast<size_t>(next)].begin(), live[static_cast<size_t>(next)].end());
  }
  if (block.guard >= 0) ids.insert(block.guard);
  return {ids.begin(), ids.end()};
}

}  // namespace shflsim::isa::ptx
