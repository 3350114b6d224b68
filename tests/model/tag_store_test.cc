// SPDX-License-Identifier: Apache-2.0
#include "model/global_memory/tag_store.h"

#include <gtest/gtest.h>

namespace shflsim::model {
namespace tag_store_test {

constexpr uint32_t kMany = 4096;  // candidates: as good as LRU in a small cache

/// The misses in the last of `passes` passes over `lines` lines.
uint32_t misses(TagStore& store, uint32_t lines, uint64_t stride, unsigned passes) {
  uint32_t missed = 0;
  for (unsigned pass = 0; pass < passes; ++pass) {
    missed = 0;
    for (uint32_t i = 0; i < lines; ++i) {
      if (store.find(i * stride) != nullptr) continue;
      store.insert(i * stride);
      ++missed;
    }
  }
  return missed;
}

TEST(TagStore, HoldsAsManyLinesWhateverTheirStride) {
  for (const uint64_t stride : {1u, 4u, 16u, 64u, 1024u, 2048u}) {
    TagStore store(160, 3);
    EXPECT_EQ(misses(store, 160, stride, 2), 0u) << stride;
  }
}

TEST(TagStore, TheLineUsedLeastRecentlyGoesAmongMany) {
  TagStore store(4, kMany);
  for (const uint64_t line : {1u, 2u, 3u, 4u}) store.insert(line);
  store.find(1);
  store.insert(5);
  EXPECT_EQ(store.find(2), nullptr);
  for (const uint64_t line : {1u, 3u, 4u, 5u}) EXPECT_NE(store.find(line), nullptr) << line;
}

TEST(TagStore, ARingOfMoreLinesMissesAlwaysInLruAndSometimesElse) {
  TagStore lru(160, kMany);
  EXPECT_EQ(misses(lru, 192, 1, 8), 192u);
  TagStore random(160, 1);
  const uint32_t of_random = misses(random, 192, 1, 8);
  EXPECT_GT(of_random, 32u);  // the lines that do not fit
  EXPECT_LT(of_random, 96u);
}

TEST(TagStore, DrawsTheSameInEachRun) {
  TagStore first(416, 3);
  TagStore second(416, 3);
  for (unsigned passes = 1; passes < 6; ++passes)
    EXPECT_EQ(misses(first, 480, 1, 1), misses(second, 480, 1, 1));
}

TEST(TagStore, ALineComesWithoutSectors) {
  TagStore store(2, 1);
  TagStore::Entry* const entry = store.insert(9);
  EXPECT_EQ(entry->line, 9u);
  EXPECT_EQ(entry->sectors, 0u);
  entry->sectors = 5;
  EXPECT_EQ(store.find(9)->sectors, 5u);
}

TEST(TagStore, ADroppedLineMakesRoom) {
  TagStore store(3, kMany);
  for (const uint64_t line : {1u, 2u, 3u}) store.insert(line);
  store.drop(1);
  store.drop(7);
  EXPECT_EQ(store.find(1), nullptr);
  store.insert(4);
  for (const uint64_t line : {2u, 3u, 4u}) EXPECT_NE(store.find(line), nullptr) << line;
}

TEST(TagStore, OfNoLinesHasNone) {
  TagStore store(0, 3);
  EXPECT_EQ(store.insert(1), nullptr);
  EXPECT_EQ(store.find(1), nullptr);
}

}  // namespace tag_store_test
}  // namespace shflsim::model
