// SPDX-License-Identifier: Apache-2.0
// Coalescing: a loop's variable and its value for the next iteration are often copies of each
// other. If they are one register, no move is needed.
#include <algorithm>
#include <set>
#include <utility>

#include "isa/ptx/lines/operations.h"
#include "isa/ptx/lines/uses.h"
#include "isa/ptx/passes/optimise.h"

namespace shflsim::isa::ptx {
namespace {

bool is_plain(const Term& term) {
  return term.is(Term::Kind::kRegister) && !term.has_sign() && term.is_whole();
}

bool moves_in_place(const Line& line) {
  return is_short_move(line) && line.guard < 0 && is_plain(line.terms[0]) &&
         is_plain(line.terms[1]) && line.terms[0].id == line.terms[1].id &&
         line.terms[0].part == line.terms[1].part;
}

class Merging {
 public:
  Merging(Code* code, const Position& where)
      : code_(*code), one_(code->registers.size()), meets_(code->registers.size()) {
    for (size_t id = 0; id < one_.size(); ++id) one_[id] = static_cast<int>(id);
    find_guarded();
    find_copies();
    if (!copies_.empty()) find_meetings(where);
  }

  void run() {
    bool merged = false;
    for (const auto& [to, from] : copies_) merged = merge(to, from) || merged;
    if (merged) rename();
  }

 private:
  /// True for whole single registers. Registers without a name that are written under a guard are
  /// excluded: they hold nothing beyond the guard, but a merged register would.
  bool can_merge(const Term& term) const {
    const VirtualRegister& held = code_.registers[static_cast<size_t>(term.id)];
    return is_plain(term) && held.width == 1 && held.fixed < 0 && !held.keep &&
           guarded_.count(term.id) == 0;
  }

  bool is_copy(const Line& line) const {
    return is_short_move(line) && line.guard < 0 && line.terms[1].is_register() &&
           can_merge(line.terms[0]) && can_merge(line.terms[1]);
  }

  void find_guarded() {
    for (const Block& block : code_.blocks) {
      for (const Line& line : block.lines) {
        if (line.guard < 0) continue;
        for_each_use(
            line, [](int) {},
            [this](int id) {
              if (code_.registers[static_cast<size_t>(id)].name.empty()) guarded_.insert(id);
            });
      }
    }
  }

  void find_copies() {
    constexpr size_t kMostCopies = 1024;  // the cost is quadratic
    for (const Block& block : code_.blocks) {
      for (const Line& line : block.lines) {
        if (!is_copy(line) || copied_.size() == kMostCopies) continue;
        copies_.emplace_back(line.terms[0].id, line.terms[1].id);
        copied_.insert({line.terms[0].id, line.terms[1].id});
      }
    }
  }

  /// Finds which of the copied registers interfere: they hold different values at the same time.
  void find_meetings(const Position& where) {
    std::set<int> concerned;
    for (const auto& [to, from] : copied_) concerned.insert({to, from});
    const std::vector<Ids> live = live_on_entry(code_, where);
    const Slots slots(code_);
    for (const Block& block : code_.blocks) {
      LiveSlots behind(code_, slots, live_behind(block, live));
      for (auto line = block.lines.rbegin(); line != block.lines.rend(); ++line) {
        for_each_use(
            *line, [](int) {},
            [&](int written) {
              if (concerned.count(written) != 0) note(*line, written, concerned, behind);
            });
        behind.pass(*line);
      }
    }
  }

  void note(const Line& line, int written, const std::set<int>& concerned,
            const LiveSlots& behind) {
    const int source = is_copy(line) ? line.terms[1].id : -1;
    for (const int other : concerned) {
      if (other == written || other == source || !behind.holds(other)) continue;
      meets_[static_cast<size_t>(written)].insert(other);
      meets_[static_cast<size_t>(other)].insert(written);
    }
  }

  int one_of(int id) const {
    while (one_[static_cast<size_t>(id)] != id) id = one_[static_cast<size_t>(id)];
    return id;
  }

  bool merge(int to, int from) {
    to = one_of(to);
    from = one_of(from);
    if (to == from) return false;
    std::set<int>& kept = meets_[static_cast<size_t>(from)];
    const std::set<int>& gone = meets_[static_cast<size_t>(to)];
    const bool meet =
        std::any_of(gone.begin(), gone.end(), [&](int other) { return one_of(other) == from; }) ||
        std::any_of(kept.begin(), kept.end(), [&](int other) { return one_of(other) == to; });
    if (meet) return false;
    kept.insert(gone.begin(), gone.end());
    one_[static_cast<size_t>(to)] = from;
    std::string& name = code_.registers[static_cast<size_t>(from)].name;
    if (name.empty()) name = code_.registers[static_cast<size_t>(to)].name;
    return true;
  }

  void rename() {
    for (Block& block : code_.blocks) {
      for (Line& line : block.lines) {
        rename(&line.terms);
        rename(&line.membermask);
      }
      block.lines.erase(std::remove_if(block.lines.begin(), block.lines.end(), moves_in_place),
                        block.lines.end());
    }
  }

  void rename(std::vector<Term>* terms) const {
    for (Term& term : *terms) {
      if (term.id >= 0) term.id = one_of(term.id);
    }
  }

  Code& code_;
  std::vector<int> one_;              ///< by register: the register that replaces it
  std::vector<std::set<int>> meets_;  ///< by register: the registers that interfere
  std::vector<std::pair<int, int>> copies_;
  std::set<std::pair<int, int>> copied_;
  std::set<int> guarded_;  ///< registers without names that are written under guards
};

}  // namespace

void merge_copies(Code* code, const Position& where) { Merging(code, where).run(); }

}  // namespace shflsim::isa::ptx
