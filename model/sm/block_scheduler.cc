// SPDX-License-Identifier: Apache-2.0
#include "model/sm/block_scheduler.h"

#include <cassert>

namespace shflsim::model {
namespace {

uint32_t rounded_up(uint32_t number, uint32_t unit) { return (number + unit - 1) / unit * unit; }

uint32_t warps_of(const traces::Trace& trace) { return std::max(1u, trace.warps_per_block()); }

/// The number from ptxas, or one counted in the same way: the highest barrier number plus 1.
uint32_t barriers_used(const isa::Code& code) {
  if (code.barriers != 0) return code.barriers;
  constexpr uint32_t kAll = 16;  // if the number is known only at run time
  uint32_t used = 0;
  for (const isa::CodeLine& line : code.lines) {
    if (!line.is_block_barrier()) continue;
    used = std::max(used, line.barrier.in_registers ? kAll : line.barrier.number + 1u);
  }
  return used;
}

}  // namespace

void BlockParams::list(ParameterList& out) {
  out.number("sm.max_warps", &max_warps, 4, 64, "warps",
             "resident warps; warp slot w belongs to sub-partition w mod 4")
      .step = Step::kFour;
  out.number("sm.max_blocks", &max_blocks, 1, 32, "blocks", "resident thread blocks");
  out.number("sm.registers", &registers, 1024, 262144, "32-bit registers",
             "size of the register file of the SM");
  out.number("sm.register_unit", &register_unit, 1, 4096, "32-bit registers",
             "registers are allocated to a warp in multiples of this number");
  out.number("sm.shared_bytes", &shared_bytes, 0, 1048576, "bytes",
             "shared memory of the SM, which its resident blocks divide");
  out.number("sm.shared_unit", &shared_unit, 1, 65536, "bytes",
             "shared memory is allocated to a block in multiples of this number");
  out.number("sm.shared_reserved", &shared_reserved, 0, 65536, "bytes",
             "shared memory that the driver reserves in each block");
  out.number("sm.barriers", &barriers, 0, 1024, "barriers",
             "block barriers of the SM, which its resident blocks divide; 0: no limit");
  out.number("sm.first_latency", &first_latency, 0, 100000, "cycles",
             "time from the start of a launch, when the SM is active, to that of its first blocks");
  out.number("sm.launch_latency", &launch_latency, 0, 100000, "cycles",
             "time from the end of a block to the start of the next block in its place");
  out.number("sm.block_interval", &block_interval, 0, 1000, "cycles",
             "time from the start of a block to the start of the next block in another place, "
             "without warp_interval");
  out.number("sm.warp_interval", &warp_interval, 0, 1000, "cycles a warp",
             "further time between two such starts, for each warp of the block");
  out.number("sm.warp_step", &warp_step, 0, 1000, "cycles",
             "time between the starts of two warps of a block");
  out.number(
      "sm.block_shift", &block_shift, 0, 3, "sub-partitions",
      "sub-partitions that a block skips when the block before it has a multiple of four warps");
  out.number("sm.refill_interval", &refill_interval, 0, 1000, "cycles",
             "least time between two replacements of finished blocks in one GPC");
  out.number(
      "sm.gpcs", &gpcs, 1, 64, "GPCs",
      "GPCs of the chip, to which its TPCs (two SMs each) belong in turn; blocks go to all SMs of "
      "a GPC before those of the next");
}

uint32_t BlockParams::blocks_by_registers(const traces::Trace& trace) const {
  const uint32_t needed = std::max(1u, trace.code.registers) * isa::kLanes;
  const uint32_t in_sub_partition = registers / kSubPartitions / rounded_up(needed, register_unit);
  return in_sub_partition * kSubPartitions / warps_of(trace);
}

uint32_t BlockParams::blocks_by_shared_memory(const traces::Trace& trace) const {
  const uint32_t needed = rounded_up(trace.shared_bytes + shared_reserved, shared_unit);
  return needed == 0 ? Occupancy::kUnlimited : shared_bytes / needed;
}

uint32_t BlockParams::blocks_by_barriers(const traces::Trace& trace) const {
  const uint32_t used = barriers == 0 ? 0 : barriers_used(trace.code);
  return used == 0 ? Occupancy::kUnlimited : barriers / used;
}

Occupancy BlockParams::occupancy(const traces::Trace& trace, unsigned sms) const {
  Occupancy all;
  all.max_warps = max_warps;
  all.warps_per_block = warps_of(trace);
  all.limit(BlockLimit::kRegisters, blocks_by_registers(trace));
  all.limit(BlockLimit::kSharedMemory, blocks_by_shared_memory(trace));
  all.limit(BlockLimit::kWarps, max_warps / all.warps_per_block);
  all.limit(BlockLimit::kBlocks, max_blocks);
  all.limit(BlockLimit::kBarriers, blocks_by_barriers(trace));
  all.limit(BlockLimit::kLaunch, (trace.blocks + sms - 1) / sms);
  return all;
}

uint32_t BlockParams::shared_bytes_of(const traces::Trace& trace) const {
  if (trace.shared_bytes == 0) return 0;
  return occupancy(trace).blocks_that_fit() *
         rounded_up(trace.shared_bytes + shared_reserved, shared_unit);
}

BlockScheduler::BlockScheduler(const sc_core::sc_module_name& name, const BlockParams& params,
                               const traces::Trace& trace)
    : Module(name),
      launch_latency_(params.launch_latency),
      block_interval_(params.block_interval),
      warp_interval_(params.warp_interval),
      block_shift_(params.block_shift),
      place_of_(params.max_warps),
      blocks_(params.occupancy(trace).blocks_that_fit(), Block{0, params.first_latency, false}) {
  find_room();
}

unsigned BlockScheduler::free_place(Cycle now) const {
  const auto free = std::find_if(blocks_.begin(), blocks_.end(), [now](const Block& block) {
    return block.warps == 0 && block.ready <= now;
  });
  assert(free != blocks_.end() && "a block starts where there is room");
  return static_cast<unsigned>(free - blocks_.begin());
}

void BlockScheduler::start(unsigned place, unsigned warps, Cycle now) {
  blocks_[place].warps = warps;
  first_sub_partition_ += warps + (warps % kSubPartitions == 0 ? block_shift_ : 0);
  const Cycle interval = block_interval_ == 0 ? 0 : block_interval_ + warps;
  next_start_ = now + std::max(interval, warp_interval_ * warps);
  running_warps_ += warps;
  find_room();
}

bool BlockScheduler::finished(unsigned sm_slot, Cycle now) {
  Block& block = blocks_[place_of_[sm_slot]];
  assert(block.warps != 0 && "the warp's block is resident");
  --running_warps_;
  if (--block.warps != 0) return false;
  block.ready = now + std::max<Cycle>(launch_latency_, 1);  // the chip looks in the next cycle
  block.ended = true;
  find_room();
  freed_room_ = std::min(freed_room_, room_from(now + 1));
  return true;
}

unsigned BlockScheduler::free_places(Cycle now) const {
  return static_cast<unsigned>(
      std::count_if(blocks_.begin(), blocks_.end(),
                    [now](const Block& block) { return block.warps == 0 && block.ready <= now; }));
}

Cycle BlockScheduler::next_place(Cycle now) const {
  Cycle next = kNever;
  for (const Block& block : blocks_) {
    if (block.warps == 0 && block.ready > now) next = std::min(next, block.ready);
  }
  return next;
}

void BlockScheduler::find_room() {
  Cycle place = kNever;
  for (const Block& block : blocks_) {
    if (block.warps == 0) place = std::min(place, block.ready);
  }
  room_.set(std::max(place, next_start_));
}

}  // namespace shflsim::model
