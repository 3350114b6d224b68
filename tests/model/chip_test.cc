// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "model/core/large_heap.h"
#include "model/global_memory/chip_memory.h"
#include "model/run.h"
#include "tests/support/code_trace.h"
#include "tests/support/layers.h"

namespace shflsim::model {
namespace chip_test {

/// `blocks` blocks of one warp that each execute the code once.
traces::Trace trace_of(const std::string& code, uint32_t blocks) {
  traces::Trace trace = test::trace_of(code, blocks);
  trace.blocks = blocks;
  trace.threads_per_block = isa::kLanes;
  for (uint32_t block = 0; block < blocks; ++block) {
    trace.warps[block].block = block;
    trace.warps[block].warp = 0;
  }
  return trace;
}

RunResult run_on(unsigned sms, const traces::Trace& trace,
                 const std::vector<std::string>& settings = {}) {
  return run(trace, test::layers_of("gm107", settings), sms);
}

const std::string kMath = "FADD R1, R1, R1;\nFADD R1, R1, R1;\nEXIT;\n";
const std::string kLoad = "LDG.E R2, [R4];\nFADD R3, R2, R2;\nEXIT;\n";

/// The SM of each of so many blocks.
std::vector<uint32_t> places(unsigned sms, uint32_t blocks,
                             const std::vector<std::string>& settings = {}) {
  std::vector<uint32_t> found;
  for (const WarpStats& warp : run_on(sms, trace_of(kMath, blocks), settings).warps)
    found.push_back(warp.sm);
  return found;
}

TEST(Chip, HandsOutBlocksToItsSmsInTurn) {
  EXPECT_EQ(places(3, 5), (std::vector<uint32_t>{0, 1, 2, 0, 1}));
}

// As the chip does (places.csv.gz): one SM of each TPC first, and consecutive blocks to one GPC.
TEST(Chip, ConsecutiveBlocksGoToOneGpc) {
  EXPECT_EQ(places(12, 12, {"sm.gpcs=2"}),
            (std::vector<uint32_t>{0, 1, 4, 5, 8, 9, 2, 3, 6, 7, 10, 11}));
  EXPECT_EQ(places(12, 7, {"sm.gpcs=2"}), (std::vector<uint32_t>{0, 1, 4, 8, 2, 6, 10}));
  EXPECT_EQ(places(12, 4, {"sm.gpcs=2"}), (std::vector<uint32_t>{0, 4, 2, 6}));
}

TEST(Chip, RunsIndependentBlocksInTheTimeOfOne) {
  const RunResult result = run_on(4, trace_of(kMath, 4));
  EXPECT_EQ(result.cycles, 8u);  // FADD at 0 and 6, EXIT at 7
  EXPECT_EQ(result.warp_instructions, 12u);
  EXPECT_EQ(result.warp_cycles, 32u);
}

TEST(Chip, CountsTheUnitsOfAllItsSms) {
  const RunResult result = run_on(4, trace_of(kMath, 4));
  EXPECT_EQ(result.sms, 4u);
  EXPECT_EQ(result.units.front().name, "fmai");
  EXPECT_EQ(result.units.front().instances, 16u);
  uint64_t operations = 0;  // the two pipes take FADDs in turn
  for (const UnitStats& unit : result.units) operations += unit.operations;
  EXPECT_EQ(operations, 8u);
}

TEST(Chip, MakesTheLoadsOfItsSmsWaitForItsMemory) {
  const RunResult result = run_on(3, trace_of(kLoad, 3), {"global_memory.chip_bytes=1"});
  const Cycle first = result.warps[0].finish;
  EXPECT_EQ(result.warps[1].finish, first + 128);
  EXPECT_EQ(result.warps[2].finish, first + 256);
}

/// Sub-partition and start cycle of each warp, in the order in which they start.
struct Starts {
  std::vector<unsigned> sub_partitions;
  std::vector<Cycle> cycles;
};

class StartObserver : public Observer {
 public:
  void warp_started(const ResidentWarp& warp, Cycle now) override {
    starts.sub_partitions.push_back(warp.sub_partition);
    starts.cycles.push_back(now);
  }
  Starts starts;
};

Starts starts_of(const traces::Trace& trace, unsigned sms, const std::vector<std::string>& set) {
  StartObserver observer;
  run(trace, test::layers_of("gm107", set), sms, &observer);
  return observer.starts;
}

/// Blocks of `warps` warps each.
traces::Trace blocks_of(unsigned warps, uint32_t blocks) {
  traces::Trace trace = trace_of(kMath, warps * blocks);
  trace.blocks = blocks;
  trace.threads_per_block = 32 * warps;
  for (uint32_t i = 0; i < trace.warps.size(); ++i) {
    trace.warps[i].block = i / warps;
    trace.warps[i].warp = i % warps;
  }
  return trace;
}

TEST(Chip, WarpsGoToTheSubPartitionsInTurn) {
  using Numbers = std::vector<unsigned>;
  EXPECT_EQ(starts_of(blocks_of(3, 3), 1, {}).sub_partitions, (Numbers{0, 1, 2, 3, 0, 1, 2, 3, 0}));
  EXPECT_EQ(starts_of(blocks_of(4, 2), 1, {}).sub_partitions, (Numbers{0, 1, 2, 3, 0, 1, 2, 3}));
}

TEST(Chip, ABlockOfFourWarpsShiftsTheNextOne) {
  using Numbers = std::vector<unsigned>;
  const std::vector<std::string> kShift = {"sm.block_shift=1"};
  EXPECT_EQ(starts_of(blocks_of(1, 5), 1, kShift).sub_partitions, (Numbers{0, 1, 2, 3, 0}));
  EXPECT_EQ(starts_of(blocks_of(4, 3), 1, kShift).sub_partitions,
            (Numbers{0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1}));
  EXPECT_EQ(starts_of(blocks_of(5, 2), 1, kShift).sub_partitions,
            (Numbers{0, 1, 2, 3, 0, 1, 2, 3, 0, 1}));
}

TEST(Chip, TheSmsOfAGpcGetReplacementsOneAfterAnother) {
  const std::vector<std::string> one_gpc = {"sm.max_blocks=1", "sm.refill_interval=5"};
  EXPECT_EQ(starts_of(trace_of(kMath, 6), 3, one_gpc).cycles,
            (std::vector<Cycle>{0, 0, 0, 9, 14, 19}));
  const std::vector<std::string> two_gpcs = {"sm.max_blocks=1", "sm.refill_interval=5",
                                             "sm.gpcs=2"};
  EXPECT_EQ(starts_of(trace_of(kMath, 6), 3, two_gpcs).cycles,  // two SMs and one
            (std::vector<Cycle>{0, 0, 0, 9, 9, 14}));
}

// A GPC replaces a block every 5 cycles and has a finished one every 1.5 cycles.
TEST(Chip, TheSmsOfAGpcGetEqualNumbersOfBlocks) {
  std::vector<int> blocks(12);
  const auto sms = places(12, 48, {"sm.max_blocks=1", "sm.refill_interval=5", "sm.gpcs=2"});
  for (const uint32_t sm : sms) ++blocks[sm];
  EXPECT_EQ(blocks, std::vector<int>(12, 4));
  EXPECT_EQ(std::vector<uint32_t>(sms.begin() + 12, sms.begin() + 24),
            (std::vector<uint32_t>{0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11}));
}

TEST(Chip, RunsABlockOnAnySmWhenItsTurnComes) {
  const RunResult result = run_on(2, trace_of(kMath, 40), {"sm.max_blocks=1"});
  EXPECT_EQ(result.cycles, 20u * 8u + 19u);  // a block starts one cycle after the one before it
}

/// The flags of the process's memory at this address (proc(5), VmFlags); "" if it is not found.
std::string flags_of(const void* address) {
  std::ifstream maps("/proc/self/smaps");
  const auto place = reinterpret_cast<uintptr_t>(address);
  bool is_in = false;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    uintptr_t first = 0;
    uintptr_t end = 0;
    char dash = 0;
    if (words >> std::hex >> first >> dash >> end && dash == '-')
      is_in = first <= place && place < end;
    else if (is_in && line.rfind("VmFlags:", 0) == 0)
      return line + " ";
  }
  return "";
}

TEST(LargeHeap, AsksForLargePagesForWhatIsAllocatedNext) {
  constexpr size_t kBytes = size_t{24} << 20;
  expect_on_heap(4 * kBytes);
  const auto bytes = std::make_unique<char[]>(kBytes);
  const char* const middle = bytes.get() + kBytes / 2;
  if (middle > sbrk(0)) GTEST_SKIP() << "another heap than the C library's";
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled"))
    GTEST_SKIP() << "no such pages";
  EXPECT_NE(flags_of(middle).find(" hg "), std::string::npos) << flags_of(middle);
}

TEST(ChipMemory, LetsLinesPassAtARateThatDoesNotDivideThem) {
  ChipMemoryParams params;
  params.chip_bytes = 84;
  ChipMemory memory("memory", params);  // 128 / 84 = 1.52 cycles per line
  EXPECT_EQ(memory.take(10), 10u);
  EXPECT_EQ(memory.take(10), 12u);
  EXPECT_EQ(memory.take(10), 14u);
  EXPECT_EQ(memory.take(10), 15u);
  EXPECT_EQ(memory.take(100), 100u);
}

}  // namespace chip_test
}  // namespace shflsim::model
