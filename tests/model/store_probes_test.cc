// SPDX-License-Identifier: Apache-2.0
// How long the next block waits for a block's stores (scripts/lab/hw/asynchronous/store_drain.cu),
// beside what an H200 gave (tests/data/h200/2026-11-29/store_drain.txt.gz).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "isa/dialects/source.h"
#include "model/run.h"
#include "tests/support/files.h"
#include "traces/live_launch.h"

namespace shflsim::model {
namespace store_probes_test {

/// Cycles from the last warp's end of the first block to the begin of the next one on the SM.
uint32_t gap(uint32_t warps, uint32_t stores, uint32_t pattern) {
  constexpr uint32_t kRow = 32, kBytes = 8 << 20, kAlone = 1;
  const auto source =
      isa::open_source(test::data_path("h200/2026-11-29/store_drain.sm90.cubin.gz"));
  const isa::Program program = source->program("drain");
  isa::DeviceMemory memory;
  const uint64_t out = memory.allocate(std::vector<uint8_t>(kBytes));
  const uint32_t numbers[] = {stores, pattern, kAlone, 0};
  isa::Launch launch;
  launch.grid.x = 2;
  launch.block.x = 32 * warps;
  launch.shared_bytes = 200000;
  launch.parameters.resize(sizeof out + sizeof numbers);
  std::memcpy(launch.parameters.data(), &out, sizeof out);
  std::memcpy(launch.parameters.data() + sizeof out, numbers, sizeof numbers);
  ConfigLayers h200;
  h200.add_file("h200");
  const auto live =
      std::make_shared<traces::LiveLaunch>(program, launch, memory, isa::MachineOptions{});
  run(traces::live_trace(program, launch, live), h200);
  uint32_t words[2 * kRow];
  std::memcpy(words, memory.bytes(out).data(), sizeof words);
  const uint32_t end = *std::max_element(words + 2, words + 2 + warps);
  return words[kRow + 1] - words[1] - end;
}

struct Stores {
  uint32_t warps, stores, pattern;
  int32_t measured, cycles;  ///< beyond a block without stores
};

class EndsOfBlocks : public ::testing::TestWithParam<Stores> {};

TEST_P(EndsOfBlocks, WaitForTheStoresUnderWay) {
  const Stores& of = GetParam();
  const auto more =
      static_cast<int32_t>(gap(of.warps, of.stores, of.pattern) - gap(of.warps, 0, 0));
  EXPECT_EQ(more, of.cycles);
  EXPECT_NEAR(of.cycles, of.measured, 62);
}

INSTANTIATE_TEST_SUITE_P(OfALine, EndsOfBlocks,
                         ::testing::Values(Stores{1, 40, 0, 2, 0}, Stores{4, 40, 0, -11, 0}));
INSTANTIATE_TEST_SUITE_P(OfSectors, EndsOfBlocks,
                         ::testing::Values(Stores{4, 16, 1, 155, 105}, Stores{4, 40, 1, 140, 105},
                                           Stores{8, 4, 1, 81, 101}, Stores{4, 16, 3, 109, 65}));
INSTANTIATE_TEST_SUITE_P(OfPartsOfSectors, EndsOfBlocks,
                         ::testing::Values(Stores{8, 16, 2, 284, 229}, Stores{16, 4, 2, 249, 201},
                                           Stores{1, 40, 4, 1346, 1285}));

}  // namespace store_probes_test
}  // namespace shflsim::model
