// SPDX-License-Identifier: Apache-2.0
// Integer and logic operations of sm_70 and later on random operands, compared with other ways to
// compute the results.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/isa/machine_support.h"

namespace shflsim::isa {
namespace sm70_integer_random_test {

constexpr uint32_t kEdges[] = {0,       1,          2,          31,         32,         33,
                               0x7F,    0x80,       0xFF,       0x7FFF,     0x8000,     0xFFFF,
                               0x10000, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF};

/// Edge values in some lanes, random ones in the others.
std::vector<uint32_t> words(std::mt19937& random) {
  std::vector<uint32_t> out(kLanes);
  for (uint32_t& word : out)
    word =
        random() % 2 == 0 ? kEdges[random() % std::size(kEdges)] : static_cast<uint32_t>(random());
  return out;
}

/// A run with random words in R2 to R8, and P2 and P3 where bits of R8 are set.
Experiment random_run(Arch arch, std::mt19937& random, const std::vector<std::string>& lines) {
  std::vector<std::string> all = {"R2P PR, R8, 0xc"};
  all.insert(all.end(), lines.begin(), lines.end());
  Experiment one(all, arch);
  for (uint8_t index = 2; index <= 8; ++index) one.set_lanes(index, words(random));
  one.run();
  return one;
}

uint64_t pair(const Experiment& one, uint8_t index, unsigned lane) {
  return uint64_t{one.value(static_cast<uint8_t>(index + 1), lane)} << 32 | one.value(index, lane);
}
bool predicate(const Experiment& one, uint8_t index, unsigned lane) {
  return (one.predicate(index) >> lane & 1u) != 0;
}

constexpr unsigned kRuns = 50;

TEST(Sm70Sums, SubtractAndAddNumbersOfManyWordsThroughTheirCarries) {
  std::mt19937 random(1);
  for (unsigned run = 0; run < kRuns; ++run) {
    const Experiment sum =
        random_run(Arch::kSm80, random,
                   {"IADD3 R10, P0, R2, R4, RZ", "IADD3.X R11, P1, R3, R5, RZ, P0, !PT",
                    "IADD3 R12, P0, R2, -R4, RZ", "IADD3.X R13, P1, R3, ~R5, RZ, P0, !PT",
                    "LEA R14, P0, R2, R4, 0x3", "LEA.HI.X R15, R2, R5, R3, 0x3, P0",
                    "IADD3 R16, P0, P3, R2, R4, R6", "IADD3.X R17, R3, R5, R7, P0, P3",
                    "IADD3 R18, R4, RZ, RZ", "LEA R18, P0, R2, R18, 0x3",
                    "LEA.HI.X R19, R2, R5, R3, 0x3, P0"});
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const uint64_t a = pair(sum, 2, lane), b = pair(sum, 4, lane), c = pair(sum, 6, lane);
      ASSERT_EQ(pair(sum, 10, lane), a + b);
      ASSERT_EQ(pair(sum, 12, lane), a - b);
      ASSERT_EQ(predicate(sum, 1, lane), a >= b) << "no borrow";
      ASSERT_EQ(pair(sum, 14, lane), (a << 3) + b);
      ASSERT_EQ(pair(sum, 16, lane), a + b + c);
      ASSERT_EQ(pair(sum, 18, lane), (a << 3) + b) << "in the place of its term";
    }
  }
}

TEST(Sm70Products, MakeTheUpperHalfOfSixtyFourBitFactors) {
  std::mt19937 random(2);
  for (unsigned run = 0; run < kRuns; ++run) {
    // The sequence with which ptxas multiplies 64 by 64 bits.
    const Experiment product =
        random_run(Arch::kSm90, random,
                   {"IMAD.WIDE.U32 R10, R2, R5, RZ", "IMAD.WIDE.U32 R10, P0, R3, R4, R10",
                    "IMAD.WIDE.U32 R12, R2, R4, RZ", "IMAD.X R15, RZ, RZ, RZ, P0",
                    "IADD3 RZ, P0, R13, R10, RZ", "IMAD.MOV.U32 R14, RZ, RZ, R11",
                    "IMAD.WIDE.U32.X R14, R3, R5, R14, P0"});
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const uint64_t a = pair(product, 2, lane), b = pair(product, 4, lane);
      const uint64_t low_a = a & 0xFFFFFFFF, low_b = b & 0xFFFFFFFF;
      const uint64_t middle = (a >> 32) * low_b + ((low_a * low_b) >> 32);
      const uint64_t other = low_a * (b >> 32) + (middle & 0xFFFFFFFF);
      ASSERT_EQ(pair(product, 14, lane), (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32));
    }
  }
}

