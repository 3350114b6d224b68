// SPDX-License-Identifier: Apache-2.0
// Families of lane instructions, each compared with an independent source: rocjitsu's lanes, the
// examples of AMD's manual, the host's AVX2.
#include "isa/families/lane_family.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "isa/base/input_error.h"
#include "isa/families/amd.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace lane_families_test {

LaneInstruction read(const char* family, const std::string& text, LaneContext context) {
  return read_lane_instruction({&LaneFamilies::named(family, "family")}, text, std::move(context))
      .instruction;
}

LaneInstruction read(const char* family, const std::string& text) {
  const unsigned lanes = LaneFamilies::named(family, "family").lane_counts.front();
  return read(family, text, {lanes, all_lanes_of(lanes), {}});
}

/// The source of each lane of the only move, as "0 - 3": - old value, z zero, ? undefined.
std::string moved(const LaneInstruction& instruction) {
  const LaneMove& move = instruction.steps.at(0);
  std::string text;
  for (unsigned lane = 0; lane < move.lanes; ++lane) {
    const LaneSource& from = move.source[0][lane];
    const char* const kinds[] = {"-", "", "z", "?"};
    text += lane == 0 ? "" : " ";
    text += from.is_lane() ? fmt::format("{}{}", from.operand == 0 ? "" : "b", from.lane)
                           : kinds[static_cast<size_t>(from.kind)];
  }
  return text;
}

// Text of gfx950, which Debian's LLVM does not know: not checked against an assembler.
TEST(LaneWords, OfTheSwapsAreTheirListings) {
  EXPECT_EQ(read("cdna", "v_permlane16_swap_b32 v1, v2").words, std::vector<uint32_t>{0x7e02b302});
  EXPECT_EQ(read("cdna", "v_permlane32_swap_b32 v1, v2").words, std::vector<uint32_t>{0x7e02b502});
}

TEST(LaneMoves, OfAllDppCodesAreRocjitsus) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  size_t codes = 0;
  for (const std::string& line :
       test::lines_of(test::read_file(test::data_path("lanes/dpp_sources.txt")))) {
    if (line.empty() || line[0] == '#') continue;
    const auto code = static_cast<uint32_t>(test::number_of(line.substr(0, 3), 16));
    ASSERT_EQ(dpp_codes().at(codes++), code);
    for (unsigned lane = 0; lane < 64; ++lane) {
      const char digit = line.at(4 + lane);
      const auto source = dpp_source(code, lane, 64);
      ASSERT_EQ(source ? digits[*source] : '.', digit) << line << " lane " << lane;
    }
  }
  EXPECT_EQ(codes, 341u);
  EXPECT_EQ(dpp_codes().size(), 341u);
}

/// All masks of each code with random bound_ctrl, fi and executing lanes, by the manuals' rules:
/// masks name the lanes that are written; if a source is invalid or does not execute while fi is 0,
/// the lane receives 0 with bound_ctrl and is not written without it.
TEST(LaneMoves, OfDppFollowMasksBoundCtrlAndFi) {
  std::mt19937_64 random(7);
  AmdMachine rdna;
  rdna.has_wave_shifts = false;
  rdna.has_dpp8 = true;
  for (const uint32_t code : dpp_codes()) {
    if (!has_dpp_code(rdna, code)) continue;
    for (unsigned masks = 0; masks < 256; ++masks) {
      const bool bound = random() % 2 != 0, fetch = random() % 2 != 0;
      const WideMask active = masks % 4 == 0 ? ~WideMask{0} : random();
      const std::string text =
          fmt::format("v_mov_b32_dpp v0, v1 {} row_mask:{} bank_mask:{}{}{}", dpp_text(rdna, code),
                      masks >> 4, masks & 15, bound ? " bound_ctrl:1" : "", fetch ? " fi:1" : "");
      const LaneMove move = read("rdna", text, {64, active, {}}).steps[0];
      for (unsigned lane = 0; lane < 64; ++lane) {
        const bool named = (masks >> 4 >> lane / 16 & 1) != 0 && (masks >> lane % 16 / 4 & 1) != 0;
        const auto source = dpp_source(code, lane, 64);
        const bool valid = source && (fetch || (active >> *source & 1) != 0);
        LaneSource expected;
        if (named && (active >> lane & 1) != 0)
          expected = valid ? LaneSource::of(*source) : bound ? LaneSource::zero() : LaneSource{};
        ASSERT_EQ(move.source[0][lane], expected) << text << " lane " << lane;
      }
    }
  }
}

