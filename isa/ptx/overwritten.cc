// SPDX-License-Identifier: Apache-2.0
// What a register holds where its lines are looked at from the end of each block: results that are
// written anew on all paths before they are read. drop_dead_code() takes out only what nothing
// reads at all.
#include <algorithm>

#include "isa/ptx/operations.h"
#include "isa/ptx/optimise.h"
#include "isa/ptx/uses.h"

namespace shflsim::isa::ptx {
namespace {

class BlockEnd {
 public:
  BlockEnd(const Code& code, const Ids& behind) : code_(code), is_live_(code.registers.size()) {
    for (const int id : behind) is_live_[static_cast<size_t>(id)] = true;
  }

  /// Whether the line is needed, looked at behind all lines that follow it. Of its predicates it
  /// keeps those that are read.
  bool needs(Line& line) {
    bool is_needed = !is_pure(line) || writes_carry(line);
    const auto look = [&](int id, bool) { is_needed = is_needed || is_read(id); };
    for_each_use(
        code_, line, [](int) {}, look);
    if (!is_needed) return false;
    drop_predicates(line);
    for_each_use(
        code_, line, [](int) {},
        [this](int id, bool ends) {
          // The halves of a pair are written one by one, in either order.
          const bool is_whole = code_.registers[static_cast<size_t>(id)].width < 2;
          if (ends && is_whole) is_live_[static_cast<size_t>(id)] = false;
        });
    for_each_use(
        code_, line, [this](int id) { is_live_[static_cast<size_t>(id)] = true; },
        [](int, bool) {});
    return true;
  }

 private:
  void drop_predicates(Line& line) const {
    for (Term& term : line.terms) {
      if (!term.written || !term.is_register() || term.width != 0 || is_read(term.id)) continue;
      term = Term{};
      term.text = "PT";
    }
  }

  bool is_read(int id) const {
    const auto at = static_cast<size_t>(id);
    return is_live_[at] || code_.registers[at].keep;
  }

  const Code& code_;
  std::vector<bool> is_live_;
};

}  // namespace

void drop_overwritten(Code* code, const Position& where) {
  const std::vector<Ids> live = live_on_entry(*code, where);
  for (Block& block : code->blocks) {
    if (block.lines.empty()) continue;
    BlockEnd end(*code, live_behind(block, live));
    std::vector<Line> kept;
    for (size_t i = block.lines.size(); i-- > 0;) {
      if (end.needs(block.lines[i])) kept.push_back(std::move(block.lines[i]));
    }
    std::reverse(kept.begin(), kept.end());
    block.lines = std::move(kept);
  }
}

}  // namespace shflsim::isa::ptx
