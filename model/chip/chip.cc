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

Cycle next_sample(const Observer* observer) {
  return observer == nullptr ? kNever : observer->next_sample();
}

/// Puts the L2 into the state after copies to the launch's buffers.
void restore_buffers(const traces::Trace& trace, ChipMemory* memory) {
  for (const traces::BufferPlace& buffer : traces::buffers_of(trace))
    memory->restore(buffer.address, buffer.bytes);
}

size_t gpc_of(size_t sm, size_t gpcs) { return sm / kSmsOfTpc % gpcs; }

}  // namespace

Chip::Chip(const sc_core::sc_module_name& name, const SmParams& params, unsigned sms,
           const traces::Trace& trace, RunResult& result, Observer* observer)
    : Module(name),
      trace_(trace),
      is_clustered_(!trace.by_cluster.empty()),
      table_{facts_of(trace.code, params.control, params.register_file.wide()), {}, {}},
      watchdog_(params.watchdog),
      refill_interval_(params.blocks.refill_interval),
      result_(result),
      observer_(observer),
      memory_("memory", params.global_memory.chip, params.blocks.gpcs,
              params.global_memory.dram_later()),
      progress_(sms),
      rooms_(sms),
      refilled_(params.blocks.gpcs) {
  SC_HAS_PROCESS(Chip);
  result_.sms = sms;
  result_.instructions.assign(trace.code.lines.size(), InstructionStats{});
  result_.warps.assign(trace.warps.size(), WarpStats{});
  const SharedRun run{trace, table_, result, observer, progress_, rooms_, &is_ending_copy_, &ways_};
  if (may_take_turns())
    turns_ = std::make_unique<Turns>(progress_, [this](unsigned sm) { run_in_turn(sm); });
  for (unsigned i = 0; i < sms; ++i) {
    const std::string sm = "sm" + std::to_string(i);
    sms_.push_back(std::make_unique<Sm>(sm.c_str(), i, params, run));
    connect(i);
  }
  if (params.global_memory.chip.l2_restored != 0) restore_buffers(trace, &memory_);
  SC_METHOD(cycles);
}

/// False for clusters, whose SMs release each other's warps, and for an observer that sees the
/// cycles in order.
bool Chip::may_take_turns() const {
  const bool is_followed = observer_ != nullptr && observer_->follows_instructions();
  return result_.sms > 1 && result_.sms <= Turns::kMostSms && !is_followed && !is_clustered_;
}

void Chip::connect(unsigned sm) {
  if (turns_ == nullptr) return sms_[sm]->memory.bind(memory_);
  ports_.push_back(std::make_unique<TurnPort>(sm, *turns_, memory_));
  sms_[sm]->memory.bind(*ports_.back());
}

/// Nothing outside the chip sees the time between two kernel wake-ups, so the kernel is told of it
/// only every kQuantum cycles. The simulation ends when no wake-up is left.
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
  const Cycle until = std::min(now_ + kQuantum, most_cycles_);
  try {
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
  if (has_blocks()) hand_out_blocks();
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
  if (sms_.size() > 1 || has_blocks()) until = now_ + 1;
  for (size_t sm = 0; sm < sms_.size(); ++sm) {
    if (progress_[sm].due > now_) continue;
    sms_[sm]->run(now_, until);
    is_idle_ |= progress_[sm].idle_cycles > watchdog_;
  }
}

/// Runs the SMs up to a cycle, each ahead of the others where it can; false if nothing can change
/// any more.
bool Chip::take_turns(Cycle until) {
  until_ = until;
  while (!is_idle_) {
    const Cycle start = first_start();
    const Cycle next = std::min(start, turns_->cycle());
    if (next == kNever && is_empty()) return false;
    if (next == kNever) break;
    if (next >= until) {
      now_ = next;
      return true;
    }
    if (start <= turns_->cycle()) {
      now_ = start;
      hand_out_blocks();
      handed_out_ = now_ + 1;
      is_start_known_ = false;
    } else {
      turns_->resume();
    }
  }
  now_ = std::max(now_, result_.cycles);
  give_up();
  return false;
}

/// First cycle in which a block may start.
Cycle Chip::first_start() {
  if (!has_blocks()) return kNever;
  if (is_start_known_) return start_;
  is_start_known_ = true;
  start_ = kNever;
  for (size_t sm = 0; sm < sms_.size(); ++sm)
    start_ = std::min(start_, start_from(sm, handed_out_));
  return start_;
}

/// Runs an SM up to the end of the quantum or to the cycle in which it may start a block.
void Chip::run_in_turn(unsigned sm) {
  const Cycle due = progress_[sm].due;
  sms_[sm]->run(due, has_blocks() ? std::min(until_, start_from(sm, due + 1)) : until_);
  is_idle_ |= progress_[sm].idle_cycles > watchdog_;
  is_start_known_ = false;
}

