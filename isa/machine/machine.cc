// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>

#include "isa/base/bounded.h"
#include "isa/base/input_error.h"
#include "isa/base/work.h"
#include "isa/code/launch_layout.h"
#include "isa/codec/codec.h"
#include "isa/machine/address_space.h"
#include "isa/machine/condition.h"
#include "isa/machine/marks.h"
#include "isa/machine/prepare.h"

namespace shflsim::isa {
namespace {

/// Steps until another warp of the block continues: few, since a warp that waits for others polls
/// again and again, and its polling is timed.
constexpr unsigned kTurn = 64;

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

/// Constant bank 0 as the driver fills it: windows of generic addressing, block and grid sizes, the
/// stack pointer, and behind them the kernel's arguments.
std::vector<uint8_t> parameter_bank(Arch arch, const Launch& launch, uint64_t workspace) {
  const LaunchLayout& layout = launch_layout(arch);
  const Windows& windows = windows_of(family_of(arch));
  std::vector<uint8_t> bank(layout.parameters);
  const bool is_long = family_of(arch) == Family::kSm70;
  put_window(bank, layout.shared_window, windows.shared, is_long);
  put_window(bank, layout.local_window, windows.local, is_long);
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

/// The grid while it runs.
class GridRun {
 public:
  explicit GridRun(const Grid& grid) : grid_(grid), code_(prepare(grid)) {}

  Outcome run() {
    const uint32_t blocks = static_cast<uint32_t>(grid_.launch.grid.count());
    const uint32_t together = grid_.launch.is_cooperative ? blocks : 1;
    for (uint32_t first = 0; first < blocks; first += together) run_blocks(first, together);
    return std::move(outcome_);
  }

 private:
  /// Runs blocks from `first` on at the same time.
  void run_blocks(uint32_t first, uint32_t count) {
    std::deque<Block> blocks;
    for (uint32_t index = first; index < first + count; ++index)
      set_registers(blocks.emplace_back(grid_, index, immediate_maps_));
    for (bool ran = true; ran;) {
      ran = false;
      for (Block& block : blocks) ran = take_turns(block) || ran;
    }
    for (const Block& block : blocks) {
      fail_if_stuck(block);
      note_outcome(block);
    }
  }

  void set_registers(Block& block) const {
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
  bool take_turns(Block& block) {
    bool ran = false;
    for (uint32_t w = 0; w < block.warps.size(); ++w) {
      if (block.warps[w].state != Warp::State::kReady) continue;
      take_turn(block, w);
      ran = true;
    }
    return ran;
  }

  void fail_if_stuck(const Block& block) const {
    const auto waits = [](const Warp& warp) { return warp.state == Warp::State::kWaiting; };
    const auto stuck = std::find_if(block.warps.begin(), block.warps.end(), waits);
    if (stuck != block.warps.end()) fail_at_barrier(block, *stuck);
  }

  [[noreturn]] void fail_at_barrier(const Block& block, const Warp& stuck) const {
    const auto w = static_cast<uint32_t>(&stuck - block.warps.data());
    if (stuck.convergence.others().held_by_warpsync() != 0) fail_stuck(block, w, stuck.convergence);
    const uint32_t pc =
        block.is_sm70() ? stuck.convergence.others().waiting_pc() : stuck.divergence.pc();
    const uint32_t next = std::max(pc, 1u);
    fail_at(grid_.program, next - 1,
            fmt::format("block {}, warp {}: waits for barrier {}, which too few warps reach",
                        block.index, w, stuck.barrier),
            LaunchFault::kEndless);
  }

  /// As if the blocks to come were as long as those that are over.
  void tell_progress(const Block& block) const {
    const uint64_t executed = outcome_.warp_instructions;
    const uint64_t a_block = block.index == 0 ? 0 : executed / block.index;
    tell_work(executed, a_block * grid_.launch.grid.count(), "warp instructions");
  }

  void take_turn(Block& block, uint32_t w) {
    tell_progress(block);
    Warp& warp = block.warps[w];
    if (block.is_sm70()) {
      take_steps(block, w, warp.convergence);
    } else {
      take_steps(block, w, warp.divergence);
    }
  }

  static bool can_go_on(const Warp& warp) {
    return warp.state == Warp::State::kReady && !warp.gives_way;
  }

  template <class Flow>
  void take_steps(Block& block, uint32_t w, Flow& flow) {
    Warp& warp = block.warps[w];
    warp.gives_way = false;
    for (unsigned i = 0; i < kTurn && can_go_on(warp); ++i) {
      step(block, w, flow);
      if (flow.active() != 0) continue;
      if (flow.done()) {
        warp.state = Warp::State::kDone;
        block.lanes_ended();
      } else if (warp.state == Warp::State::kReady) {
        resume(block, w, flow);
      }
    }
  }

  /// The running lanes have gone: others do, or wait for the block.
  static void resume(const Block&, uint32_t, Divergence&) {}
  void resume(Block& block, uint32_t w, Convergence& flow) {
    if (flow.resume()) return;
    if (flow.others().waiting_for_block() == 0) fail_stuck(block, w, flow);
    block.warps[w].state = Warp::State::kWaiting;
  }

  /// Some lanes wait where the message stands, the others elsewhere.
  [[noreturn]] void fail_stuck(const Block& block, uint32_t w, const Convergence& flow) const {
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

  static LaneMask guarded(const Warp& warp, const Instruction& instruction) {
    return instruction.guard_is_uniform
               ? warp.uniform_predicate(instruction.guard, instruction.guard_negate)
               : warp.predicate(instruction.guard, instruction.guard_negate);
  }

  template <class Flow>
  void step(Block& block, uint32_t w, Flow& flow) {
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
    if (lanes != 0 || prepared.operation.control) prepared.operation.execute(execution);
    if (warp.marked) carry_marks(prepared, footprint_of(index), execution, active);
    grid_.observer.on_step({block.index, w, index, execution.lanes, execution.lane_map,
                            execution.addresses, execution.up_clamped, active});
    ++outcome_.warp_instructions;
    outcome_.lane_instructions +=
        lanes == kAllLanes ? kLanes : static_cast<uint64_t>(__builtin_popcount(lanes));
  }

  /// Most launches have no marks, and never ask.
  const Footprint& footprint_of(uint32_t index) {
    if (footprints_.empty()) {
      for (const Instruction& each : grid_.program.code) footprints_.push_back(footprint(each));
    }
    return footprints_[index];
  }

  void check_progress(const Block& block, uint32_t w, uint32_t index) const {
    const auto where = [&] { return fmt::format("block {}, warp {}: ", block.index, w); };
    if (index >= code_.size()) {
      throw InputError(fmt::format("kernel '{}': {}runs past the last instruction",
                                   grid_.program.name, where()));
    }
    if (outcome_.warp_instructions >= grid_.options.step_limit) {
      fail_at(grid_.program, index,
              where() + fmt::format("still running after {} instructions of all warps; expected an "
                                    "end (--max-instructions)",
                                    grid_.options.step_limit),
              LaunchFault::kEndless);
    }
  }

  void note_outcome(const Block& block) {
    const uint32_t declared = grid_.program.shared_bytes + grid_.launch.shared_bytes;
    outcome_.shared_bytes =
        std::max(outcome_.shared_bytes, declared != 0 ? declared : block.shared_used);
    if (!grid_.options.keep_registers) return;
    for (const Warp& warp : block.warps) {
      outcome_.warps.push_back({warp.registers(), warp.predicates()});
    }
  }

  const Grid& grid_;
  std::vector<Prepared> code_;
  std::vector<Footprint> footprints_;
  ImmediateMaps immediate_maps_;  ///< shared by all blocks
  Outcome outcome_;
};

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

Outcome execute(const Program& program, const Launch& launch, DeviceMemory& memory,
                StepObserver& observer, const MachineOptions& options) {
  check_extents(launch, options.step_limit);
  check_shared_memory(program, launch);
  const Grid grid{program,
                  launch,
                  options,
                  memory,
                  observer,
                  constant_banks(program, launch, workspace_of(program, launch, memory)),
                  registers_of_lane(program, launch),
                  uniform_registers_of_warp(program),
                  shared_bytes_of_block(program, launch)};
  return GridRun(grid).run();
}

}  // namespace shflsim::isa
