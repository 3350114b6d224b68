// SPDX-License-Identifier: Apache-2.0
// Removes lines whose results are overwritten on all paths before they are read, by liveness from
// the end of each block. drop_dead_code() removes only lines whose results nothing reads
// at all.
#include <algorithm>

#include "isa/ptx/lines/operations.h"
#include "isa/ptx/lines/terms.h"
#include "isa/ptx/lines/uses.h"
#include "isa/ptx/passes/optimise.h"

namespace shflsim::isa::ptx {
namespace {

class BlockEnd {
 public:
  BlockEnd(const Code& code, const Slots& slots, const Ids& behind)
      : code_(code), live_(code, slots, behind) {}

  /// True if the line is needed; must be called from the last line to the first. Predicates that it
  /// writes and nothing reads are replaced by PT.
  bool needs(Line& line) {
    bool is_needed = !is_pure(line) || line.sets_cc;
    for_each_use(
        line, [](int) {}, [&](int id) { is_needed = is_needed || is_read(id); });
    if (!is_needed) return false;
    drop_predicates(line);
    live_.pass(line);
    return true;
  }

 private:
  void drop_predicates(Line& line) const {
    for (Term& term : line.terms) {
      if (!term.written || !term.is_register() || term.width != 0 || is_read(term.id)) continue;
      term = pt();
    }
  }

  bool is_read(int id) const {
    return live_.holds(id) || code_.registers[static_cast<size_t>(id)].keep;
  }

  const Code& code_;
  LiveSlots live_;
};

}  // namespace

void drop_overwritten(Code* code, const Position& where) {
  const std::vector<Ids> live = live_on_entry(*code, where);
  const Slots slots(*code);
  for (Block& block : code->blocks) {
    if (block.lines.empty()) continue;
    BlockEnd end(*code, slots, live_behind(block, live));
    std::vector<Line> kept;
    for (size_t i = block.lines.size(); i-- > 0;) {
      if (end.needs(block.lines[i])) kept.push_back(std::move(block.lines[i]));
    }
    std::reverse(kept.begin(), kept.end());
    block.lines = std::move(kept);
  }
}

}  // namespace shflsim::isa::ptx
