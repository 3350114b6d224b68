// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "model/core/cycle.h"

namespace shflsim::model {

/// How the operands of math instructions come from the banks on sm_90. An instruction has a fixed
/// number of cycles behind its issue to read its registers. Each bank has a latch for each operand
/// position, which is taken from the issue until these cycles are over; then the next register can
/// come into it. A bank serves the oldest instruction first. Where a register has not come in its
/// last cycle, issue stands still for a cycle in front of that one, while the banks go on reading.
///
/// The result of a math instruction that issued shortly before comes in the last cycle, or once it
/// is written. Where others take the bank in the last cycle, the younger result goes first, and the
/// other is read some cycles behind its write. (Measured: scripts/lab/hw/ports, 20,000 sequences of
/// one warp; those without results of their own are exact.)
///
/// Its time is the clock of issue: cycles in which issue does not stand still.
class OperandWindow {
 public:
  static constexpr unsigned kMostBanks = 16;
  static constexpr unsigned kMostCycles = 7;
  static constexpr unsigned kPositions = 3;

  struct Params {
    unsigned banks = 1;
    unsigned ports = 1;    ///< reads of a bank per cycle
    unsigned cycles = 1;   ///< from the issue to the last read in time
    unsigned written = 0;  ///< from the end of this window to the first read of the result
    unsigned missed = 0;   ///< ... to the read of a result that missed its last cycle
  };
  explicit OperandWindow(const Params& params)
      : banks_(params.banks),
        cycles_(params.cycles),
        written_(static_cast<int>(params.cycles + params.written) - 1),
        missed_(static_cast<int>(params.cycles + params.missed)),
        fresh_(0x11111111u * params.ports) {
    reads_.fill(fresh_);
  }

  /// Goes on to a cycle in which issue does not stand still.
  void advance(Cycle now) {
    const Cycle passed = now - stood_ - clock_;
    if (passed == 0) return;
    for (Cycle each = passed < kPast ? passed : kPast; each != 0; --each)
      past_[(clock_ + passed - each) % kPast] = stood_;
    clock_ += passed;
    const unsigned slots = passed < 8 ? static_cast<unsigned>(passed) : 8;
    stops_ = slots == 8 ? 0 : stops_ >> 4 * slots;
    for (unsigned bank = 0; bank < banks_; ++bank) {
      const uint64_t ahead = uint64_t{fresh_} << 32 | reads_[bank];
      reads_[bank] = static_cast<uint32_t>(ahead >> 4 * slots);
    }
  }

  /// This cycle of issue.
  Cycle clock() const { return clock_; }
  /// The age of a result: cycles of issue since its instruction issued at the clock `written`; 0
  /// where it is in its bank.
  unsigned age_of(Cycle written) const {
    const Cycle age = clock_ - written;
    return age < 2 || age > kPast ? 0 : static_cast<unsigned>(age);
  }
  /// A register that the instruction issuing now reads for these positions, a bit each: the cycles
  /// from its issue to the read. `age`: of the result in it.
  unsigned read(unsigned bank, unsigned positions, unsigned age = 0) {
    unsigned first = take(bank, positions);
    const int passed = age == 0 ? 0 : static_cast<int>(age + stood_since(age));
    while (age != 0 && first < cycles_ && passed + behind(first) <= written_) ++first;
    const uint32_t left = reads_[bank] >> 4 * first << 4 * first & in_time();
    if (left == 0) wait_for(age == 0 ? 0 : missed_ - passed - behind(cycles_ - 1) - 1);
    const unsigned slot = left == 0 ? cycles_ : static_cast<unsigned>(__builtin_ctz(left)) / 4;
    reads_[bank] -= 1u << 4 * slot;
    return slot;
  }
  /// Takes these latches for the instruction issuing now; returns the first cycle behind its issue
  /// in which all of them are free.
  unsigned take(unsigned bank, unsigned positions) {
    Cycle first = clock_ + 1;
    for (; positions != 0; positions &= positions - 1) {
      Cycle& free = free_[bank][static_cast<unsigned>(__builtin_ctz(positions))];
      first = first < free ? free : first;
      free = clock_ + cycles_ + 1;
    }
    const Cycle wait = first - clock_;
    return wait < cycles_ ? static_cast<unsigned>(wait) : cycles_;
  }

  /// Cycles for which issue stands still behind this one.
  Cycle stop() const { return stops_ & 0xFu; }
  /// Issue stands still for these cycles, whatever the cause.
  void stand_still(Cycle cycles) {
    stops_ &= ~0xFu;
    stood_ += cycles;
  }
  /// Cycles of issue from this one to the next behind which issue stands still; 0: none.
  unsigned next_stop() const {
    const uint32_t behind = stops_ & ~0xFu;
    return behind == 0 ? 0 : static_cast<unsigned>(__builtin_ctz(behind)) / 4;
  }
  /// True where all reads of the bank in the cycle `now` are taken.
  bool is_taken(unsigned bank, Cycle now) const {
    const Cycle clock = now - stood_;
    if (clock < clock_) return true;
    const Cycle ahead = clock - clock_;
    return ahead <= cycles_ && (reads_[bank] >> 4 * ahead & 0xFu) == 0;
  }

 private:
  static constexpr Cycle kPast = 16;  ///< cycles of issue

  /// Cycles in which issue stood still since the window of the instruction of this age ended.
  Cycle stood_since(unsigned age) const {
    return age <= cycles_ ? 0 : stood_ - past_[(clock_ - age + cycles_) % kPast];
  }
  /// Cycles from the issue to this one of its window, with those in which issue will stand still.
  int behind(unsigned cycle) const {
    auto cycles = static_cast<int>(cycle);
    for (unsigned before = 0; before < cycle; ++before)
      cycles += static_cast<int>(stops_ >> 4 * before & 0xFu);
    return cycles;
  }
  /// Issue stands still for another cycle in front of the last one, or for at least as many.
  void wait_for(int cycles) {
    const unsigned slot = 4 * (cycles_ - 1);
    do {
      stops_ += 1u << slot;
      for (unsigned each = 0; each < banks_; ++each) reads_[each] += 1u << 4 * cycles_;
    } while (static_cast<int>(stops_ >> slot & 0xFu) < cycles);
  }
  uint32_t in_time() const { return ~uint32_t{0} >> (28 - 4 * cycles_); }

  const unsigned banks_;
  const unsigned cycles_;
  const int written_;  ///< from the issue...
  const int missed_;
  const uint32_t fresh_;                     ///< reads left of a bank where none is taken
  std::array<uint32_t, kMostBanks> reads_{};  ///< bits 4n+3:4n: reads left in n cycles
  uint32_t stops_ = 0;  ///< bits 4n+3:4n: cycles for which issue stops behind the cycle in n
  std::array<std::array<Cycle, kPositions + 1>, kMostBanks> free_{};  ///< when latches are
  Cycle clock_ = 0;
  Cycle stood_ = 0;                    ///< cycles in which issue stood still
  std::array<Cycle, kPast> past_{};  ///< stood_ at the end of the last cycles of issue
};

}  // namespace shflsim::model
