// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "model/core/cycle.h"
#include "model/register_file/window_outcomes.h"

namespace shflsim::model {

/// The bits of OperandWindow::reads_.
namespace window_slots {

constexpr unsigned kMostCycles = 3;
constexpr unsigned kPositions = 3;
constexpr uint64_t kOfSlot = 0x0001000100010001;  ///< the first bit of each bank
constexpr unsigned kMostStops = 3;  ///< before a cycle, of which the reads are told apart

constexpr unsigned place_of(unsigned bank, unsigned first) {
  return (kMostCycles + 1) * bank + first;
}

/// The last cycle of the window in which one of these bits of reads_ is.
inline unsigned last_of(uint64_t booked) {
  booked |= booked >> 32;
  booked |= booked >> 16;
  const auto cycles = static_cast<uint32_t>(booked & 0xFFFF);
  return cycles == 0 ? 0 : (31 - static_cast<unsigned>(__builtin_clz(cycles))) / 4;
}

/// The latches of a bank for these operand positions, one bit each.
inline uint16_t latches_of(unsigned bank, unsigned positions) {
  return static_cast<uint16_t>(positions << kPositions * bank);
}

/// The reads that are left if issue, which has stopped for so many cycles before this cycle of
/// the window, stops for one more: each bank has one more read. The `late` ones, of results, are
/// not made while issue stops.
inline uint64_t more_before(unsigned cycle, unsigned stops, uint64_t reads, uint64_t late = 0) {
  const uint64_t last = kOfSlot << (4 * cycle + std::min(kMostStops, stops));
  if (stops >= kMostStops) return reads | last;
  const uint64_t moved = late & last;
  return (reads | last << 1 | moved) & ~(moved << 1);
}

}  // namespace window_slots

/// The cycles in which math instructions on sm_90 receive their operands from the banks. An
/// instruction reads its registers in a fixed number of cycles after its issue. Each bank has a
/// latch for each operand position; the latch is occupied from the issue until the end of these
/// cycles, and can then receive the next register. A bank serves the oldest instruction first. If a
/// register has not been read by the last cycle, issue stops for a cycle before that cycle, while
/// the banks continue to read.
///
/// A recent result of a math instruction is forwarded in the last cycle, or read after it is
/// written to its bank. If two results of one bank would be forwarded in the last cycle, the
/// younger one is forwarded, and the other one is read some cycles after its write. After a read by
/// an instruction that is not math a result is forwarded one cycle late. The youngest result is
/// forwarded last, and one cycle late, if it crosses between the fixed-point pipe and the other
/// pipes (measured: docs/sources.md, "Register file of sm_90").
///
/// Times are on the clock of issue, which counts the cycles in which issue does not stop.
class OperandWindow {
 public:
  static constexpr unsigned kMostBanks = 4;
  static constexpr unsigned kMostCycles = window_slots::kMostCycles;
  static constexpr unsigned kPositions = window_slots::kPositions;
  /// Age of the youngest result that an instruction can read.
  static constexpr unsigned kLeastAge = 4;

  struct Params {
    unsigned ports = 1;    ///< reads of a bank per cycle
    unsigned cycles = 1;   ///< from the issue to the last read that is in time
    unsigned written = 0;  ///< from the end of this window to the first read of its result
    unsigned missed = 0;   ///< ... to the read of a result that missed its last cycle
  };
  /// `outcomes`: of windows with these parameters that one thread uses; nullptr: its own.
  OperandWindow(const Params& params, std::shared_ptr<WindowOutcomes> outcomes)
      : outcomes_(outcomes != nullptr ? std::move(outcomes) : std::make_shared<WindowOutcomes>()),
        cycles_(params.cycles),
        written_(static_cast<int>(params.cycles + params.written) - 1),
        missed_(static_cast<int>(params.cycles + params.missed)),
        seen_(std::max(params.cycles + params.written, kLeastSeen + 1) - 1 - kLeastSeen),
        last_(window_slots::kOfSlot * 0xFu << 4 * params.cycles),
        stop_(1u << 4 * (params.cycles - 1)),
        held_(kLatches << kLatchBits |
              (params.cycles == kMostCycles ? kLatches << 2 * kLatchBits : 0)),
        fresh_(window_slots::kOfSlot * 0x1110u * ((1u << params.ports) - 1)),
        fresh_last_(fresh_ & window_slots::kOfSlot * 0xF000u),
        reads_(fresh_) {
    for (unsigned bank = 0; bank < kMostBanks; ++bank) {
      for (unsigned first = 1; first <= cycles_; ++first)
        from_[window_slots::place_of(bank, first)] =
            ((uint64_t{1} << (4 * cycles_ + 4)) - (1u << 4 * first)) << 16 * bank;
    }
  }

