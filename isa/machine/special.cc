// SPDX-License-Identifier: Apache-2.0
// Special registers.
#include <fmt/format.h>

#include "isa/code/launch_layout.h"
#include "isa/codec/codec.h"
#include "isa/machine/address_space.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

enum Number : uint8_t {
  kLaneId = 0x00,
  kVirtualConfig = 0x02,
  kVirtualId = 0x03,
  kTid = 0x20,
  kTidX = 0x21,
  kTidY = 0x22,
  kTidZ = 0x23,
  kCtaidX = 0x25,
  kCtaidY = 0x26,
  kCtaidZ = 0x27,
  kNtid = 0x28,
  kSharedSize = 0x32,
  kStackLimit = 0x37,
  kEqMask = 0x38,
  kLtMask = 0x39,
  kLeMask = 0x3a,
  kGtMask = 0x3b,
  kGeMask = 0x3c,
  kClockLow = 0x50,
  kClockHigh = 0x51,
  kGlobalTimerLow = 0x52,
  kGlobalTimerHigh = 0x53,
};

/// Special registers that only sm_70 and later have, or have with these numbers.
enum LaterNumber : uint8_t {
  kLocalWindowHigh = 0x2e,
  kSharedWindowHigh = 0x2f,
  kSharedWindowLow = 0x30,
  kLocalWindowLow = 0x34,
  kVirtualSm = 0x43,
  kBlockOfCluster = 0x88,
  kSizeOfCluster = 0x8a,  ///< assumed: the logarithm; code uses it as an index in bank 0
  kZero = 0xff,
};

Extent thread_of(const Execution& execution, unsigned lane) {
  const Extent& block = execution.block.grid.launch.block;
  const uint32_t linear = execution.warp_index * kLanes + lane;
  if (linear < block.x) return {linear, 0, 0};
  return {linear % block.x, linear / block.x % block.y, linear / block.x / block.y};
}

Extent block_of(const Execution& execution) {
  const Extent& grid = execution.block.grid.launch.grid;
  const uint32_t linear = execution.block.index;
  return {linear % grid.x, linear / grid.x % grid.y, linear / grid.x / grid.y};
}

/// The sizes of a block in SR_NTID: x in bits 15:0, y in 25:16, z in 31:26.
uint32_t packed(const Extent& extent) { return extent.x | extent.y << 16 | extent.z << 26; }

uint32_t lane_value(const Execution& execution, uint8_t number, unsigned lane) {
  const LaneMask self = 1u << lane;
  switch (number) {
    case kLaneId: return lane;
    case kTid: return packed(thread_of(execution, lane));
    case kTidX: return thread_of(execution, lane).x;
    case kTidY: return thread_of(execution, lane).y;
    case kTidZ: return thread_of(execution, lane).z;
    case kEqMask: return self;
    case kLtMask: return self - 1;
    case kLeMask: return self | (self - 1);
    case kGtMask: return ~(self | (self - 1));
    default: return ~(self - 1);  // kGeMask
  }
}

uint64_t clock_of(const Execution& execution) {
  const LaunchClock* clock = execution.block.sm->clock;
  return clock != nullptr ? clock->cycle : execution.warp.steps;
}

/// Nanoseconds since the launch began, in steps (measured: an H100).
uint64_t timer_of(const Execution& execution) {
  constexpr uint64_t kStep = 32;
  const LaunchClock* clock = execution.block.sm->clock;
  if (clock == nullptr) return execution.warp.steps;
  return clock->cycle * 1000 / clock->mhz / kStep * kStep;
}

/// SR_SMEMSZ: a block's shared memory, with what the driver reserves (measured: an H100).
uint32_t shared_size(const Grid& grid) {
  const uint64_t declared = uint64_t{grid.program.shared_bytes} + grid.launch.shared_bytes;
  return reserved_shared(grid.program.arch) + total_shared(grid.program.arch, declared);
}

