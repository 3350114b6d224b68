// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/core/facts.h"
#include "model/core/slot_mask.h"
#include "model/dependence/dependence.h"
#include "model/fetch/fetch.h"
#include "model/math/math_pipes.h"
#include "model/mio/mio.h"
#include "model/register_file/register_file.h"
#include "model/register_file/write_port.h"
#include "model/run_result.h"
#include "model/scheduler/scheduling_policy.h"
#include "model/sub_partition/issue_record.h"
#include "traces/warp_reader.h"

namespace shflsim::model {

struct FrontEndParams {
  std::string policy;
  uint32_t dual_issue = 0;
  PolicyParams scheduler;
  uint32_t barrier_deferred = 0;
  uint32_t barrier_arrival = 0;
  uint32_t special_queued = 0;

  void list(ParameterList& out) {
    out.choice("scheduler.policy", &policy, SchedulingPolicies::names(),
               "which of the eligible warps issues");
    out.number("scheduler.pool", &scheduler.pool, 1, 16, "warps",
               "greedy_then_random: warps drawn from; two_level: active warps");
    out.number("scheduler.seed", &scheduler.seed, 0, 4294967295u, "",
               "greedy_then_random: where its sequence starts");
    out.flag("scheduler.dual_issue", &dual_issue,
             "a pair marked for it (code 16) may issue in one cycle");
    out.flag("barrier.deferred", &barrier_deferred,
             "a barrier goes around the MIO queue, and stops its warp only before the next MIO or "
             "branch instruction");
    out.number("barrier.arrival", &barrier_arrival, 0, 64, "cycles",
               "deferred: issue to the warp's arrival");
    out.flag("special_function.queued", &special_queued,
             "special functions wait in the MIO queue; else they issue once the unit is free");
  }
};

/// What a sub-partition tells the SM: warps that arrive at a barrier or leave.
class WarpEvents : public virtual sc_core::sc_interface {
 public:
  virtual void arrived_at_barrier(unsigned sub_partition, unsigned slot, Cycle now) = 0;
  virtual void exited(unsigned sub_partition, unsigned slot, Cycle now) = 0;
  virtual void finished(unsigned sub_partition, unsigned slot, Cycle now) = 0;
};

/// A quarter of an SM: warp slots, instruction buffers, the warp scheduler with its dispatch, the
/// register file, the math pipes and the queue to the shared units.
///
///   fetch -> instruction buffer -> scheduler -> dispatch -> register file -> math pipes
///                 dependence ------^                              \-> MIO queue -> shared units
class SubPartition : public sc_core::sc_module, public MioReturn {
 public:
  struct Params {
    FetchParams fetch;
    FrontEndParams front_end;
    DependenceParams dependence;
    RegisterFileParams register_file;
    MathParams math;
    MioParams mio;
    uint32_t shared_banks = 0;  ///< of shared memory
    CodeLayout layout;          ///< of the kernel's code
  };

  SubPartition(const sc_core::sc_module_name& name, unsigned number, const Params& params,
               unsigned slots, const isa::Code& code, const std::vector<Facts>& facts,
               RunResult& result);

  sc_core::sc_port<WarpEvents> events;
  sc_core::sc_export<MioReturn> back;
  sc_core::sc_port<MioUnit> special_function;  ///< used where it is not behind the queue
  MioQueue& mio_queue() { return mio_queue_; }
  Fetch& fetch() { return fetch_; }
  const MathPipes& math() const { return math_; }
  const RegisterFile& register_file() const { return register_file_; }

  /// Slots without a warp.
  SlotMask free_slots() const { return all_slots_ & ~resident_; }
  /// `start`: cycles from `now` until it may issue. `stats` has its block and number.
  void start_warp(unsigned slot, traces::WarpReader steps, uint64_t start, WarpStats& stats,
                  Cycle now);
  /// Behind the evaluation of `now`.
  void leave_barrier(unsigned slot, Cycle release, Cycle now);

  /// First cycle in which anything can change; a cycle before it may be left out.
  Cycle due() const { return due_; }
  /// One cycle: brings results in, works out what each warp waits for, issues. True where anything
  /// was issued or a warp left.
  bool evaluate(Cycle now) {
    const bool progress = run(now);
    due_ = next_change(now);
    return progress;
  }
  /// Adds to the result what need not be counted: the latency of math instructions.
  void collect();
  /// One line for each resident warp: what it waits for. For the report of a deadlock.
  std::string describe() const;

