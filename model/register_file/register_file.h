// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/core/counts.h"
#include "model/core/cycle.h"
#include "model/core/facts.h"
#include "model/core/module.h"
#include "model/core/parameter.h"
#include "model/core/slot_mask.h"
#include "model/register_file/bank_use.h"
#include "model/register_file/operand_window.h"
#include "model/register_file/result_ages.h"

namespace shflsim::model {

struct RegisterFileParams {
  uint32_t banks = 0;
  uint32_t ports = 0;
  uint32_t write_distance = 0;
  uint32_t write_patience = 0;
  uint32_t write_gap = 0;
  uint32_t product_write = 0;
  uint32_t small_product_write = 0;
  uint32_t product_read = 0;
  uint32_t late_result = 0;
  uint32_t special_stages = 0;
  std::string late_reads;  ///< "collectors" or "freeze"
  uint32_t window = 0;     ///< "freeze": cycles
  uint32_t written = 0;
  uint32_t missed = 0;
  uint32_t late_clock = 0;
  uint32_t reuse_entries = 0;
  std::string reuse_by;       ///< "collector_and_slot" or "bank_and_slot"
  std::string duplicates;     ///< "once" or "twice"
  std::string wide_operands;  ///< "each" or "once"

  void list(ParameterList& out);
  void list_results(ParameterList& out);
  WideReads wide() const { return wide_operands == "once" ? WideReads::kOnce : WideReads::kEach; }
};

/// Counts of a register file for a math instruction. Instructions for the MIO queue collect their
/// operands at the pace of the queue, without conflicts.
struct RegisterCounts {
  uint64_t register_conflicts = 0;

  void add(const RegisterCounts& more) { register_conflicts += more.register_conflicts; }
  static bool applies(const isa::CodeLine& line) { return isa::is_math(line.pipe); }
  void list(StatList& out) const {
    out.count("register_conflicts", register_conflicts, "cycles",
              "Math instructions: operand reading beyond the first cycle, for register-bank "
              "conflicts.",
              "bank\nconfl");
  }
};

/// Register file of one sub-partition: banks of 32-lane registers, and a small cache of operands
/// marked `.reuse`. RZ, immediates and constants cost nothing. Two disciplines:
///
/// - "collectors" (docs/sources.md, "Register file"): each of two collectors holds an instruction
///   in the cycle of its issue and in the next one. If an operand is not there by then, the issue
///   stage stops until it is.
/// - "freeze": the operands of an instruction come in a window of cycles (OperandWindow). If one is
///   late, the issue stage of the sub-partition stops.
class RegisterFile : public Module, public BankUse {
 public:
  /// `outcomes`: see OperandWindow.
  RegisterFile(const sc_core::sc_module_name& name, const RegisterFileParams& params,
               std::shared_ptr<WindowOutcomes> outcomes = nullptr);

  static constexpr unsigned kMostBanks = 16;

  const char* kind() const override { return "RegisterFile"; }
  const char* hardware() const override { return "register banks and their reuse cache"; }
  const char* section() const override { return "register_file"; }

  InstructionCounts<RegisterCounts> counts;

  /// Reads of one bank by an instruction; with "freeze", a single read.
  struct BankPlan {
    uint8_t bank = 0;
    uint8_t cycles = 0;    ///< cycles for which they hold the bank
    uint8_t index = 0xFF;  ///< "freeze": the register (none: RZ, which is never written)...
    uint32_t latches = 0;  ///< ...and the latches that it is read into
  };
  /// The reads of an instruction if no bank is held by other instructions.
  struct Plan {
    uint64_t held = 0;  ///< bits 4n+3:4n: cycles for which bank n is held
    std::array<BankPlan, BankReads::kMost> banks{};
    uint8_t count = 0;
    uint8_t longest = 0;  ///< cycles for which any bank is held
    // As in Read; `done` in cycles after the issue.
    uint8_t done = 1;
    uint8_t conflicts = 0;
    bool marks_reuse = false;  ///< a register is marked for reuse, and there are reuse entries
    // "freeze":
    bool is_fxu = false;      ///< the instruction executes in the fixed-point pipe
    uint8_t first_write = 0;  ///< its destination registers
    uint8_t write_count = 0;
    uint32_t latches = 0;         ///< of all its reads
    uint64_t latches_before = 0;  ///< these, OperandWindow::kBeforeNow
    uint64_t number = 0;          ///< of its reads, OperandWindow::kReadBits each, or kUnnumbered

