// SPDX-License-Identifier: Apache-2.0
// Short sides of a choice become guarded lines, which cost less than a branch, an SSY and a SYNC;
// a block and its only successor are merged if it is the successor's only predecessor.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "isa/ptx/lines/operations.h"
#include "isa/ptx/lines/terms.h"
#include "isa/ptx/lines/uses.h"
#include "isa/ptx/passes/combine.h"
#include "isa/ptx/passes/optimise.h"

namespace shflsim::isa::ptx {
namespace {

class IfConverter {
 public:
  explicit IfConverter(Code* code)
      : code_(*code), entries_(code->blocks.size()), only_user_(code->registers.size(), kNone) {
    count_entries();
    for (size_t b = 0; b < code_.blocks.size(); ++b) find_only_users(static_cast<int>(b));
  }

  void run() {
    // Inner branches first: then the branch around them can be converted.
    for (bool changed = true; changed;) {
      changed = false;
      for (int b = 0; b < static_cast<int>(code_.blocks.size()); ++b) {
        while (entries(b) > 0 && (predicate(b) || follow(b))) changed = true;
      }
    }
  }

 private:
  static constexpr size_t kMostLines = 6;  // longest side of a choice that is predicated; assumed
  static constexpr int kNone = -1;
  static constexpr int kSeveral = -2;

  Block& block(int b) { return code_.blocks[static_cast<size_t>(b)]; }
  int& entries(int b) { return entries_[static_cast<size_t>(b)]; }

  /// Counts the edges to each block from reachable blocks; blocks that cannot be reached have
  /// none.
  void count_entries() {
    std::vector<int> open = {0};
    ++entries_[0];
    while (!open.empty()) {
      const Block& from = block(open.back());
      open.pop_back();
      for (const int next : {from.taken, from.next}) {
        if (next >= 0 && entries(next)++ == 0) open.push_back(next);
      }
    }
  }

  /// Finds the only block that uses each register.
  void find_only_users(int b) {
    const auto use = [this, b](int id) {
      int& only_user = only_user_[static_cast<size_t>(id)];
      only_user = only_user == kNone || only_user == b ? b : kSeveral;
    };
    for (const Line& line : block(b).lines) {
      for_each_use(line, use, [&use](int id) { use(id); });
    }
    if (block(b).guard >= 0) use(block(b).guard);
  }

  static bool writes(const Line& line, int predicate) {
    return std::any_of(line.terms.begin(), line.terms.end(), [predicate](const Term& term) {
      return term.written && term.width == 0 && term.id == predicate;
    });
  }

  /// The only line of a side that writes a predicate which only this side uses; nullptr if there
  /// is none.
  Line* writer_within(int predicate, int side) {
    Line* writer = nullptr;
    for (Line& line : block(side).lines) {
      if (!writes(line, predicate)) continue;
      if (writer != nullptr) return nullptr;
      writer = &line;
    }
    return only_user_[static_cast<size_t>(predicate)] == side ? writer : nullptr;
  }

  /// True if the guard of a line within a side can be combined with the guard of the side.
  bool can_join(int guard, int side) {
    const Line* writer = writer_within(guard, side);
    return writer != nullptr && writer->guard < 0 && is_plain_comparison(*writer);
  }

  bool may_be_guarded(const Line& line, int guard, int side) {
    const Effect effect = effect_of(line);
    const bool is_simple =
        effect == Effect::kNone || effect == Effect::kLoad || effect == Effect::kStore;
    if (line.guard == guard || (line.guard >= 0 && !can_join(line.guard, side))) return false;
    return is_simple && line.membermask.empty() && !writes(line, guard);
  }

  /// True if the block is a side of the choice of `b`: reached only from `b`, short and plain.
  bool is_side(int side, int b) {
    if (side <= 0 || side == b || entries(side) != 1) return false;
    const Block& lines = block(side);
    const int guard = block(b).guard;
    return lines.taken < 0 && lines.next >= 0 && lines.next != side && lines.next != b &&
           lines.lines.size() <= kMostLines &&
           std::all_of(lines.lines.begin(), lines.lines.end(),
                       [&](const Line& line) { return may_be_guarded(line, guard, side); });
  }

  bool predicate(int b) {
    const int taken = block(b).taken;
    const int next = block(b).next;
    if (taken < 0 || next < 0 || taken == next || block(b).uniform) return false;
    const bool takes = is_side(taken, b);
    const bool goes_on = is_side(next, b);
    const int behind_taken = takes ? block(taken).next : taken;
    const int behind_next = goes_on ? block(next).next : next;
    if (takes && goes_on && behind_taken == behind_next)
      return guard_sides(b, taken, next, behind_taken);
    if (takes && behind_taken == next) return guard_sides(b, taken, kNone, next);
    return goes_on && behind_next == taken && guard_sides(b, kNone, next, taken);
  }