/// Starts blocks that have places, one after another on an SM; then places the next cluster.
void Chip::hand_out_clusters() {
  do {
    for (size_t i = 0; i < placed_.size();) {
      const Placed& each = placed_[i];
      if (sms_[each.sm]->blocks().room_from(now_) > now_) {
        ++i;
        continue;
      }
      sms_[each.sm]->launch(size_t{each.block} * trace_.warps_per_block(), now_, each.rank,
                            each.cluster);
      placed_.erase(placed_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  } while (placed_.empty() && place_cluster());
}

/// Places the blocks of the next cluster if there are enough places: on the SMs with the most room,
/// so that clusters spread over the chip (measured: tests/data/h100/hopper, launches.csv, mean of
/// the SMs).
bool Chip::place_cluster() {
  if (next_warp_ == trace_.warps.size()) return false;
  const auto sms = static_cast<uint32_t>(sms_.size());
  const uint32_t most = (trace_.cluster_blocks + sms - 1) / sms;  // most blocks per SM
  std::vector<std::pair<uint32_t, unsigned>> free;                // free places of each SM
  for (unsigned sm = 0; sm < sms; ++sm) free.emplace_back(sms_[sm]->blocks().free_places(now_), sm);
  std::stable_sort(free.begin(), free.end(),
                   [](const auto& one, const auto& other) { return one.first > other.first; });
  std::vector<unsigned> places;
  for (const auto& [count, sm] : free) places.insert(places.end(), std::min(most, count), sm);
  if (places.size() < trace_.cluster_blocks) return false;
  const size_t first = next_warp_ / trace_.warps_per_block();
  for (uint32_t rank = 0; rank < trace_.cluster_blocks; ++rank)
    placed_.push_back(
        {trace_.by_cluster[first + rank], rank, places[rank], static_cast<uint32_t>(first)});
  next_warp_ += size_t{trace_.cluster_blocks} * trace_.warps_per_block();
  return true;
}

/// First cycle after this one in which a block may start or a cluster may be placed.
Cycle Chip::next_start() const {
  Cycle next = kNever;
  for (size_t sm = 0; sm < sms_.size(); ++sm) {
    if (!is_clustered_) next = std::min(next, start_from(sm, now_ + 1));
    if (is_clustered_ && placed_.empty())
      next = std::min(next, sms_[sm]->blocks().next_place(now_));
  }
  for (const Placed& each : placed_)
    next = std::min(next, sms_[each.sm]->blocks().room_from(now_ + 1));
  return next;
}

void Chip::hand_out_blocks() {
  if (is_clustered_) return hand_out_clusters();
  bool any = true;
  while (any) {
    any = false;
    for (size_t i = 0; i < sms_.size(); ++i) {
      const size_t sm = (turn_ + i) % sms_.size();
      if (!has_blocks() || start_from(sm, now_) > now_) continue;
      start_block(sm);
      any = true;
    }
  }
}

void Chip::start_block(size_t sm) {
  if (refill_interval_ != 0 && sms_[sm]->blocks().replaces(now_)) {
    refilled_[gpc_of(sm, refilled_.size())] = now_ + refill_interval_;
    turn_ = sm + 1;
  }
  next_warp_ = sms_[sm]->launch(next_warp_, now_);
  if (turns_ != nullptr) turns_->set_due(static_cast<unsigned>(sm));
}

/// First cycle from `now` on in which the SM may start a block, as far as known.
Cycle Chip::start_from(size_t sm, Cycle now) const {
  const Cycle room = std::max(rooms_[sm], now);
  if (room == kNever || refill_interval_ == 0 || !sms_[sm]->blocks().replaces(room)) return room;
  return std::max(room, refilled_[gpc_of(sm, refilled_.size())]);
}

bool Chip::is_empty() const {
  return std::all_of(sms_.begin(), sms_.end(),
                     [](const auto& sm) { return sm->blocks().is_empty(); });
}

/// First cycle after this one in which a warp can change or a block can start.
Cycle Chip::next_change() const {
  Cycle next = kNever;
  for (const SmProgress& progress : progress_) next = std::min(next, progress.due);
  return has_blocks() ? std::min(next, next_start()) : next;
}

void Chip::collect() {
  table_.register_counts.add_to(trace_.code, &result_.counts);
  for (const auto& sm : sms_) sm->collect();
  for (const InstructionStats& instruction : result_.instructions) {
    result_.warp_instructions += instruction.issued;
    for (size_t s = 0; s < kWarpStates; ++s) result_.states[s] += instruction.states[s];
  }
}

}  // namespace shflsim::model