    /// True if one of the reads is of a result of a recent instruction.
    [[gnu::always_inline]] bool finds_any(const ResultAges& results,
                                          const OperandWindow& window) const {
      const auto finds = [&](unsigned read) -> unsigned {
        const uint8_t index = banks[read].index;
        return results.twice_above(OperandWindow::kLeastSeen, index, window.clock()) <
               2 * window.seen_ages();
      };
      unsigned any = finds(0) | finds(1) | finds(2);
      for (unsigned i = 3; i < count; ++i) any |= finds(i);
      return any != 0;
    }
  };
  Plan plan(const Facts& facts) const;

  struct Read {
    Cycle done;       ///< cycle in which the last operand is there: now + 1 without conflicts
    Cycle conflicts;  ///< cycles beyond the first that its own reads need
  };
  /// Reads the operands of the math instruction `index` of warp slot `warp`.
  [[gnu::always_inline]] Read read(const Facts& facts, const Plan& plan, unsigned warp,
                                   size_t index, Cycle now) {
    const Read result = freezes_ ? read_in_window(facts, plan, warp, now)
                                 : read_by_collector(facts, plan, warp, now);
    if (result.conflicts != 0) counts[index].register_conflicts += result.conflicts;
    return result;
  }
  /// Must be called after the issues of `now`, a cycle in which issue does not stop. Returns the
  /// cycles for which issue stops after it, because operands are late. With "freeze" it may be
  /// called again.
  [[gnu::always_inline]] Cycle end_cycle(Cycle now) {
    const bool has_collected = (collected_ | collected_before_) != 0;  // never if reads freeze
    if (!has_collected) {
      if (next_book_ <= now) book_ports(now);
      if (!window_.will_stop()) return 0;
      return window_.stop(now);
    }
    const Cycle free = std::exchange(collected_before_, std::exchange(collected_, 0));
    const Cycle next = std::max(free, now + 1);
    if (collected_before_ != 0) behind_taken_ = next;
    return next - (now + 1);
  }
  /// Stops issue for these cycles after the cycle that ends, whatever the cause.
  void stand_still(Cycle cycles) { window_.stand_still(cycles); }
  /// Returns the first cycle from `next` on after which issue will stop; kNever if none is known.
  /// `next`: the next cycle in which issue does not stop.
  Cycle next_stop(Cycle next) const {
    if (freezes_ && window_.is_open(next)) return next;  // a read of the MIO may come between
    return collected_before_ > next + 1 ? next : window_.next_stop(next);
  }
  void take_port(uint8_t index, Cycle at) override {
    if (!freezes_) return;
    if (ports_ == kMostPorts) {
      std::move(ports_taken_.begin() + 1, ports_taken_.end(), ports_taken_.begin());
      --ports_;
    }
    ports_taken_[ports_++] = {at, bank_of_[index]};
    next_book_ = std::min(next_book_, at - std::min<Cycle>(at, params_.window));
  }

 private:
  static constexpr unsigned kPositions = OperandWindow::kPositions;
  static constexpr unsigned kCollectors = 2;
  static constexpr size_t kMostPorts = 24;  ///< more than can be ahead at a time
  struct Entry {
    uint16_t tag = 0xFFFF;  ///< warp slot and register
  };
  using Entries = std::array<Entry, kMostBanks>;  ///< by bank or collector
  /// Bit i: read i needs its bank.
  using Needed = uint32_t;

