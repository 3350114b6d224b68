// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/lines/spill.h"

#include <algorithm>
#include <map>

#include "isa/ptx/lines/frames.h"
#include "isa/ptx/lines/terms.h"

namespace shflsim::isa::ptx {
namespace {

/// How a line uses one spilled register.
struct Use {
  bool reads = false;
  bool writes = false;
  unsigned first = ~0u;  ///< first of the 32-bit parts that the line uses
  unsigned end = 0;

  void add(const Term& term) {
    (term.written ? writes : reads) = true;
    first = std::min<unsigned>(first, term.part);
    end = std::max<unsigned>(end, term.part + std::max<unsigned>(term.width, 1));
  }
};

class Spiller {
 public:
  Spiller(Code* code, const std::set<int>& ids, Reload reload)
      : code_(*code), ids_(ids), reload_(reload) {
    for (const int id : ids_) place(id);
  }

  void run() {
    for (Block& block : code_.blocks) {
      at_hand_.clear();
      lines_.clear();
      for (Line& line : block.lines) rewrite(std::move(line));
      if (block.guard >= 0 && ids_.count(block.guard) != 0) {
        where_ = block.where;
        block.guard = loaded(block.guard).id;
      }
      block.lines = std::move(lines_);
    }
  }

 private:
  /// A register that holds the value of a spilled one, and a mask of the parts that it holds.
  struct AtHand {
    int id = -1;
    unsigned parts = 0;
  };

  unsigned width_of(int id) const { return code_.registers[static_cast<size_t>(id)].width; }
  static unsigned parts_of(unsigned first, unsigned end) { return (1u << end) - (1u << first); }

  void place(int id) {
    if (width_of(id) == 0) {
      slots_[id] = static_cast<int64_t>(code_.registers.size());
      code_.registers.push_back({"", 1, false});
      code_.registers.back().name = "home of " + std::to_string(id);
      return;
    }
    const uint64_t bytes = 4 * width_of(id);
    code_.frame_bytes = (code_.frame_bytes + bytes - 1) / bytes * bytes;
    slots_[id] = static_cast<int64_t>(code_.frame_bytes);
    code_.frame_bytes += bytes;
  }

  /// Makes a register for a few lines. If it `keeps` its old value when written under a guard, it
  /// gets a name, like registers of the text.
  int short_lived(unsigned width, bool keeps) {
    VirtualRegister made{keeps ? "reload" : "", static_cast<uint8_t>(width), false};
    made.is_short = reload_ == Reload::kEachUse;
    code_.registers.push_back(made);
    return static_cast<int>(code_.registers.size()) - 1;
  }

  Term held(int id, unsigned part, unsigned width) const {
    Term term = register_term(id);
    term.part = static_cast<uint8_t>(part);
    term.width = static_cast<uint8_t>(width);
    return term;
  }

  Term slot(int id, unsigned part) const {
    return memory(code_.is_called ? code_.stack_pointer : -1, slots_.at(id) + 4 * part);
  }

  Line& add(const Operation& operation, std::vector<Term> terms) {
    lines_.push_back(line_of(operation, std::move(terms), where_));
    return lines_.back();
  }

  static std::string access(const char* operation, unsigned width) {
    return operation + std::string(width == 4 ? ".128" : width == 2 ? ".64" : "");
  }

  /// Loads the parts of a spilled register from `first` on to `to`.
  void load(int id, int to, unsigned first) {
    const Term into = written(held(to, 0, width_of(to)));
    if (width_of(id) == 0) {
      add("ISETP.NE.U32.AND",
          {into, pt(), held(static_cast<int>(slots_.at(id)), 0, 1), rz(), pt()});
    } else {
      add(access("LDL", into.width), {into, slot(id, first)});
    }
  }

  /// Adds the store of `from`, a part of a spilled register that the last line has written.
  Line& store(int id, const Term& from, unsigned part) {
    const Term value = read(from);
    if (width_of(id) != 0) return add(access("STL", value.width), {slot(id, part), value});
    const Term home = written(register_term(static_cast<int>(slots_.at(id))));
    return add("SEL", {home, rz(), number(1), negated(value)});
  }

