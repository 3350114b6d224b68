// SPDX-License-Identifier: Apache-2.0
#include "isa/lanes/cuda_shuffle.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/isa/ptx/support.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace cuda_shuffle_test {

TEST(CudaShuffle, becomes_the_operands_that_nvcc_writes) {
  EXPECT_EQ(shfl_sync(kAllLanes, 2).sc, 0x1fu);
  EXPECT_EQ(shfl_sync(kAllLanes, 2, 16).sc, 0x101fu);
  EXPECT_EQ(shfl_up_sync(kAllLanes, 2).sc, 0x0u);
  EXPECT_EQ(shfl_up_sync(kAllLanes, 2, 16).sc, 0x1000u);
  EXPECT_EQ(shfl_down_sync(kAllLanes, 3, 8).sc, 0x181fu);
  EXPECT_EQ(shfl_down_sync(kAllLanes, 3, 8).sb, 3u);
  EXPECT_EQ(shfl_xor_sync(kAllLanes, 3, 1).sc, 0x1f1fu);
}

/// In the words of CUDA's guide each segment of `width` lanes is a separate warp.
template <class Source>
void expect_sources(const CudaShuffle& shuffle, int width, Source source) {
  const LaneMap map = lane_map(shuffle);
  for (int lane = 0; lane < 32; ++lane) {
    const int first = lane / width * width;
    const int wanted = source(lane - first);
    const int expected = wanted >= 0 && wanted < width ? first + wanted : lane;
    EXPECT_EQ(map.source[static_cast<size_t>(lane)], expected)
        << "lane " << lane << " width " << width;
  }
}

TEST(CudaShuffle, reads_what_the_programming_guide_says_for_every_width) {
  for (int width = 1; width <= 32; width *= 2) {
    for (int by = 0; by < 32; ++by) {
      expect_sources(shfl_sync(kAllLanes, by, width), width, [&](int) { return by % width; });
      const unsigned delta = static_cast<unsigned>(by);
      expect_sources(shfl_up_sync(kAllLanes, delta, width), width, [&](int at) { return at - by; });
      expect_sources(shfl_down_sync(kAllLanes, delta, width), width,
                     [&](int at) { return at + by; });
    }
    for (int by = 0; by < width; ++by) {
      expect_sources(shfl_xor_sync(kAllLanes, by, width), width, [&](int at) { return at ^ by; });
    }
  }
}

TEST(CudaShuffle, refuses_a_width_that_does_not_split_a_warp) {
  for (const int width : {-8, 0, 3, 12, 31, 33, 64}) {
    try {
      shfl_down_sync(kAllLanes, 1, width);
      ADD_FAILURE() << width;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()), "width " + std::to_string(width) +
                                               " does not split a warp into equal parts; expected "
                                               "1, 2, 4, 8, 16 or 32");
    }
  }
}

TEST(CudaShuffle, moves_values_of_32_and_64_bits) {
  std::array<double, kLanes> values;
  for (unsigned lane = 0; lane < kLanes; ++lane) values[lane] = lane + 0.25;
  const auto shifted = shuffled(shfl_up_sync(kAllLanes, 1), values);
  EXPECT_EQ(shifted[0], 0.25);
  EXPECT_EQ(shifted[31], 30.25);
  EXPECT_EQ(cuda_shuffle_words<double>(), 2u);
  EXPECT_EQ(cuda_shuffle_words<float>(), 1u);
}

TEST(CudaShuffle, marks_reads_from_lanes_outside_the_mask) {
  const LaneMap map = lane_map(shfl_down_sync(0xFF, 1));
  EXPECT_EQ(map.executing, 0xFFu);
  EXPECT_EQ(map.undefined, 0x80u);
}

// --- traces/cuda_shuffles.ptx ------------------------------------------------------------------

constexpr uint32_t kThreads = 256;
constexpr uint32_t kBlocks = 2;
using Words = std::vector<uint32_t>;

