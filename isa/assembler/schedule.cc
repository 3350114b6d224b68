// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/schedule.h"

#include <algorithm>
#include <array>

#include "isa/codec.h"
#include "isa/footprint.h"
#include "isa/form.h"
#include "isa/latency.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kScoreboards = 6;
constexpr unsigned kResources = 255 + 7 + 1;  // registers, predicates, carry
constexpr unsigned kFirstPredicate = 255;
constexpr unsigned kCarry = kResources - 1;
constexpr unsigned kLongestStall = 15;
constexpr unsigned kLongestStay = 11;  // above it only the codes without bit 4 are stalls

/// What an instruction reads and writes, by resource.
struct Effects {
  std::vector<unsigned> reads;
  std::vector<unsigned> async_reads;  ///< registers that a variable-latency operation reads late
  std::vector<unsigned> writes;
};

Effects effects_of(const Instruction& instruction) {
  const Footprint found = footprint(instruction);
  Effects out;
  for (unsigned i = 0; i < found.read_count; ++i) out.reads.push_back(found.reads[i].index);
  if (is_timed_by_scoreboard(instruction)) out.async_reads = out.reads;
  for (unsigned i = 0; i < found.write_count; ++i) {
    const unsigned index = found.first_write + i;
    if (index < kRZ) out.writes.push_back(index);
  }
  for (unsigned p = 0; p < 7; ++p) {
    if (((found.predicates_read >> p) & 1u) != 0) out.reads.push_back(kFirstPredicate + p);
    if (((found.predicates_written >> p) & 1u) != 0) out.writes.push_back(kFirstPredicate + p);
  }
  if (found.reads_carry) out.reads.push_back(kCarry);
  if (found.writes_carry) out.writes.push_back(kCarry);
  return out;
}

bool overlap(const std::vector<unsigned>& a, const std::vector<unsigned>& b) {
  return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
}

unsigned latency_to(Pipe reader, unsigned resource) {
  const Carrier carrier = resource == kCarry            ? Carrier::kCarry
                          : resource >= kFirstPredicate ? Carrier::kPredicate
                                                        : Carrier::kRegister;
  return least_distance(carrier, reader);
}

bool ends_block(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::kSSY:
    case Op::kPBK:
    case Op::kPCNT:
    case Op::kPRET:
    case Op::kPEXIT:
    case Op::kPLONGJMP: return false;
    default: return facts(instruction.op).latency == Latency::kBranch;
  }
}

bool is_final_exit(const Instruction& instruction) {
  return instruction.op == Op::kEXIT && !instruction.has_guard() && instruction[Mod::k_cct] == 15;
}

/// Instructions that a jump can reach; every one where some jump goes to a computed address.
std::vector<bool> block_starts(const Program& program) {
  const bool is_indirect = std::any_of(
      program.code.begin(), program.code.end(),
      [](const Instruction& each) { return each.op == Op::kBRX || each.op == Op::kJMX; });
  std::vector<bool> starts(program.code.size() + 1, is_indirect);
  for (size_t i = 0; i < program.code.size(); ++i) {
    for (const Operand& operand : program.code[i].operands) {
      const int target = operand.is(Operand::Kind::kTarget) ? program.index_at(operand.value) : -1;
      if (target >= 0) starts[static_cast<size_t>(target)] = true;
    }
    if (ends_block(program.code[i])) starts[i + 1] = true;
  }
  return starts;
}

class Scheduler {
 public:
  explicit Scheduler(Program* program) : program_(*program), starts_(block_starts(*program)) {
    for (const Instruction& each : program_.code) effects_.push_back(effects_of(each));
  }

  void run() {
    for (size_t i = 0; i < program_.code.size(); ++i) schedule(i);
  }

 private:
  /// What a scoreboard stands for until something waits for it.
  struct Scoreboard {
    bool pending = false;
    size_t set_by = 0;
    std::vector<unsigned> written;  ///< results on the way: no read, no write before
    std::vector<unsigned> read;     ///< sources still to be read: no write before
  };

  void schedule(size_t i) {
    Instruction& instruction = program_.code[i];
    const uint8_t reuse = instruction.control.reuse;
    instruction.control = Control{};
    instruction.control.reuse = reuse;
    if (starts_[i]) begin_block(instruction);
    delay_for_sources(i);
    wait_for_scoreboards(i);
    if (is_timed_by_scoreboard(instruction)) set_scoreboards(i);
    for (const unsigned resource : effects_[i].writes) {
      issued_[resource] = is_timed_by_scoreboard(instruction) ? 0 : now_;
    }
    set_stall(i, least_stall(i));
    if (last_of_block(i)) end_block(i);
    now_ += stall_of_last_;
  }

  bool last_of_block(size_t i) const { return starts_[i + 1] || ends_block(program_.code[i]); }

  /// Whatever the block before left on the way is waited for here.
  void begin_block(Instruction& instruction) {
    for (unsigned b = 0; b < kScoreboards; ++b) {
      if (scoreboards_[b].pending) wait_for(b, &instruction);
    }
  }

