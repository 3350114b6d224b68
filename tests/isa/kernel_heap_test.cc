// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/kernel_heap.h"

#include <gtest/gtest.h>

namespace shflsim::isa {
namespace kernel_heap_test {

TEST(KernelHeap, GivesBlocksOfWholeUnitsAndJoinsThoseThatAreFreed) {
  KernelHeap heap(64);
  EXPECT_EQ(heap.take(1), 0u);
  EXPECT_EQ(heap.take(17), 16u);
  EXPECT_EQ(heap.take(16), 48u);
  EXPECT_EQ(heap.take(1), KernelHeap::kNone);
  EXPECT_TRUE(heap.give_back(16));
  EXPECT_FALSE(heap.give_back(16));
  EXPECT_EQ(heap.take(33), KernelHeap::kNone);
  EXPECT_TRUE(heap.give_back(48));
  EXPECT_TRUE(heap.give_back(0));
  EXPECT_EQ(heap.take(64), 0u);
  EXPECT_EQ(heap.take(~uint64_t{0}), KernelHeap::kNone);
}

}  // namespace kernel_heap_test
}  // namespace shflsim::isa
