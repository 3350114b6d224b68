// SPDX-License-Identifier: Apache-2.0
#include "model/chip/chip.h"

#include <algorithm>
#include <cstring>

#include "model/core/interruption.h"
#include "traces/live_launch.h"

namespace shflsim::model {
namespace {

const sc_core::sc_time kPeriod(1, sc_core::SC_NS);
constexpr Cycle kQuantum = 256;
/// With turns: SMs that run ahead for long keep their state in the caches of the host (with 256
/// cycles, 132 SMs take 1.38 times the processor time of 8 for the same work; with 4096, 1.08).
constexpr Cycle kLongQuantum = 4096;

Cycle next_sample(const Observer* observer) {
  return observer == nullptr ? kNever : observer->next_sample();
}

/// Puts the L2 into the state after copies to the launch's buffers.
void restore_buffers(const traces::Trace& trace, ChipMemory* memory) {
  for (const traces::BufferPlace& buffer : traces::buffers_of(trace))
    memory->restore(buffer.address, buffer.bytes);
}

}  // namespace

Chip::Chip(const sc_core::sc_module_name& name, const SmParams& params, const ChipRun& how,
           const traces::Trace& trace, RunResult& result)
    : Module(name),
      trace_(trace),
      table_{facts_of(trace.code, params.control, params.register_file.wide()), {}},
      watchdog_(params.watchdog),
      result_(result),
      observer_(how.observer),
      most_cycles_(how.most_cycles),
      memory_("memory", params.global_memory.chip, params.blocks.gpcs,
              params.global_memory.dram_later()),
      progress_(how.sms),
      clocks_(how.sms),
      rooms_(how.sms),
      runs_(sms_, progress_, distributor_),
      distributor_(trace, params.blocks, sms_, clocks_, rooms_) {
  SC_HAS_PROCESS(Chip);
  result_.sms = how.sms;
  result_.instructions.assign(trace.code.lines.size(), InstructionStats{});
  result_.warps.assign(trace.warps.size(), WarpStats{});
  const unsigned threads = threads_for(how.threads);
  if (may_take_turns()) turns_ = std::make_unique<Turns>(progress_, clocks_, runs_, threads);
  add_sms(params, threads == 1);
  if (params.global_memory.chip.l2_restored != 0) restore_buffers(trace, &memory_);
  SC_METHOD(cycles);
}

/// `share_counts`: the SMs add to the result; else they count apart.
void Chip::add_sms(const SmParams& params, bool share_counts) {
  shares_.resize(share_counts ? 1 : result_.sms);
  for (unsigned i = 0; i < result_.sms; ++i) {
    const uint32_t number = share_counts ? 0 : i;
    Share& share = shares_[number];
    if (!share_counts) share.instructions.resize(result_.instructions.size());
    const SharedRun run{trace_,         table_,
                        result_,        share_counts ? result_.instructions : share.instructions,
                        number,         observer_,
                        progress_,      clocks_,
                        rooms_,         &share.is_ending_copy,
                        share.outcomes, &ways_};
    const std::string sm = "sm" + std::to_string(i);
    sms_.push_back(std::make_unique<Sm>(sm.c_str(), i, params, run));
    connect(i);
  }
}

/// False for clusters, whose SMs release each other's warps, and for an observer that sees the
/// cycles in order.
bool Chip::may_take_turns() const {
  const bool is_followed = observer_ != nullptr && observer_->follows_instructions();
  return result_.sms > 1 && result_.sms <= Turns::kMostSms && !is_followed &&
         trace_.by_cluster.empty();
}

unsigned Chip::threads_for(unsigned most) const {
  const bool is_parallel = trace_.source == nullptr || trace_.source->is_parallel();
  return may_take_turns() && is_parallel ? std::max(1u, std::min(most, result_.sms)) : 1;
}

void Chip::connect(unsigned sm) {
  if (turns_ == nullptr) return sms_[sm]->memory.bind(memory_);
  ports_.push_back(std::make_unique<TurnPort>(sm, *turns_, memory_));
  sms_[sm]->memory.bind(*ports_.back());
}

/// Nothing outside the chip sees the time between two kernel wake-ups, so the kernel is told of it
/// only every quantum. The simulation ends when no wake-up is left.
void Chip::cycles() {
  const Cycle from = now_;
  if (observer_ != nullptr) observer_->reached(now_);
  if (is_cut_short()) return;
  if (run_quantum()) next_trigger(kPeriod * static_cast<double>(now_ - from));
}

/// Ends the run if it has reached its last cycle or was interrupted, with warps left; true if so.
bool Chip::is_cut_short() {
  if (now_ >= most_cycles_) {
    cut(most_cycles_, "--max-cycles");
    return true;
  }
  const int signal = interruption.stop;
  if (signal != 0) cut(now_, std::string("SIG") + sigabbrev_np(signal));
  return signal != 0;
}

/// Ends the run early: the result is what the warps did before `now`.
void Chip::cut(Cycle now, const std::string& reason) {
  result_.stopped_by = reason;
  result_.cycles = now;
  for (const auto& sm : sms_) sm->stop(now);
}

/// False if the run has ended.
bool Chip::run_quantum() {
  const Cycle quantum = turns_ == nullptr ? kQuantum : kLongQuantum;
  const Cycle until = std::min(now_ + quantum, most_cycles_);
  try {
    if (trace_.source != nullptr) trace_.source->fail_if_endless();
    if (turns_ != nullptr) return take_turns(until);
    while (now_ < until) {
      if (!advance(std::min(until, next_sample(observer_)))) return false;
      sample();
    }
  } catch (...) {
    failure_ = std::current_exception();
    return false;
  }
  return true;
}

/// Reports the work of the units up to now if the observer asks for it. Nothing has changed between
/// the last cycle that was run and this one.
void Chip::sample() {
  for (Cycle end = next_sample(observer_); end <= std::min(now_, most_cycles_);
       end = next_sample(observer_)) {
    std::vector<UnitStats> units;
    for (const auto& sm : sms_) sm->add_units(end, &units);
    observer_->sampled(end, units);
  }
}

/// Runs the SMs that are due, then advances to the next cycle in which anything can change; false
/// if there is none.
bool Chip::advance(Cycle until) {
  distributor_.start_blocks(now_);
  run_sms(until);
  const Cycle next = next_change();
  if (next == kNever && is_empty()) return false;
  if (next == kNever || is_idle_) {
    give_up();
    return false;
  }
  now_ = next;
  return true;
}

/// Ends the run: the warps can make no further progress.
void Chip::give_up() {
  is_stuck_ = true;
  for (const auto& sm : sms_) sm->stop(now_ + watchdog_ + 1);
}

/// Runs cycle by cycle, and in each cycle the SMs in the order of their numbers, which is the order
/// of their requests to the chip's memory. A lone SM that waits for no block runs ahead.
void Chip::run_sms(Cycle until) {
  if (sms_.size() > 1 || distributor_.has_blocks()) until = now_ + 1;
  for (size_t sm = 0; sm < sms_.size(); ++sm) {
    if (progress_[sm].due > now_) continue;
    sms_[sm]->run(now_, until);
    is_idle_ |= progress_[sm].idle_cycles > watchdog_;
  }
}

/// Runs the SMs up to a cycle, each ahead of the others where it can; false if nothing can change
/// any more.
bool Chip::take_turns(Cycle until) {
  turns_->run_until(until);
  const Cycle next = turns_->next();
  if (next == kNever && is_empty()) return false;
  for (const SmProgress& each : progress_) is_idle_ |= each.idle_cycles > watchdog_;
  now_ = next;
  if (next != kNever && !is_idle_) return true;
  now_ = last_cycle();
  give_up();
  return false;
}

/// The last cycle that an SM has run.
Cycle Chip::last_cycle() const {
  Cycle last = 0;
  for (const SmClock& clock : clocks_) last = std::max(last, clock.now.load());
  return last;
}

bool Chip::is_empty() const {
  return std::all_of(sms_.begin(), sms_.end(),
                     [](const auto& sm) { return sm->blocks().is_empty(); });
}

/// First cycle after this one in which a warp can change or a block can start.
Cycle Chip::next_change() const {
  Cycle next = kNever;
  for (const SmProgress& progress : progress_) next = std::min(next, progress.due);
  return std::min(next, distributor_.next_start(now_ + 1));
}

void Chip::collect() {
  if (result_.stopped_by.empty()) result_.cycles = last_cycle();
  InstructionCounts<RegisterCounts> registers;
  for (const auto& sm : sms_) sm->add_to(&registers);
  registers.add_to(trace_.code, &result_.counts);
  for (const auto& sm : sms_) sm->collect();
  add_counts();
  for (const InstructionStats& instruction : result_.instructions) {
    result_.warp_instructions += instruction.issued;
    for (size_t s = 0; s < kWarpStates; ++s) result_.states[s] += instruction.states[s];
  }
}

/// Adds what SMs have counted apart.
void Chip::add_counts() {
  for (const Share& share : shares_)
    for (size_t i = 0; i < share.instructions.size(); ++i)
      result_.instructions[i].add(share.instructions[i]);
}

}  // namespace shflsim::model
