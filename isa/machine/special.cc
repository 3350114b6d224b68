// SPDX-License-Identifier: Apache-2.0
// Special registers.
#include <fmt/format.h>

#include "isa/codec.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

enum Number : uint8_t {
  kLaneId = 0x00,
  kVirtualId = 0x03,
  kTid = 0x20,
  kTidX = 0x21,
  kTidY = 0x22,
  kTidZ = 0x23,
  kCtaidX = 0x25,
  kCtaidY = 0x26,
  kCtaidZ = 0x27,
  kNtid = 0x28,
  kEqMask = 0x38,
  kLtMask = 0x39,
  kLeMask = 0x3a,
  kGtMask = 0x3b,
  kGeMask = 0x3c,
  kClockLow = 0x50,
  kClockHigh = 0x51,
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

/// Sizes of a block as SR_NTID packs them: x in bits 15:0, y in 25:16, z in 31:26.
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

uint32_t warp_value(const Execution& execution, uint8_t number) {
  switch (number) {
    case kCtaidX: return block_of(execution).x;
    case kCtaidY: return block_of(execution).y;
    case kCtaidZ: return block_of(execution).z;
    // ptxas takes %warpid from bits 13:8 and %smid from bits 28:20; the grid runs on one SM.
    case kVirtualId: return execution.warp_index << 8;
    case kNtid: return packed(execution.block.grid.launch.block);
    // The machine knows no time: its clock counts the warp's instructions.
    case kClockLow: return static_cast<uint32_t>(execution.warp.steps);
    default: return static_cast<uint32_t>(execution.warp.steps >> 32);  // kClockHigh
  }
}

bool differs_by_lane(uint8_t number) {
  return number == kLaneId || (number >= kTid && number <= kTidZ) ||
         (number >= kEqMask && number <= kGeMask);
}

bool same_in_warp(uint8_t number) {
  return number == kVirtualId || (number >= kCtaidX && number <= kNtid) || number == kClockLow ||
         number == kClockHigh;
}

void read_special(Execution& execution) {
  const uint8_t number = execution.operand(Role::kA).index;
  if (differs_by_lane(number)) {
    set_result(execution, [&](unsigned lane) { return lane_value(execution, number, lane); });
    return;
  }
  const uint32_t value = warp_value(execution, number);
  set_result(execution, [value](unsigned) { return value; });
}

std::string refuse_special(const Instruction& instruction) {
  const uint8_t number = instruction[Role::kA].index;
  if (differs_by_lane(number) || same_in_warp(number)) return "";
  return "special register " + special_register_name(number);
}

}  // namespace

void add_special_operations(OperationTable& table) {
  entry(table, Op::kS2R) = {read_special, refuse_special};
  entry(table, Op::kCS2R) = {read_special, refuse_special};
}

}  // namespace shflsim::isa
