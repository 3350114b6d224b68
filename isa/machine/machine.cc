// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/machine.h"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "isa/base/bounded.h"
#include "isa/base/input_error.h"
#include "isa/code/launch_layout.h"
#include "isa/machine/address_space.h"
#include "isa/machine/cluster.h"
#include "isa/machine/grid_run.h"
#include "isa/machine/launch_bank.h"
#include "isa/machine/stepped_launch.h"
#include "isa/machine/transactions.h"

namespace shflsim::isa {
namespace {

std::array<std::vector<uint8_t>, 32> constant_banks(const Program& program, const Launch& launch,
                                                    const LaunchBank& first) {
  std::array<std::vector<uint8_t>, 32> banks;
  for (const auto& [bank, bytes] : program.constants) banks.at(bank) = bytes;
  for (const auto& [bank, bytes] : launch.constants) banks.at(bank) = bytes;
  banks[0] = first.bytes();
  return banks;
}

void check_extents(const Launch& launch, uint64_t step_limit) {
  if (launch.grid.count() == 0 || launch.block.count() == 0) {
    throw InputError("grid and block must be at least 1 in every dimension");
  }
  if (launch.block.count() > kMostThreads) {
    throw InputError(fmt::format("a block of {} threads; expected {} at most", launch.block.count(),
                                 kMostThreads));
  }
  if (launch.warps() > step_limit) {  // each executes one instruction at least
    throw InputError(fmt::format("a grid of {} warps; expected {} at most (--max-instructions)",
                                 launch.warps(), step_limit));
  }
  if (launch.blocks() > 0xFFFFFFFFu) throw InputError("a grid of more than 2^32 blocks");
}

/// The workspace of the grid's barrier in a cooperative launch: two words, the workspace's size and
/// a counter (cooperative_groups/details, CUDA 13.0); the rest is unused.
constexpr size_t kWorkspaceBytes = 64;

uint64_t workspace_of(const Program& program, const Launch& launch, DeviceMemory& memory) {
  if (!launch.is_cooperative) return 0;
  if (launch_layout(program.arch).workspace_low == LaunchLayout::kNowhere)
    throw InputError(
        fmt::format("a cooperative launch of code for {}; expected code for sm_70 or "
                    "later",
                    name_of(program.arch)));
  return memory.allocate(std::vector<uint8_t>(kWorkspaceBytes));
}

}  // namespace

Extent cluster_of(const Program& program, const Launch& launch) {
  const auto text = [](const Extent& extent) {
    return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
  };
  const auto& [x, y, z] = program.cluster;
  const Extent demanded{std::max(x, 1u), std::max(y, 1u), std::max(z, 1u)};
  const bool is_open = demanded.count() == 1;
  const Extent cluster = launch.cluster.count() == 1 ? demanded : launch.cluster;
  if (cluster.count() == 1) return cluster;
  const std::string of =
      fmt::format("kernel '{}' in clusters of {} blocks", program.name, text(cluster));
  if (!launch_layout(program.arch).runs_clusters)
    throw InputError(fmt::format("{}; expected code for sm_90", of));
  if (!is_open && text(cluster) != text(demanded))
    throw InputError(fmt::format("{}; expected {}, as its code demands", of, text(demanded)));
  if (cluster.count() > kMostClusterBlocks)
    throw InputError(fmt::format("{}; expected {} blocks at most", of, kMostClusterBlocks));
  const Extent& grid = launch.grid;
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
    throw InputError(
        fmt::format("{}; expected a grid of whole clusters, not of {} blocks", of, text(grid)));
  return cluster;
}

std::vector<uint32_t> blocks_by_cluster(const Extent& grid, const Extent& cluster) {
  std::vector<uint32_t> blocks;
  if (cluster.count() == 1) return blocks;
  for (uint32_t i = 0; i < grid.count(); ++i) {
    const auto size = static_cast<uint32_t>(cluster.count());
    blocks.push_back(block_of(grid, cluster, i / size, i % size));
  }
  return blocks;
}

std::vector<uint32_t> blocks_by_cluster(const Program& program, const Launch& launch) {
  return blocks_by_cluster(launch.grid, cluster_of(program, launch));
}

void check_shared_memory(const Program& program, const Launch& launch, const Position& where) {
  const LaunchLayout& layout = launch_layout(program.arch);
  const uint64_t bytes = uint64_t{program.shared_bytes} + launch.shared_bytes;
  if (bytes <= layout.most_shared) return;
  throw InputError(
      where,
      fmt::format("kernel '{}' with {} bytes of static and {} of dynamic shared "
                  "memory; expected {} in all at most",
                  program.name, program.shared_bytes, launch.shared_bytes, layout.most_shared));
}

namespace {

/// Throws InputError for blocks that are larger than the code allows, which no launch may have.
void check_block(const Program& program, const Launch& launch) {
  const uint64_t threads = launch.block.count();
  if (program.extras.most_threads == 0 || threads <= program.extras.most_threads) return;
  throw InputError(
      fmt::format("kernel '{}' in blocks of {} threads; expected {} at most, as its "
                  "code says",
                  program.name, threads, program.extras.most_threads));
}

Grid grid_of(const Program& program, const Launch& launch, DeviceMemory& memory,
             const MachineOptions& options) {
  check_extents(launch, options.step_limit);
  check_block(program, launch);
  check_shared_memory(program, launch);
  const Extent cluster = cluster_of(program, launch);
  LaunchBank bank(program, launch, cluster, workspace_of(program, launch, memory));
  if (options.has_unfilled_words) bank.fill_rest();
  auto banks = constant_banks(program, launch, bank);
  const auto first = static_cast<std::ptrdiff_t>(launch_layout(program.arch).parameters);
  Storage arguments(std::vector<uint8_t>(banks[0].begin() + first, banks[0].end()));
  return {program,
          launch,
          options,
          memory,
          std::move(banks),
          std::move(bank),
          registers_of_lane(program, launch),
          uniform_registers_of_warp(program),
          shared_bytes_of_block(program, launch),
          cluster,
          std::move(arguments)};
}

}  // namespace

Outcome execute(const Program& program, const Launch& launch, DeviceMemory& memory,
                StepObserver& observer, const MachineOptions& options) {
  const Grid grid = grid_of(program, launch, memory, options);
  return GridRun(grid, observer).run();
}

struct SteppedLaunch::State {
  State(const Program& program, const Launch& launch, DeviceMemory& memory, StepObserver& observer,
        const MachineOptions& options)
      : grid(grid_of(program, launch, memory, options)),
        run(grid, observer),
        started(launch.blocks()) {}

