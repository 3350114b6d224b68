// SPDX-License-Identifier: Apache-2.0
#pragma once

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

  void list(ParameterList& out) {
    out.number(
        "dependence.barrier_delay", &barrier_delay, 0, 8, "cycles",
        "time from an issue until the scheduler sees the scoreboard that the instruction sets");
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
class Dependence : public Module {
 public:
  const char* section() const override { return "dependence"; }

  virtual DependenceNeeds needs(const Facts& facts) const = 0;
  /// What the warp waits for before it may issue `facts`; kSelected where nothing is in the way.
  /// The answer for a warp stays until update() names its slot or the warp issues.
  virtual WarpState blocker(unsigned slot, const Facts& facts, Cycle now) = 0;
  virtual void issued(unsigned slot, const Facts& facts, Cycle now) = 0;
  /// The sources of an instruction behind the MIO queue are read at `cycle`; its result is there.
  virtual void sources_read(unsigned slot, const Facts& facts, Cycle cycle) = 0;
  virtual void result_ready(unsigned slot, const Facts& facts, Cycle cycle) = 0;
  /// A new warp takes the slot.
  virtual void reset(unsigned slot) = 0;

  /// Brings the scoreboards to `now`. Returns the slots of those warps whose blocker() may answer
  /// otherwise than when it was asked last.
  SlotMask update(Cycle now) {
    if (next_change_ <= now) apply_until(now);
    return std::exchange(touched_, 0);
  }
  /// First cycle in which update() has something to do or to report; the greatest Cycle if none is
  /// known.
  Cycle due() const { return next_change_; }

 protected:
  using Module::Module;
  virtual void apply_until(Cycle now) = 0;
  /// update() has these slots to report.
  void touch(SlotMask slots) {
    if (slots == 0) return;
    touched_ |= slots;
    next_change_ = 0;
  }

  Cycle next_change_ = kNever;
  SlotMask touched_ = 0;
};

/// The compiler's control bits: counters SB0..SB5 and wait masks (docs/sources.md, "Control
/// words").
std::unique_ptr<Dependence> make_control_bits(const char* name, const DependenceParams& params);
/// A register scoreboard, for code without control bits: an instruction waits until no earlier one
/// has to write a register it uses or to read a register it writes.
std::unique_ptr<Dependence> make_scoreboard(const char* name, const MathLatencies& latencies);

}  // namespace shflsim::model