/// The examples of AMD's RDNA manual for DS_SWIZZLE_B32, whose lanes count from 1.
TEST(LaneMoves, OfSwizzlesAreTheManuals) {
  const auto lanes = [](uint32_t offset) {
    std::string text;
    for (unsigned lane = 0; lane < 32; ++lane)
      text += fmt::format("{}{:x}", lane == 0 ? "" : ",", swizzle_source(offset, lane) + 1);
    return text;
  };
  EXPECT_EQ(lanes(0xe000),
            "1,11,9,19,5,15,d,1d,3,13,b,1b,7,17,f,1f,2,12,a,1a,6,16,e,1e,4,14,c,1c,8,18,10,20");
  EXPECT_EQ(lanes(0xe010),
            "1,9,5,d,3,b,7,f,2,a,6,e,4,c,8,10,11,19,15,1d,13,1b,17,1f,12,1a,16,1e,14,1c,18,20");
  EXPECT_EQ(lanes(0xe01f),
            "1,2,3,4,5,6,7,8,9,a,b,c,d,e,f,10,11,12,13,14,15,16,17,18,19,1a,1b,1c,1d,1e,1f,20");
  EXPECT_EQ(lanes(0xc020),
            "2,3,4,5,6,7,8,9,a,b,c,d,e,f,10,11,12,13,14,15,16,17,18,19,1a,1b,1c,1d,1e,1f,20,1");
  EXPECT_EQ(lanes(0xc420),
            "20,1,2,3,4,5,6,7,8,9,a,b,c,d,e,f,10,11,12,13,14,15,16,17,18,19,1a,1b,1c,1d,1e,1f");
}

/// All offsets: quads repeat, bitmasks are and, or, xor of the lane, and no half reads the other.
TEST(LaneMoves, OfEverySwizzleOffsetStayInTheirHalf) {
  for (uint32_t offset = 0; offset < 65536; ++offset) {
    for (unsigned lane = 0; lane < 64; ++lane) {
      const unsigned source = swizzle_source(offset, lane);
      ASSERT_EQ(source & 32, lane & 32);
      const unsigned masked = (((lane & offset) | offset >> 5) ^ offset >> 10) & 31;
      const unsigned of_quad = (lane & 28) + (offset >> lane % 4 * 2 & 3);
      if (offset >= 0xc000) continue;
      ASSERT_EQ(source & 31, offset < 0x8000 ? masked : of_quad);
    }
  }
}

/// A million cases: ds_permute writes a value to each lane that some lane names; the highest wins.
TEST(LaneMoves, OfRandomPermutesCollideAsTheManualSays) {
  std::mt19937_64 random(9);
  LaneContext context{64, 0, {}};
  std::vector<uint32_t>& address = context.registers["v2"];
  address.resize(64);
  const LaneText push("ds_permute_b32 v0, v2, v1");
  const LaneText pull("ds_bpermute_b32 v0, v2, v1");
  const LaneFamily& cdna = LaneFamilies::named("cdna", "family");
  for (unsigned count = 0; count < 1000000; ++count) {
    context.active = count % 2 ? ~WideMask{0} : random();
    uint64_t bits = 0;
    for (unsigned lane = 0; lane < 64; ++lane) {
      if (lane % 10 == 0) bits = random();
      address[lane] =
          static_cast<uint32_t>(bits >> lane % 10 * 6 & 63) * 4 + 256 * (lane % 3) + lane % 4;
    }
    const bool pushes = count % 4 < 2;
    const LaneMove move = cdna.read(pushes ? push : pull, context).steps[0];
    std::array<int, 64> expected;
    for (unsigned lane = 0; lane < 64; ++lane)
      expected[lane] = (context.active >> lane & 1) ? -1 : -2;
    for (unsigned lane = 0; lane < 64; ++lane) {
      const unsigned other = address[lane] / 4 & 63;
      if (!(context.active >> lane & 1) || !(context.active >> other & 1)) continue;
      expected[pushes ? other : lane] = static_cast<int>(pushes ? lane : other);
    }
    for (unsigned lane = 0; lane < 64; ++lane) {
      const LaneSource& from = move.source[0][lane];
      const int is = from.is_lane() ? from.lane : from.kind == LaneSource::Kind::kZero ? -1 : -2;
      ASSERT_EQ(is, expected[lane]) << count << " lane " << lane;
    }
  }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void host_lanes(const std::string& name, const uint8_t* first,
                                                const uint8_t* index, uint8_t* result) {
  const __m256i data = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(first));
  const __m256i by = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(index));
  const __m256i moved =
      name == "vpshufb"  ? _mm256_shuffle_epi8(data, by)
      : name == "vpermd" ? _mm256_permutevar8x32_epi32(data, by)
                         : _mm256_castps_si256(_mm256_permutevar_ps(_mm256_castsi256_ps(data), by));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(result), moved);
}

