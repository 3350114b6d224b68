// SPDX-License-Identifier: Apache-2.0
// Pieces of PTX without a kernel around them, and the PTX ISA's rules for shfl.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "isa/base/input_error.h"
#include "tests/isa/ptx/support.h"

namespace shflsim::isa {
namespace ptx_fragment_test {

using testing::HasSubstr;
using testing::StartsWith;

uint32_t bits_of(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

std::string scan(const std::string& mode, const std::string& clamp) {
  std::string text = "// sums of all lanes up to this one\n";
  for (const char* step : {"1", "2", "4", "8", "16"}) {
    text += "  shfl." + mode + ".b32 Rother|ok, Rsum, " + step + ", " + clamp +
            ";\n@ok add.f32 Rsum, Rother, Rsum;\n";
  }
  return text;
}

TEST(PtxFragment, sums_all_lanes_up_to_this_one) {
  Fragment fragment(scan("up", "0"));
  fragment.set("Rsum", by_lane([](uint32_t lane) { return bits_of(static_cast<float>(lane)); }));
  EXPECT_EQ(fragment.run().words("Rsum"), by_lane([](uint32_t lane) {
              return bits_of(static_cast<float>(lane * (lane + 1) / 2));
            }));
}

TEST(PtxFragment, sums_all_lanes_from_this_one_on) {
  Fragment fragment(scan("down", "0x1f"));
  fragment.set("Rsum", by_lane([](uint32_t) { return bits_of(1.0f); }));
  EXPECT_EQ(fragment.run().words("Rsum"),
            by_lane([](uint32_t lane) { return bits_of(static_cast<float>(32 - lane)); }));
}

TEST(PtxFragment, reduces_by_butterflies_without_a_predicate) {
  std::string text;
  for (const char* mask : {"0x10", "0x8", "0x4", "0x2", "0x1"}) {
    text += std::string("shfl.bfly.b32 Ry, Rx, ") + mask + ", 0x1f; add.f32 Rx, Ry, Rx;\n";
  }
  Fragment fragment(text);
  fragment.set("Rx", by_lane([](uint32_t lane) { return bits_of(static_cast<float>(lane)); }));
  EXPECT_EQ(fragment.run().words("Rx"), by_lane([](uint32_t) { return bits_of(496.0f); }));
}

TEST(PtxFragment, becomes_the_shuffle_of_its_mode_and_ends) {
  const Program program = ptx_program("shfl.sync.up.b32 Ry|p, Rx, 0x1, 0x0, 0xffffffff;");
  EXPECT_EQ(program.texts, (std::vector<std::string>{"SHFL.UP P0, R1, R0, 0x1, 0x0", "EXIT"}));
  EXPECT_EQ(program.symbols, (std::map<std::string, uint8_t>{{"Rx", 0}, {"Ry", 1}}));
}

TEST(PtxFragment, keeps_the_bits_of_b_and_c_that_count) {
  EXPECT_EQ(ptx_program("shfl.idx.b32 d, a, 37, 0xffff;").texts[0],
            "SHFL.IDX PT, R1, R0, 0x5, 0x1f1f");
}

TEST(PtxFragment, may_have_labels_and_both_kinds_of_comment_in_front) {
  Fragment fragment(
      "/* one\n two */ start: // three\n@!none add.u32 x, x, 1;\nsetp.ne.u32 none, x, x;");
  fragment.set("x", by_lane([](uint32_t lane) { return lane; }));
  EXPECT_EQ(fragment.run().words("x"), by_lane([](uint32_t lane) { return lane + 1; }));
}

// --- versions ----------------------------------------------------------------------------------

std::string headed(const std::string& version, const std::string& target, const std::string& body) {
  return ".version " + version + "\n.target " + target + "\n" + body;
}
const char* const kPlain = "shfl.up.b32 d|p, a, 1, 0;\n";
const char* const kSync = "shfl.sync.up.b32 d|p, a, 1, 0, -1;\n";

TEST(PtxVersion, shfl_without_sync_is_an_error_on_sm_70_from_6_4_on) {
  EXPECT_THAT(ptx_error(headed("6.4", "sm_70", kPlain)),
              StartsWith("t.ptx:3:1: 'shfl' without '.sync' is not supported on sm_70 or higher "
                         "starting PTX ISA version 6.4"));
  EXPECT_EQ(ptx_error(headed("6.4", "sm_70", kSync)), "");
  EXPECT_EQ(ptx_error(headed("6.4", "sm_62", kPlain)), "");
  EXPECT_EQ(ptx_error(headed("6.3", "sm_70", kPlain)), "");
}

TEST(PtxVersion, shfl_without_sync_is_deprecated_from_6_0_on) {
  const Program warned = ptx_program(headed("6.3", "sm_70", kPlain));
  ASSERT_EQ(warned.warnings.size(), 1u);
  EXPECT_THAT(warned.warnings[0],
              StartsWith("t.ptx:3:1: warning: 'shfl' without '.sync' is deprecated"));
  EXPECT_TRUE(ptx_program(headed("5.0", "sm_50", kPlain)).warnings.empty());
  EXPECT_TRUE(ptx_program(headed("6.3", "sm_70", kSync)).warnings.empty());
  EXPECT_TRUE(ptx_program(kPlain).warnings.empty());
}

TEST(PtxVersion, shuffles_need_sm_30_and_sync_needs_6_0) {
  EXPECT_THAT(ptx_error(headed("3.0", "sm_20", kPlain)), HasSubstr("requires sm_30 or higher"));
  EXPECT_THAT(ptx_error(headed("5.0", "sm_50", kSync)),
              HasSubstr("introduced in PTX ISA version 6.0"));
}

// --- membermask --------------------------------------------------------------------------------

std::vector<std::string> findings(const std::string& text) {
  Fragment fragment(text);
  fragment.run();
  std::vector<std::string> found;
  char lanes[16];
  for (const UndefinedUse& use : fragment.witness().uses) {
    std::snprintf(lanes, sizeof lanes, "%08x ", use.lanes);
    found.push_back(lanes + std::string(use.what));
  }
  return found;
}

TEST(PtxMembermask, of_all_lanes_leaves_nothing_to_say) {
  EXPECT_TRUE(findings("shfl.sync.down.b32 d|p, a, 1, 0x1f, 0xffffffff;").empty());
}

TEST(PtxMembermask, must_contain_the_executing_lane) {
  EXPECT_EQ(findings("shfl.sync.idx.b32 d|p, a, 0, 0x1f, 0x0000ffff;"),
            (std::vector<std::string>{"ffff0000 shuffles without being in its membermask"}));
}

TEST(PtxMembermask, must_contain_the_lane_read) {
  EXPECT_EQ(findings("mov.u32 l, %laneid; setp.lt.u32 low, l, 16;\n"
                     "@low shfl.sync.idx.b32 d|p, a, 16, 0x1f, 0xffff;"),
            (std::vector<std::string>{"0000ffff reads from a lane outside its membermask"}));
}

TEST(PtxMembermask, names_lanes_that_execute_in_convergence) {
  EXPECT_EQ(findings("mov.u32 l, %laneid; setp.lt.u32 low, l, 16;\n"
                     "@low shfl.sync.idx.b32 d|p, a, 0, 0x1f, 0x1ffff;"),
            (std::vector<std::string>{"00010000 is in the membermask of a shuffle that it does not "
                                      "execute in convergence"}));
}

TEST(PtxMembermask, may_be_a_register_that_differs_by_lane) {
  EXPECT_EQ(findings("mov.u32 l, %laneid; mov.u32 m, -1; setp.eq.u32 five, l, 5;\n"
                     "@five mov.u32 m, 1;\nshfl.sync.bfly.b32 d|p, a, 0, 0x1f, m;"),
            (std::vector<std::string>{"00000020 shuffles without being in its membermask"}));
}

// --- errors ------------------------------------------------------------------------------------

TEST(PtxError, names_place_and_the_nearest_name) {
  EXPECT_EQ(ptx_error("shfl.up.b32 d, a, 1, 0;\nshfll.up.b32 d, a, 1, 0;"),
            "t.ptx:2:1: unknown instruction 'shfll'; did you mean 'shfl'?");
  EXPECT_EQ(ptx_error("shfl.upp.b32 d, a, 1, 0;"),
            "t.ptx:1:5: 'shfl' has no '.upp'; did you mean 'up'?");
  EXPECT_EQ(ptx_error("add.u32 a, a, 1;\nbra dne;\ndone: ret;"),
            "t.ptx:2:5: no label 'dne'; did you mean 'done'?");
  EXPECT_EQ(ptx_error(".entry k(.param .u64 input) { .reg .b64 %rd<2>;\n"
                      " ld.param.u64 %rd1, [inpt]; ret; }"),
            "t.ptx:2:21: no parameter 'inpt'; did you mean 'input'?");
  EXPECT_EQ(ptx_error(".entry k() { .reg .b32 %r<2>;\n mov.u32 %r1, %laneidd; ret; }"),
            "t.ptx:2:15: no register '%laneidd'; did you mean '%laneid'?");
}

TEST(PtxError, is_left_to_the_kernel_that_it_stands_in) {
  const std::string text =
      ".global .u32 table[2] = {1, 2};\n.shared .b32 word;\n"
      ".entry good() { .reg .b32 %r<2>; mov.u32 %r1, word; ret; }\n"
      ".entry bad() { .sampler x;\n call f, (%r1); ret; }";
  EXPECT_EQ(ptx_program(text, "good").shared_bytes, 4u);
  try {
    ptx_program(text, "bad");
    ADD_FAILURE() << "ran";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                StartsWith("t.ptx:4:16: the directive '.sampler' is not supported here"));
  }
}

TEST(PtxError, says_what_was_expected) {
  EXPECT_THAT(ptx_error("shfl.up.b32 d, a, 1;"), HasSubstr("'shfl' with 3 operands; expected 4"));
  EXPECT_THAT(ptx_error("shfl.sync.up.b32 d, a, 1, 0;"), HasSubstr("without a membermask"));
  EXPECT_THAT(ptx_error("shfl.b32 d, a, 1, 0;"), HasSubstr("expected .up, .down, .bfly or .idx"));
  EXPECT_THAT(ptx_error("shfl.up.b64 d, a, 1, 0;"), HasSubstr("expected .b32"));
  EXPECT_THAT(ptx_error("add.u32 a, a, 1"), HasSubstr("expected ';'"));
  EXPECT_THAT(ptx_error("add.u32 a, a, 1; setp.lt.u32 a, a, 1;"),
              HasSubstr("'a' holds 32 bits or less; expected a predicate"));
  EXPECT_THAT(ptx_error("add.u32 a, a, #;"), StartsWith("t.ptx:1:15: '#' is no part of PTX"));
  EXPECT_THAT(ptx_error("add.u32 a, a, 1; /* no end"), StartsWith("t.ptx:1:18: a comment without"));
  EXPECT_THAT(ptx_error(".entry k() { ret;"), HasSubstr("the kernel has no end; expected '}'"));
  EXPECT_THAT(ptx_error("mov.f32 a, 0f3f80;"), HasSubstr("expected 8"));
}

TEST(PtxDialect, leaves_the_manuals_syntax_alone) {
  EXPECT_FALSE(Dialects::named("ptx").recognises({"a", "SHFL.UP P1, Rother, Rsum, 1, 0\n"}));
  EXPECT_FALSE(Dialects::named("ptx").recognises({"a", ""}));
  EXPECT_TRUE(Dialects::named("ptx").recognises({"a", "// comment\n@p shfl.up.b32 d, a, 1, 0;"}));
  EXPECT_TRUE(Dialects::named("ptx").recognises({"a", ".version 7.0\n"}));
}

}  // namespace ptx_fragment_test
}  // namespace shflsim::isa