  /// Advances to `now`, a cycle in which issue does not stop.
  void advance(Cycle now) {
    const Cycle clock = now - stood_;
    if (clock == clock_) return;
    if (clock != clock_ + 1) return go_on(clock);
    step();
  }

  /// The current cycle on the clock of issue.
  Cycle clock() const { return clock_; }
  /// Returns the age of a result, cycles of issue since its instruction issued; 0 if the result is
  /// in its bank, or too young to be read.
  unsigned seen_age(unsigned age) const { return is_seen(age) ? age : 0; }
  bool is_seen(unsigned age) const { return age - kLeastSeen < seen_; }
  /// Least age of a result that can be forwarded before it is in its bank.
  static constexpr unsigned kLeastSeen = 2;
  /// The number of such ages.
  unsigned seen_ages() const { return seen_; }
  /// True if the instruction issuing now gets a result of this age before its bank has it.
  bool comes_before_bank(unsigned result_age) const {
    const unsigned age = seen_age(result_age);
    return age != 0 && static_cast<int>(age + stood_since(age)) + behind(cycles_) <= written_;
  }
  /// Latches times this: as they are in taken_ in the two cycles of issue behind it.
  static constexpr uint64_t kBeforeNow = uint64_t{1} << 16 | uint64_t{1} << 32;
  /// Reads a register into these latches for the instruction issuing now. Returns the cycles from
  /// the issue to the read.
  unsigned read(unsigned bank, uint32_t latches) { return read_from(bank, take(latches)); }
  /// The number of several reads has those of each, kReadBits apart.
  static constexpr unsigned kReadBits = 20;
  static constexpr unsigned kMostNumbered = 3;  ///< reads; more have no number of their own
  static constexpr uint64_t kUnnumbered = ~uint64_t{1};
  /// Makes all the reads of a RegisterFile::Plan, each with a bank and some of the latches. Returns
  /// the cycles to the last of them.
  template <class Plan>
  [[gnu::always_inline]] unsigned read_all(const Plan& plan) {
    const uint64_t before = taken_ & plan.latches_before;
    WindowOutcome& outcome = outcomes_->of((reads_ ^ before) + plan.number);
    if (outcome.number != plan.number || outcome.reads != reads_ || outcome.before != before ||
        outcome.stopped != stops_)
      outcome = find_outcome(plan);
    reads_ = outcome.left;
    urgent_ |= outcome.urgent;
    taken_ |= plan.latches;
    stops_ += outcome.stops;
    return outcome.last;
  }
  /// The same for a result of this age. `crosses`: it crosses between pipes, so that it comes at
  /// most one cycle late.
  unsigned read_result(unsigned bank, uint32_t latches, unsigned age, bool crosses) {
    unsigned first = take(latches);
    const int passed = static_cast<int>(age + stood_since(age));
    while (first < cycles_ && passed + behind(first) <= written_) ++first;
    const uint64_t slot = uint64_t{0xF} << (16 * bank + 4 * cycles_);
    const bool port_is_taken = (reads_ & slot) == 0 && (ports_ & slot) != 0;
    const bool is_next = crosses || (first == cycles_ && port_is_taken);
    const uint64_t left =
        reads_ & from_[window_slots::place_of(bank, first)] & ~before(bank, first, passed);
    if (left == 0)
      return wait_for_result(bank, is_next ? 1 : missed_ - passed - behind(cycles_ - 1) - 1);
    const unsigned read = book(left);
    if (read == cycles_ && (reads_ & slot) == 0) late_ |= slot;
    return read;
  }
  /// Takes these latches for the instruction issuing now. Returns the first cycle after its issue
  /// in which all of them are free.
  unsigned take(uint32_t latches) {
    taken_ |= latches;
    return first_free(static_cast<uint32_t>(taken_ >> kLatchBits), latches);
  }

