// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "model/core/cycle.h"
#include "model/core/facts.h"
#include "model/core/module.h"
#include "model/core/slot_mask.h"
#include "model/core/warp_state.h"
#include "model/math/math_latencies.h"

namespace shflsim::model {

struct DependenceParams {
  uint32_t barrier_delay = 0;
  uint32_t behind_result = 0;

  void list(ParameterList& out) {
    out.number(
        "dependence.barrier_delay", &barrier_delay, 0, 8, "cycles",
        "time from an issue until the scheduler sees the scoreboard that the instruction sets");
    out.flag(
        "dependence.behind_result", &behind_result,
        "1: sources whose scoreboard counts a result are released in the cycle after the next");
  }
};

/// Which events of an instruction a Dependence needs; computed once per instruction.
struct DependenceNeeds {
  uint64_t asks = ~uint64_t{0};  ///< bits of pending() without which blocker() returns no state
  bool issue = true;             ///< issued()
  bool results = true;           ///< sources_read() and result_ready()
};

/// Decides when earlier results allow a warp's next instruction to issue. One per sub-partition;
/// warps are identified by slot, 0..15.
class Dependence : public Module {
 public:
  const char* section() const override { return "dependence"; }

  virtual DependenceNeeds needs(const Facts& facts) const = 0;
  /// What the warp waits for before it may issue `facts`; kSelected if nothing. The answer remains
  /// valid until update() returns the warp's slot or the warp issues.
  virtual WarpState blocker(unsigned slot, const Facts& facts, Cycle now) = 0;
  /// What the warp has pending; the meaning of the bits is up to the class.
  uint64_t pending(unsigned slot) const { return pending_[slot]; }
  virtual void issued(unsigned slot, const Facts& facts, Cycle now) = 0;
  /// An instruction behind the MIO queue reads its sources, or has its result, at `cycle`.
  virtual void sources_read(unsigned slot, const Facts& facts, Cycle cycle) = 0;
  virtual void result_ready(unsigned slot, const Facts& facts, Cycle cycle) = 0;
  /// A new warp uses the slot.
  virtual void reset(unsigned slot) = 0;

  /// Advances the scoreboards to `now`. Returns the slots whose blocker() may have changed since
  /// the last call.
  SlotMask update(Cycle now) {
    if (next_change_ <= now) apply_until(now);
    return std::exchange(touched_, 0);
  }
  /// First cycle in which update() has something to do or to report; kNever if none is
  /// known.
  Cycle due() const { return next_change_; }

 protected:
  using Module::Module;
  virtual void apply_until(Cycle now) = 0;
  /// update() will return these slots.
  void touch(SlotMask slots) {
    if (slots == 0) return;
    touched_ |= slots;
    next_change_ = 0;
  }

  Cycle next_change_ = kNever;
  SlotMask touched_ = 0;
  std::array<uint64_t, kMostSlots> pending_{};
};

/// The compiler's control bits: counters SB0..SB5 and wait masks (docs/sources.md, "Control
/// words").
std::unique_ptr<Dependence> make_control_bits(const char* name, const DependenceParams& params);
/// A register scoreboard, for code without control bits: an instruction waits until no earlier
/// instruction still has to write a register that it uses or to read one that it writes.
std::unique_ptr<Dependence> make_scoreboard(const char* name, const MathLatencies& latencies);

}  // namespace shflsim::model
