// SPDX-License-Identifier: Apache-2.0
#include "report/explain/explain.h"

#include <gtest/gtest.h>

#include <sstream>

#include "isa/codec/codec.h"

namespace shflsim::report {
namespace explain_test {

using isa::Role;

uint32_t immediate(const isa::Operand& operand) {
  return operand.is(isa::Operand::Kind::kImmediate) ? static_cast<uint32_t>(operand.value) : 0;
}

/// The lanes' operands are the immediates of the text; registers have the values `of_registers`.
ExplainedShuffle explained(const std::string& text, isa::LaneMask lanes = isa::kAllLanes,
                           const isa::LaneValues& of_registers = {}) {
  ExplainedShuffle shuffle;
  EXPECT_EQ(isa::decode(isa::encode(text, 0).word.low, 0, {}, &shuffle.shfl), "");
  shuffle.sb.fill(immediate(shuffle.shfl[Role::kB]));
  shuffle.sc.fill(immediate(shuffle.shfl[Role::kC]));
  if (shuffle.shfl[Role::kB].is_live_register()) shuffle.sb = of_registers;
  if (shuffle.shfl[Role::kC].is_live_register()) shuffle.sc = of_registers;
  shuffle.map = isa::lane_map(isa::shuffle_mode(shuffle.shfl), shuffle.sb, shuffle.sc, lanes);
  return shuffle;
}

TEST(Explain, SpellsAShuffleInPtx) {
  EXPECT_EQ(ptx_spelling(explained("SHFL.BFLY PT, R1, R0, 0x1, 0x1c03")),
            "shfl.sync.bfly.b32 %r1, %r0, 0x1, 0x1c03, 0xffffffff;");
  EXPECT_EQ(ptx_spelling(explained("@!P2 SHFL.UP P1, R5, R4, R3, RZ", 0xFF)),
            "@!%p2 shfl.sync.up.b32 %r5|%p1, %r4, %r3, 0, 0x000000ff;");
  EXPECT_EQ(ptx_spelling(explained("SHFL.IDX P0, RZ, R4, 0x3, 0x1f")),
            "shfl.sync.idx.b32 _|%p0, %r4, 0x3, 0x1f, 0xffffffff;");
}

TEST(Explain, NamesTheIntrinsicThatMovesTheSameLanes) {
  struct Case {
    const char* text;
    const char* spelling;
  };
  const Case cases[] = {
      {"SHFL.BFLY PT, R1, R0, 0x10, 0x1f", "__shfl_xor_sync(0xffffffff, r0, 16)"},
      {"SHFL.BFLY PT, R1, R0, 0x1, 0x1c03", "__shfl_xor_sync(0xffffffff, r0, 1, 4)"},
      {"SHFL.BFLY PT, R1, R0, 0x1, 0x1c1f", "__shfl_xor_sync(0xffffffff, r0, 1, 4)"},
      {"SHFL.UP PT, R1, R0, 0x2, 0x1800", "__shfl_up_sync(0xffffffff, r0, 2, 8)"},
      {"SHFL.DOWN PT, R1, R0, R2, 0x101f", "__shfl_down_sync(0xffffffff, r0, r2, 16)"},
      {"SHFL.IDX PT, R1, R0, 0x3, 0x1f", "__shfl_sync(0xffffffff, r0, 3)"},
      {"SHFL.UP PT, R1, R0, 0x2, 0x5", "none: intrinsics clamp at lane 0 of a segment, not 5"},
      {"SHFL.IDX PT, R1, R0, 0x3, 0x0", "none: intrinsics clamp at lane 31 of a segment, not 0"},
      {"SHFL.IDX PT, R1, R0, 0x3, 0x51f",
       "none: the segments are no runs of 2, 4, 8, 16 or 32 lanes"},
  };
  for (const Case& one : cases) EXPECT_EQ(cuda_spelling(explained(one.text)), one.spelling);
  isa::LaneValues values{};
  values.fill(0x1F);
  values[7] = 0x181F;
  EXPECT_EQ(cuda_spelling(explained("SHFL.IDX PT, R1, R0, 0x3, R2", isa::kAllLanes, values)),
            "none: the lanes have no Sc in common");
  EXPECT_EQ(cuda_spelling(explained("SHFL.IDX PT, R1, R0, 0x3, R2", 0x7F, values)),
            "__shfl_sync(0x0000007f, r0, 3)");
}

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Explain, MarksLanesOutOfRangeUndefinedOrNotExecuting) {
  std::ostringstream out;
  write_explanation(out, explained("SHFL.UP P0, R1, R0, 0x1, 0x0", 0xFFFFFFFB), {});
  const std::string text = out.str();
  EXPECT_EQ(count_of(text, "out of range: keeps its own value"), 1u);
  EXPECT_EQ(count_of(text, "undefined: lane 2 does not execute"), 1u);
  EXPECT_NE(text.find("   3 <--  2  true      undefined"), std::string::npos);
  EXPECT_NE(text.find("lanes     31 execute, 30 in range, 1 undefined"), std::string::npos);
}

TEST(Explain, DrawsAnArrowForEachLaneThatExecutes) {
  const std::string svg =
      svg_of({lane_picture(explained("SHFL.DOWN P0, R1, R0, 0x1, 0x181f", 0xFFFF))});
  EXPECT_EQ(count_of(svg, "marker-end=\"url(#reads)\""), 14u);
  EXPECT_EQ(count_of(svg, "marker-end=\"url(#keeps)\""), 2u);
  EXPECT_EQ(count_of(svg, "marker-end=\"url(#undefined)\""), 0u);
  EXPECT_EQ(count_of(svg, "<circle"), 64u);
  EXPECT_EQ(count_of(svg, "rx=\"8\""), 4u);  // segments
}

}  // namespace explain_test
}  // namespace shflsim::report