  /// True if issue will stop after this cycle or one of the next.
  bool will_stop() const { return stops_ != 0; }
  /// Advances to a cycle of issue. Returns the cycles for which issue stops after it.
  Cycle stop(Cycle now) {
    if (now - stood_ != clock_) advance(now);
    return stops_ & 0xFu;
  }
  /// Stops issue for these cycles, whatever the cause.
  void stand_still(Cycle cycles) {
    stops_ &= ~0xFu;
    stood_ += cycles;
  }
  /// Returns the first cycle after which issue stops, kNever if none is known. `next`: the next
  /// cycle of issue.
  Cycle next_stop(Cycle next) const {
    const uint32_t behind = stops_ & ~0xFu;
    return behind == 0 ? kNever : next + static_cast<unsigned>(__builtin_ctz(behind)) / 4 - 1;
  }
  /// True if an instruction that has issued may still read at the end of this cycle of issue.
  bool is_open(Cycle now) const { return now - stood_ < clock_ + cycles_; }
  /// Takes a read of the bank for other than math instructions, so many cycles ahead. Reads of math
  /// instructions wait for it; if one has no later cycle, issue stops.
  void take_port(unsigned bank, int ahead) {
    unsigned cycle = 1;
    while (behind(cycle) < ahead) ++cycle;
    for (; cycle <= cycles_; ++cycle) {
      const uint64_t slot = uint64_t{0xF} << (16 * bank + 4 * cycle);
      const uint64_t left = reads_ & slot;
      if (left == 0 && (urgent_ & slot) == 0) continue;
      if (left == 0) return stop_before(cycle, bank);
      reads_ ^= left & (0 - left);
      ports_ |= left & (0 - left);
      return;
    }
  }

 private:
  static constexpr Cycle kPast =
      8;  ///< cycles of issue that are remembered: greatest age of a result after a window

  static constexpr unsigned kLatchBits = 16;  ///< room for the latches of all banks
  static constexpr uint64_t kLatches = (1u << kLatchBits) - 1;
  template <class Plan>
  [[gnu::noinline]] WindowOutcome find_outcome(const Plan& plan) const {
    const auto before = static_cast<uint32_t>(taken_ >> kLatchBits);
    WindowOutcome found;
    if (plan.number != kUnnumbered) found.number = plan.number;
    found.reads = found.left = reads_;
    found.before = taken_ & plan.latches_before;
    found.stopped = stops_;
    uint64_t booked = 0;
    for (unsigned i = 0; i < plan.count; ++i) {
      const unsigned first = first_free(before, plan.banks[i].latches);
      uint64_t left = found.left & from_[window_slots::place_of(plan.banks[i].bank, first)];
      if (left == 0) {
        const unsigned stops = (found.stopped + found.stops) >> 4 * (cycles_ - 1) & 0xFu;
        found.left = window_slots::more_before(cycles_, stops, found.left);
        found.stops += stop_;
        left = found.left & from_[window_slots::place_of(plan.banks[i].bank, cycles_)];
      }
      booked |= left & (0 - left);
      found.left ^= left & (0 - left);
    }
    found.urgent = booked & last_;
    found.last = window_slots::last_of(booked);
    return found;
  }

  /// `before`: the latches taken in the last cycle of issue, and above them those of the one
  /// before.
  unsigned first_free(uint32_t before, uint32_t latches) const {
    if ((before & latches) != 0) return cycles_;
    return (before >> kLatchBits & latches) != 0 ? 2 : 1;
  }
  void step() {
    taken_ = taken_ << kLatchBits & held_;
    stood_at_[++clock_ % kPast] = stood_;
    stops_ >>= 4;
    late_ = 0;
    reads_ = (reads_ >> 4 & window_slots::kOfSlot * 0x0FF0u) | fresh_last_;
    urgent_ = urgent_ >> 4 & ~(window_slots::kOfSlot * 0xF000u);
    ports_ = ports_ >> 4 & ~(window_slots::kOfSlot * 0xF000u);
  }
  /// Skips cycles of issue. After more than kMostCycles, no earlier read is left.
  void go_on(Cycle clock) {
    if (clock - clock_ <= kMostCycles) {
      while (clock_ != clock) step();
      return;
    }
    for (Cycle left = std::min(clock - clock_, kPast); left != 0; --left)
      stood_at_[(clock - left + 1) % kPast] = stood_;
    clock_ = clock;
    taken_ = 0;
    reads_ = fresh_;
    urgent_ = 0;
    ports_ = 0;
    late_ = 0;
  }

