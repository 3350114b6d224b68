// SPDX-License-Identifier: Apache-2.0
#include "isa/code/register_pool.h"

#include <algorithm>
#include <utility>

#include "isa/code/footprint.h"

namespace shflsim::isa {
namespace {

constexpr uint32_t kGroup = 4;     ///< warps
constexpr unsigned kMultiple = 8;  ///< registers are given in multiples of this

unsigned rounded(unsigned registers) { return (registers + kMultiple - 1) / kMultiple * kMultiple; }

unsigned highest_of(const Instruction& instruction) {
  const Footprint of = footprint(instruction);
  unsigned highest = of.write_count == 0 ? 0 : of.first_write + of.write_count - 1u;
  of.for_each_read([&](unsigned index) { highest = std::max(highest, index); });
  return highest;
}

/// The code behind an instruction, as far as the next change of registers, whatever its branches
/// do.
class CodeBehind {
 public:
  CodeBehind(const Program& program, uint32_t index)
      : program_(program), seen_(program.code.size()) {
    push(index + 1);
    while (!open_.empty()) visit();
  }
  /// The first instruction in the code that uses a register from `limit` on; -1: none does.
  int beyond(unsigned limit) const {
    for (size_t i = 0; i < seen_.size(); ++i)
      if (seen_[i] && highest_of(program_.code[i]) >= limit) return static_cast<int>(i);
    return -1;
  }

 private:
  void push(size_t index) {
    if (index >= seen_.size() || seen_[index]) return;
    seen_[index] = true;
    open_.push_back(index);
  }
  void visit() {
    const size_t index = open_.back();
    open_.pop_back();
    const Instruction& instruction = program_.code[index];
    if (instruction.op == Op::kSm70_USETMAXREG) return;
    for (const Operand& operand : instruction.operands) {
      if (!operand.is(Operand::Kind::kTarget)) continue;
      const int target = program_.index_at(operand.value);
      if (target >= 0) push(static_cast<size_t>(target));
    }
    const bool ends = instruction.op == Op::kSm70_EXIT || instruction.op == Op::kSm70_BRA;
    if (!ends || instruction.has_guard()) push(index + 1);
  }

  const Program& program_;
  std::vector<bool> seen_;
  std::vector<size_t> open_;
};

class Changes {
 public:
  Changes(const Program& program, uint32_t warps, const std::vector<RegisterChange>& changes)
      : program_(program),
        launched_(rounded(program.registers != 0 ? program.registers : program.registers_used())),
        has_(warps, launched_),
        by_warp_(warps) {
    for (const RegisterChange& change : changes) by_warp_[change.warp].push_back(change.index);
  }

  std::vector<RegisterMisuse> misuses() {
    for (uint32_t warp = 0; warp < by_warp_.size(); ++warp) check(warp);
    for (uint32_t first = 0; first < by_warp_.size(); first += kGroup) check_group(first);
    check_sum();
    return std::move(found_);
  }

 private:
  void check(uint32_t warp) {
    for (const uint32_t index : by_warp_[warp]) {
      const Instruction& change = program_.code[index];
      const unsigned behind = registers_behind(change);
      const bool asks = asks_for_registers(change);
      if (asks && behind < has_[warp])
        found_.push_back({{warp, index}, "asks for fewer registers than its warp has"});
      if (!asks && behind > has_[warp])
        found_.push_back({{warp, index}, "gives registers away that its warp does not have"});
      has_[warp] = behind;
      if (warp % kGroup == 0) check_code(warp, index, behind);
    }
  }
  void check_code(uint32_t warp, uint32_t index, unsigned behind) {
    const int beyond = CodeBehind(program_, index).beyond(behind);
    if (beyond >= 0)
      found_.push_back({{warp, static_cast<uint32_t>(beyond)},
                        "uses a register beyond those that setmaxnreg leaves"});
  }
  /// The first warp of a group that makes other changes than the group's first warp.
  void check_group(uint32_t first) {
    const auto end = std::min<size_t>(first + kGroup, by_warp_.size());
    for (uint32_t warp = first + 1; warp < end; ++warp) {
      const auto &one = by_warp_[first], &other = by_warp_[warp];
      if (one == other) continue;
      const bool is_more = other.size() > one.size();
      found_.push_back({{is_more ? warp : first, is_more ? other.back() : one.back()},
                        "is not executed by all four warps of a group"});
      return;
    }
  }
  void check_sum() {
    uint64_t sum = 0;
    for (const unsigned registers : has_) sum += registers;
    if (sum <= uint64_t{launched_} * has_.size()) return;
    for (uint32_t warp = static_cast<uint32_t>(has_.size()); warp-- != 0;) {
      if (by_warp_[warp].empty() || !asks_for_registers(program_.code[by_warp_[warp].back()]))
        continue;
      found_.push_back(
          {{warp, by_warp_[warp].back()}, "asks for more registers than the block has"});
      return;
    }
  }

  const Program& program_;
  const unsigned launched_;                     ///< registers with which each thread begins
  std::vector<unsigned> has_;                   ///< registers a thread, by warp
  std::vector<std::vector<uint32_t>> by_warp_;  ///< instructions of the changes
  std::vector<RegisterMisuse> found_;
};

}  // namespace

unsigned registers_behind(const Instruction& change) {
  return static_cast<unsigned>(change[Role::kB].value);
}

bool asks_for_registers(const Instruction& change) {
  return !change[Role::kP].is(Operand::Kind::kNone);
}

std::vector<RegisterMisuse> misused_registers(const Program& program, uint32_t warps,
                                              const std::vector<RegisterChange>& changes) {
  if (changes.empty()) return {};
  return Changes(program, warps, changes).misuses();
}

}  // namespace shflsim::isa
