// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/lines/frames.h"

#include <algorithm>
#include <utility>

#include "isa/ptx/lines/convention.h"
#include "isa/ptx/lines/spill.h"
#include "isa/ptx/lines/terms.h"
#include "isa/ptx/lines/uses.h"

namespace shflsim::isa::ptx {
namespace {

bool has_calls(const Code& code) {
  return std::any_of(code.blocks.begin(), code.blocks.end(), [](const Block& block) {
    return std::any_of(block.lines.begin(), block.lines.end(), is_call);
  });
}

/// Lays out the frame of one function and the frames of its calls.
class FrameLayout {
 public:
  explicit FrameLayout(Code* code)
      : code_(*code),
        bytes_(static_cast<int64_t>(on_stack(code_.frame_bytes))),
        calls_(has_calls(code_)) {}

  void run() {
    for (Block& block : code_.blocks) {
      lines_.clear();
      for (Line& line : block.lines) settle(std::move(line));
      block.lines = std::move(lines_);
    }
    if (!calls_) return;
    Block& entry = code_.blocks.front();
    entry.lines.insert(entry.lines.begin(), move_stack_pointer(entry.where, bytes_));
  }

 private:
  void settle(Line line) {
    for (Term& term : line.terms) {
      if (!term.is(Term::Kind::kMemory)) continue;
      if (std::exchange(term.beyond, false)) {
        term.offset += bytes_;
        if (!code_.is_called) term.id = -1;
      }
      if (term.id == code_.stack_pointer && term.id >= 0) term.offset += frame();
    }
    if (line.operation == Pseudo::kFrame) {
      line.operation = "IADD32I";
      line.terms.insert(line.terms.end(), {stack_pointer(), number(frame())});
    }
    if (is_call(line)) return settle_call(line);
    if (line.op() == Op::kRET) {
      line.terms.clear();
      if (calls_) lines_.push_back(move_stack_pointer(line.where, -bytes_));
    }
    lines_.push_back(std::move(line));
  }

  /// A call by pointer becomes PRET, whose token leads to the instruction after the jump, and JMX.
  void settle_call(Line line) {
    const bool is_by_pointer = line.callee == kByPointer;
    Line jump = line;
    line.terms.clear();
    if (!is_by_pointer) return lines_.push_back(std::move(line));
    line.operation = "PRET";
    line.callee = kBehindNext;
    jump.operation = "JMX";
    jump.callee.clear();
    jump.terms.resize(1);
    lines_.push_back(std::move(line));
    lines_.push_back(std::move(jump));
  }

  /// The begin of the frame relative to R1.
  int64_t frame() const { return code_.is_called && calls_ ? -bytes_ : 0; }

  Term stack_pointer() const { return register_term(code_.stack_pointer); }

  Line move_stack_pointer(const Position& where, int64_t bytes) const {
    const Term to = written(stack_pointer());
    if (!code_.is_called) return line_of("MOV32I", {to, number(bytes)}, where);
    return line_of("IADD32I", {to, stack_pointer(), number(bytes)}, where);
  }

  Code& code_;
  const int64_t bytes_;
  const bool calls_;
  std::vector<Line> lines_;  ///< lines of the current block so far
};

}  // namespace

void keep_over_calls(Code* code, const Position& where) {
  if (!has_calls(*code)) return;
  constexpr unsigned kAll = ~0u;
  for (int round = 0; round < 2; ++round) {  // spilled predicates need registers
    spill(code, too_many_for(*code, {kAll, kAll, kPreserved - 1}, where), Reload::kUntilCall);
  }
}

std::vector<uint8_t> allocate_or_spill(Code* code, const Position& where) {
  try {
    return allocate(*code, where);
  } catch (const NoRoom&) {  // then spill until fewer registers are in use at once
  }
  constexpr Room kFirst = {240, 5, 12};  // pairs leave gaps
  constexpr unsigned kStep = 32;
  for (Room room = kFirst;; room.registers -= kStep) {
    for (int round = 0; round < 2; ++round) {  // spilled predicates need registers
      spill(code, too_many_for(*code, room, where), Reload::kEachUse);
    }
    try {
      return allocate(*code, where);
    } catch (const NoRoom&) {
      if (room.registers < 2 * kStep) throw;
      if (room.predicates > 1) --room.predicates;
      room.preserved -= std::min(room.preserved, 4u);
    }
  }
}

void settle_calls(Code* code) { FrameLayout(code).run(); }

}  // namespace shflsim::isa::ptx