  /// Cycles for which issue stops before this cycle of the window.
  unsigned stops_before(unsigned cycle) const { return stops_ >> 4 * (cycle - 1) & 0xFu; }
  /// Of the reads of this cycle of the window those that come before a result: while issue stops,
  /// it is there two cycles after its last forwarding.
  uint64_t before(unsigned bank, unsigned cycle, int passed) const {
    const int there = std::max(0, passed + behind(cycle) - written_ - 2);
    const int early =
        static_cast<int>(std::min(window_slots::kMostStops, stops_before(cycle))) - there;
    return ((uint64_t{1} << std::max(0, early)) - 1) << (16 * bank + 4 * cycle);
  }
  /// Books a read of a bank, in this cycle of the window at the earliest. If no read is left, issue
  /// stops for a cycle.
  unsigned read_from(unsigned bank, unsigned first) {
    const uint64_t left = reads_ & from_[window_slots::place_of(bank, first)];
    if (left != 0) return book(left);
    stop_more();
    return book(reads_ & uint64_t{0xF} << (16 * bank + 4 * cycles_));
  }
  /// Books the first of these reads; returns its cycle.
  unsigned book(uint64_t left) {
    const uint64_t read = left & (0 - left);
    reads_ ^= read;
    urgent_ |= read & last_;
    return static_cast<unsigned>(__builtin_ctzll(left)) / 4 % 4;
  }
  [[gnu::noinline]] void stop_more() {
    reads_ = window_slots::more_before(cycles_, stops_before(cycles_), reads_, late_);
    stops_ += stop_;
  }
  /// Issue stops until so many cycles have passed; the result comes in the last of them.
  [[gnu::noinline]] unsigned wait_for_result(unsigned bank, int cycles) {
    const uint64_t slot = uint64_t{0xF} << (16 * bank + 4 * cycles_);
    late_ &= ~slot;
    do stop_more();
    while (static_cast<int>(stops_before(cycles_)) < cycles);
    const unsigned stops = std::min(window_slots::kMostStops, stops_before(cycles_));
    const uint64_t last = uint64_t{1} << (16 * bank + 4 * cycles_ + stops);
    return book((reads_ & last) != 0 ? last : reads_ & slot);
  }
  /// Issue stops for a cycle more before this cycle of the window, in which the bank is taken.
  [[gnu::noinline]] void stop_before(unsigned cycle, unsigned bank) {
    reads_ = window_slots::more_before(cycle, stops_before(cycle), reads_) &
             ~(uint64_t{0xF} << (16 * bank + 4 * cycle));
    stops_ += 1u << 4 * (cycle - 1);
  }
  /// Cycles for which issue stopped since the window of the instruction of this age ended.
  Cycle stood_since(unsigned age) const {
    return age <= cycles_ ? 0 : stood_ - stood_at_[(clock_ - age + cycles_) % kPast];
  }
  /// Cycles from the issue to this cycle of its window, including those for which issue will stop.
  int behind(unsigned cycle) const {
    auto cycles = static_cast<int>(cycle);
    for (uint32_t before = stops_ & ((1u << 4 * cycle) - 1); before != 0; before >>= 4)
      cycles += static_cast<int>(before & 0xFu);
    return cycles;
  }

  const std::shared_ptr<WindowOutcomes> outcomes_;
  const unsigned cycles_;
  const int written_;  ///< as in Params, but from the issue
  const int missed_;
  const unsigned seen_;
  const uint64_t last_;        ///< bits of reads_ in the last cycle of the window
  const uint32_t stop_;        ///< a cycle more in stops_ before the last cycle of the window
  const uint64_t held_;        ///< bits of taken_ that count: in the last cycle, or in two
  const uint64_t fresh_;       ///< reads_ if no read is taken...
  const uint64_t fresh_last_;  ///< ...and its part in the last cycle
  /// By window_slots::place_of(): the bits of reads_ of a bank from a cycle of the window on.
  std::array<uint64_t, kMostBanks*(kMostCycles + 1)> from_{};
  /// Bits 16b+4n+3:16b+4n: one for each read that bank b has left in n cycles; first those while
  /// issue stops before that cycle.
  uint64_t reads_;
  uint64_t ports_ = 0;   ///< the bits of reads_ taken for other than math instructions...
  uint64_t urgent_ = 0;  ///< ...and by reads that have no later cycle
  uint64_t late_ = 0;    ///< the bits of banks whose last read is of a result
  uint32_t stops_ = 0;   ///< bits 4n+3:4n: cycles for which issue stops after the cycle n ahead
  Cycle clock_ = 0;
  Cycle stood_ = 0;                      ///< cycles for which issue has stopped
  std::array<Cycle, kPast> stood_at_{};  ///< stood_ at the start of each of the last cycles
  /// Latches taken in this cycle of issue, and above them in the two before; kPositions per bank.
  uint64_t taken_ = 0;
};

}  // namespace shflsim::model
