// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "model/core/cycle.h"
#include "model/core/facts.h"
#include "model/core/slot_mask.h"
#include "model/core/warp_state.h"

namespace shflsim::model {

struct DependenceParams {
  uint32_t barrier_delay = 0;
  uint32_t math_latency = 0;
  uint32_t shared_latency = 0;
  uint32_t global_latency = 0;
  uint32_t predicate_latency = 0;
  uint32_t double_latency = 0;

  void list(ParameterList& out) {
    out.number("dependence.barrier_delay", &barrier_delay, 0, 8, "cycles",
               "from an issue until its scoreboard is seen as set");
    out.number("math.latency", &math_latency, 1, 64, "cycles",
               "issue of a fixed-latency instruction to its register's use by another");
    out.number("math.shared_latency", &shared_latency, 1, 64, "cycles",
               "the same, to its use by SHFL, shared memory and double precision (scoreboard)");
    out.number("math.global_latency", &global_latency, 1, 64, "cycles",
               "the same, to its use by global memory and special functions (scoreboard)");
    out.number("math.predicate_latency", &predicate_latency, 1, 64, "cycles",
               "issue of a fixed-latency instruction to its predicate's use");
    out.number("math.double_latency", &double_latency, 1, 256, "cycles",
               "issue of a double-precision instruction to its result's use");
  }
};

/// Which of an instruction's events a Dependence has to hear of: worked out once for each.
struct DependenceNeeds {
  bool asks = true;     ///< blocker() may name something
  bool issue = true;    ///< issued()
  bool results = true;  ///< sources_read() and result_ready()
};

/// Decides when a warp's next instruction may issue as far as earlier results are concerned. One a
/// sub-partition; warps are its slots, 0..15.
class Dependence {
 public:
  virtual ~Dependence() = default;
  virtual DependenceNeeds needs(const Facts& facts) const = 0;
  /// What the warp waits for before it may issue `facts`; kSelected where nothing is in the way.
  /// The answer for a warp stays until advance() names its slot or the warp issues.
  virtual WarpState blocker(unsigned slot, const Facts& facts, Cycle now) = 0;
  virtual void issued(unsigned slot, const Facts& facts, Cycle now) = 0;
  /// The sources of an instruction behind the MIO queue are read at `cycle`; its result is there.
  virtual void sources_read(unsigned slot, const Facts& facts, Cycle cycle) = 0;
  virtual void result_ready(unsigned slot, const Facts& facts, Cycle cycle) = 0;
  /// A new warp takes the slot.
  virtual void reset(unsigned slot) = 0;

  /// Brings the state to `now`; the slots whose blocker may be another than before.
  SlotMask advance(Cycle now) {
    if (next_change_ <= now) apply_until(now);
    return std::exchange(touched_, 0);
  }
  /// First cycle in which advance() has something to do or to tell; the greatest Cycle if none is
  /// known.
  Cycle due() const { return touched_ != 0 ? 0 : next_change_; }

 protected:
  virtual void apply_until(Cycle now) = 0;

  Cycle next_change_ = kNever;
  SlotMask touched_ = 0;
};

/// The compiler's control bits: counters SB0..SB5 and wait masks (maxwell_isa.md 2).
std::unique_ptr<Dependence> make_control_bits(const DependenceParams& params, unsigned slots);
/// A register scoreboard, for code without control bits: an instruction waits until no earlier one
/// has to write a register it uses or to read a register it writes.
std::unique_ptr<Dependence> make_scoreboard(const DependenceParams& params, unsigned slots);

}  // namespace shflsim::model