Words run_shipped(const std::string& kernel, const Words& in) {
  Witness witness;
  const auto source = open_source(test::source_path("traces/cuda_shuffles.ptx"));
  const Words out = run_kernel(source->program(kernel), kBlocks, kThreads, in, in.size(), &witness);
  EXPECT_TRUE(witness.uses.empty());
  return out;
}

struct Move {
  const char* kernel;
  CudaShuffle shuffle;
};

class ShippedMove : public testing::TestWithParam<Move> {};

TEST_P(ShippedMove, gives_each_lane_what_the_intrinsic_gives_it) {
  const Words in = hashed_words(kBlocks * kThreads);
  Words expected;
  for (size_t first = 0; first < in.size(); first += kLanes) {
    std::array<uint32_t, kLanes> warp;
    std::copy_n(in.begin() + static_cast<std::ptrdiff_t>(first), kLanes, warp.begin());
    const auto moved = shuffled(GetParam().shuffle, warp);
    expected.insert(expected.end(), moved.begin(), moved.end());
  }
  EXPECT_EQ(run_shipped(GetParam().kernel, in), expected);
}

const Move kMoves[] = {
    {"broadcast", shfl_sync(kAllLanes, 2)}, {"broadcast_half", shfl_sync(kAllLanes, 2, 16)},
    {"up", shfl_up_sync(kAllLanes, 2)},     {"up_half", shfl_up_sync(kAllLanes, 2, 16)},
    {"down", shfl_down_sync(kAllLanes, 3)}, {"down_quarter", shfl_down_sync(kAllLanes, 3, 8)},
    {"xor_1", shfl_xor_sync(kAllLanes, 1)}, {"xor_3", shfl_xor_sync(kAllLanes, 3)},
};
INSTANTIATE_TEST_SUITE_P(Cuda, ShippedMove, testing::ValuesIn(kMoves),
                         [](const auto& each) { return std::string(each.param.kernel); });

/// Lane numbers as inputs give maps that can be read off the guide's figures.
TEST(ShippedKernel, broadcasts_lane_2_and_18) {
  Words lanes(kBlocks * kThreads);
  for (uint32_t i = 0; i < lanes.size(); ++i) lanes[i] = i % kLanes;
  const Words whole = run_shipped("broadcast", lanes);
  const Words half = run_shipped("broadcast_half", lanes);
  EXPECT_EQ(Words(whole.begin(), whole.begin() + 32), Words(32, 2));
  EXPECT_EQ(half[15], 2u);
  EXPECT_EQ(half[16], 18u);
  const Words quarter = run_shipped("down_quarter", lanes);
  EXPECT_EQ(Words(quarter.begin(), quarter.begin() + 8), (Words{3, 4, 5, 6, 7, 5, 6, 7}));
}

TEST(ShippedKernel, sums_a_warp_by_xor_in_every_lane_and_by_shifts_in_lane_0) {
  const Words in = hashed_words(kBlocks * kThreads);
  const Words by_xor = run_shipped("reduce_xor", in);
  const Words by_shift = run_shipped("reduce_down", in);
  for (size_t first = 0; first < in.size(); first += kLanes) {
    uint32_t sum = 0;
    for (size_t i = first; i < first + kLanes; ++i) sum += in[i];
    EXPECT_EQ(by_shift[first], sum);
    for (size_t i = first; i < first + kLanes; ++i) EXPECT_EQ(by_xor[i], sum);
  }
}

TEST(ShippedKernel, finds_the_least_value_of_each_block) {
  const Words in = hashed_words(kBlocks * kThreads);
  const Words out = run_shipped("block_reduce_min", in);
  for (uint32_t block = 0; block < kBlocks; ++block) {
    int32_t least = INT32_MAX;
    for (uint32_t i = 0; i < kThreads; ++i) {
      least = std::min(least, static_cast<int32_t>(in[block * kThreads + i]));
    }
    EXPECT_EQ(static_cast<int32_t>(out[block]), least);
  }
  EXPECT_EQ(out[kBlocks], 0xcdcdcdcdu);
}

}  // namespace cuda_shuffle_test
}  // namespace shflsim::isa
