// SPDX-License-Identifier: Apache-2.0
// The attention of examples/attention, bit for bit as an H100 computed it.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "isa/dialects/source.h"
#include "isa/machine/machine.h"
#include "isa/machine/sm70/tensor_map.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace attention_test {

constexpr uint32_t kColumns = 64;

/// bf16 of magnitude 1/8 to 2, as launches.py makes them.
std::vector<uint8_t> values(uint32_t count, uint32_t seed) {
  constexpr uint32_t kPeriod = 65521;
  std::vector<uint16_t> some(kPeriod);
  for (uint16_t& each : some) {
    seed = seed * 1664525 + 1013904223;
    each = static_cast<uint16_t>((seed >> 16 & 0x81FF) | 0x3E00);
  }
  std::vector<uint8_t> bytes(size_t{count} * 2);
  for (uint32_t i = 0; i < count; ++i) std::memcpy(&bytes[2 * i], &some[i % kPeriod], 2);
  return bytes;
}

/// Rows of 64 columns, boxes of 128 of them, swizzled by 128 bytes.
std::array<uint32_t, 32> map_of(uint64_t address, uint32_t rows) {
  std::array<uint32_t, 32> words{};
  words[0] = static_cast<uint32_t>(address);
  words[1] = static_cast<uint32_t>(address >> 32);
  words[2] = 1u << 4 | 10u << 7 | 3u << 13;
  words[3] = 2 * kColumns >> 4;
  words[8] = kColumns - 1;
  words[9] = rows - 1;
  words[13] = 63u << 24;
  words[14] = 127;
  return words;
}

uint64_t hash_of(const std::vector<uint8_t>& bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

TEST(Attention, OfOneBlockIsWhatAnH100Computes) {
  constexpr uint32_t kQueries = 128, kKeys = 512;
  const Program program =
      find_kernel(*open_source(test::source_path("examples/attention/attention.sm90a.cubin.gz")),
                  "attention_64", "attention");
  DeviceMemory memory;
  Launch launch;
  launch.block.x = 384;
  launch.shared_bytes = 1024 + 5 * 128 * 2 * kColumns;
  constexpr uint32_t kFirst = 48;  // c[0x0][0x240] is the first multiple of 64 after 0x210
  launch.parameters.resize(kFirst + 3 * 128 + 24);
  uint8_t* const arguments = &launch.parameters[kFirst];
  const uint32_t rows[] = {kQueries, kKeys, kKeys};
  for (uint32_t i = 0; i < 3; ++i) {
    const uint64_t at = memory.allocate(values(rows[i] * kColumns, i + 1));
    const auto words = map_of(at, rows[i]);
    std::memcpy(arguments + 128 * i, words.data(), 128);
  }
  const uint64_t out = memory.allocate(std::vector<uint8_t>(kQueries * kColumns * 2));
  const uint64_t cycles = memory.allocate(std::vector<uint8_t>(4));
  const float scale = static_cast<float>(1.4426950408889634 / 8);
  std::memcpy(arguments + 384, &out, 8);
  std::memcpy(arguments + 392, &kKeys, 4);
  std::memcpy(arguments + 396, &scale, 4);
  std::memcpy(arguments + 400, &cycles, 8);
  StepObserver nobody;
  execute(program, launch, memory, nobody);
  EXPECT_EQ(hash_of(memory.bytes(out)), 0x42f9a0faabcc25b4u);
}

}  // namespace attention_test
}  // namespace shflsim::isa
