// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/context/fiber.hpp>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "model/chip/stack_switch.h"
#include "model/chip/turn_takers.h"
#include "model/core/cycle.h"
#include "model/sm/sm.h"

namespace shflsim::model {

/// Runs the SMs of a chip, each ahead of the others until it uses what the SMs share. It then waits
/// for its turn: shared parts are used in the order of the cycles, and within a cycle in the order
/// of the SMs' numbers, as if all SMs ran cycle by cycle. Blocks start before the uses in their
/// cycle. An SM may wait in the middle of a cycle, so each has a stack of its own. Several threads
/// run SMs that do not wait; the result of an SM does not depend on their number.
class Turns {
 public:
  static constexpr unsigned kMostSms = 1024;

  /// All but `threads` must outlive this object.
  Turns(const std::vector<SmProgress>& progress, std::vector<SmClock>& clocks, TurnTakers& takers,
        unsigned threads);
  ~Turns();
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  /// Runs all SMs to this cycle, and those that wait at its end no further. Rethrows the exception
  /// that ended the run of an SM, after what the others do before it.
  void run_until(Cycle until);
  /// First cycle in which an SM is due or a block may start; kNever for none.
  Cycle next();

  /// Called in the run of an SM: returns when it is the first. `now` is not before its cycle.
  void wait(unsigned sm, Cycle now) {
    if (!may_go(sm, now)) pause(sm, now);
  }

 private:
  static constexpr unsigned kSmBits = 10;
  static constexpr Cycle kMost = ~uint64_t{0} >> kSmBits;
  static constexpr unsigned kNobody = kMostSms;
  struct Ended {};  ///< thrown in a run that waits when there are no further turns
  struct Stack {
    boost::context::fiber fiber;
    boost::context::fiber thread;  ///< that has entered it
    StackSwitch ways;
    Cycle until = 0;
    bool is_waiting = false;  ///< in the middle of a run ...
    Cycle wants = 0;          ///< ... for its turn in this cycle
    std::exception_ptr failure;
  };

  static uint64_t key(unsigned sm, Cycle cycle) {
    return (cycle < kMost ? cycle : kMost) << kSmBits | sm;
  }
  static Cycle cycle_of(uint64_t key) { return key >> kSmBits == kMost ? kNever : key >> kSmBits; }
  static unsigned sm_of(uint64_t key) { return static_cast<unsigned>(key & (kMostSms - 1)); }
  /// Locks if there are several threads.
  std::unique_lock<std::mutex> lock() {
    return threads_ == 1 ? std::unique_lock<std::mutex>() : std::unique_lock<std::mutex>(mutex_);
  }

  bool may_go(unsigned sm, Cycle now);
  void put(unsigned sm, uint64_t key);
  uint64_t least_running(unsigned but) const;
  Cycle start();
  bool start_due_blocks();
  bool may_run(unsigned sm);
  Cycle end_of_run(unsigned sm);
  unsigned choose();
  bool run_one(std::unique_lock<std::mutex>& lock);
  void begin(unsigned sm);
  void end(unsigned sm);
  void help();
  void work(std::unique_lock<std::mutex>& locked, const std::function<bool()>& is_over);
  void make_stack(unsigned sm);
  void enter(unsigned sm);
  void leave(unsigned sm);
  void pause(unsigned sm, Cycle now);
  void run_on_stack(unsigned sm);

  const std::vector<SmProgress>& progress_;
  std::vector<SmClock>& clocks_;
  TurnTakers& takers_;
  const unsigned threads_;
  std::mutex mutex_;
  const size_t leaves_;         ///< a power of 2
  std::vector<uint64_t> keys_;  ///< (cycle, SM) of SMs that do not run; node i has the smaller key
                                ///< of nodes 2i and 2i + 1
  std::vector<Stack> stacks_;   ///< by SM
  std::vector<unsigned> running_;  ///< SMs that threads run
  Cycle until_ = 0;                ///< SMs run to this cycle
  Cycle started_ = 0;              ///< blocks that may start before this cycle have started
  Cycle start_ = 0;                ///< first cycle in which a block may start ...
  bool is_start_known_ = false;    ///< ... if nothing has changed since it was computed
  std::exception_ptr failure_;
  std::vector<std::thread> helpers_;
  bool is_over_ = false;
};

}  // namespace shflsim::model
