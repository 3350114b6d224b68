// SPDX-License-Identifier: Apache-2.0
// An L2 of two halves: where lines are at home, their copies, and slices.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/global_memory/l2_distance.h"
#include "tests/model/chip_memory_requests.h"

namespace shflsim::model {
namespace chip_memory_halves_test {

/// Whether an SM at each half finds the line in the other half: half 0, half 1.
std::vector<bool> far_of(ChipMemory* chip, uint64_t line) {
  return {chip->fetch(sectors_of(line, 0xF, 0), 0).is_far,
          chip->fetch(sectors_of(line, 0xF, 2), 0).is_far};
}

ChipMemoryParams of_two_halves(bool warm = false) {
  ChipMemoryParams params = chip_of(32, 64, warm);
  params.far_latency = 100;
  return params;
}

/// A line at home in half 0 and one in half 1, in the first slices of two.
std::vector<uint64_t> lines_at_home() {
  ChipMemory chip("memory", of_two_halves());
  const L2Hash hash(4, 2);
  std::vector<uint64_t> lines(2);
  for (uint64_t line = 0; line < 32 * 64; line += 32) {
    if (hash.slice(line, 0) == 0) lines[far_of(&chip, line)[0] ? 1 : 0] = line;
  }
  return lines;
}

/// Two slices in each half, a request of one sector a cycle in each.
ChipMemoryParams of_slices() {
  ChipMemoryParams params = chip_of(32, 64, true);
  params.far_latency = 100;
  params.l2_copies = 100;
  params.l2_requests = 4;
  params.l2_slices = 4;
  return params;
}

TEST(ChipMemory, ASliceServesItsOwnLinesInOrder) {
  ChipMemory chip("memory", of_slices());
  EXPECT_EQ(chip.fetch(sectors_of(0, 0xF), 10).starts, 12u) << "2.2";
  EXPECT_EQ(chip.fetch(sectors_of(1, 0xF), 10).starts, 14u) << "the next line is in the same slice";
  EXPECT_EQ(chip.fetch(sectors_of(2, 0xF), 10).starts, 12u) << "the line behind it is not";
  EXPECT_EQ(chip.fetch(sectors_of(4, 0xF), 10).starts, 16u) << "two slices have a KiB";
  EXPECT_EQ(chip.fetch(sectors_of(0, 0xF, 2), 10).starts, 12u) << "the copy is in the other half";
}

TEST(ChipMemory, AFenceAsksEachSlice) {
  ChipMemory chip("memory", of_slices());
  EXPECT_EQ(chip.fence(10), 11u);
  EXPECT_EQ(chip.fence(10), 12u);
  EXPECT_EQ(chip.fetch(sectors_of(0, 0xF), 10).starts, 14u) << "behind both";
}

TEST(ChipMemory, FencesOfAllSmsPassOneAfterAnother) {
  ChipMemoryParams params = of_slices();
  params.fence_turn = 450;
  ChipMemory chip("memory", params);
  EXPECT_EQ(chip.fence(10), 14u) << "10 and 4.5";
  EXPECT_EQ(chip.fence(10), 19u);
  EXPECT_EQ(chip.fence(12), 23u) << "23.5";
  EXPECT_EQ(chip.fence(40), 44u);
}

TEST(ChipMemory, TheWayToASliceDependsOnTheGpcAndThePlaceInTheRing) {
  EXPECT_EQ(L2Distance::cycles(0, 0, 4), -12);
  EXPECT_EQ(L2Distance::cycles(1, 2, 4), 26);
  EXPECT_EQ(L2Distance::cycles(7, 3, 1), 6);
  ChipMemoryParams params = of_slices();
  EXPECT_EQ(ChipMemory("two", params).fetch(sectors_of(0, 1), 0).distance, 0) << "no such rings";
  params.l2_slices = 80;
  ChipMemory chip("memory", params, 8);
  EXPECT_EQ(chip.fetch(sectors_of(0, 1, 0), 0).distance, -15);
  EXPECT_EQ(chip.fetch(sectors_of(0, 1, 2), 0).distance, 18);
  EXPECT_EQ(chip.update(sectors_of(0, 1, 2), {}, 0).distance, 18);
}

TEST(ChipMemory, ASliceHasAChannelOfTheDram) {
  ChipMemoryParams params = of_slices();
  params.l2_warm = 0;
  params.l2_requests = 0;
  ChipMemory chip("memory", params);
  EXPECT_EQ(chip.fetch(sectors_of(0, 0xF), 10).starts, 10u);
  EXPECT_EQ(chip.fetch(sectors_of(1, 0xF), 10).starts, 26u) << "a quarter of 32 bytes a cycle";
  EXPECT_EQ(chip.fetch(sectors_of(2, 0xF), 10).starts, 10u) << "another slice";
}

TEST(ChipMemory, AReturnedAtomicTakesItsSliceLonger) {
  ChipMemoryParams params = of_slices();
  params.atomic_word = 100;
  ChipMemory chip("memory", params);
  const LineRequest request = sectors_of(0, 0x1, 0, true);
  EXPECT_EQ(chip.update(request, {1, true}, 10).starts, 10u);
  EXPECT_EQ(chip.update(request, {1, true}, 10).starts, 12u) << "2.09";
  EXPECT_EQ(chip.update(request, {1, false}, 10).starts, 14u) << "4.18";
  EXPECT_EQ(chip.update(request, {1, false}, 10).starts, 15u) << "1 more";
}

TEST(ChipMemory, CpcsGetEqualSharesOfTheAtomicsOfASlice) {
  ChipMemoryParams params = of_slices();
  params.atomic_word = 1000;
  params.l2_requests = 0;
  params.cpcs = 2;
  ChipMemory chip("memory", params);
  const auto update = [&chip](unsigned sm) {
    return chip.update(sectors_of(0, 0x1, sm, true), {1, false}, 10).starts;
  };
  for (const Cycle starts : {10u, 20u, 30u, 40u}) EXPECT_EQ(update(0), starts);
  EXPECT_EQ(update(2), 20u) << "the first of another CPC";
  EXPECT_EQ(update(3), 40u) << "the same CPC, every other turn";
  EXPECT_EQ(update(4), 60u) << "the first CPC again, which now shares";
}

TEST(ChipMemory, ReadsOfASliceWaitBehindTheAtomicsOfTheirCpc) {
  ChipMemoryParams params = of_slices();
  params.atomic_word = 1000;
  params.cpcs = 2;
  ChipMemory chip("memory", params);
  for (int i = 0; i < 3; ++i) chip.update(sectors_of(0, 0x1, 0, true), {1, false}, 10);
  EXPECT_EQ(chip.fetch(sectors_of(2, 0xF), 10).starts, 12u) << "another slice, 2.2";
  EXPECT_EQ(chip.fetch(sectors_of(1, 0xF), 10).starts, 42u) << "another line, behind three tens";
}

TEST(ChipMemory, WhoAsksForALineBehindOthersOfTheGpcIsServedWithThem) {
  ChipMemory chip("memory", of_slices());
  EXPECT_EQ(chip.fetch(sectors_of(0, 0xF), 10).starts, 12u) << "2.2";
  EXPECT_EQ(chip.fetch(sectors_of(0, 0xF), 11).starts, 12u) << "with the first";
  EXPECT_EQ(chip.fetch(sectors_of(1, 0xF), 11).starts, 14u) << "another line, 4.4";
  EXPECT_EQ(chip.fetch(sectors_of(0, 0x1), 20).starts, 20u);
  EXPECT_EQ(chip.fetch(sectors_of(0, 0xF), 20).starts, 20u) << "three others";
  EXPECT_EQ(chip.fetch(sectors_of(0, 0xF), 20).starts, 22u) << "2.2";
  EXPECT_EQ(chip.fetch(sectors_of(0, 0x1), 281).starts, 281u);
  EXPECT_EQ(chip.fetch(sectors_of(0, 0xF), 282).starts, 284u) << "262 cycles later";
}

TEST(ChipMemory, ScatteredSectorsAreServedOneByOne) {
  ChipMemory chip("memory", of_slices());
  const LineRequest request{0, 0, 0x1, false, 0, true};
  EXPECT_EQ(chip.fetch(request, 10).starts, 11u);
  EXPECT_EQ(chip.fetch(request, 10).starts, 12u);
  EXPECT_EQ(chip.fetch(request, 10).starts, 13u);
}

TEST(ChipMemory, WhoAsksForWhatIsOnItsWayFromTheDramWaitsForIt) {
  ChipMemory chip("memory", chip_of(32, 1), 1, 290);
  EXPECT_EQ(chip.fetch(sectors_of(7, 0x1), 10).starts, 10u);
  EXPECT_EQ(chip.fetch(sectors_of(7, 0x1), 20).starts, 300u) << "there at 10 + 290";
  EXPECT_EQ(chip.fetch(sectors_of(7, 0x2), 300).starts, 300u) << "another sector, of the DRAM";
  EXPECT_EQ(chip.fetch(sectors_of(7, 0x1), 310).starts, 310u) << "it was there before";
  EXPECT_EQ(chip.fetch(sectors_of(7, 0x1), 600).starts, 600u);
  EXPECT_EQ(chip.update(sectors_of(9, 0x1), {1, true}, 700).there, 700u);
  EXPECT_EQ(chip.update(sectors_of(9, 0x1), {1, true}, 710).there, 990u);
}

TEST(ChipMemory, AWriteFromTheOtherHalfTakesTimeOfBoth) {
  const std::vector<uint64_t> lines = lines_at_home();
  for (const unsigned sm : {0u, 2u}) {  // at home, and far
    ChipMemory chip(("memory" + std::to_string(sm)).c_str(), of_slices());
    EXPECT_EQ(chip.write(sectors_of(lines[0], 0xF, sm), 10), sm == 0 ? 12u : 12u) << "2.4, 2.8";
    EXPECT_EQ(chip.write(sectors_of(lines[0], 0xF, 0), 10), sm == 0 ? 14u : 14u) << "4.8 at home";
    EXPECT_EQ(chip.write(sectors_of(lines[1], 0xF, 2), 10), sm == 0 ? 13u : 15u)
        << "3.3 of the GPC; 2.4 and 2.8";
  }
}

TEST(ChipMemory, WhatComesFromTheOtherHalfWaitsForTheWritesBefore) {
  const uint64_t line = lines_at_home()[0];
  ChipMemoryParams params = of_slices();
  params.l2_copies = 0;
  ChipMemory chip("memory", params);
  EXPECT_EQ(chip.write(sectors_of(line, 0xF, 2, true), 10), 13u) << "3.5 for the copy's slice";
  EXPECT_EQ(chip.fetch(sectors_of(line, 0xF, 2), 10).starts, 13u) << "behind the write";
  EXPECT_EQ(chip.fetch(sectors_of(line, 0xF, 2), 90).starts, 113u) << "a copy is on its way";
  EXPECT_EQ(chip.fetch(sectors_of(line, 0xF, 2), 290).starts, 292u) << "a copy is here";
}

TEST(ChipMemory, WhoAsksForWhatIsOnItsWayFromTheOtherHalfWaitsForIt) {
  const uint64_t line = lines_at_home()[0];
  ChipMemory chip("memory", of_two_halves(true), 1, 290);
  EXPECT_EQ(chip.fetch(sectors_of(line, 0xF, 2), 10).starts, 10u);
  EXPECT_EQ(chip.fetch(sectors_of(line, 0xF, 2), 20).starts, 110u) << "there at 10 + 100";
  EXPECT_EQ(chip.fetch(sectors_of(line, 0xF, 0), 20).starts, 20u) << "at home it is there";
}

TEST(ChipMemory, AHalfOfTheL2KeepsACopyOfWhatIsAtHomeInTheOther) {
  const std::vector<uint64_t> lines = lines_at_home();
  ChipMemory chip("memory", of_two_halves());
  EXPECT_EQ(far_of(&chip, lines[0]), (std::vector<bool>{false, true}));
  EXPECT_EQ(far_of(&chip, lines[0]), (std::vector<bool>{false, false}));
  EXPECT_EQ(far_of(&chip, lines[1]), (std::vector<bool>{true, false}));
  EXPECT_EQ(far_of(&chip, lines[1]), (std::vector<bool>{false, false}));
}

TEST(ChipMemory, FourKibAreAtHomeTogether) {
  for (const uint64_t first : lines_at_home()) {
    ChipMemory chip("memory", of_two_halves());
    const std::vector<bool> far = far_of(&chip, first);
    for (uint64_t line = first + 1; line < first + 32; ++line) EXPECT_EQ(far_of(&chip, line), far);
  }
}

TEST(ChipMemory, AHalfOfAllIsAtHomeInEach) {
  ChipMemory chip("memory", of_two_halves());
  unsigned far = 0;
  for (uint64_t page = 0; page < 1024; ++page)
    far += chip.fetch(sectors_of(page * 32, 1), 0).is_far ? 1 : 0;
  EXPECT_GT(far, 448u);
  EXPECT_LT(far, 576u);
}

TEST(ChipMemory, WhatTheOtherHalfHasJustWrittenIsSeenLater) {
  const uint64_t line = lines_at_home()[0];
  ChipMemory chip("memory", of_two_halves());
  chip.write(sectors_of(line, 0xF, 2), 10);
  EXPECT_EQ(chip.fetch(sectors_of(line, 0xF, 2), 20).starts, 20u);
  EXPECT_EQ(chip.fetch(sectors_of(line, 0xF, 0), 20).starts, 20u + 50);
  EXPECT_EQ(chip.fetch(sectors_of(line, 0xF, 0), 409).starts, 409u + 50);
  EXPECT_EQ(chip.fetch(sectors_of(line, 0xF, 0), 410).starts, 410u);
}

TEST(ChipMemory, AnAtomicDropsTheCopyAndIsSeenWhenItIsDone) {
  const uint64_t line = lines_at_home()[0];
  ChipMemoryParams params = of_two_halves(true);
  params.atomic_word = 3000;
  ChipMemory chip("memory", params);
  far_of(&chip, line);
  chip.update(sectors_of(line, 1, 0), {1, false}, 10);
  EXPECT_EQ(chip.fetch(sectors_of(line, 1, 0), 20).starts, 34u);
  EXPECT_TRUE(chip.fetch(sectors_of(line, 1, 2), 20).is_far);
}

TEST(ChipMemory, AWriteFromTheHomesHalfDropsTheCopy) {
  const uint64_t line = lines_at_home()[0];
  for (const bool is_partial : {false, true}) {
    ChipMemory chip("memory", of_two_halves());
    far_of(&chip, line);
    chip.write(sectors_of(line, 0xF, 2, is_partial), 0);
    EXPECT_EQ(far_of(&chip, line), (std::vector<bool>{false, false}));
    chip.write(sectors_of(line, 0xF, 0, is_partial), 0);
    EXPECT_EQ(far_of(&chip, line), (std::vector<bool>{false, true}));
  }
}

TEST(ChipMemory, WhoWritesWholeSectorsKeepsThemInItsHalf) {
  const uint64_t line = lines_at_home()[0];
  for (const bool is_partial : {false, true}) {
    ChipMemory chip("memory", of_two_halves());
    chip.write(sectors_of(line, 0xF, 2, is_partial), 0);
    EXPECT_EQ(far_of(&chip, line), (std::vector<bool>{false, is_partial}));
  }
}

TEST(ChipMemory, AtomicsAreDoneAtHome) {
  const std::vector<uint64_t> lines = lines_at_home();
  ChipMemory chip("memory", of_two_halves());
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(chip.update(sectors_of(lines[0], 1, 0), {1, false}, 0).is_far);
    EXPECT_TRUE(chip.update(sectors_of(lines[0], 1, 2), {1, false}, 0).is_far);
    EXPECT_TRUE(chip.update(sectors_of(lines[1], 1, 0), {1, false}, 0).is_far);
  }
}

/// Of `lines` lines from the first on that were copied before, those that SM 0 does not find.
unsigned missing_of(uint32_t l2_capacity, uint64_t lines) {
  ChipMemoryParams params = of_two_halves(true);
  params.l2_capacity = l2_capacity;
  params.l2_restored_far = 25;
  ChipMemory chip(("memory" + std::to_string(l2_capacity)).c_str(), params);
  chip.restore(0, lines * kLineBytes);
  unsigned missing = 0;
  for (uint64_t line = 0; line < lines; ++line)
    missing += chip.fetch(sectors_of(line, 0xF), 0).dram_bytes != 0 ? 1 : 0;
  return missing;
}

TEST(ChipMemory, WhatWasRestoredIsThereAsFarAsItFitsBesideWhatItWasCopiedFrom) {
  EXPECT_EQ(missing_of(512, 1024), 0u) << "4,096 lines; of each line two, and two copies";
  EXPECT_GT(missing_of(256, 1024), 128u) << "2,048 lines for 3,072";
  EXPECT_EQ(missing_of(32, 1024), 1024u) << "256 lines";
}

/// Of 4,096 restored lines, those that an SM finds far away.
unsigned far_restored(uint32_t percent) {
  constexpr uint64_t kLines = 4096;
  ChipMemoryParams params = of_two_halves(true);
  params.l2_capacity = 4096;
  params.l2_restored_far = percent;
  ChipMemory chip(("restored" + std::to_string(percent)).c_str(), params);
  chip.restore(0, kLines * kLineBytes);
  unsigned far = 0;
  for (uint64_t line = 0; line < kLines; ++line)
    far += chip.fetch(sectors_of(line, 0xF), 0).is_far ? 1 : 0;
  return far;
}

TEST(ChipMemory, AsManyRestoredLinesAreFarAsItsParameterSays) {
  EXPECT_EQ(far_restored(0), 0u);
  EXPECT_NEAR(far_restored(5), 205, 100);
  EXPECT_NEAR(far_restored(25), 1024, 200);
  EXPECT_NEAR(far_restored(50), 2048, 200);
}

TEST(ChipMemory, TheFirstPieceOfARestoredBufferIsNearToSm0) {
  constexpr uint64_t kPiece = 128;  // lines of 16 KiB
  ChipMemoryParams params = of_two_halves(true);
  params.l2_capacity = 4096;
  params.l2_restored_piece = 16;
  ChipMemory chip("pieces", params);
  chip.restore(0, 32 * kPiece * kLineBytes);
  unsigned far[2] = {};
  for (uint64_t line = 0; line < 32 * kPiece; ++line)
    far[line < kPiece ? 0 : 1] += chip.fetch(sectors_of(line, 0xF), 0).is_far ? 1 : 0;
  EXPECT_EQ(far[0], 0u);
  EXPECT_EQ(far[1], 768u) << "of 3,968 lines; a quarter in the mean";
}

/// Whether SM 0 finds the home of pages of 4 KiB of a buffer far away, which atomics reach.
std::string far_homes(ChipMemory* chip, uint64_t buffer, unsigned pages) {
  std::string homes;
  for (unsigned page = 0; page < pages; ++page)
    homes +=
        chip->update(sectors_of(buffer / kLineBytes + 32 * page, 0xF, 0), {}, 0).is_far ? 'F' : '.';
  return homes;
}

TEST(ChipMemory, RestoredBuffersAreSideBySideBetweenWhatTheyAreCopiedFrom) {
  constexpr uint64_t kMib = 1 << 20;
  ChipMemoryParams params = of_two_halves(true);
  params.l2_capacity = 4096;
  params.l2_restored_piece = 16;
  ChipMemory chip("placed", params);
  chip.restore(0, 32 * 1024);          // pages 0 to 7; 8 to 15 are the other one
  chip.restore(kMib, 4 * 1024 - 512);  // page 16
  chip.restore(2 * kMib, 128 * 1024);  // from 1 KiB before page 18 on
  EXPECT_EQ(far_homes(&chip, 0, 8), "F..FF..F") << "homes.csv.gz, profiled";
  EXPECT_EQ(far_homes(&chip, kMib, 1), "F");
  EXPECT_EQ(far_homes(&chip, 2 * kMib, 8), "..FF..F.");
  chip.restore(4 * kMib, 1792 * 1024);  // page 512: there is not enough room before
  EXPECT_EQ(far_homes(&chip, 4 * kMib, 4), "F..F");
}

/// Of 1,024 pages, those that an SM finds far away.
unsigned far_pages(uint32_t copies) {
  ChipMemoryParams params = of_two_halves(true);
  params.l2_capacity = 1024;
  params.l2_copies = copies;
  ChipMemory chip(("memory" + std::to_string(copies)).c_str(), params);
  unsigned far = 0;
  for (uint64_t page = 0; page < 1024; ++page)
    far += chip.fetch(sectors_of(page * 32, 1), 0).is_far ? 1 : 0;
  return far;
}

TEST(ChipMemory, AWarmL2HasACopyOfAsManyPagesAsItsParameterSays) {
  EXPECT_EQ(far_pages(100), 0u);
  EXPECT_GT(far_pages(50), 192u);  // a quarter
  EXPECT_LT(far_pages(50), 320u);
  EXPECT_GT(far_pages(0), 448u);  // half
  EXPECT_LT(far_pages(0), 576u);
}

}  // namespace chip_memory_halves_test
}  // namespace shflsim::model