uint32_t warp_value(const Execution& execution, uint8_t number) {
  const Windows& windows = windows_of(execution);
  switch (number) {
    case kCtaidX: return block_of(execution).x;
    case kCtaidY: return block_of(execution).y;
    case kCtaidZ: return block_of(execution).z;
    // ptxas takes %warpid from bits 13:8 and %smid from bits 28:20.
    case kVirtualId: return execution.warp.place.slot << 8 | execution.warp.place.sm << 20;
    // ptxas 13.0 takes %nwarpid from bits 15:8.
    case kVirtualConfig: return launch_layout(execution.block.grid.program.arch).warps << 8;
    case kNtid: return packed(execution.block.grid.launch.block);
    case kClockLow: return static_cast<uint32_t>(clock_of(execution));
    case kClockHigh: return static_cast<uint32_t>(clock_of(execution) >> 32);
    case kVirtualSm: return execution.warp.place.sm;
    case kSharedSize: return shared_size(execution.block.grid);
    case kGlobalTimerLow: return static_cast<uint32_t>(timer_of(execution));
    case kGlobalTimerHigh: return static_cast<uint32_t>(timer_of(execution) >> 32);
    case kLocalWindowLow: return static_cast<uint32_t>(windows.local);
    case kLocalWindowHigh: return static_cast<uint32_t>(windows.local >> 32);
    case kSharedWindowLow: return static_cast<uint32_t>(windows.shared);
    case kSharedWindowHigh: return static_cast<uint32_t>(windows.shared >> 32);
    case kBlockOfCluster: return execution.block.rank;
    // nvcc's debug code compares a thread's stack with SR_LMEMHIOFF; the stack may go down to 0.
    default: return 0;
  }
}

bool differs_by_lane(uint8_t number) {
  return number == kLaneId || (number >= kTid && number <= kTidZ) ||
         (number >= kEqMask && number <= kGeMask);
}

bool is_later(uint8_t number) {
  switch (number) {
    case kLocalWindowHigh:
    case kSharedWindowHigh:
    case kSharedWindowLow:
    case kLocalWindowLow:
    case kVirtualSm:
    case kBlockOfCluster:
    case kSizeOfCluster:
    case kZero: return true;
    default: return false;
  }
}

bool same_in_warp(Arch arch, uint8_t number) {
  if (number == kVirtualConfig) return launch_layout(arch).warps != 0;
  return number == kVirtualId || (number >= kCtaidX && number <= kNtid) || number == kClockLow ||
         number == kClockHigh || number == kGlobalTimerLow || number == kGlobalTimerHigh ||
         number == kStackLimit || number == kSharedSize ||
         (family_of(arch) == Family::kSm70 && is_later(number));
}

void read_word(Execution& execution, uint8_t number, unsigned word) {
  if (differs_by_lane(number)) {
    set_result(
        execution, [&](unsigned lane) { return lane_value(execution, number, lane); }, word);
    return;
  }
  const uint32_t value = warp_value(execution, number);
  set_result(
      execution, [value](unsigned) { return value; }, word);
}

/// CS2R of 64 bits also reads the next special register.
void read_special(Execution& execution) {
  const uint8_t number = execution.operand(Role::kA).index;
  read_word(execution, number, 0);
  if (execution.operand(Role::kD).count < 2) return;
  read_word(execution, number == kZero ? number : static_cast<uint8_t>(number + 1), 1);
}

bool has_64_bits(uint8_t number) {
  return number == kClockLow || number == kGlobalTimerLow || number == kZero;
}

std::string refuse_special(const Instruction& instruction) {
  const uint8_t number = instruction[Role::kA].index;
  const std::string name = special_register_name(number, family_of(instruction.arch));
  if (name.find("_PM") != std::string::npos)
    return "special register " + name + ", which counts what a profiler chose,";
  if (instruction[Role::kD].count == 2 && !has_64_bits(number))
    return "64 bits of special register " + name;
  if (differs_by_lane(number) || same_in_warp(instruction.arch, number)) return "";
  return "special register " + name;
}

}  // namespace

void add_special_operations(OperationTable& table) {
  for (const Op op :
       {Op::kS2R, Op::kCS2R, Op::kSm70_S2R, Op::kSm70_CS2R, Op::kSm70_S2UR, Op::kSm70_CS2UR})
    entry(table, op) = {read_special, refuse_special};
}

}  // namespace shflsim::isa
