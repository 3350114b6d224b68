// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>

#include "isa/base/launch_error.h"
#include "tests/isa/machine_support.h"

namespace shflsim::isa {
namespace machine_memory_test {

std::vector<uint8_t> bytes_of(const std::vector<uint32_t>& words) {
  std::vector<uint8_t> bytes(4 * words.size());
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

uint32_t word_at(const std::vector<uint8_t>& bytes, size_t index) {
  uint32_t word = 0;
  std::memcpy(&word, bytes.data() + 4 * index, sizeof word);
  return word;
}

/// A launch with one buffer, whose address is in R2:R3 of every lane, and the lane number in R0.
struct WithBuffer : Experiment {
  WithBuffer(const std::vector<std::string>& lines, const std::vector<uint32_t>& words)
      : Experiment(lines), address(memory.allocate(bytes_of(words))) {
    std::vector<uint32_t> lanes;
    for (uint32_t lane = 0; lane < kLanes; ++lane) lanes.push_back(lane);
    set_lanes(0, lanes);
    set(2, static_cast<uint32_t>(address));
    set(3, static_cast<uint32_t>(address >> 32));
  }
  uint32_t word(size_t index) const { return word_at(memory.bytes(address), index); }
  uint64_t address;
};

TEST(DeviceMemoryTest, KeepsBuffersApartAndAboveFourGigabytes) {
  DeviceMemory memory;
  const uint64_t first = memory.allocate(std::vector<uint8_t>(10));
  const uint64_t second = memory.allocate(std::vector<uint8_t>(4));
  EXPECT_GE(first, uint64_t{1} << 32);
  EXPECT_EQ(first % 512, 0u);
  EXPECT_EQ(second % 512, 0u);
  EXPECT_GE(second - first, 1u << 20);
  uint64_t offset = 0;
  EXPECT_NE(memory.find(first + 6, 4, &offset), nullptr);
  EXPECT_EQ(offset, 6u);
  EXPECT_EQ(memory.find(first + 7, 4, &offset), nullptr);
  EXPECT_EQ(memory.find(first - 1, 1, &offset), nullptr);
  EXPECT_NE(memory.find(second, 4, &offset), nullptr);
  EXPECT_EQ(memory.find(second + 4, 1, &offset), nullptr);
}

TEST(DeviceMemoryTest, NamesTheBufferNearestToAnAddressOutsideAll) {
  DeviceMemory memory;
  EXPECT_EQ(memory.nearest(0x700000000), "");
  memory.allocate(std::vector<uint8_t>(16));
  memory.allocate(std::vector<uint8_t>(1024));
  EXPECT_EQ(memory.nearest(0x700000014), " (byte 20 of the buffer of 16 bytes at 0x700000000)");
  EXPECT_EQ(memory.nearest(0x7001003fc), " (byte -4 of the buffer of 1024 bytes at 0x700100400)");
  EXPECT_EQ(memory.nearest(0), "");
}

TEST(DeviceMemoryTest, ReachesMemoryOfTheProcessUntilItIsUnmapped) {
  DeviceMemory memory;
  std::vector<uint8_t> own(16, 7);
  const uint64_t first = memory.allocate(std::vector<uint8_t>(10));
  memory.map(0x600000000, own.data(), own.size());
  uint64_t offset = 0;
  Storage* const found = memory.find(0x600000004, 4, &offset);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(offset, 4u);
  const uint32_t value = 0x01020304;
  found->write(offset, &value, sizeof value, Storage::kUndefined);
  EXPECT_EQ(own[4], 4);
  EXPECT_FALSE(found->marked());
  EXPECT_EQ(memory.find(0x60000000d, 4, &offset), nullptr);
  EXPECT_NE(memory.find(first, 10, &offset), nullptr);
  memory.unmap(0x600000000);
  EXPECT_EQ(memory.find(0x600000004, 4, &offset), nullptr);
  EXPECT_NE(memory.find(first, 10, &offset), nullptr);
}

LaunchFault fault_of(Experiment& experiment) {
  try {
    experiment.run();
  } catch (const LaunchError& error) {
    return error.fault();
  }
  return LaunchFault::kOther;
}

TEST(LaunchErrors, TellAddressesAlignmentTrapsAndEndlessLoopsApart) {
  WithBuffer outside({"LDG.E R4, [R2+0x100]"}, {1, 2});
  EXPECT_EQ(fault_of(outside), LaunchFault::kAddress);
  WithBuffer misaligned({"LDG.E R4, [R2+0x2]"}, {1, 2});
  EXPECT_EQ(fault_of(misaligned), LaunchFault::kAlignment);
  WithBuffer trap({"BPT.TRAP"}, {1});
  EXPECT_EQ(fault_of(trap), LaunchFault::kTrap);
  WithBuffer endless({"again:", "BRA again"}, {1});
  endless.options.step_limit = 1000;
  EXPECT_EQ(fault_of(endless), LaunchFault::kEndless);
  WithBuffer shared({"LDS R4, [R1]"}, {1});
  shared.set(1, 0x100000);
  EXPECT_EQ(fault_of(shared), LaunchFault::kAddress);
}

TEST(GlobalMemory, LoadsEveryWidthWithItsSign) {
  WithBuffer one(
      {"LDG.E.U8 R4, [R2]", "LDG.E.S8 R5, [R2]", "LDG.E.U16 R6, [R2]", "LDG.E.S16 R7, [R2]",
       "LDG.E R8, [R2+0x4]", "LDG.E.64 R10, [R2+0x8]", "LDG.E.128 R12, [R2+0x10]"},
      {0xFFFF8880, 1, 2, 3, 4, 5, 6, 7});
  one.run();
  const uint32_t expected[] = {0x80, 0xFFFFFF80, 0x8880, 0xFFFF8880, 1, 0, 2, 3, 4, 5, 6, 7};
  for (uint8_t i = 0; i < 12; ++i) EXPECT_EQ(one.value(static_cast<uint8_t>(4 + i)), expected[i]);
}

TEST(GlobalMemory, ShowsTheAddressOfEveryLane) {
  WithBuffer one({"IADD R2, R2, R0", "STG.E.U8 [R2+0x4], R0"}, std::vector<uint32_t>(9));
  one.run();
  ASSERT_EQ(one.witness.addresses.size(), 1u);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    EXPECT_EQ(one.witness.addresses[0][lane], one.address + lane + 4);
  }
  EXPECT_EQ(one.word(0), 0u);
  EXPECT_EQ(one.word(1), 0x03020100u);
  EXPECT_EQ(one.word(8), 0x1F1E1D1Cu);
}

TEST(GlobalMemory, KeepsWhatTheLowestLaneStores) {
  WithBuffer one({"STG.E [R2], R0"}, {99});
  one.run();
  EXPECT_EQ(one.word(0), 0u);
}

TEST(LocalMemoryTest, BelongsToEachThreadAlone) {
  WithBuffer one({"MOV R1, c[0x0][0x20]", "STL [R1-0x10], R0", "LDL R4, [R1-0x10]",
                  "LOP.OR R6, R1, c[0x0][0x4]", "MOV R7, RZ", "LD.E R5, [R6-0x10], PT"},
                 {0});
  one.run();
  EXPECT_EQ(one.value(1), 0x10000u);
  EXPECT_EQ(one.value(4, 9), 9u);
  EXPECT_EQ(one.value(5, 9), 9u);
}

TEST(GenericMemory, ReachesSharedAndGlobalMemory) {
  WithBuffer one({"SHL R4, R0, 0x2", "STS [R4], R0", "LOP.OR R6, R4, c[0x0][0x0]", "MOV R7, RZ",
                  "LD.E R5, [R6], PT", "LD.E R8, [R2], PT", "ST.E [R2], R5, PT"},
                 {77});
  one.run();
  EXPECT_EQ(one.value(5, 9), 9u);
  EXPECT_EQ(one.value(8, 9), 77u);
  EXPECT_EQ(one.word(0), 0u);
}

TEST(ConstantMemory, IsReadByOffsetAndByIndex) {
  WithBuffer one({"MOV R4, c[0x3][0x4]", "SHL R5, R0, 0x2", "LDC R6, c[0x3][R5]",
                  "LDC.U8 R7, c[0x3][0x1]", "MOV R8, c[0x0][0x8]", "MOV R9, c[0x0][0x140]"},
                 {0});
  std::vector<uint32_t> words;
  for (uint32_t i = 0; i < 32; ++i) words.push_back(0x100 * i);
  one.program.constants[3] = bytes_of(std::vector<uint32_t>(32));
  one.launch.constants[3] = bytes_of(words);
  one.launch.parameters = bytes_of({0xABCD});
  one.run();
  EXPECT_EQ(one.value(4), 0x100u);
  EXPECT_EQ(one.value(6, 31), 0x1F00u);
  EXPECT_EQ(one.value(7), 0u);
  EXPECT_EQ(one.value(8), 32u);
  EXPECT_EQ(one.value(9), 0xABCDu);
}

TEST(Atomics, TakeLanesInAscendingOrder) {
  WithBuffer one({"ATOM.E.ADD R4, [R2], R0", "RED.E.MAX.S32 [R2+0x4], R0",
                  "ATOM.E.EXCH R5, [R2+0x8], R0", "RED.E.INC [R2+0xc], R6"},
                 {100, 0xFFFFFFFF, 55, 0});
  one.set(6, 9);
  one.run();
  EXPECT_EQ(one.value(4, 0), 100u);
  EXPECT_EQ(one.value(4, 3), 103u);
  EXPECT_EQ(one.word(0), 100u + 496u);
  EXPECT_EQ(one.word(1), 31u);
  EXPECT_EQ(one.value(5, 0), 55u);
  EXPECT_EQ(one.value(5, 31), 30u);
  EXPECT_EQ(one.word(2), 31u);
  EXPECT_EQ(one.word(3), 2u);  // 32 increments, wrapping after 9
}

TEST(Atomics, SwapWhereTheOldValueIsTheExpectedOne) {
  WithBuffer one({"IADD32I R5, R0, 0x1", "MOV R4, R0", "ATOM.E.CAS R6, [R2], R4, R5",
                  "MOV32I R8, 0x0", "MOV32I R9, 0x3f800000", "RED.E.ADD.F32.FTZ.RN [R2+0x4], R9"},
                 {0, 0});
  one.run();
  EXPECT_EQ(one.word(0), 32u);
  EXPECT_EQ(one.value(6, 31), 31u);
  EXPECT_EQ(one.word(1), 0x42000000u);
}

TEST(Atomics, WorkOnSharedMemory) {
  WithBuffer one({"LOP32I.AND R4, R0, 0x3", "SHL R4, R4, 0x2", "MOV32I R5, 0x1",
                  "ATOMS.ADD R6, [R4], R5", "LDS R7, [R4]"},
                 {0});
  one.run();
  EXPECT_EQ(one.value(6, 0), 0u);
  EXPECT_EQ(one.value(6, 31), 7u);
  EXPECT_EQ(one.value(7, 2), 8u);
}

}  // namespace machine_memory_test
}  // namespace shflsim::isa
