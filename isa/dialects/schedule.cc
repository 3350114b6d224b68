// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/schedule.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <map>
#include <utility>

#include "isa/code/footprint.h"
#include "isa/code/latency.h"
#include "isa/codec/codec.h"
#include "isa/codec/form.h"
#include "isa/dialects/code_flow.h"
#include "isa/dialects/pairs.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kResources = 255 + 7 + 1;  // registers, predicates, carry
constexpr unsigned kFirstPredicate = 255;
constexpr unsigned kCarry = kResources - 1;
constexpr unsigned kLongestStall = 15;
constexpr unsigned kLongestStay = 11;  // longer stalls have only codes without bit 4

/// What an instruction reads and writes, by resource.
struct Effects {
  std::vector<unsigned> reads;
  std::vector<unsigned> async_reads;  ///< registers that a variable-latency operation reads late
  std::vector<unsigned> writes;
};

Effects effects_of(const Instruction& instruction) {
  const Footprint found = footprint(instruction);
  Effects out;
  found.for_each_read([&out](unsigned index) { out.reads.push_back(index); });
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

unsigned latency_to(Pipe reader, unsigned resource) {
  const Carrier carrier = resource == kCarry            ? Carrier::kCarry
                          : resource >= kFirstPredicate ? Carrier::kPredicate
                                                        : Carrier::kRegister;
  return least_distance(carrier, reader);
}

using Resources = std::bitset<kResources>;

Resources set_of(const std::vector<unsigned>& resources) {
  Resources set;
  for (const unsigned resource : resources) set.set(resource);
  return set;
}

bool overlap(const Resources& a, const std::vector<unsigned>& b) {
  return std::any_of(b.begin(), b.end(), [&a](unsigned resource) { return a[resource]; });
}

/// For the last instruction of each block: the resources that code after the block may write.
std::map<size_t, Resources> written_behind(const CodeFlow& flow,
                                           const std::vector<Effects>& effects) {
  std::vector<Resources> from(effects.size() + 1);  // what is written from an instruction on
  std::map<size_t, Resources> behind;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = effects.size(); i-- > 0;) {
      Resources now = flow.ends_block(i) ? Resources() : from[i + 1];
      for (const size_t next : flow.next(i)) now |= from[next];
      if (flow.is_open(i)) now.set();
      if (flow.ends_block(i)) behind[i] = now;
      for (const unsigned resource : effects[i].writes) now.set(resource);
      changed = changed || now != from[i];
      from[i] = now;
    }
  }
  return behind;
}

/// The operations that a scoreboard tracks until something waits for it.
struct Scoreboard {
  bool pending = false;
  size_t set_by = 0;
  unsigned queue = 0;
  Resources written;  ///< pending results: no read or write before they arrive
  Resources read;     ///< sources that have to be read: no write before that

  void add(const Scoreboard& other) {
    pending = pending || other.pending;
    set_by = std::max(set_by, other.set_by);
    if (queue != other.queue) queue = 0;
    written |= other.written;
    read |= other.read;
  }
};
using Scoreboards = std::array<Scoreboard, Control::kScoreboards>;

class Scheduler {
 public:
  Scheduler(Program* program, Issue issue)
      : program_(*program), flow_(*program), in_pairs_(issue == Issue::kPairs) {
    for (const Instruction& each : program_.code) effects_.push_back(effects_of(each));
    find_sources_written_later();
  }

  void run() {
    for (size_t i = 0; i < program_.code.size(); ++i) schedule(i);
  }

 private:
  /// True if the next instruction can issue in the same cycle: it is in the block and may pair.
  bool opens_pair(size_t i) const {
    return in_pairs_ && !flow_.ends_block(i) && may_pair(program_.code[i], program_.code[i + 1]);
  }

