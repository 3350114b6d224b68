// SPDX-License-Identifier: Apache-2.0
#include "model/chip/chip.h"

#include <algorithm>
#include <cstring>

#include "model/core/interruption.h"

namespace shflsim::model {
namespace {

const sc_core::sc_time kPeriod(1, sc_core::SC_NS);
constexpr Cycle kQuantum = 256;

}  // namespace

Chip::Chip(const sc_core::sc_module_name& name, const SmParams& params, unsigned sms,
           const traces::Trace& trace, RunResult& result, Observer* observer)
    : Module(name),
      trace_(trace),
      table_{facts_of(trace.code, params.control, params.register_file.wide()), {}},
      watchdog_(params.watchdog),
      result_(result),
      observer_(observer),
      memory_("memory", params.global_memory.chip) {
  SC_HAS_PROCESS(Chip);
  result_.sms = sms;
  result_.instructions.assign(trace.code.lines.size(), InstructionStats{});
  result_.warps.assign(trace.warps.size(), WarpStats{});
  const SharedRun run{trace, table_, result, observer};
  for (unsigned i = 0; i < sms; ++i) {
    const std::string sm = "sm" + std::to_string(i);
    sms_.push_back(std::make_unique<Sm>(sm.c_str(), i, params, run));
    sms_.back()->memory.bind(memory_);
  }
  SC_METHOD(cycles);
}

/// Nothing outside the chip sees the time between two kernel wake-ups, so the kernel hears of it
/// only every kQuantum cycles. Its simulation ends when there is none to come.
void Chip::cycles() {
  const Cycle from = now_;
  if (observer_ != nullptr) observer_->reached(now_);
  if (is_cut_short()) return;
  if (run_quantum()) next_trigger(kPeriod * static_cast<double>(now_ - from));
}

/// Whether the run has reached its last cycle with warps left.
bool Chip::is_cut_short() {
  if (now_ >= most_cycles_) {
    cut(most_cycles_, "--max-cycles");
    return true;
  }
  const int signal = interruption.stop;
  if (signal != 0) cut(now_, std::string("SIG") + sigabbrev_np(signal));
  return signal != 0;
}

/// What the warps did before `now` is the result.
void Chip::cut(Cycle now, const std::string& reason) {
  result_.stopped_by = reason;
  result_.cycles = now;
  for (const auto& sm : sms_) sm->stop(now);
}

/// False where the run has ended.
bool Chip::run_quantum() {
  const Cycle until = std::min(now_ + kQuantum, most_cycles_);
  try {
    while (now_ < until) {
      if (!advance(std::min(until, next_sample()))) return false;
      sample();
    }
  } catch (...) {
    failure_ = std::current_exception();
    return false;
  }
  return true;
}

/// Tells an observer that asks what the units have done up to now. Nothing has changed in the
/// cycles between the last one that was run and this.
void Chip::sample() {
  for (Cycle end = next_sample(); end <= std::min(now_, most_cycles_); end = next_sample()) {
    std::vector<UnitStats> units;
    for (const auto& sm : sms_) sm->add_units(end, &units);
    observer_->sampled(end, units);
  }
}

/// Runs the SMs that are due, then goes on to the next cycle in which anything can change; false
/// where there is none.
bool Chip::advance(Cycle until) {
  if (has_blocks()) hand_out_blocks();
  run_sms(until);
  const Cycle next = next_change();
  if (next == kNever && is_empty()) return false;
  if (next == kNever || is_idle()) {
    give_up();
    return false;
  }
  now_ = next;
  return true;
}

/// Something changes all the time, and nothing moves.
bool Chip::is_idle() const {
  return std::any_of(sms_.begin(), sms_.end(),
                     [this](const auto& sm) { return sm->idle_cycles() > watchdog_; });
}

/// All warps stay where they are for good.
void Chip::give_up() {
  is_stuck_ = true;
  for (const auto& sm : sms_) sm->stop(now_ + watchdog_ + 1);
}

/// Cycle by cycle, in each the SMs in the order of their numbers: that is who comes first to the
/// memory of the chip. An SM that shares it with none, and waits for no block, runs ahead.
void Chip::run_sms(Cycle until) {
  if (sms_.size() > 1 || has_blocks()) until = now_ + 1;
  for (const auto& sm : sms_) {
    if (sm->due() <= now_) sm->run(now_, until);
  }
}

void Chip::hand_out_blocks() {
  bool any = true;
  while (any) {
    any = false;
    for (const auto& sm : sms_) {
      if (!has_blocks() || sm->room_from(now_) > now_) continue;
      next_warp_ = sm->launch(next_warp_, now_);
      any = true;
    }
  }
}

bool Chip::is_empty() const {
  return std::all_of(sms_.begin(), sms_.end(), [](const auto& sm) { return sm->is_empty(); });
}

/// First cycle behind this one in which a warp can change or a block start.
Cycle Chip::next_change() const {
  Cycle next = kNever;
  for (const auto& sm : sms_) {
    next = std::min(next, sm->due());
    if (has_blocks()) next = std::min(next, sm->room_from(now_ + 1));
  }
  return next;
}

void Chip::collect() {
  for (const auto& sm : sms_) result_.cycles = std::max(result_.cycles, sm->last_cycle());
  for (const auto& sm : sms_) sm->collect();
  for (const InstructionStats& instruction : result_.instructions) {
    result_.warp_instructions += instruction.issued;
    for (size_t s = 0; s < kWarpStates; ++s) result_.states[s] += instruction.states[s];
  }
}

}  // namespace shflsim::model
