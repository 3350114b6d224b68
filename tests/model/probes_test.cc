// SPDX-License-Identifier: Apache-2.0
// Probes of tests/data/h200/2026-11-28, compared with an H200.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "isa/dialects/source.h"
#include "isa/machine/machine.h"
#include "model/run.h"
#include "tests/support/files.h"
#include "traces/live_launch.h"

namespace shflsim::model {
namespace probes_test {

/// The words that a kernel of one block leaves in the last of its buffers.
class Probe {
 public:
  Probe(const std::string& file, const std::string& kernel)
      : program_(isa::find_kernel(
            *isa::open_source(test::data_path("h200/2026-11-28/" + file + ".sm90.cubin.gz")),
            kernel, file)) {
    layers_.add_file("gh100");
  }
  Probe& with(const char* setting) {
    layers_.add_setting(setting);
    return *this;
  }
  Probe& threads(unsigned count) {
    launch_.block.x = count;
    return *this;
  }
  Probe& shared(unsigned bytes) {
    launch_.shared_bytes = bytes;
    return *this;
  }
  Probe& buffer(size_t bytes) {
    last_ = memory_.allocate(std::vector<uint8_t>(bytes));
    return argument(last_);
  }
  Probe& word(uint32_t value) { return argument(value); }
  std::vector<uint32_t> run() {
    const auto live =
        std::make_shared<traces::LiveLaunch>(program_, launch_, memory_, isa::MachineOptions());
    model::run(traces::live_trace(program_, launch_, live), layers_, 1);
    const std::vector<uint8_t> bytes = memory_.bytes(last_);
    std::vector<uint32_t> words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
  }

 private:
  template <typename T>
  Probe& argument(T value) {
    std::vector<uint8_t>& all = launch_.parameters;
    const size_t at = (all.size() + sizeof value - 1) / sizeof value * sizeof value;
    all.resize(at + sizeof value);
    std::memcpy(all.data() + at, &value, sizeof value);
    return *this;
  }

  isa::Program program_;
  isa::DeviceMemory memory_;
  isa::Launch launch_;
  ConfigLayers layers_;
  uint64_t last_ = 0;
};

/// Of warp 0, which stores, and warp 1, which stores nothing and ends a group, too.
std::vector<uint32_t> flushed(uint32_t bytes) {
  return Probe("engine", "_Z15flush_of_othersPhjjjPj")
      .threads(64)
      .shared(80000)
      .buffer(1 << 17)
      .word(bytes)
      .word(0)
      .word(0)
      .buffer(64)
      .run();
}

TEST(Probes, TheEndOfAGroupWaitsForTheStoresOfOtherWarps) {
  for (const auto& [bytes, measured] : {std::pair{8192u, 378u}, {32768u, 1146u}}) {
    const std::vector<uint32_t> words = flushed(bytes);
    EXPECT_NEAR(words[1], measured, 40) << bytes;
    EXPECT_NEAR(words[3], words[1], 4) << bytes;
  }
}

Cycle straight(const char* l2_warm, const char* warm) {
  return Probe("cold_code", "dense")
      .threads(32)
      .with(l2_warm)
      .with(warm)
      .buffer(4 * 192)
      .word(0)
      .run()[159];
}

/// 160 lines of code; between launches the caches were emptied, or not. Three lines of the L1.5
/// take 49 to 53 cycles, which depends on the SM.
TEST(Probes, CodeIsInTheL15WhereTheCachesAreEmpty) {
  EXPECT_NEAR(static_cast<double>(straight("global_memory.l2_warm=0", "fetch.warm=0")), 2790, 230);
  EXPECT_NEAR(static_cast<double>(straight("global_memory.l2_warm=1", "fetch.warm=1")), 1672, 100);
}

}  // namespace probes_test
}  // namespace shflsim::model
