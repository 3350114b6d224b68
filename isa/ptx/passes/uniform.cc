// SPDX-License-Identifier: Apache-2.0
// Finds choices that depend only on constants, parameters and block numbers: threads do not
// diverge there and need not join.
#include <algorithm>
#include <utility>

#include "isa/ptx/lines/definitions.h"
#include "isa/ptx/lines/operations.h"
#include "isa/ptx/passes/optimise.h"

namespace shflsim::isa::ptx {
namespace {

class Uniformity {
 public:
  explicit Uniformity(const Code& code)
      : code_(code),
        slots_(code),
        flow_(flow_of(code)),
        postdominators_(flow_.end(), flow_.predecessors, flow_.successors),
        varies_(static_cast<size_t>(slots_.count()), true),
        parts_(code.blocks.size()),
        is_parted_(code.blocks.size()),
        seen_(code.blocks.size() + 1) {
    for (const Block& block : code.blocks) {
      for (const Line& line : block.lines) {
        for_each_slot_written(slots_, line, [this](int slot) { start_with(slot); });
      }
    }
  }

  /// The blocks whose choice is uniform: all threads of a warp decide it alike.
  std::vector<int> run() {
    while (follow_values() || follow_choices()) {
      if (steps_ > kMostSteps) return {};
    }
    std::vector<int> alike;
    for (size_t b = 0; b < code_.blocks.size(); ++b) {
      const Block& block = code_.blocks[b];
      if (block.taken >= 0 && !varies(block)) alike.push_back(static_cast<int>(b));
    }
    return alike;
  }

 private:
  static constexpr size_t kMostSteps = 2000000;  // gives up on very divergent code; assumed

  /// Slots start as uniform if a line writes them, except for registers of fragments and of the
  /// calling convention, which are set from outside.
  void start_with(int slot) {
    const auto id = static_cast<size_t>(slots_.id_of(slot));
    varies_[static_cast<size_t>(slot)] = code_.registers[id].keep || code_.registers[id].fixed >= 0;
  }

  bool varies(const Block& block) const {
    return varies_[static_cast<size_t>(slots_.first(block.guard))];
  }

  static bool is_of_thread(const Line& line) {
    return line.op() == Op::kS2R ? !reads_block(line) : !is_pure(line);
  }

  /// A vote has the same result in all threads that execute it together.
  static bool is_alike(const Line& line) { return line.op() == Op::kVOTE; }

  bool reads_what_varies(const Line& line) const {
    bool found = false;
    for_each_slot_read(
        slots_, line, [&](int slot, bool) { found = found || varies_[static_cast<size_t>(slot)]; });
    return found;
  }

  bool follow_values() {
    bool changed = false;
    for (size_t b = 0; b < code_.blocks.size(); ++b) {
      bool carry_varies = true;
      for (const Line& line : code_.blocks[b].lines) {
        ++steps_;
        const bool now =
            is_parted_[b] || (!is_alike(line) && (is_of_thread(line) || reads_what_varies(line) ||
                                                  (reads_carry(line) && carry_varies)));
        if (line.sets_cc) carry_varies = now;
        if (!now) continue;
        for_each_slot_written(slots_, line, [&](int slot) {
          changed = changed || !varies_[static_cast<size_t>(slot)];
          varies_[static_cast<size_t>(slot)] = true;
        });
      }
    }
    return changed;
  }

  /// Values that are written between a divergent choice and the block where all its paths meet
  /// vary after it.
  bool follow_choices() {
    bool changed = false;
    for (size_t b = 0; b < code_.blocks.size() && steps_ <= kMostSteps; ++b) {
      const Block& block = code_.blocks[b];
      if (block.taken < 0 || parts_[b] || !varies(block)) continue;
      parts_[b] = changed = true;
      part_behind(static_cast<int>(b));
    }
    return changed;
  }

  void part_behind(int choice) {
    const int join = postdominators_.nearest(choice);
    ++searches_;
    std::vector<int> open = flow_.successors[static_cast<size_t>(choice)];
    while (!open.empty()) {
      const int b = open.back();
      open.pop_back();
      ++steps_;
      const auto at = static_cast<size_t>(b);
      if (b == join || b == flow_.end() || std::exchange(seen_[at], searches_) == searches_) {
        continue;
      }
      is_parted_[at] = true;
      open.insert(open.end(), flow_.successors[at].begin(), flow_.successors[at].end());
    }
  }

  const Code& code_;
  const Slots slots_;
  const Flow flow_;
  const DominatorTree postdominators_;
  std::vector<bool> varies_;     ///< by slot: varies from thread to thread
  std::vector<bool> parts_;      ///< by block: its choice has been followed
  std::vector<bool> is_parted_;  ///< by block: some threads may skip it, or run it less often
  std::vector<int> seen_;        ///< by block: the last search that visited it
  int searches_ = 0;
  size_t steps_ = 0;
};

}  // namespace

void find_uniform_choices(Code* code) {
  for (const int b : Uniformity(*code).run()) {
    code->blocks[static_cast<size_t>(b)].is_found_uniform = true;
  }
}

}  // namespace shflsim::isa::ptx
