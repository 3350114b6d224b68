// SPDX-License-Identifier: Apache-2.0
// Constants that a launch reads for the first and the second time, compared with an H200.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "isa/dialects/source.h"
#include "isa/machine/machine.h"
#include "model/run.h"
#include "tests/support/files.h"
#include "tests/support/layers.h"
#include "traces/recorder.h"

namespace shflsim::model {
namespace pipeline_constants_test {

constexpr const char* kData = "tests/data/h200/2026-11-23/constants";

/// (in, out, n, times, repetitions) and a structure of 3,840 bytes.
std::vector<uint8_t> parameters(uint32_t repetitions, isa::DeviceMemory& memory) {
  std::vector<uint8_t> bytes(0x24 + 3840);
  const auto put = [&bytes](size_t at, auto value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  };
  for (const size_t at : {0x00u, 0x08u, 0x18u})
    put(at, memory.allocate(std::vector<uint8_t>(4096)));
  put(0x10, uint32_t{1024});
  put(0x20, repetitions);
  return bytes;
}

/// Cycles between the last two clock reads.
Cycle timed(const isa::Source& source, const std::string& kernel, uint32_t repetitions) {
  const isa::Program program = isa::find_kernel(source, kernel, kData);
  isa::DeviceMemory memory;
  isa::Launch launch;
  launch.block = {isa::kLanes, 1, 1};
  launch.parameters = parameters(repetitions, memory);
  isa::Outcome outcome;
  const traces::Trace trace = traces::record(program, launch, memory, {}, &outcome);
  const ConfigLayers layers = test::layers_of("gh100", {"fetch.warm=1"});
  const std::vector<Cycle> reads = run(trace, layers).warps.front().clock_reads;
  return reads.back() - reads.at(reads.size() - 2);
}

/// A kernel whose body does nothing takes 8 cycles more here than on the chip.
TEST(PipelineConstants, TakeWhatWasMeasured) {
  const auto source = isa::open_source(test::source_path(std::string(kData) + ".sm90.cubin.gz"));
  std::istringstream rows(test::read_file(test::source_path(std::string(kData) + ".csv")));
  std::string row;
  std::getline(rows, row);
  size_t compared = 0;
  while (std::getline(rows, row)) {
    std::replace(row.begin(), row.end(), ',', ' ');
    std::istringstream fields(row);
    std::string kernel;
    uint32_t repetitions = 0, least = 0, median = 0;
    fields >> kernel >> repetitions >> least >> median;
    // More lines than the cache has: the chip keeps eight of them, which is not LRU.
    if (kernel == "imm_64_40" && repetitions == 2) continue;
    EXPECT_NEAR(static_cast<double>(timed(*source, kernel, repetitions)), median, 16) << row;
    ++compared;
  }
  EXPECT_EQ(compared, 55u);
}

}  // namespace pipeline_constants_test
}  // namespace shflsim::model
