// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/grid_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/base/input_error.h"
#include "isa/base/work.h"
#include "isa/codec/codec.h"
#include "isa/codec/form.h"
#include "isa/codec/group_shape.h"
#include "isa/machine/bit_activity.h"
#include "isa/machine/cluster.h"
#include "isa/machine/shared_barrier.h"
#include "isa/machine/warp.h"

namespace shflsim::isa {
namespace {

/// Steps until another warp of the block continues. Few, since a warp that polls for other warps
/// executes all of them, and polling is timed.
constexpr unsigned kTurn = 64;

LaneMask guarded(const Warp& warp, const Instruction& instruction) {
  return instruction.guard_is_uniform
             ? warp.uniform_predicate(instruction.guard, instruction.guard_negate)
             : warp.predicate(instruction.guard, instruction.guard_negate);
}

/// Where the warp continues, and with which lanes.
template <class Flow>
std::pair<uint32_t, LaneMask> place_of(const Flow& flow) {
  return {flow.pc(), flow.active()};
}

bool can_go_on(const Warp& warp) { return warp.state == Warp::State::kReady && !warp.gives_way; }

void note_bits(const Prepared& prepared, const Execution& execution, BitActivity* activity) {
  for (unsigned place = 0; place < prepared.observed_count; ++place) {
    const uint32_t* values = execution.warp.row(prepared.observed + place);
    activity->note(execution.index, place, values, execution.lanes);
  }
}

[[noreturn]] void fail_behind_end(const Program& program, const Block& block, uint32_t w) {
  throw InputError(fmt::format("kernel '{}': block {}, warp {}: runs past the last instruction",
                               program.name, block.index, w));
}

uint32_t cluster_blocks(const Grid& grid) { return static_cast<uint32_t>(grid.cluster.count()); }

}  // namespace

Outcome GridRun::run() {
  const uint32_t clusters =
      static_cast<uint32_t>(grid_.launch.grid.count() / cluster_blocks(grid_));
  const uint32_t together = grid_.launch.is_cooperative ? clusters : 1;
  for (uint32_t first = 0; first < clusters; first += together) run_clusters(first, together);
  return outcome();
}

Outcome GridRun::outcome() const {
  Outcome outcome = outcome_;
  outcome.warp_instructions = untimed.warp_instructions;
  outcome.lane_instructions = untimed.lane_instructions;
  return outcome;
}

/// Runs clusters from `first` on at the same time.
void GridRun::run_clusters(uint32_t first, uint32_t count) {
  std::map<uint32_t, Block> blocks;
  for (uint32_t number = first; number < first + count; ++number)
    add_cluster(number, untimed, &blocks);
  run_together(&blocks);
}

void GridRun::run_together(std::map<uint32_t, Block>* blocks) {
  for (bool ran = true; ran;) {
    ran = false;
    for (auto& [index, block] : *blocks) ran = take_turns(block) || ran;
  }
  for (const auto& [index, block] : *blocks) {
    fail_if_stuck(block);
    note_outcome(block);
  }
  blocks->clear();
}

namespace {

bool uses_map(Op op) {
  return op == Op::kSm70_UTMALDG || op == Op::kSm70_UTMASTG || op == Op::kSm70_UTMAREDG ||
         op == Op::kSm70_UTMAPF;
}

/// An asynchronous access to shared memory.
bool is_access(Op op) {
  return facts(op).kind == OpKind::kBulkCopy || is_group_product(op) || op == Op::kSm70_LDGSTS ||
         op == Op::kSm70_STAS || op == Op::kSm70_REDAS;
}

template <class F>
bool any_op(const Grid& grid, F f) {
  const std::vector<Instruction>& code = grid.program.code;
  return std::any_of(code.begin(), code.end(),
                     [f](const Instruction& instruction) { return f(instruction.op); });
}

/// The order of accesses in an untimed launch of clusters or of code with asynchronous ones, for
/// `check`; else nullptr. Before sm_90 barriers in shared memory are plain words.
std::unique_ptr<AccessOrder> followed_order(const Grid& grid, const SmState& sm) {
  constexpr unsigned kFirst = 90;
  if (sm.is_timed() || number_of(grid.program.arch) < kFirst) return nullptr;
  if (cluster_blocks(grid) == 1 && !any_op(grid, is_access)) return nullptr;
  const auto warps = static_cast<uint32_t>((grid.launch.block.count() + kLanes - 1) / kLanes);
  return std::make_unique<AccessOrder>(cluster_blocks(grid), warps, any_op(grid, uses_map));
}

}  // namespace

void GridRun::add_cluster(uint32_t number, SmState& sm, std::map<uint32_t, Block>* blocks) {
  const auto cluster = std::make_shared<Cluster>(cluster_blocks(grid_));
  cluster->order = followed_order(grid_, sm);
  for (uint32_t rank = 0; rank < cluster->size(); ++rank) {
    const uint32_t index = block_of(grid_.launch.grid, grid_.cluster, number, rank);
    Block& block = blocks->try_emplace(index, grid_, index, sm).first->second;
    block.join(cluster, rank);
    set_registers(block);
  }
}

void GridRun::set_registers(Block& block) const {
  const size_t warps = block.warps.size();
  for (const InitialRegister& initial : grid_.launch.registers) {
    for (size_t w = 0; w < warps; ++w) {
      LaneValues values{};
      const size_t first = (block.index * warps + w) * kLanes;
      for (size_t lane = 0; lane < kLanes && first + lane < initial.words.size(); ++lane) {
        values[lane] = initial.words[first + lane];
      }
      block.warps[w].write(initial.index, kAllLanes, values);
    }
  }
}

/// Each warp that is ready takes a turn; returns whether there was one.
bool GridRun::take_turns(Block& block) {
  bool ran = false;
  for (uint32_t w = 0; w < block.warps.size(); ++w) {
    if (block.warps[w].state != Warp::State::kReady) continue;
    take_turn(block, w);
    ran = true;
  }
  return ran;
}

bool GridRun::is_ready(const Block& block) {
  return std::any_of(block.warps.begin(), block.warps.end(),
                     [](const Warp& warp) { return warp.state == Warp::State::kReady; });
}

void GridRun::fail_if_stuck(const Block& block) const {
  const auto waits = [](const Warp& warp) { return warp.state == Warp::State::kWaiting; };
  const auto stuck = std::find_if(block.warps.begin(), block.warps.end(), waits);
  if (stuck != block.warps.end()) fail_at_barrier(block, *stuck);
}

void GridRun::fail_at_barrier(const Block& block, const Warp& stuck) const {
  const auto w = static_cast<uint32_t>(&stuck - block.warps.data());
  if (stuck.convergence.others().held_by_warpsync() != 0) fail_stuck(block, w, stuck.convergence);
  const uint32_t next = std::max(stuck.behind_barrier, 1u);
  const std::string barrier =
      stuck.barrier == Block::kPhase
          ? fmt::format("a phase of the barrier at shared address 0x{:x}, which nothing completes",
                        stuck.phase_wait.offset)
      : stuck.barrier == Block::kClusterBarrier
          ? "the barrier of its cluster, which too few warps reach"
          : fmt::format("barrier {}, which too few warps reach", stuck.barrier);
  fail_at(grid_.program, next - 1,
          fmt::format("block {}, warp {}: waits for {}", block.index, w, barrier),
          LaunchFault::kEndless);
}

/// Reports progress, assuming that the remaining blocks are as long as the finished ones.
void GridRun::tell_progress(const Block& block) const {
  const uint64_t executed = untimed.warp_instructions;
  const uint64_t a_block = block.index == 0 ? 0 : executed / block.index;
  tell_work(executed, a_block * grid_.launch.grid.count(), "warp instructions");
}

void GridRun::take_turn(Block& block, uint32_t w) {
  tell_progress(block);
  Warp& warp = block.warps[w];
  if (block.is_sm70()) {
    take_steps(block, w, warp.convergence);
  } else {
    take_steps(block, w, warp.divergence);
  }
}

template <class Flow>
void GridRun::take_steps(Block& block, uint32_t w, Flow& flow) {
  Warp& warp = block.warps[w];
  warp.gives_way = false;
  for (unsigned i = 0; i < kTurn && can_go_on(warp); ++i) {
    step(block, w, flow);
    if (flow.active() == 0) settle(block, w, flow);
  }
}

/// Called when no lane runs: other lanes run, or wait for the block, or the warp has ended.
template <class Flow>
void GridRun::settle(Block& block, uint32_t w, Flow& flow) {
  Warp& warp = block.warps[w];
  if (flow.done()) {
    warp.state = Warp::State::kDone;
    block.lanes_ended();
  } else if (warp.state == Warp::State::kReady || warp.runs_ahead) {
    resume(block, w, flow);
  }
}

void GridRun::run_ahead(Block& block, uint32_t w, unsigned most) {
  Warp& warp = block.warps[w];
  if (warp.state == Warp::State::kDone) return;
  if (!block.is_sm70()) return take_private_steps(block, w, warp.divergence, most);
  if (warp.state == Warp::State::kWaiting) {
    if (Block::is_held(warp)) most = std::min(most, warp.phase_wait.passes);
    if (most == 0) return;
    warp.runs_ahead = true;
  }
  take_private_steps(block, w, warp.convergence, most);
}

template <class Flow>
void GridRun::take_private_steps(Block& block, uint32_t w, Flow& flow, unsigned most) {
  for (unsigned i = 0; i < most && flow.active() != 0 && is_private(flow.pc()); ++i) {
    step(block, w, flow);
    if (flow.active() == 0) settle(block, w, flow);
  }
}

SteppedLaunch::Next GridRun::next(Block& block, uint32_t w) const {
  const Warp& warp = block.warps[w];
  return block.is_sm70() ? next_of(warp, warp.convergence) : next_of(warp, warp.divergence);
}

template <class Flow>
SteppedLaunch::Next GridRun::next_of(const Warp& warp, const Flow& flow) const {
  SteppedLaunch::Next next;
  next.is_done = warp.state == Warp::State::kDone;
  if (next.is_done) return next;
  const auto [pc, lanes] = place_of(flow);
  const bool may_run_ahead = flow.active() != 0 && pc < code_.size() && code_[pc].is_own;
  next.is_held = Block::is_held(warp);
  const bool passes = next.is_held && warp.phase_wait.passes != 0;
  next.waits = (next.is_held && !passes) || (warp.state == Warp::State::kWaiting && !may_run_ahead);
  next.index = pc;
  next.is_private = is_private(pc);
  next.reaches_others = pc >= code_.size() || code_[pc].reaches_others;
  if (pc < code_.size()) next.lanes = lanes & guarded(warp, grid_.program.code[pc]);
  return next;
}

void GridRun::step_once(Block& block, uint32_t w) {
  Warp& warp = block.warps[w];
  if (block.is_sm70()) {
    step(block, w, warp.convergence);
    if (warp.convergence.active() == 0) settle(block, w, warp.convergence);
  } else {
    step(block, w, warp.divergence);
    if (warp.divergence.active() == 0) settle(block, w, warp.divergence);
  }
}

void GridRun::resume(Block& block, uint32_t w, Convergence& flow) {
  if (!flow.resume()) fail_stuck(block, w, flow);
}

/// The error names the place where some lanes wait, and lists where the others wait.
void GridRun::fail_stuck(const Block& block, uint32_t w, const Convergence& flow) const {
  const LaneGroups& groups = flow.others();
  const LaneGroup& first = *groups.begin();
  const auto at = [](const LaneGroup& group) { return std::max(group.pc, 1u) - 1; };
  std::string what =
      fmt::format("block {}, warp {}: lanes 0x{:08x} wait here", block.index, w, first.lanes);
  for (auto group = groups.begin() + 1; group != groups.end(); ++group) {
    const Instruction& other = grid_.program.code[at(*group)];
    what += fmt::format(", lanes 0x{:08x} at 0x{:04x} ({})", group->lanes, other.address,
                        text_of(other));
  }
  what += ", each for the others; expected one place and one membermask";
  fail_at(grid_.program, at(first), what, LaunchFault::kEndless);
}

[[gnu::always_inline]] inline void GridRun::check_progress(const Block& block, uint32_t w,
                                                           uint32_t index) const {
  if (index >= code_.size()) fail_behind_end(grid_.program, block, w);
  const bool is_endless = untimed.warp_instructions >= grid_.options.step_limit;
  if (is_endless && block.sm == &untimed) fail_as_endless(block, w, index);
}

template <class Flow>
void GridRun::step(Block& block, uint32_t w, Flow& flow) {
  Warp& warp = block.warps[w];
  const uint32_t index = flow.pc();
  check_progress(block, w, index);
  const Prepared& prepared = code_[index];
  const Instruction& instruction = grid_.program.code[index];
  const LaneMask active = flow.active();
  LaneMask lanes = active & guarded(warp, instruction);
  if (prepared.tests_cc) lanes &= condition_holds(instruction[Mod::k_cct], warp.cc);
  flow.go_to(index + 1);
  ++warp.steps;
  Execution execution{instruction, index, w, lanes, warp, block};
  if (prepared.has_members) check_members(execution, active);
  if (warp.phase_wait.passes != 0) --warp.phase_wait.passes;
  if (lanes != 0 || prepared.operation.control) prepared.operation.execute(execution);
  if (prepared.passes != 0 && warp.phase_wait.lanes != 0) warp.phase_wait.passes = prepared.passes;
  SmState& sm = *block.sm;
  BitActivity* activity = sm.activity;
  if (activity != nullptr && prepared.observed_count != 0 && activity->is_due())
    note_bits(prepared, execution, activity);
  if (warp.marked) carry_marks(prepared, footprint_of(index), execution, active);
  sm.observer.on_step({block.index, w, index, execution.lanes, execution.lane_map,
                       execution.addresses, execution.up_clamped, active, execution.asynchronous});
  ++sm.warp_instructions;
  sm.lane_instructions +=
      lanes == kAllLanes ? kLanes : static_cast<uint64_t>(__builtin_popcount(lanes));
}

/// The footprints are made on first use, since most launches have no marks.
const Footprint& GridRun::footprint_of(uint32_t index) {
  std::call_once(footprints_made_, [this] {
    for (const Instruction& each : grid_.program.code) footprints_.push_back(footprint(each));
  });
  return footprints_[index];
}

void GridRun::fail_as_endless(const Block& block, uint32_t w, uint32_t index) const {
  fail_at(grid_.program, index,
          fmt::format("block {}, warp {}: still running after {} instructions of all warps; "
                      "expected an end (--max-instructions)",
                      block.index, w, grid_.options.step_limit),
          LaunchFault::kEndless);
}

/// Reports barriers at which more bytes have come than their phases expected.
void GridRun::report_untold(const Block& block) const {
  for (const auto& [offset, index] : block.told) {
    uint64_t word = 0;
    block.shared.read(offset, &word, sizeof word);
    const int32_t bytes = SharedBarrier(word).bytes;
    if (bytes >= 0) continue;
    block.sm->observer.on_undefined_use(
        {block.index, 0, index, 1, "tells a barrier of bytes that no phase of it expects"});
  }
}

namespace {

void report_registers(const Program& program, const Block& block) {
  const auto warps = static_cast<uint32_t>(block.warps.size());
  for (const RegisterMisuse& each : misused_registers(program, warps, block.register_changes))
    block.sm->observer.on_undefined_use(
        {block.index, each.at.warp, each.at.index, kAllLanes, each.what});
}

}  // namespace

void GridRun::note_outcome(const Block& block) {
  const uint32_t declared = grid_.program.shared_bytes + grid_.launch.shared_bytes;
  report_untold(block);
  report_registers(grid_.program, block);
  block.sm->observer.on_block_end(block.index);
  const std::lock_guard<std::mutex> lock(mutex_);
  outcome_.shared_bytes =
      std::max(outcome_.shared_bytes, declared != 0 ? declared : block.shared_used);
  if (!grid_.options.keep_registers) return;
  for (const Warp& warp : block.warps) {
    outcome_.warps.push_back({warp.registers(), warp.predicates()});
  }
}

}  // namespace shflsim::isa
