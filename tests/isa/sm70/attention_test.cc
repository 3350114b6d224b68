// SPDX-License-Identifier: Apache-2.0
// The attention of examples/attention, bit for bit as an H100 computed it.
#include "tests/support/attention.h"

#include <gtest/gtest.h>

namespace shflsim::isa {
namespace attention_test {

uint64_t hash_of(const std::vector<uint8_t>& bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

TEST(Attention, OfOneBlockIsWhatAnH100Computes) {
  test::Attention attention;
  StepObserver nobody;
  execute(attention.program, attention.launch, attention.memory, nobody);
  EXPECT_EQ(hash_of(attention.memory.bytes(attention.out)), 0x42f9a0faabcc25b4u);
}

}  // namespace attention_test
}  // namespace shflsim::isa