  void schedule(size_t i) {
    Instruction& instruction = program_.code[i];
    const uint8_t reuse = instruction.control.reuse;
    instruction.control = Control{};
    instruction.control.reuse = reuse;
    if (flow_.starts_block(i)) begin_block(i);
    delay_for_sources(i);
    wait_for_scoreboards(i);
    if (is_timed_by_scoreboard(instruction)) set_scoreboards(i);
    for (const unsigned resource : effects_[i].writes) {
      issued_[resource] = is_timed_by_scoreboard(instruction) ? 0 : now_;
    }
    set_stall(i, least_stall(i));
    if (flow_.ends_block(i)) end_block(i);
    now_ += stall_of_last_;
  }

  /// Takes over the scoreboards that previous blocks have left pending.
  void begin_block(size_t i) {
    scoreboards_ = Scoreboards{};
    const auto before = pending_.find(i);
    if (before != pending_.end()) scoreboards_ = before->second;
  }

  void wait_for(unsigned scoreboard, Instruction* instruction) {
    uint8_t& mask = instruction->control.wait_mask;
    mask = static_cast<uint8_t>(mask | (1u << scoreboard));
    scoreboards_[scoreboard] = Scoreboard{};
  }

  /// Lengthens the stall of the previous instruction until the sources are available.
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

  /// True if the block's end has to wait for all scoreboards: a successor is unknown or was already
  /// scheduled (a loop's head), and such blocks begin with nothing pending.
  bool drains(size_t i) const {
    if (!flow_.ends_block(i) || is_final_exit(program_.code[i])) return false;
    const std::vector<size_t>& next = flow_.next(i);
    return flow_.is_open(i) ||
           std::any_of(next.begin(), next.end(), [i](size_t j) { return j <= i; });
  }

  void wait_for_scoreboards(size_t i) {
    const bool all = drains(i);
    for (unsigned b = 0; b < Control::kScoreboards; ++b) {
      const Scoreboard& scoreboard = scoreboards_[b];
      const bool conflict = overlap(scoreboard.written, effects_[i].reads) ||
                            overlap(scoreboard.written, effects_[i].writes) ||
                            overlap(scoreboard.read, effects_[i].writes);
      if (scoreboard.pending && (all || conflict)) wait_for(b, &program_.code[i]);
    }
  }

  void set_scoreboards(size_t i) {
    Instruction& instruction = program_.code[i];
    const unsigned results = result_queue(instruction);
    const unsigned sources = source_queue(instruction);
    if (!effects_[i].writes.empty()) {
      instruction.control.write_barrier =
          take_scoreboard(&instruction, {true, i, results, set_of(effects_[i].writes), {}});
    }
    if (needs_read_barrier_[i]) {
      instruction.control.read_barrier =
          take_scoreboard(&instruction, {true, i, sources, {}, set_of(effects_[i].async_reads)});
    }
  }

  /// The lowest free scoreboard. If all are taken, one that tracks operations of the same queue,
  /// which complete before this one in any case; else the oldest, after a wait for it.
  uint8_t take_scoreboard(Instruction* instruction, const Scoreboard& taken) {
    const auto first = scoreboards_.begin();
    auto found = std::find_if(first, scoreboards_.end(),
                              [](const Scoreboard& each) { return !each.pending; });
    if (found == scoreboards_.end()) {
      const auto is_older = [&taken](const Scoreboard& a, const Scoreboard& b) {
        return std::pair(shares(a, taken), a.set_by) < std::pair(shares(b, taken), b.set_by);
      };
      found = std::max_element(first, scoreboards_.end(), is_older);
      if (!shares(*found, taken)) {
        found = std::min_element(first, scoreboards_.end(), is_older);
        wait_for(static_cast<unsigned>(found - first), instruction);
      }
    }
    found->add(taken);
    found->queue = taken.queue;
    return static_cast<uint8_t>(found - first);
  }

  static bool shares(const Scoreboard& a, const Scoreboard& b) {
    return a.queue == b.queue && a.queue != 0 && a.written.none() == b.written.none();
  }