TEST(Sm70Shifts, AgreeWithShiftsBitByBit) {
  std::mt19937 random(3);
  for (const std::string type : {"S64", "U64", "S32", "U32"}) {
    for (const std::string direction : {"L", "R"}) {
      for (const std::string wrap : {"", ".W"}) {
        for (const std::string word : {"", ".HI"}) {
          const std::string text =
              "SHF." + direction + wrap + "." + type + word + " R0, R2, R4, R6";
          Experiment one({text}, Arch::kSm75);
          std::vector<uint32_t> distances;
          for (unsigned lane = 0; lane < kLanes; ++lane)
            distances.push_back(lane < 16 ? lane * 5 : kEdges[lane - 16]);
          one.set_lanes(2, words(random));
          one.set_lanes(4, distances);
          one.set_lanes(6, words(random));
          one.run();
          const unsigned bits = type.substr(1) == "64" ? 64 : 32;
          for (unsigned lane = 0; lane < kLanes; ++lane) {
            const uint64_t value = uint64_t{one.value(6, lane)} << 32 | one.value(2, lane);
            const unsigned distance =
                wrap.empty() ? std::min(distances[lane], bits) : distances[lane] % bits;
            uint32_t expected = 0;
            for (int bit = 0; bit < 32; ++bit) {
              const int from = bit + (word.empty() ? 0 : 32) +
                               (direction == "L" ? -1 : 1) * static_cast<int>(distance);
              const bool sign = type[0] == 'S' && value >> 63 != 0;
              const bool set = from < 0 ? false : from > 63 ? sign : (value >> from & 1) != 0;
              expected |= static_cast<uint32_t>(set) << bit;
            }
            ASSERT_EQ(one.value(0, lane), expected) << text << " by " << distances[lane];
          }
        }
      }
    }
  }
}

TEST(Sm70Logic, LooksEveryTableUpBitByBit) {
  std::mt19937 random(4);
  for (unsigned table = 0; table < 256; ++table) {
    const Experiment one = random_run(
        Arch::kSm70, random, {"LOP3.LUT P0, R0, R2, R4, R6, " + std::to_string(table) + ", P2"});
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      uint32_t expected = 0;
      for (unsigned bit = 0; bit < 32; ++bit) {
        const unsigned index = (one.value(2, lane) >> bit & 1) * 4 +
                               (one.value(4, lane) >> bit & 1) * 2 +
                               (one.value(6, lane) >> bit & 1);
        expected |= (table >> index & 1) << bit;
      }
      ASSERT_EQ(one.value(0, lane), expected) << table;
      ASSERT_EQ(predicate(one, 0, lane), expected != 0 || predicate(one, 2, lane)) << table;
    }
  }
}