  void wait_for(unsigned scoreboard, Instruction* instruction) {
    uint8_t& mask = instruction->control.wait_mask;
    mask = static_cast<uint8_t>(mask | (1u << scoreboard));
    scoreboards_[scoreboard] = Scoreboard{};
  }

  /// Lengthens the stall of the instruction before until the sources are there.
  void delay_for_sources(size_t i) {
    uint64_t earliest = now_;
    const Pipe pipe = facts(program_.code[i].op).pipe;
    for (const unsigned resource : effects_[i].reads) {
      if (issued_[resource] == 0) continue;
      earliest = std::max(earliest, issued_[resource] + latency_to(pipe, resource));
    }
    if (earliest == now_ || i == 0) return;
    stall_of_last_ += static_cast<unsigned>(earliest - now_);
    set_stall(i - 1, stall_of_last_);
    now_ = earliest;
  }

  void wait_for_scoreboards(size_t i) {
    Instruction& instruction = program_.code[i];
    const bool drains = ends_block(instruction) && !is_final_exit(instruction);
    for (unsigned b = 0; b < kScoreboards; ++b) {
      const Scoreboard& scoreboard = scoreboards_[b];
      const bool conflict = overlap(scoreboard.written, effects_[i].reads) ||
                            overlap(scoreboard.written, effects_[i].writes) ||
                            overlap(scoreboard.read, effects_[i].writes);
      if (scoreboard.pending && (drains || conflict)) wait_for(b, &instruction);
    }
  }

  void set_scoreboards(size_t i) {
    Instruction& instruction = program_.code[i];
    if (!effects_[i].writes.empty()) {
      const unsigned b = free_scoreboard(&instruction);
      scoreboards_[b] = {true, i, effects_[i].writes, {}};
      instruction.control.write_barrier = static_cast<uint8_t>(b);
    }
    if (needs_read_barrier(i)) {
      const unsigned b = free_scoreboard(&instruction);
      scoreboards_[b] = {true, i, {}, effects_[i].async_reads};
      instruction.control.read_barrier = static_cast<uint8_t>(b);
    }
  }

  /// The lowest one that nothing stands behind; the oldest, waited for, where all are taken.
  unsigned free_scoreboard(Instruction* instruction) {
    unsigned oldest = 0;
    for (unsigned b = 0; b < kScoreboards; ++b) {
      if (!scoreboards_[b].pending) return b;
      if (scoreboards_[b].set_by < scoreboards_[oldest].set_by) oldest = b;
    }
    wait_for(oldest, instruction);
    return oldest;
  }

  /// Some source is written again, or may be in another block.
  bool needs_read_barrier(size_t i) const {
    if (effects_[i].async_reads.empty()) return false;
    for (size_t j = i + 1; j < program_.code.size(); ++j) {
      if (is_final_exit(program_.code[j])) return false;
      if (starts_[j] || ends_block(program_.code[j])) return true;
      if (overlap(effects_[i].async_reads, effects_[j].writes)) return true;
    }
    return false;
  }

  unsigned least_stall(size_t i) const {
    const Control& control = program_.code[i].control;
    const bool sets = control.write_barrier != Control::kNoScoreboard ||
                      control.read_barrier != Control::kNoScoreboard;
    const unsigned least = std::max<unsigned>(facts(program_.code[i].op).min_stall, 1);
    return sets ? std::max(least, kScoreboardVisible) : least;
  }

  /// Nothing of fixed latency is on the way when the next block begins.
  void end_block(size_t i) {
    uint64_t ready = now_ + stall_of_last_;
    for (uint64_t& issued : issued_) {
      if (issued != 0) ready = std::max(ready, issued + kLongestDistance);
      issued = 0;
    }
    set_stall(i, static_cast<unsigned>(ready - now_));
  }

  void set_stall(size_t i, unsigned stall) {
    stall_of_last_ = std::min(stall, kLongestStall);
    program_.code[i].control.issue_code =
        static_cast<uint8_t>(stall_of_last_ <= kLongestStay ? 16 + stall_of_last_ : stall_of_last_);
  }

  Program& program_;
  std::vector<bool> starts_;
  std::vector<Effects> effects_;
  std::array<Scoreboard, kScoreboards> scoreboards_;
  std::array<uint64_t, kResources> issued_{};  ///< by a fixed-latency operation; 0: long ago
  uint64_t now_ = 1;
  unsigned stall_of_last_ = 0;
};

}  // namespace

void choose_control(Program* program) { Scheduler(program).run(); }

void pad_bundles(Program* program) {
  constexpr uint64_t kNop = 0x50b0000000070f00;
  while (program->code.size() % 3 != 0) {
    Instruction nop;
    decode(kNop, address_of(program->code.size()), Control{}, &nop);
    program->code.push_back(nop);
    program->texts.push_back(text_of(nop));
  }
}

}  // namespace shflsim::isa
