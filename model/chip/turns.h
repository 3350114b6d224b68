// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/context/fiber.hpp>
#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

#include "model/chip/stack_switch.h"
#include "model/core/cycle.h"
#include "model/sm/sm.h"

namespace shflsim::model {

/// Runs the SMs of a chip one after another, each ahead of the others until it uses what the SMs
/// share. It then waits for its turn: shared parts are used in the order of the cycles, and within
/// a cycle in the order of the SMs' numbers, as if all SMs ran cycle by cycle. An SM may wait in
/// the middle of a cycle, so each has a stack of its own.
class Turns {
 public:
  static constexpr unsigned kMostSms = 1024;

  /// `run(sm)` runs an SM from the cycle in which it is due. The run calls wait().
  Turns(const std::vector<SmProgress>& progress, std::function<void(unsigned sm)> run);
  ~Turns();
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  /// The SM that is the first to run, and the first cycle in which it may use a shared part;
  /// kNever if no SM is due.
  unsigned first() const { return static_cast<unsigned>(keys_[1] & kSmMask); }
  Cycle cycle() const { return keys_[1] >> kSmBits == kMost ? kNever : keys_[1] >> kSmBits; }
  /// The SM, which is not in a run, is due at another cycle.
  void set_due(unsigned sm) { put(sm, progress_[sm].due); }
  /// Lets the first SM run until it waits for its turn or returns. Rethrows the exception that
  /// ended its run once the SM is the first in the cycle of the exception.
  void resume();

  /// Called in the run of an SM: returns when it is the first.
  void wait(unsigned sm, Cycle now) {
    put(sm, now);
    if (first() != sm) pause(sm);
  }

 private:
  static constexpr unsigned kSmBits = 10;
  static constexpr uint64_t kSmMask = kMostSms - 1;
  static constexpr Cycle kMost = ~uint64_t{0} >> kSmBits;
  struct Ended {};  ///< thrown in a run that waits when there are no further turns
  struct Stack {
    boost::context::fiber fiber;
    StackSwitch ways;
    std::exception_ptr failure;
  };

  void put(unsigned sm, Cycle cycle);
  void make_stack(unsigned sm);
  void enter(unsigned sm);
  void leave(unsigned sm);
  void pause(unsigned sm);
  void run_on_stack(unsigned sm);

  const std::vector<SmProgress>& progress_;
  const std::function<void(unsigned sm)> run_;
  const size_t leaves_;         ///< a power of 2
  std::vector<uint64_t> keys_;  ///< (cycle, SM); node i has the smaller key of nodes 2i and 2i + 1
  std::vector<Stack> stacks_;   ///< by SM
  boost::context::fiber chip_;  ///< the caller of resume()
  bool is_over_ = false;
};

}  // namespace shflsim::model