  AtHand loaded(int id) {
    const unsigned all = parts_of(0, std::max(width_of(id), 1u));
    const auto known = at_hand_.find(id);
    if (known != at_hand_.end() && known->second.parts == all) return known->second;
    const AtHand made = {short_lived(width_of(id), true), all};
    load(id, made.id, 0);
    if (reload_ == Reload::kUntilCall) at_hand_[id] = made;
    return made;
  }

  std::map<int, Use> uses_in(const Line& line) const {
    std::map<int, Use> uses;
    for (const std::vector<Term>* terms : {&line.terms, &line.membermask}) {
      for (const Term& term : *terms) {
        if (term.is_register() && ids_.count(term.id) != 0) uses[term.id].add(term);
      }
    }
    return uses;
  }

  void rewrite(Line line) {
    where_ = line.where;
    const std::map<int, Use> uses = uses_in(line);
    const bool changes_guard =
        std::any_of(line.terms.begin(), line.terms.end(), [&line](const Term& term) {
          return term.written && term.width == 0 && term.id == line.guard && line.guard >= 0;
        });
    if (line.guard >= 0 && ids_.count(line.guard) != 0) line.guard = loaded(line.guard).id;
    std::map<int, AtHand> stands;  // by spilled register: the register in its place, and its parts
    for (const auto& [id, use] : uses) stands[id] = stand_in(id, use, line, changes_guard);
    Line done = line;
    for (std::vector<Term>* terms : {&done.terms, &done.membermask}) {
      for (Term& term : *terms) replace(&term, stands);
    }
    if (is_call(line)) at_hand_.clear();
    lines_.push_back(done);
    for (size_t i = 0; i < line.terms.size(); ++i) {
      const Term& term = line.terms[i];
      if (!term.is_register() || !term.written || ids_.count(term.id) == 0) continue;
      Line& stored = store(term.id, done.terms[i], term.part);
      if (changes_guard) continue;
      stored.guard = line.guard;
      stored.guard_negate = line.guard_negate;
    }
  }

  /// If only one part of a pair is used, the replacement has only that part.
  static void replace(Term* term, const std::map<int, AtHand>& stands) {
    const auto stand = stands.find(term->id);
    if (!term->is_register() || stand == stands.end()) return;
    term->id = stand->second.id;
    if (stand->second.parts == kOnePart) term->part = 0;
  }

  AtHand stand_in(int id, const Use& use, const Line& line, bool changes_guard) {
    const unsigned width = std::max(width_of(id), 1u);
    const unsigned written = parts_of(use.first, use.end);
    const auto known = at_hand_.find(id);
    const bool is_known = known != at_hand_.end();
    const bool is_whole = written == parts_of(0, width);
    if (use.reads || changes_guard) {
      const bool is_part = !is_known && !is_whole && use.end - use.first == 1;
      if (!is_part) return loaded(id);
      const AtHand part = {short_lived(1, true), kOnePart};
      load(id, part.id, use.first);
      return part;
    }
    if (is_known && (line.guard < 0 || known->second.parts == parts_of(0, width))) {
      known->second.parts |= written;
      return known->second;
    }
    at_hand_.erase(id);
    if (!is_whole && use.first > 0) return {short_lived(1, false), kOnePart};
    const bool stays = reload_ == Reload::kUntilCall && line.guard < 0;
    const AtHand made = {short_lived(width_of(id), stays), written};
    if (stays) at_hand_[id] = made;
    return made;
  }

  static constexpr unsigned kOnePart = 0;

  Code& code_;
  const std::set<int>& ids_;
  const Reload reload_;
  std::map<int, int64_t> slots_;  ///< offset in the frame, or register that holds a predicate
  std::map<int, AtHand> at_hand_;
  std::vector<Line> lines_;  ///< lines of the current block so far
  Position where_;
};

}  // namespace

void spill(Code* code, const std::set<int>& ids, Reload reload) {
  if (!ids.empty()) Spiller(code, ids, reload).run();
}

}  // namespace shflsim::isa::ptx