TEST(LaneMoves, OfAvx2AreTheHosts) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "the host lacks AVX2";
  std::mt19937 random(11);
  for (unsigned count = 0; count < 30000; ++count) {
    const std::string name = count % 3 == 0 ? "vpermd" : count % 3 == 1 ? "vpermilps" : "vpshufb";
    const unsigned bytes = name == "vpshufb" ? 1 : 4;
    uint8_t data[32], index[32], result[32], expected[32];
    for (unsigned place = 0; place < 32; ++place) {
      data[place] = static_cast<uint8_t>(place + 1);
      index[place] = static_cast<uint8_t>(random());
    }
    LaneContext context{32 / bytes, all_lanes_of(32 / bytes), {}};
    for (unsigned lane = 0; lane < context.lanes; ++lane) {
      uint32_t value = 0;
      std::memcpy(&value, index + lane * bytes, bytes);
      context.registers["ymm1"].push_back(value);
    }
    const std::string text =
        name == "vpermd" ? "vpermd ymm0, ymm1, ymm2" : name + " ymm0, ymm2, ymm1";
    const LaneMove move = read("x86", text, context).steps[0];
    for (unsigned lane = 0; lane < context.lanes; ++lane) {
      const LaneSource& from = move.source[0][lane];
      std::memset(result + lane * bytes, 0, bytes);
      if (from.is_lane()) std::memcpy(result + lane * bytes, data + from.lane * bytes, bytes);
    }
    host_lanes(name, data, index, expected);
    ASSERT_EQ(std::memcmp(result, expected, 32), 0) << name << " " << count;
  }
}
#endif

