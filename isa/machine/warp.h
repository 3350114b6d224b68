// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "isa/codec/instruction.h"
#include "isa/lanes/lane_bits.h"
#include "isa/lanes/lane_map.h"
#include "isa/machine/convergence.h"
#include "isa/machine/divergence.h"
#include "isa/machine/storage.h"

namespace shflsim::isa {

/// Lanes whose value is undefined.
struct Marks {
  LaneMask undefined = 0;

  bool any() const { return undefined != 0; }
  Marks operator|(const Marks& other) const { return {undefined | other.undefined}; }
  Marks operator&(LaneMask lanes) const { return {undefined & lanes}; }
  /// These marks, with those of `lanes` replaced.
  Marks replaced(const Marks& other, LaneMask lanes) const {
    return (*this & ~lanes) | (other & lanes);
  }
};

/// The condition code, one bit per lane: `.CC` writes it, `.X` reads it, and branches test it.
struct ConditionCode {
  LaneMask zero = 0;
  LaneMask sign = 0;
  LaneMask carry = 0;
  LaneMask overflow = 0;
  LaneMask second_carry = 0;  ///< second carry of a three-operand sum, whose carry may be 2
};

/// The local memory of all 32 lanes, in pages that are made at the first access.
class LocalMemory {
 public:
  explicit LocalMemory(uint32_t bytes_per_lane) : bytes_per_lane_(bytes_per_lane) {}
  /// The page that holds `offset` of this lane, and the offset in it; nullptr beyond the end.
  /// An access is aligned to its size, so it never spans two pages.
  Storage* find(unsigned lane, uint64_t offset, size_t size, uint64_t* in_page);
  uint32_t bytes_per_lane() const { return bytes_per_lane_; }

 private:
  uint32_t bytes_per_lane_;
  std::vector<std::unique_ptr<Storage>> pages_;  ///< by page of the offset, then lane
};

/// Where a warp is resident: %smid and %warpid.
struct WarpPlace {
  uint32_t sm = 0;
  uint32_t slot = 0;  ///< warp slot of the SM
};

/// A barrier in shared memory whose phase lanes of a warp wait for (SYNCS.PHASECHK.TRYWAIT).
struct PhaseWait {
  LaneMask lanes = 0;   ///< 0: no lane waits
  uint32_t offset = 0;  ///< offset in the block's shared memory
  bool parity = false;  ///< parity of the phase
  uint8_t predicate = kPT;
  uint32_t passes = 0;  ///< steps that the warp still takes before it needs the predicate
};

/// Parameters of a new warp.
struct WarpShape {
  unsigned registers = 0;  ///< registers of a lane
  unsigned uniform = 0;    ///< uniform registers; sm_75 and later
  LaneMask lanes = kAllLanes;
  uint32_t local_bytes = 0;  ///< local memory of a thread
};

/// Architectural state of a warp. A uniform register is kept as a row of equal lanes, a uniform
/// predicate as a mask of all lanes or none, so that code for registers also works on uniform
/// registers.
class Warp {
 public:
  enum class State : uint8_t { kReady, kWaiting, kDone };

  explicit Warp(const WarpShape& shape);

  const uint32_t* row(unsigned index) const {
    return index == kRZ ? kZeros.data() : registers_[index].data();
  }
  const uint32_t* uniform_row(unsigned index) const {
    return index == kRZ ? kZeros.data() : uniform_[index].data();
  }
  uint32_t uniform(unsigned index) const { return uniform_row(index)[0]; }
  void write_uniform(unsigned index, uint32_t value) {
    if (index != kRZ) uniform_[index].fill(value);
  }
  LaneValues& writable(unsigned index) { return registers_[index]; }
  void write(unsigned index, LaneMask lanes, const LaneValues& values) {
    if (index == kRZ) return;
    if (lanes == kAllLanes)
      registers_[index] = values;
    else
      write_some(index, lanes, values);
  }

  /// Predicate `index`, 7 = PT, negated if `negate`.
  LaneMask predicate(unsigned index, bool negate = false) const {
    return negate ? ~predicates_[index] : predicates_[index];
  }
  void write_predicate(unsigned index, LaneMask lanes, LaneMask values) {
    if (index == kPT) return;
    predicates_[index] = (predicates_[index] & ~lanes) | (values & lanes);
  }
  /// Uniform predicate `index`, 7 = UPT: all lanes or none.
  LaneMask uniform_predicate(unsigned index, bool negate = false) const {
    return negate ? ~uniform_predicates_[index] : uniform_predicates_[index];
  }
  void write_uniform_predicate(unsigned index, bool value) {
    if (index != kPT) uniform_predicates_[index] = value ? kAllLanes : 0;
  }

  const std::vector<LaneValues>& registers() const { return registers_; }
  const std::array<LaneMask, 8>& predicates() const { return predicates_; }

  /// True once any value is marked; before that, marks are not checked.
  bool marked = false;
  std::vector<Marks> register_marks;
  std::array<Marks, 8> predicate_marks{};
  Marks cc_marks;

  ConditionCode cc;
  Divergence divergence;    ///< SPA 5.0
  Convergence convergence;  ///< sm_70 and later
  LocalMemory local;
  State state = State::kReady;
  uint8_t barrier = 0;          ///< number of the barrier that the warp waits for, when kWaiting
  uint32_t behind_barrier = 0;  ///< instruction after its BAR
  bool runs_ahead = false;      ///< beyond the barrier, with steps that no other warp can observe
  uint32_t barrier_result = 0;  ///< result of the last BAR.RED
  bool gives_way = false;       ///< waits for other warps: its turn ends
  uint64_t steps = 0;
  uint32_t cluster_arrivals = 0;  ///< arrivals at the cluster's barrier so far
  PhaseWait phase_wait;
  WarpPlace place;
  std::array<LaneValues, 2> return_address{};  ///< Rpc.LO and Rpc.HI, of sm_90 and later

 private:
  void write_some(unsigned index, LaneMask lanes, const LaneValues& values);

  static const LaneValues kZeros;
  std::vector<LaneValues> registers_;
  std::vector<LaneValues> uniform_;
  std::array<LaneMask, 8> predicates_{};
  std::array<LaneMask, 8> uniform_predicates_{};
};

/// Lanes for which a 5-bit CC test (isa/codec/modifiers.inc, cct) holds; 15 holds always, 0 never.
LaneMask condition_holds(uint8_t test, const ConditionCode& cc);

}  // namespace shflsim::isa