  [[gnu::always_inline]] Read read_by_collector(const Facts& facts, const Plan& plan, unsigned warp,
                                                Cycle now) {
    collector_ = now == behind_taken_ ? 1u - collector_ : idle_collector();
    const bool is_plain = !plan.marks_reuse && kept_ == 0 && all_free_ <= now;
    const Read result = is_plain ? take(plan, now) : look_and_take(facts, plan, warp, now);
    collected_ = std::max(collected_, result.done);
    return result;
  }
  [[gnu::always_inline]] Read read_in_window(const Facts& facts, const Plan& plan, unsigned warp,
                                             Cycle now) {
    window_.advance(now);
    if (next_book_ <= now) book_ports(now);
    ResultAges& results = results_[warp];
    results.advance(window_.clock());
    const bool may_reuse = plan.marks_reuse || kept_ != 0;
    const Read result =
        may_reuse ? look_and_take(facts, plan, warp, now) : take_in_window(plan, results, now);
    results.write(plan.first_write, plan.write_count, plan.is_fxu, window_.clock());
    return result;
  }
  void book_ports(Cycle now);
  Read look_and_take(const Facts& facts, const Plan& plan, unsigned warp, Cycle now);
  Plan plan_of(const Facts& facts, Needed reads) const;
  Plan window_plan_of(const Facts& facts, Needed reads) const;
  Needed distinct(const Facts& facts, Needed kept) const;
  Needed kept_by_bank(const BankReads& own, unsigned warp) const;
  void keep_by_bank(const BankReads& own, bool by_fxu, unsigned warp);
  Needed kept_by_collector(const BankReads& own, unsigned warp);
  void keep(Entry* entry, uint16_t tag) {
    kept_ += static_cast<uint32_t>(tag != Entry{}.tag) - (entry->tag != Entry{}.tag);
    entry->tag = tag;
  }
  bool take_reuse(const BankRead& read, unsigned warp);
  unsigned idle_collector() const {
    return kept_ != 0 && !reuse_by_bank_ ? find_idle_collector() : 0;
  }
  unsigned find_idle_collector() const;
  /// Takes the reads if no bank is held.
  Read take(const Plan& plan, Cycle now) {
    held_ = plan.held;
    held_from_ = now;
    all_free_ = held_from_ + plan.longest;
    return {now + plan.done, plan.conflicts};
  }
  [[gnu::always_inline]] Read take_in_window(const Plan& plan, const ResultAges& results,
                                             Cycle now) {
    const unsigned last = plan.finds_any(results, window_) ? take_with_results(plan, results)
                                                           : window_.read_all(plan);
    return {now + 1 + last, last == 0 ? 0 : last - 1};
  }
  unsigned take_with_results(const Plan& plan, const ResultAges& results);
  unsigned take_results(const Plan& plan, const ResultAges& results, uint32_t reads);
  Read wait_and_take(const Plan& plan, Cycle now);
  Cycle bank_free(unsigned bank) const {
    const Cycle held = held_ >> (4 * bank) & 0xFu;
    return held != 0 ? held_from_ + held : bank_free_[bank];
  }

  const RegisterFileParams params_;
  const uint32_t banks_;
  const bool freezes_;
  const bool reuse_by_bank_;
  const bool reads_once_;
  std::array<uint8_t, 256> bank_of_{};  ///< by register
  // First cycles in which the banks are free. With collectors, the banks that the last instruction
  // holds are written into bank_free_ when the next instruction finds a bank held.
  std::array<Cycle, kMostBanks> bank_free_{};
  uint64_t held_ = 0;  ///< the last instruction's Plan::held, from the cycle held_from_ on
  Cycle held_from_ = 0;
  Cycle all_free_ = 0;                       ///< no bank is held from this cycle on
  uint32_t kept_ = 0;                        ///< registers that reuse_ holds
  std::array<Entries, kPositions> reuse_{};  ///< by operand position

  OperandWindow window_;
  std::vector<ResultAges> results_;  ///< by warp slot
  struct PortTaken {
    Cycle at = 0;
    uint8_t bank = 0;
  };
  /// Reads by other than math instructions that are not yet in window_.
  std::array<PortTaken, kMostPorts> ports_taken_{};
  size_t ports_ = 0;
  Cycle next_book_ = kNever;  ///< no read of ports_taken_ is in the window before

  unsigned collector_ = 0;  ///< the collector that took the last instruction
  Cycle behind_taken_ = 0;  ///< cycle of issue after one in which a collector was taken
  // Cycle in which all operands are there; 0 if there is no instruction:
  Cycle collected_ = 0;         ///< operands of the instructions that issue in this cycle
  Cycle collected_before_ = 0;  ///< operands of the instructions of the last cycle of issue
};

/// A matrix product that issues at `now` reads each bank once a cycle, before other math.
void read_product(const Facts& facts, const RegisterFileParams& params, Cycle now, BankUse* banks);

}  // namespace shflsim::model