TEST(LaneMoves, OfOtherFamiliesAreTheirManuals) {
  const LaneContext eight{
      8, 0xff, {{"v3", {7, 6, 5, 4, 8, 9, 0, 1}}, {"z2", {7, 6, 5, 4, 8, 9, 0, 1}}}};
  EXPECT_EQ(moved(read("rvv", "vslideup.vi v1, v2, 3", eight)), "- - - 0 1 2 3 4");
  EXPECT_EQ(moved(read("rvv", "vslidedown.vi v1, v2, 3", eight)), "3 4 5 6 7 z z z");
  EXPECT_EQ(moved(read("rvv", "vrgather.vv v1, v2, v3", eight)), "7 6 5 4 z z 0 1");
  EXPECT_EQ(moved(read("rvv", "vslide1up.vx v1, v2, 5", eight)), "b0 0 1 2 3 4 5 6");
  EXPECT_EQ(moved(read("sve", "tbl z0.s, {z1.s}, z2.s", eight)), "7 6 5 4 z z 0 1");
  EXPECT_EQ(moved(read("sve", "ext z0.b, z0.b, z1.b, #12", eight)), "3 4 5 6 7 b0 b1 b2");
  EXPECT_EQ(moved(read("sve", "compact z0.s, p0, z1.s", {8, 0xa2, {}})), "1 5 7 z z z z z");
  EXPECT_EQ(moved(read("sve", "splice z0.s, p0, z0.s, z1.s", {8, 0x2c, {}})),
            "2 3 4 5 b0 b1 b2 b3");
  EXPECT_EQ(moved(read("spirv", "subgroupShuffleUp(x, 2)", {8, 0xff, {}})), "? ? 0 1 2 3 4 5");
  EXPECT_EQ(moved(read("spirv", "subgroupClusteredRotate(x, 1, 4)", {8, 0xff, {}})),
            "1 2 3 0 5 6 7 4");
  EXPECT_EQ(moved(read("spirv", "subgroupShuffleXor(x, 1)", {8, 0x0f, {}})), "1 0 3 2 - - - -");
  EXPECT_EQ(moved(read("opencl", "intel_sub_group_shuffle_down(a, b, 3)", {8, 0xff, {}})),
            "3 4 5 6 7 b0 b1 b2");
  EXPECT_EQ(moved(read("opencl", "intel_sub_group_shuffle_up(a, b, 3)", {8, 0xff, {}})),
            "5 6 7 b0 b1 b2 b3 b4");
  EXPECT_EQ(moved(read("metal", "simd_shuffle_and_fill_up(a, b, 30)")),
            "b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12 b13 b14 b15 b16 b17 b18 b19 b20 b21 b22 b23 b24 "
            "b25 b26 b27 b28 b29 b30 b31 0 1");
  EXPECT_EQ(moved(read("metal", "simd_shuffle_and_fill_down(a, b, 31)")),
            "31 b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12 b13 b14 b15 b16 b17 b18 b19 b20 b21 b22 "
            "b23 b24 b25 b26 b27 b28 b29 b30");
  EXPECT_EQ(moved(read("vortex", "vx_shfl_up(x, 1, 0, 6)", {8, 0xff, {}})), "0 0 2 2 4 4 6 6");
  EXPECT_EQ(read("spirv", "subgroupClusteredAdd(x, 8)", {32, 0xffffffff, {}}).steps.size(), 3u);
  EXPECT_EQ(read("nvidia", "REDUX.SUM UR1, R0").steps.size(), 5u);
}

/// Expects lane `lane` of a shuffle to read `from(lane)` modulo all lanes; if it is `bounded`, the
/// result from a lane outside is undefined.
template <class From>
void expect_lanes(const char* family, const std::string& text, unsigned lanes, bool bounded,
                  From from) {
  const LaneMove move = read(family, text, {lanes, all_lanes_of(lanes), {}}).steps[0];
  const int count = static_cast<int>(lanes);
  for (int lane = 0; lane < count; ++lane) {
    const LaneSource& is = move.source[0][static_cast<size_t>(lane)];
    const bool outside = bounded && (from(lane) < 0 || from(lane) >= count);
    const int expected = outside ? -1 : from(lane) & (count - 1);
    ASSERT_EQ(is.is_lane() ? int{is.lane} : -1, expected) << text << " " << lane;
    ASSERT_EQ(is.kind == LaneSource::Kind::kUndefined, outside) << text << " " << lane;
  }
}

/// Calls expect_lanes for a shuffle of SPIR-V and one of OpenCL, with each `by` below the lanes.
template <class From>
void expect_shuffles(const char* spirv, const char* opencl, bool bounded, From from) {
  for (const unsigned lanes : {4u, 8u, 16u, 32u, 64u}) {
    for (unsigned by = 0; by < lanes; ++by) {
      const auto of_lane = [&](int lane) { return from(lane, static_cast<int>(by)); };
      expect_lanes("spirv", fmt::format("{}(x, {})", spirv, by), lanes, bounded, of_lane);
      expect_lanes("opencl", fmt::format("{}(x, {})", opencl, by), lanes, bounded, of_lane);
    }
  }
}

TEST(LaneMoves, OfSpirvAndOpenclAreTheirSpecificationsAtEveryNumberOfLanes) {
  const auto above = [](int lane, int by) { return lane + by; };
  expect_shuffles("subgroupShuffleXor", "sub_group_shuffle_xor", false,
                  [](int lane, int by) { return lane ^ by; });
  expect_shuffles("subgroupShuffleUp", "sub_group_shuffle_up", true,
                  [](int lane, int by) { return lane - by; });
  expect_shuffles("subgroupShuffleDown", "sub_group_shuffle_down", true, above);
  expect_shuffles("subgroupRotate", "sub_group_rotate", false, above);
  expect_shuffles("subgroupBroadcast", "sub_group_broadcast", false,
                  [](int, int by) { return by; });
}

