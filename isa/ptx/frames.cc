// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/frames.h"

#include <algorithm>
#include <utility>

#include "isa/ptx/lowering.h"
#include "isa/ptx/spill.h"
#include "isa/ptx/uses.h"

namespace shflsim::isa::ptx {
namespace {

bool is_call(const Line& line) { return line.operation == "CAL"; }

bool has_calls(const Code& code) {
  return std::any_of(code.blocks.begin(), code.blocks.end(), [](const Block& block) {
    return std::any_of(block.lines.begin(), block.lines.end(), is_call);
  });
}

/// What is read behind some call before it is written.
std::set<int> live_over_calls(const Code& code, const Position& where) {
  std::set<int> over;
  const std::vector<Ids> live = live_on_entry(code, where);
  const Slots slots(code);
  for (const Block& block : code.blocks) {
    LiveSlots now(code, slots, live_behind(block, live));
    for (auto line = block.lines.rbegin(); line != block.lines.rend(); ++line) {
      if (is_call(*line)) {
        const Ids ids = now.ids();
        over.insert(ids.begin(), ids.end());
      }
      now.pass(*line);
    }
  }
  return over;
}

/// R1 = where the callee's frame begins, or back where the caller's does.
Line move_stack_pointer(const Code& code, const Line& call, int64_t bytes) {
  Term pointer;
  pointer.kind = Term::Kind::kRegister;
  pointer.id = code.stack_pointer;
  Term moved = pointer;
  moved.written = true;
  Line line;
  line.where = call.where;
  line.operation = code.is_called ? "IADD32I" : "MOV32I";
  line.terms = {moved, number(bytes)};
  if (code.is_called) line.terms.insert(line.terms.begin() + 1, pointer);
  return line;
}

}  // namespace

void keep_over_calls(Code* code, const Position& where) {
  if (!has_calls(*code)) return;
  std::set<int> kept;
  for (const int id : live_over_calls(*code, where)) {
    if (code->registers[static_cast<size_t>(id)].fixed < 0) kept.insert(id);
  }
  spill(code, kept, Reload::kUntilCall);
  // Predicates are in registers now, which have to be kept as well.
  std::set<int> homes;
  for (const int id : live_over_calls(*code, where)) {
    if (code->registers[static_cast<size_t>(id)].fixed < 0) homes.insert(id);
  }
  spill(code, homes, Reload::kUntilCall);
}

std::vector<uint8_t> allocate_or_spill(Code* code, const Position& where) {
  try {
    return allocate(*code, where);
  } catch (const NoRoom&) {  // then less and less is left in use at once
  }
  constexpr Room kFirst = {240, 5};
  constexpr unsigned kStep = 32;
  for (Room room = kFirst;; room.registers -= kStep) {
    for (int round = 0; round < 2; ++round) {  // predicates take registers
      spill(code, too_many_for(*code, room, where), Reload::kEachUse);
    }
    try {
      return allocate(*code, where);
    } catch (const NoRoom&) {
      if (room.registers < 2 * kStep) throw;
      if (room.predicates > 1) --room.predicates;
    }
  }
}

void settle_calls(Code* code) {
  const auto bytes = static_cast<int64_t>(on_stack(code->frame_bytes));
  for (Block& block : code->blocks) {
    std::vector<Line> lines;
    for (Line& line : block.lines) {
      if (line.operation == kPointTo) line.operation = "MOV";
      for (Term& term : line.terms) {
        if (std::exchange(term.beyond, false)) term.offset += bytes;
      }
      const bool calls = is_call(line);
      if (calls) lines.push_back(move_stack_pointer(*code, line, bytes));
      lines.push_back(std::move(line));
      if (calls && code->is_called) {
        lines.push_back(move_stack_pointer(*code, lines.back(), -bytes));
      }
    }
    block.lines = std::move(lines);
  }
}

}  // namespace shflsim::isa::ptx