  /// Finds instructions with a source that may be overwritten before it has been read.
  void find_sources_written_later() {
    const std::map<size_t, Resources> behind = written_behind(flow_, effects_);
    needs_read_barrier_.resize(effects_.size());
    Resources later;  // what is written from the next instruction on
    for (size_t i = effects_.size(); i-- > 0;) {
      if (flow_.ends_block(i)) later = behind.at(i);
      needs_read_barrier_[i] = overlap(later, effects_[i].async_reads);
      later |= set_of(effects_[i].writes);
    }
  }

  unsigned least_stall(size_t i) const {
    const Control& control = program_.code[i].control;
    const bool sets = control.write_barrier != Control::kNoScoreboard ||
                      control.read_barrier != Control::kNoScoreboard;
    if (opens_pair(i)) return 0;
    const unsigned least = std::max<unsigned>(facts(program_.code[i].op).min_stall, 1);
    return sets ? std::max(least, kScoreboardVisible) : least;
  }

  /// Stalls for fixed-latency results that the next blocks read; passes scoreboards on to them.
  void end_block(size_t i) {
    uint64_t ready = now_ + stall_of_last_;
    if (flow_.is_open(i)) {
      for (const uint64_t issued : issued_) {
        if (issued != 0) ready = std::max(ready, issued + kLongestDistance);
      }
    }
    unsigned steps = 0;
    for (const size_t next : flow_.next(i)) look_ahead(next, 0, &steps, &ready);
    issued_.fill(0);
    set_stall(i, static_cast<unsigned>(ready - now_));
    for (const size_t next : flow_.next(i)) {
      if (next <= i) continue;
      for (unsigned b = 0; b < Control::kScoreboards; ++b) {
        if (scoreboards_[b].pending) pending_[next][b].add(scoreboards_[b]);
      }
    }
  }

  /// Raises `ready`, the earliest cycle of a block's begin, so that results are available when the
  /// block and its successors read them; `at` is issued `cycles` or more after the block's begin.
  void look_ahead(size_t at, unsigned cycles, unsigned* steps, uint64_t* ready) const {
    constexpr unsigned kMostSteps = 200;
    for (; cycles < kLongestDistance && at < program_.code.size(); ++at) {
      const Pipe pipe = facts(program_.code[at].op).pipe;
      const bool gives_up = ++*steps > kMostSteps;
      for (unsigned resource = 0; gives_up && resource < kResources; ++resource) {
        if (issued_[resource] != 0) *ready = std::max(*ready, issued_[resource] + kLongestDistance);
      }
      if (gives_up) return;
      for (const unsigned resource : effects_[at].reads) {
        if (issued_[resource] == 0) continue;
        const uint64_t needed = issued_[resource] + latency_to(pipe, resource);
        if (needed > cycles) *ready = std::max(*ready, needed - cycles);
      }
      if (!opens_pair(at)) ++cycles;
      if (!flow_.ends_block(at)) continue;
      for (const size_t next : flow_.next(at)) look_ahead(next, cycles, steps, ready);
      return;
    }
  }

  void set_stall(size_t i, unsigned stall) {
    stall_of_last_ = std::min(stall, kLongestStall);
    program_.code[i].control.issue_code =
        static_cast<uint8_t>(stall_of_last_ <= kLongestStay ? 16 + stall_of_last_ : stall_of_last_);
  }

  Program& program_;
  CodeFlow flow_;
  bool in_pairs_;
  std::vector<Effects> effects_;
  std::vector<bool> needs_read_barrier_;
  Scoreboards scoreboards_;
  std::map<size_t, Scoreboards> pending_;      ///< by a block's first instruction
  std::array<uint64_t, kResources> issued_{};  ///< by a fixed-latency operation; 0: long ago
  uint64_t now_ = 1;
  unsigned stall_of_last_ = 0;
};

}  // namespace

void choose_control(Program* program, Issue issue) { Scheduler(program, issue).run(); }

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