/// A sequence that a family offers for a butterfly does what the butterfly does.
TEST(LaneSequences, DoTheSameMove) {
  for (unsigned by = 1; by < 32; ++by) {
    const LaneMove wanted =
        read("nvidia", fmt::format("SHFL.BFLY PT, R1, R0, 0x{:x}, 0x1f", by)).steps[0];
    for (const LaneFamily& family : LaneFamilies::all()) {
      const auto& counts = family.lane_counts;
      if (std::find(counts.begin(), counts.end(), 32u) == counts.end()) continue;
      if (family.name == "x86" || family.name == "toy_lanes") continue;  // not 32 lanes of 32 bits
      const auto sequence = cheapest_sequence(family, wanted, 0xffffffff);
      ASSERT_FALSE(sequence.empty()) << family.name << " " << by;
      LaneMove done = sequence[0].instruction.steps[0];
      if (sequence.size() == 2)
        done = after(done, sequence[1].instruction.steps[0], sequence[1].chained);
      EXPECT_TRUE(done.does(wanted)) << family.name << " " << by;
    }
  }
  const LaneFamily& rdna = LaneFamilies::named("rdna", "family");
  const auto by16 = cheapest_sequence(
      rdna, read("nvidia", "SHFL.BFLY PT, R1, R0, 0x10, 0x1f").steps[0], 0xffffffff);
  ASSERT_EQ(by16.size(), 1u);
  EXPECT_EQ(by16[0].instruction.text, "v_permlanex16_b32 v0, v1, s2, s3");
}

/// A complete family, defined in this test.
LaneInstruction read_toy(const LaneText& text, const LaneContext& context) {
  LaneMove move(context.lanes);
  for (unsigned lane = 0; lane < move.lanes; ++lane)
    move.source[0][lane] = LaneSource::of(move.lanes - 1 - lane);
  return {text.whole(), {}, {move}, {1, "the test"}};
}
const bool toy_family_registered = LaneFamilies::add(
    {"toy_lanes", "turns all lanes round", {4, 32}, {"toy_turn"}, read_toy, [](const LaneMove&) {
       return std::vector<LaneCandidate>{{"toy_turn"}, {"toy_turn"}};
     }});

TEST(LaneFamily, OfATestIsReadLikeTheOthers) {
  const auto families = LaneFamilies::with_operation("toy_turn");
  ASSERT_EQ(families.size(), 1u);
  EXPECT_EQ(moved(read_lane_instruction(families, "toy_turn", {4, 0xf, {}}).instruction),
            "3 2 1 0");
}

/// The files that families share are held to it, too.
TEST(LaneFamily, TakesAFileOfTwoHundredLinesAtMost) {
  constexpr size_t kMostLines = 200;
  size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(test::source_path("isa/families"))) {
    const size_t lines = test::lines_of(test::read_file(file.path().string())).size();
    EXPECT_LE(lines, kMostLines) << file.path();
    ++files;
  }
  EXPECT_GT(files, 0u);
}

TEST(LaneFamily, RefusesWhatItCannotReadWithItsColumn) {
  const auto fault = [](const char* family, const std::string& text) {
    try {
      read(family, text);
    } catch (const InputError& error) {
      return error.faults()[0].line();
    }
    return std::string("none");
  };
  EXPECT_EQ(fault("gcn", "v_mov_b32_dpp v0, v256 row_shr:1"),
            "'v_mov_b32_dpp v0, v256 row_shr:1':1:19: 'v256'; expected a register from v0 to v255");
  EXPECT_EQ(fault("rdna", "v_mov_b32_dpp v0, v1 wave_shl:1").substr(0, 37),
            "'v_mov_b32_dpp v0, v1 wave_shl:1':1:2");
  EXPECT_NE(fault("gcn", "v_mov_b32_dpp v0, v1 row_shr:16"), "none");
  EXPECT_NE(fault("gcn", "ds_swizzle_b32 v0, v1 offset:65536"), "none");
  EXPECT_NE(fault("rvv", "vrgather.vv v2, v2, v2"), "none");
  EXPECT_NE(fault("spirv", "subgroupShuffle(x, i)"), "none");
  EXPECT_NE(fault("x86", "vpermd xmm0, xmm1, xmm2"), "none");
}

}  // namespace lane_families_test
}  // namespace shflsim::isa
