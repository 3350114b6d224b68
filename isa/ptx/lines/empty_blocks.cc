// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/lines/empty_blocks.h"

#include "isa/ptx/lines/terms.h"

namespace shflsim::isa::ptx {
namespace {

/// The first block from `b` on that has lines, a choice, or no successor.
int behind_empty(const Code& code, int b) {
  for (size_t steps = 0; b >= 0 && steps < code.blocks.size(); ++steps) {
    const Block& passed = code.blocks[static_cast<size_t>(b)];
    if (!passed.lines.empty() || passed.taken >= 0 || passed.next < 0) return b;
    b = passed.next;
  }
  return b;
}

}  // namespace

void pass_by_empty_blocks(Code* code) {
  for (Block& b : code->blocks) {
    b.taken = behind_empty(*code, b.taken);
    b.next = behind_empty(*code, b.next);
    if (b.taken >= 0 && b.taken == b.next) b.taken = b.guard = -1;
  }
}

void redirect(Block* block, int from, int to) {
  if (block->taken == from) block->taken = to;
  if (block->next == from) block->next = to;
}

void fold_ends(Code* code) {
  const auto is_bare_end = [code](int b) {
    if (b < 0) return false;
    const Block& block = code->blocks[static_cast<size_t>(b)];
    return block.lines.empty() && block.taken < 0 && block.next < 0;
  };
  for (Block& b : code->blocks) {
    if (is_bare_end(b.taken)) {
      Line line = line_of("EXIT", {}, b.where);
      line.guard = b.guard;
      line.guard_negate = b.guard_negate;
      b.lines.push_back(line);
      b.taken = b.guard = -1;
    }
    if (is_bare_end(b.next)) b.next = -1;
  }
}

}  // namespace shflsim::isa::ptx
