// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "model/chip/sm_runs.h"
#include "model/chip/turn_port.h"
#include "model/chip/work_distributor.h"
#include "model/sm/sm.h"

namespace shflsim::model {

/// How a chip runs a trace.
struct ChipRun {
  unsigned sms = 1;
  Observer* observer = nullptr;
  Cycle most_cycles = kNever;  ///< the run is cut short after so many
  unsigned threads = 1;        ///< most threads that run SMs that take turns
};

/// The SMs of one chip. They share only the memory of the chip and the blocks of the grid
/// (WorkDistributor). The SMs take turns at what they share (Turns), in one or more threads, or run
/// cycle by cycle if the blocks form clusters or an observer follows the instructions.
///
///   blocks of the grid -> SM[0..n-1] -> memory of the chip
class Chip : public Module, private traces::RunEvents {
 public:
  Chip(const sc_core::sc_module_name& name, const SmParams& params, const ChipRun& how,
       const traces::Trace& trace, RunResult& result);

  const char* kind() const override { return "Chip"; }
  const char* hardware() const override { return "SMs of a chip, and who gets which block"; }
  const char* section() const override { return ""; }

  /// False if not even one block has room on an SM.
  bool fits() const { return sms_.front()->blocks().fits(); }
  /// Receives the events of a launch that is executed while it is timed.
  traces::RunEvents& events() { return *this; }
  /// Fills in results that are known only at the end: units, totals.
  void collect();
  /// True if the run stopped because nothing moved.
  bool is_stuck() const { return is_stuck_; }
  /// Throws the exception that ended the run early, for example at a trace that cannot be read. The
  /// SystemC kernel would turn an exception of a process into an error of its own.
  void rethrow_failure() const {
    if (failure_ != nullptr) std::rethrow_exception(failure_);
  }

 private:
  bool may_take_turns() const;
  unsigned threads_for(unsigned most) const;
  void add_sms(const SmParams& params, bool share_counts);
  void connect(unsigned sm);
  void cycles();
  bool run_quantum();
  bool advance(Cycle until);
  bool take_turns(Cycle until);
  void sample();
  void run_sms(Cycle until);
  Cycle next_change() const;
  // RunEvents
  void copy_began(size_t warp, const isa::BulkCopy& copy, uint64_t now) override {
    sms_[result_.warps[warp].sm]->copy_began(warp, copy, now);
  }
  void released(size_t warp, uint64_t now) override {
    sms_[result_.warps[warp].sm]->released(warp, now);
  }
  void will_reach_others(size_t warp, uint64_t now) override {
    if (turns_ != nullptr) turns_->wait(result_.warps[warp].sm, now);
  }
  Cycle last_cycle() const;
  void add_counts();
  void give_up();
  bool is_cut_short();
  void cut(Cycle now, const std::string& reason);
  bool is_empty() const;

  const traces::Trace& trace_;
  ClusterWays ways_;
  IssueTable table_;  ///< issue records of the trace's code, shared by all SMs
  const uint32_t watchdog_;
  RunResult& result_;
  Observer* const observer_;  ///< nullptr: none
  const Cycle most_cycles_;
  ChipMemory memory_;
  /// What SMs that run in one thread share.
  struct Share {
    std::vector<InstructionStats> instructions;
    bool is_ending_copy = false;
    std::shared_ptr<WindowOutcomes> outcomes = std::make_shared<WindowOutcomes>();
  };
  std::vector<Share> shares_;         ///< with several threads by SM, else one
  std::vector<SmProgress> progress_;  ///< by SM
  std::vector<SmClock> clocks_;       ///< by SM
  std::vector<Cycle> rooms_;          ///< by SM: from when on it has room for a block
  std::vector<std::unique_ptr<Sm>> sms_;
  std::vector<std::unique_ptr<TurnPort>> ports_;  ///< by SM, with turns
  SmRuns runs_;
  std::unique_ptr<Turns> turns_;  ///< nullptr: the SMs run cycle by cycle
  WorkDistributor distributor_;
  Cycle now_ = 0;
  bool is_idle_ = false;  ///< an SM has changed nothing for longer than the watchdog allows
  bool is_stuck_ = false;
  std::exception_ptr failure_;
};

}  // namespace shflsim::model
