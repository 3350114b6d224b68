// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/machine.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "isa/base/bounded.h"
#include "isa/base/input_error.h"
#include "isa/code/launch_layout.h"
#include "isa/machine/address_space.h"
#include "isa/machine/grid_run.h"
#include "isa/machine/stepped_launch.h"

namespace shflsim::isa {
namespace {

void put_word(std::vector<uint8_t>& bank, size_t offset, uint32_t value) {
  std::memcpy(bank.data() + offset, &value, sizeof value);
}

void put_extent(std::vector<uint8_t>& bank, size_t offset, const Extent& extent) {
  put_word(bank, offset, extent.x);
  put_word(bank, offset + 4, extent.y);
  put_word(bank, offset + 8, extent.z);
}

void put_window(std::vector<uint8_t>& bank, uint32_t offset, uint64_t base, bool is_long) {
  if (offset == LaunchLayout::kNowhere) return;
  put_word(bank, offset, static_cast<uint32_t>(base));
  if (is_long) put_word(bank, offset + 4, static_cast<uint32_t>(base >> 32));
}

/// Constant bank 0 as the driver fills it: windows of generic addressing, the address of constant
/// bank 3, block and grid sizes, the stack pointer, and behind them the kernel's arguments.
std::vector<uint8_t> parameter_bank(Arch arch, const Launch& launch, uint64_t workspace) {
  const LaunchLayout& layout = launch_layout(arch);
  const Windows& windows = windows_of(family_of(arch));
  std::vector<uint8_t> bank(layout.parameters);
  const bool is_long = family_of(arch) == Family::kSm70;
  put_window(bank, layout.shared_window, windows.shared, is_long);
  put_window(bank, layout.local_window, windows.local, is_long);
  put_window(bank, layout.constants, launch.constant_address, is_long);
  put_extent(bank, layout.block, launch.block);
  put_extent(bank, layout.grid, launch.grid);
  put_word(bank, layout.stack, launch.local_bytes);
  if (workspace != 0) {
    put_word(bank, layout.workspace_high, static_cast<uint32_t>(workspace >> 32));
    put_word(bank, layout.workspace_low, static_cast<uint32_t>(workspace));
  }
  bank.insert(bank.end(), launch.parameters.begin(), launch.parameters.end());
  bank.resize((bank.size() + 3) / 4 *
              4);  // a last argument of one byte is read as part of its word
  return bank;
}

std::array<std::vector<uint8_t>, 32> constant_banks(const Program& program, const Launch& launch,
                                                    uint64_t workspace) {
  std::array<std::vector<uint8_t>, 32> banks;
  for (const auto& [bank, bytes] : program.constants) banks.at(bank) = bytes;
  for (const auto& [bank, bytes] : launch.constants) banks.at(bank) = bytes;
  banks[0] = parameter_bank(program.arch, launch, workspace);
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

/// The grid's barrier in a cooperative launch: the workspace's size and a counter, both words
/// (cooperative_groups/details, CUDA 13.0); the rest is room.
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

Grid grid_of(const Program& program, const Launch& launch, DeviceMemory& memory,
             StepObserver& observer, const MachineOptions& options) {
  check_extents(launch, options.step_limit);
  check_shared_memory(program, launch);
  return {program,
          launch,
          options,
          memory,
          observer,
          constant_banks(program, launch, workspace_of(program, launch, memory)),
          registers_of_lane(program, launch),
          uniform_registers_of_warp(program),
          shared_bytes_of_block(program, launch)};
}

}  // namespace

Outcome execute(const Program& program, const Launch& launch, DeviceMemory& memory,
                StepObserver& observer, const MachineOptions& options) {
  const Grid grid = grid_of(program, launch, memory, observer, options);
  return GridRun(grid).run();
}

struct SteppedLaunch::State {
  State(const Program& program, const Launch& launch, DeviceMemory& memory, StepObserver& observer,
        const MachineOptions& options)
      : grid(grid_of(program, launch, memory, observer, options)),
        run(grid),
        started(launch.blocks()) {}

  const Grid grid;
  GridRun run;
  std::map<uint32_t, Block> blocks;  ///< those that run, by index in the grid
  std::vector<bool> started;         ///< by block

  Block& block(uint32_t index) { return blocks.at(index); }
};

SteppedLaunch::SteppedLaunch(const Program& program, const Launch& launch, DeviceMemory& memory,
                             StepObserver& observer, const MachineOptions& options)
    : state_(std::make_unique<State>(program, launch, memory, observer, options)) {}

SteppedLaunch::~SteppedLaunch() = default;

bool SteppedLaunch::has_started(uint32_t block) const { return state_->started[block]; }

void SteppedLaunch::start(uint32_t block) {
  state_->started[block] = true;
  state_->run.add_block(block, &state_->blocks);
}

void SteppedLaunch::end(uint32_t block) {
  state_->run.note_outcome(state_->block(block));
  state_->blocks.erase(block);
}

void SteppedLaunch::place(uint32_t block, uint32_t warp, const WarpPlace& place) {
  state_->block(block).warps[warp].place = place;
}

void SteppedLaunch::run_ahead(uint32_t block, uint32_t warp, unsigned most) {
  state_->run.run_ahead(state_->block(block), warp, most);
}

SteppedLaunch::Next SteppedLaunch::next(uint32_t block, uint32_t warp) const {
  return state_->run.next(state_->block(block), warp);
}

void SteppedLaunch::step(uint32_t block, uint32_t warp) {
  state_->run.step_once(state_->block(block), warp);
}

void SteppedLaunch::fail_if_stuck() const {
  for (const auto& [index, block] : state_->blocks) {
    if (GridRun::is_ready(block)) return;
  }
  for (const auto& [index, block] : state_->blocks) state_->run.fail_if_stuck(block);
}

void SteppedLaunch::finish() {
  state_->run.run_together(&state_->blocks);
  for (uint32_t block = 0; block < state_->started.size(); ++block) {
    if (state_->started[block]) continue;
    start(block);
    state_->run.run_together(&state_->blocks);
  }
}

Outcome SteppedLaunch::outcome() const { return state_->run.outcome(); }

}  // namespace shflsim::isa