  /// Moves the lines of the sides (kNone: no such side) into `b`, which then leads to the join.
  bool guard_sides(int b, int taken, int next, int join) {
    const bool negate = block(b).guard_negate;
    if (taken >= 0) guard_side(b, taken, negate);
    if (next >= 0) guard_side(b, next, !negate);
    --entries(join);
    return go_on(b, join);
  }

  bool go_on(int b, int next) {
    Block& ending = block(b);
    ending.next = next;
    ending.taken = ending.guard = -1;
    ending.guard_negate = false;
    return true;
  }

  void guard_side(int b, int side, bool negate) {
    const std::set<const Line*> joined = join_guards(block(b).guard, negate, side);
    const std::set<int> carried = read_first(side);
    for (Line& line : block(side).lines) {
      if (line.guard < 0 && joined.count(&line) == 0) {
        line.guard = block(b).guard;
        line.guard_negate = negate;
      }
      for (const Term& term : line.terms) {
        if (!term.is_register() || !term.written) continue;
        int& only_user = only_user_[static_cast<size_t>(term.id)];
        const bool is_carried = carried.count(term.id) != 0;
        if (line.guard == block(b).guard && !is_carried) end_there(term.id, side);
        if (only_user == side) only_user = b;
      }
    }
    append(b, side);
  }

  /// The registers that a side reads before it writes them: their values come from outside.
  std::set<int> read_first(int side) {
    std::set<int> read;
    std::set<int> written;
    for (const Line& line : block(side).lines) {
      const auto note_read = [&](int id) {
        if (written.count(id) == 0) read.insert(id);
      };
      for_each_use(line, note_read, [](int) {});
      for_each_use(
          line, [](int) {}, [&written](int id) { written.insert(id); });
    }
    return read;
  }

  /// Combines guards within a side with the guard of the side: the comparison that writes a guard
  /// also takes the side's guard as input, and writes the negation if a line needs it.
  std::set<const Line*> join_guards(int guard, bool negate, int side) {
    std::set<const Line*> joined;
    std::map<int, int> opposites;
    for (Line& line : block(side).lines) {
      if (line.guard < 0) continue;
      Line& writer = *writer_within(line.guard, side);
      joined.insert(&writer);
      writer.terms[4] = register_term(guard, 0);
      writer.terms[4].negate = negate;
      if (!line.guard_negate) continue;
      const auto [opposite, is_new] = opposites.emplace(line.guard, 0);
      if (is_new) {
        opposite->second = new_predicate(side);
        writer.terms[1] = written(register_term(opposite->second, 0));
      }
      line.guard = opposite->second;
      line.guard_negate = false;
    }
    return joined;
  }

  int new_predicate(int only_user) {
    code_.registers.push_back({"", 0, false});
    only_user_.push_back(only_user);
    return static_cast<int>(code_.registers.size()) - 1;
  }

  /// Makes the register a temporary one if only the side uses it.
  void end_there(int id, int side) {
    if (only_user_[static_cast<size_t>(id)] == side)
      code_.registers[static_cast<size_t>(id)].name.clear();
  }

  void append(int b, int other) {
    std::vector<Line>& lines = block(b).lines;
    for (Line& line : block(other).lines) lines.push_back(std::move(line));
    block(other).lines.clear();
    block(other).taken = block(other).next = block(other).guard = -1;
    entries(other) = 0;
  }

  /// Appends the next block to this one if nothing else leads to it.
  bool follow(int b) {
    const int next = block(b).next;
    if (block(b).taken >= 0 || next <= 0 || next == b || entries(next) != 1) return false;
    Block end = std::move(block(next));
    std::swap(end.lines, block(b).lines);  // the next block's lines are appended
    std::move(block(b).lines.begin(), block(b).lines.end(), std::back_inserter(end.lines));
    block(next) = Block();
    block(b) = std::move(end);
    entries(next) = 0;
    return true;
  }

  Code& code_;
  std::vector<int> entries_;    ///< by block: number of blocks that lead to it
  std::vector<int> only_user_;  ///< by register: the only block that uses it, before any conversion
};

}  // namespace

void convert_ifs(Code* code) { IfConverter(code).run(); }

}  // namespace shflsim::isa::ptx
