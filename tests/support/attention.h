// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstring>
#include <vector>

#include "isa/dialects/source.h"
#include "isa/machine/machine.h"
#include "tests/support/files.h"

namespace shflsim::test {

/// bf16 of magnitude 1/8 to 2, as examples/attention/launches.py makes them.
inline std::vector<uint8_t> attention_values(uint32_t count, uint32_t seed) {
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

/// The launch one_64 of examples/attention: one block, 64 columns, 512 keys.
struct Attention {
  static constexpr uint32_t kColumns = 64, kQueries = 128, kKeys = 512;

  Attention()
      : program(isa::find_kernel(
            *isa::open_source(source_path("examples/attention/attention.sm90a.cubin.gz")),
            "attention_64", "attention")) {
    launch.block.x = 384;
    launch.shared_bytes = 1024 + 5 * 128 * 2 * kColumns;
    constexpr uint32_t kFirst = 48;  // c[0x0][0x240] is the first multiple of 64 behind 0x210
    launch.parameters.resize(kFirst + 3 * 128 + 24);
    uint8_t* const arguments = &launch.parameters[kFirst];
    const uint32_t rows[] = {kQueries, kKeys, kKeys};
    for (uint32_t i = 0; i < 3; ++i) {
      const auto words =
          map_of(memory.allocate(attention_values(rows[i] * kColumns, i + 1)), rows[i]);
      std::memcpy(arguments + 128 * i, words.data(), 128);
    }
    out = memory.allocate(std::vector<uint8_t>(kQueries * kColumns * 2));
    cycles = memory.allocate(std::vector<uint8_t>(4));
    const auto scale = static_cast<float>(1.4426950408889634 / 8);
    std::memcpy(arguments + 384, &out, 8);
    std::memcpy(arguments + 392, &kKeys, 4);
    std::memcpy(arguments + 396, &scale, 4);
    std::memcpy(arguments + 400, &cycles, 8);
  }

  /// Rows of 64 columns, boxes of 128 of them, swizzled by 128 bytes.
  static std::array<uint32_t, 32> map_of(uint64_t address, uint32_t rows) {
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

  isa::Program program;
  isa::DeviceMemory memory;
  isa::Launch launch;
  uint64_t out = 0;     ///< addresses of what it leaves
  uint64_t cycles = 0;  ///< of its block
};

}  // namespace shflsim::test
