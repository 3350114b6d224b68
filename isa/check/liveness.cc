// SPDX-License-Identifier: Apache-2.0
#include "isa/check/liveness.h"

#include "isa/footprint.h"
#include "isa/form.h"

namespace shflsim::isa {
namespace {

constexpr uint8_t kAll = 0x7F;

/// Where the tokens of each kind lead: SYNC goes to what some SSY names, and so on.
struct Tokens {
  std::vector<int> sync;
  std::vector<int> brk;
  std::vector<int> cont;
  std::vector<int> ret;  ///< behind calls
};

class Liveness {
 public:
  explicit Liveness(const Program& program) : program_(program) {
    for (size_t i = 0; i < program.code.size(); ++i) collect(i);
  }

  std::vector<uint8_t> run() {
    before_.assign(program_.code.size(), 0);
    std::vector<uint8_t> after(program_.code.size(), 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = program_.code.size(); i-- > 0;) {
        after[i] = live_after(i);
        const Footprint of = footprint(program_.code[i]);
        const uint8_t killed = program_.code[i].has_guard() ? 0 : of.predicates_written;
        const uint8_t now = static_cast<uint8_t>((after[i] & ~killed) | of.predicates_read);
        changed |= now != before_[i];
        before_[i] = now;
      }
    }
    return after;
  }

 private:
  int target_of(size_t i) const {
    for (const Operand& operand : program_.code[i].operands) {
      if (operand.is(Operand::Kind::kTarget)) return program_.index_at(operand.value);
    }
    return -1;
  }

  void collect(size_t i) {
    const int following = static_cast<int>(i) + 1;
    switch (program_.code[i].op) {
      case Op::kSSY: tokens_.sync.push_back(target_of(i)); return;
      case Op::kPBK: tokens_.brk.push_back(target_of(i)); return;
      case Op::kPCNT: tokens_.cont.push_back(target_of(i)); return;
      case Op::kPRET: tokens_.ret.push_back(target_of(i)); return;
      case Op::kCAL:
      case Op::kJCAL: tokens_.ret.push_back(following); return;
      default: return;
    }
  }

  uint8_t live_at(int index) const {
    if (index < 0) return kAll;
    const size_t at = static_cast<size_t>(index);
    return at < before_.size() ? before_[at] : uint8_t{0};
  }

  uint8_t live_at_any(const std::vector<int>& indices) const {
    uint8_t live = indices.empty() ? kAll : uint8_t{0};
    for (const int index : indices) live = static_cast<uint8_t>(live | live_at(index));
    return live;
  }

  /// Where the threads go that the instruction takes elsewhere.
  uint8_t live_where_it_leads(size_t i) const {
    switch (program_.code[i].op) {
      case Op::kSYNC: return live_at_any(tokens_.sync);
      case Op::kBRK: return live_at_any(tokens_.brk);
      case Op::kCONT: return live_at_any(tokens_.cont);
      case Op::kRET: return live_at_any(tokens_.ret);
      case Op::kEXIT:
      case Op::kKIL: return 0;
      default: return live_at(target_of(i));
    }
  }

  uint8_t live_after(size_t i) const {
    const Instruction& instruction = program_.code[i];
    const uint8_t following = live_at(static_cast<int>(i) + 1);
    if (facts(instruction.op).pipe != Pipe::kBranch || pushes(instruction.op)) return following;
    const bool some_stay = instruction.has_guard() || instruction[Mod::k_cct] != 15;
    return static_cast<uint8_t>(live_where_it_leads(i) | (some_stay ? following : 0));
  }

  static bool pushes(Op op) {
    return op == Op::kSSY || op == Op::kPBK || op == Op::kPCNT || op == Op::kPRET;
  }

  const Program& program_;
  Tokens tokens_;
  std::vector<uint8_t> before_;
};

}  // namespace

std::vector<uint8_t> predicates_read_later(const Program& program) {
  return Liveness(program).run();
}

}  // namespace shflsim::isa