  // MioReturn
  void sources_read(const MioRequest& request, Cycle cycle) override;
  void completed(const MioRequest& request, const MioCompletion& completion) override;
  void left_queue() override;

 private:
  void finish(const MioRequest& request, const MioCompletion& completion);
  /// What is rarely looked at of a warp; the rest is in the arrays and masks below.
  struct Warp {
    std::optional<traces::WarpReader> steps;  ///< on the step to issue
    WarpStats* stats = nullptr;
    Cycle started = 0;
    Cycle barrier_release = 0;  ///< deferred barrier: MIO and branch instructions wait until then
    uint32_t in_flight = 0;     ///< instructions in the MIO queue
    Cycle drained = 0;          ///< last result of what left the queue
  };

  std::vector<IssueRecord> make_records() const;

  // The cycle.
  bool run(Cycle now);
  bool retire_drained(Cycle now);
  void look_at_woken(Cycle now);
  SlotMask wake(Cycle now);
  void look_at(unsigned slot, Cycle now);
  void begin(unsigned slot, Cycle now);
  WarpState blocker(unsigned slot, Cycle now);
  SlotMask throttle(Cycle now);
  bool is_open(Way way, Cycle now) const;
  SlotMask behind_their_banks(SlotMask slots, Cycle now) const;

  // Sets and states.
  void stand_before(unsigned slot, uint32_t index);
  void sleep(unsigned slot);
  void leave_sets(SlotMask slots);
  void add_candidate(unsigned slot);
  void remove_candidate(unsigned slot);
  void enter_all(SlotMask slots, WarpState state, Cycle now);
  void enter(unsigned slot, WarpState state, Cycle now);
  void charge(unsigned slot, Cycle now);
  void move(unsigned slot, WarpState state);

  // Issue.
  unsigned choose(SlotMask eligible, Cycle now);
  void issue(unsigned slot, Cycle now);
  bool takes_second(unsigned slot, Cycle now);
  bool has_way(unsigned slot, Cycle now) const;
  void dispatch(unsigned slot, Cycle now);
  void start_math(unsigned slot, Cycle now);
  void start_nothing(unsigned slot, Cycle now);
  void send_to_mio(unsigned slot, Way way, Cycle now);
  void go_on(unsigned slot, const IssueRecord& record, Cycle now);
  void await_code(unsigned slot, Cycle there);
  void arrive_at_barrier(unsigned slot, Cycle now);
  void exit(unsigned slot, Cycle now);
  void settle(unsigned slot, Cycle now);
  void freeze(Cycle now, Cycle cycles);
  static void record_latency(InstructionStats& stats, Cycle latency);

  Cycle next_change(Cycle now) const {
    if ((next_up_ | look_) != 0) return now + 1;
    const Cycle news = std::min(dependence_->due(), write_port_.due());
    const Cycle next = std::max(std::min(news, next_ready_), now + 1);
    return (free_to_go_ | held_ | exited_) == 0 ? next : std::min(next, next_of_awake(now));
  }
  Cycle next_of_awake(Cycle now) const;
  Cycle next_of_throttled(Cycle now) const;
  bool is_in(SlotMask slots, unsigned slot) const { return (slots >> slot & 1u) != 0; }
  SlotMask& in_state(WarpState state) { return in_state_[static_cast<size_t>(state)]; }
  SlotMask in_state(WarpState state) const { return in_state_[static_cast<size_t>(state)]; }

  const unsigned number_;
  const uint32_t fetch_latency_;
  const uint32_t branch_latency_;
  const FrontEndParams front_end_;
  const DependenceParams dependence_params_;
  const isa::Code& code_;
  const std::vector<Facts>& facts_;
  RunResult& result_;
  const SlotMask all_slots_;

