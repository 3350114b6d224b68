// SPDX-License-Identifier: Apache-2.0
#include "model/sm/block_scheduler.h"

#include <cassert>

namespace shflsim::model {
namespace {

constexpr unsigned kRegisterUnit =
    256;  // registers are given out in units of 256 a warp (CUDA guide, cc 5.x)

}  // namespace

void BlockParams::list(ParameterList& out) {
  out.number("sm.max_warps", &max_warps, 4, 64, "warps",
             "resident warps; warp slot w is on sub-partition w mod 4")
      .step = Step::kFour;
  out.number("sm.max_blocks", &max_blocks, 1, 32, "blocks", "resident thread blocks");
  out.number("sm.registers", &registers, 1024, 262144, "32-bit registers",
             "register file of the SM");
  out.number("sm.shared_bytes", &shared_bytes, 0, 1048576, "bytes",
             "shared memory that blocks divide");
  out.number("sm.launch_latency", &launch_latency, 0, 100000, "cycles",
             "a block's end to the start of the next in its place");
}

unsigned BlockParams::blocks_that_fit(const traces::Trace& trace) const {
  const unsigned warps = std::max(1u, trace.warps_per_block());
  const unsigned needed = std::max(1u, trace.code.registers) * isa::kLanes;
  const unsigned per_warp = (needed + kRegisterUnit - 1) / kRegisterUnit * kRegisterUnit;
  unsigned blocks = std::min(max_blocks, max_warps / warps);
  blocks = std::min(blocks, registers / (per_warp * warps));
  if (trace.shared_bytes != 0) blocks = std::min(blocks, shared_bytes / trace.shared_bytes);
  return blocks;
}

BlockScheduler::BlockScheduler(const sc_core::sc_module_name& name, const BlockParams& params,
                               const traces::Trace& trace)
    : Module(name),
      launch_latency_(params.launch_latency),
      place_of_(params.max_warps),
      blocks_(params.blocks_that_fit(trace)) {}

unsigned BlockScheduler::free_place(Cycle now) const {
  const auto free = std::find_if(blocks_.begin(), blocks_.end(), [now](const Block& block) {
    return block.warps == 0 && block.ready <= now;
  });
  assert(free != blocks_.end() && "a block starts where there is room");
  return static_cast<unsigned>(free - blocks_.begin());
}

void BlockScheduler::start(unsigned place, unsigned warps) {
  blocks_[place].warps = warps;
  running_warps_ += warps;
  find_room();
}

bool BlockScheduler::finished(unsigned sm_slot, Cycle now) {
  Block& block = blocks_[place_of_[sm_slot]];
  assert(block.warps != 0 && "the warp's block is resident");
  --running_warps_;
  if (--block.warps != 0) return false;
  block.ready = now + launch_latency_;
  find_room();
  return true;
}

void BlockScheduler::find_room() {
  room_ = kNever;
  for (const Block& block : blocks_) {
    if (block.warps == 0) room_ = std::min(room_, block.ready);
  }
}

}  // namespace shflsim::model