TEST(Sm70Logic, LooksPredicatesUpInTwoTables) {
  for (unsigned table = 0; table < 256; table += 3) {
    Experiment one({"R2P PR, R8, 0x1c", "PLOP3.LUT P0, P1, P2, P3, P4, " + std::to_string(table) +
                                            ", " + std::to_string(255 - table)},
                   Arch::kSm70);
    std::vector<uint32_t> lanes;
    for (uint32_t lane = 0; lane < kLanes; ++lane) lanes.push_back(lane << 2);
    one.set_lanes(8, lanes);
    one.run();
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const unsigned index = (lane & 1) * 4 + (lane >> 1 & 1) * 2 + (lane >> 2 & 1);
      ASSERT_EQ(predicate(one, 0, lane), (table >> index & 1) != 0);
      ASSERT_EQ(predicate(one, 1, lane), (table >> index & 1) == 0);
    }
  }
}

template <class T>
bool compares(const std::string& how, T a, T b) {
  if (how == "LT") return a < b;
  if (how == "EQ") return a == b;
  if (how == "LE") return a <= b;
  if (how == "GT") return a > b;
  if (how == "NE") return a != b;
  return a >= b;
}

TEST(Sm70Comparisons, OfUpperWordsGoOnWhereTheLowerOnesEnded) {
  std::mt19937 random(5);
  for (const std::string how : {"LT", "EQ", "LE", "GT", "NE", "GE"}) {
    for (const std::string type : {"", ".U32"}) {
      for (unsigned run = 0; run < kRuns; ++run) {
        // R3 is copied into R5 in the lanes of P2, so that upper words are often equal.
        const Experiment one =
            random_run(Arch::kSm80, random,
                       {"@P2 MOV R5, R3", "ISETP." + how + ".U32.AND P0, PT, R2, R4, PT",
                        "ISETP." + how + type + ".AND.EX P0, P1, R3, R5, P3, P0"});
        for (unsigned lane = 0; lane < kLanes; ++lane) {
          const uint64_t a = pair(one, 2, lane), b = pair(one, 4, lane);
          const bool holds = type.empty()
                                 ? compares(how, static_cast<int64_t>(a), static_cast<int64_t>(b))
                                 : compares(how, a, b);
          ASSERT_EQ(predicate(one, 0, lane), holds && predicate(one, 3, lane)) << how << type;
          ASSERT_EQ(predicate(one, 1, lane), !holds && predicate(one, 3, lane)) << how << type;
        }
      }
    }
  }
}

TEST(Sm70Comparisons, OfSixtyFourBitsAreOneInstructionOnSm120) {
  std::mt19937 random(6);
  for (const std::string how : {"LT", "EQ", "LE", "GT", "NE", "GE"}) {
    for (unsigned run = 0; run < kRuns; ++run) {
      const Experiment one =
          random_run(Arch::kSm120, random,
                     {"@P2 MOV R5, R3", "ISETP." + how + ".U64.OR P0, PT, R2, R4, P3",
                      "ISETP." + how + ".S64.XOR P1, PT, R2, R4, P3"});
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const uint64_t a = pair(one, 2, lane), b = pair(one, 4, lane);
        const bool s = predicate(one, 3, lane);
        ASSERT_EQ(predicate(one, 0, lane), compares(how, a, b) || s) << how;
        ASSERT_EQ(predicate(one, 1, lane),
                  compares(how, static_cast<int64_t>(a), static_cast<int64_t>(b)) != s)
            << how;
      }
    }
  }
}

TEST(Sm70Predicates, TravelThroughBytesOfRegisters) {
  Experiment one({"R2P PR, R2.B1, 0x7f", "P2R.B2 R0, PR, R4, 0x55"}, Arch::kSm80);
  std::vector<uint32_t> lanes;
  for (uint32_t lane = 0; lane < kLanes; ++lane) lanes.push_back(lane * 4 << 8);
  one.set_lanes(2, lanes);
  one.set(4, 0xFFFFFFFF);
  one.run();
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint32_t byte = (0xFF & ~0x55u) | (lane * 4 & 0x55);
    ASSERT_EQ(one.value(0, lane), 0xFF00FFFF | byte << 16);
  }
}

}  // namespace sm70_integer_random_test
}  // namespace shflsim::isa