  // Each resident warp is in exactly one of these sets.
  SlotMask next_up_ = 0;     ///< has just issued, and may issue again in the next cycle
  SlotMask sleeping_ = 0;    ///< its time to issue lies ahead: ready_
  SlotMask at_barrier_ = 0;  ///< waits for the others of its block
  SlotMask held_ = 0;        ///< behind a deferred barrier: Warp::barrier_release
  SlotMask blocked_ = 0;     ///< waits for a result
  SlotMask exited_ = 0;
  SlotMask free_to_go_ = 0;  ///< nothing of its own in the way: those of candidates_
  std::array<SlotMask, kWays> candidates_{};  ///< by what they need in order to issue
  uint32_t ways_ = 0;                         ///< bit n: candidates_[n] is not empty

  SlotMask resident_ = 0;
  SlotMask look_ = 0;       ///< to be looked at anew in the next cycle
  SlotMask unfetched_ = 0;  ///< their first instruction is not yet asked for
  std::array<SlotMask, kWarpStates> in_state_{};
  Cycle next_ready_;  ///< earliest ready_ of those asleep
  Cycle due_;  ///< first cycle to evaluate; what happens to a warp from outside brings it forward

  // By slot.
  std::array<uint32_t, kMostSlots> index_{};  ///< static index of the next instruction
  std::array<const IssueRecord*, kMostSlots> record_{};
  std::array<InstructionStats*, kMostSlots> stats_{};
  std::array<Cycle, kMostSlots> ready_{};  ///< not to issue before, because of ready_state_
  std::array<WarpState, kMostSlots> ready_state_{};
  std::array<WarpState, kMostSlots> state_{};
  std::array<Cycle, kMostSlots> since_{};  ///< cycle from which state_ is not yet charged
  std::array<Warp, kMostSlots> warps_{};
  std::vector<uint64_t> age_;
  std::vector<uint64_t> last_issue_;  ///< cycle after its last issue, 0: none yet

  IssueCandidates choice_;  ///< `last` and `last_yields` hold between cycles
  std::unique_ptr<SchedulingPolicy> policy_;
  std::unique_ptr<Dependence> dependence_;
  RegisterFile register_file_;
  WritePort write_port_;
  MathPipes math_;
  MioQueue mio_queue_;
  Fetch fetch_;
  const uint32_t shared_banks_;
  const std::vector<IssueRecord> records_;
  Cycle frozen_until_ = 0;  ///< first cycle in which issue goes on
  Cycle frozen_ = 0;        ///< cycles that issue has stood still
  Cycle last_clock_ = 0;    ///< issue clock behind the last issue: cycle less frozen ones
  uint64_t started_ = 0;
};

// Small, and called for each issue.

inline void SubPartition::stand_before(unsigned slot, uint32_t index) {
  index_[slot] = index;
  record_[slot] = &records_[index];
  stats_[slot] = &result_.instructions[index];
}

inline bool SubPartition::is_open(Way way, Cycle now) const {
  if (is_math(way)) return math_.free_from(static_cast<MathUnit>(way), now) <= now;
  switch (way) {
    case Way::kQueue: return mio_queue_.has_room();
    case Way::kGlobalQueue: return mio_queue_.has_room_for_global();
    case Way::kSpecial: return special_function->free_from(number_, now) <= now;
    default: return true;
  }
}

inline unsigned SubPartition::choose(SlotMask eligible, Cycle now) {
  choice_.eligible = eligible;
  choice_.last_adjacent = now - frozen_ == last_clock_;
  return policy_->choose(choice_);
}

inline void SubPartition::sleep(unsigned slot) {
  sleeping_ |= slot_bit(slot);
  next_ready_ = std::min(next_ready_, ready_[slot]);
}

inline void SubPartition::remove_candidate(unsigned slot) {
  const auto way = static_cast<unsigned>(record_[slot]->way);
  free_to_go_ &= ~slot_bit(slot);
  candidates_[way] &= ~slot_bit(slot);
  if (candidates_[way] == 0) ways_ &= ~(1u << way);
}

/// Charges the cycles before `now` to the state that the warp has been in and to the instruction
/// that it has stood before.
inline void SubPartition::charge(unsigned slot, Cycle now) {
  stats_[slot]->states[static_cast<size_t>(state_[slot])] += now - since_[slot];
  since_[slot] = now;
}

inline void SubPartition::move(unsigned slot, WarpState state) {
  in_state(state_[slot]) &= ~slot_bit(slot);
  in_state(state) |= slot_bit(slot);
  state_[slot] = state;
}

}  // namespace shflsim::model