  const Grid grid;
  GridRun run;
  std::deque<SmState> sms;
  std::mutex mutex;                  ///< of `blocks`, which is changed by starts and ends
  std::map<uint32_t, Block> blocks;  ///< the running blocks, by index in the grid
  std::vector<char> started;         ///< by block: a flag

  /// nullptr if it does not run.
  Block* running(uint32_t index) {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto found = blocks.find(index);
    return found == blocks.end() ? nullptr : &found->second;
  }
};

SteppedLaunch::SteppedLaunch(const Program& program, const Launch& launch, DeviceMemory& memory,
                             StepObserver& observer, const MachineOptions& options)
    : state_(std::make_unique<State>(program, launch, memory, observer, options)) {}

SteppedLaunch::~SteppedLaunch() = default;

SmState& SteppedLaunch::add_sm(const SmState& sm) { return state_->sms.emplace_back(sm); }

bool SteppedLaunch::has_started(uint32_t block) const { return state_->started[block] != 0; }

/// The blocks of a cluster start together, since each may reach the others.
void SteppedLaunch::start(uint32_t block, SmState& sm) {
  if (has_started(block)) return;
  const Grid& grid = state_->grid;
  const uint32_t cluster = cluster_number_of(grid, block);
  for (uint32_t rank = 0; rank < grid.cluster.count(); ++rank)
    state_->started[block_of(grid.launch.grid, grid.cluster, cluster, rank)] = 1;
  const std::lock_guard<std::mutex> lock(state_->mutex);
  state_->run.add_cluster(cluster, sm, &state_->blocks);
}

void SteppedLaunch::end(uint32_t block) {
  Block& ended = *state_->running(block);
  state_->run.note_outcome(ended);
  ended.cluster->put(ended.rank, nullptr);
  const std::lock_guard<std::mutex> lock(state_->mutex);
  state_->blocks.erase(block);
}

Block* SteppedLaunch::running(uint32_t block) const { return state_->running(block); }

/// Blocks that have ended are not notified.
void SteppedLaunch::end_copy(const BulkCopy& copy) {
  for (const BulkCopy::Receiver& receiver : copy.receivers) {
    Block* const block = state_->running(receiver.block);
    if (block == nullptr) continue;
    if (copy.way == BulkCopy::Way::kCluster)
      block->cluster->end_phase();
    else
      change_barrier(*block, receiver.offset, copy.change, copy.index);
  }
}

void SteppedLaunch::give_up(Block& block, uint32_t warp) { block.leave_phase(warp, false); }

void SteppedLaunch::place(Block& block, uint32_t warp, const WarpPlace& place) {
  block.warps[warp].place = place;
}

void SteppedLaunch::run_ahead(Block& block, uint32_t warp, unsigned most) {
  state_->run.run_ahead(block, warp, most);
}

SteppedLaunch::Next SteppedLaunch::next(Block& block, uint32_t warp) const {
  return state_->run.next(block, warp);
}

void SteppedLaunch::step(Block& block, uint32_t warp) { state_->run.step_once(block, warp); }

void SteppedLaunch::fail_at_phase(Block& block, uint32_t warp) const {
  state_->run.fail_at_barrier(block, block.warps[warp]);
}

void SteppedLaunch::give_up_all() {
  for (auto& [index, block] : state_->blocks) {
    for (uint32_t warp = 0; warp < block.warps.size(); ++warp) block.leave_phase(warp, false);
  }
}

/// A block without a cluster waits only for itself.
void SteppedLaunch::fail_if_stuck(const Block& block) const {
  if (state_->grid.cluster.count() > 1) return fail_if_stuck();
  if (!GridRun::is_ready(block) && !block.waits_for_phase()) state_->run.fail_if_stuck(block);
}

void SteppedLaunch::fail_if_stuck() const {
  for (const auto& [index, block] : state_->blocks) {
    if (GridRun::is_ready(block) || block.waits_for_phase()) return;
  }
  for (const auto& [index, block] : state_->blocks) state_->run.fail_if_stuck(block);
}

void SteppedLaunch::fail_if_endless() const {
  const bool is_endless = outcome().warp_instructions >= state_->grid.options.step_limit;
  if (!is_endless || state_->blocks.empty()) return;
  Block& block = state_->blocks.begin()->second;
  uint32_t warp = 0;
  while (warp + 1 < block.warps.size() && next(block, warp).is_done) ++warp;
  state_->run.fail_as_endless(block, warp, next(block, warp).index);
}

void SteppedLaunch::finish(const LaunchClock* clock) {
  const Outcome so_far = outcome();
  SmState& untimed = state_->run.untimed;
  untimed.clock = clock;
  untimed.warp_instructions = so_far.warp_instructions;
  untimed.lane_instructions = so_far.lane_instructions;
  for (auto& [index, block] : state_->blocks) block.sm = &untimed;
  state_->sms.clear();
  const bool wait_for_each_other = state_->grid.launch.is_cooperative;
  if (!wait_for_each_other) state_->run.run_together(&state_->blocks);
  for (uint32_t block = 0; block < state_->started.size(); ++block) {
    if (has_started(block)) continue;
    start(block, untimed);
    if (!wait_for_each_other) state_->run.run_together(&state_->blocks);
  }
  state_->run.run_together(&state_->blocks);
}

Outcome SteppedLaunch::outcome() const {
  Outcome outcome = state_->run.outcome();
  for (const SmState& sm : state_->sms) {
    outcome.warp_instructions += sm.warp_instructions;
    outcome.lane_instructions += sm.lane_instructions;
  }
  return outcome;
}

}  // namespace shflsim::isa
