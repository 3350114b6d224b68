// SPDX-License-Identifier: Apache-2.0
// Memory accesses: their reordering, and atomics that a warp executes at once.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/isa/ptx/support.h"

namespace shflsim::isa {
namespace ptx_memory_test {

/// A kernel that stores out[t] = %r2; `body` has %r0 = t, %r1 = in[t], two words of shared memory.
std::string kernel_of(const std::string& body) {
  return ".version 8.0\n.target sm_50\n.address_size 64\n"
         ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n.reg .b32 %r<20>;\n"
         ".reg .b64 %d<9>;\n.reg .pred %p<9>;\n.shared .align 4 .b8 s[8];\n"
         "ld.param.u64 %d1, [in];\nld.param.u64 %d2, [out];\nmov.u32 %r0, %tid.x;\n"
         "mul.wide.u32 %d3, %r0, 4;\nadd.s64 %d1, %d1, %d3;\nadd.s64 %d2, %d2, %d3;\n"
         "ld.global.u32 %r1, [%d1];\n" +
         body + "st.global.u32 [%d2], %r2;\nret;\n}\n";
}

/// The index of the first instruction whose text begins with `operation`.
size_t place_of(const Program& program, const std::string& operation) {
  size_t at = 0;
  while (at < program.texts.size() &&
         program.texts[at].compare(0, operation.size(), operation) != 0) {
    ++at;
  }
  return at;
}

size_t count_of(const Program& program, const std::string& operation) {
  return static_cast<size_t>(std::count_if(
      program.texts.begin(), program.texts.end(),
      [&](const std::string& text) { return text.find(operation) != std::string::npos; }));
}

std::string atomic_of(const std::string& operation) {
  return kernel_of("st.shared.u32 [s], 0;\nst.shared.u32 [s+4], -1;\nbar.sync 0;\n" + operation +
                   "bar.sync 0;\nld.shared.u32 %r2, [s+4];\n");
}

TEST(PtxAtomics, OfOneWordAreDoneAmongTheWarpFirst) {
  const std::vector<uint32_t> in = hashed_words(kLanes);
  const auto folded = [&](auto f) {
    uint32_t all = ~0u;
    for (const uint32_t word : in) all = f(all, word);
    return by_lane([&](uint32_t) { return all; });
  };
  const auto done = [](const std::string& operation) {
    return words_of(atomic_of("atom.shared." + operation + " %r3, [s+4], %r1;\n"));
  };
  EXPECT_EQ(done("add.u32"), folded([](uint32_t a, uint32_t b) { return a + b; }));
  EXPECT_EQ(done("and.b32"), folded([](uint32_t a, uint32_t b) { return a & b; }));
  EXPECT_EQ(done("xor.b32"), folded([](uint32_t a, uint32_t b) { return a ^ b; }));
  EXPECT_EQ(done("min.u32"), folded([](uint32_t a, uint32_t b) { return std::min(a, b); }));
  EXPECT_EQ(done("max.s32"), folded([](uint32_t a, uint32_t b) {
              return static_cast<int32_t>(a) > static_cast<int32_t>(b) ? a : b;
            }));
  const Program program = ptx_program(atomic_of("red.shared.add.u32 [s+4], %r1;\n"));
  EXPECT_EQ(count_of(program, "SHFL.BFLY"), 5u);
  EXPECT_EQ(count_of(program, "ATOMS.ADD RZ, [0x4]"), 2u);
}

TEST(PtxAtomics, OfAPartOfTheWarpAreDoneOneByOne) {
  EXPECT_EQ(words_of(atomic_of("setp.gt.u32 %p1, %r0, 9;\n@%p1 bra past;\n"
                               "atom.shared.add.u32 %r3, [s+4], 3;\npast:\n")),
            by_lane([](uint32_t) { return 29u; }));
}

TEST(PtxAtomics, WhoseOldValueIsWantedStayAsTheyAre) {
  const Program program =
      ptx_program(atomic_of("atom.shared.add.u32 %r3, [s+4], %r1;\nst.shared.u32 [s], %r3;\n"));
  EXPECT_EQ(count_of(program, "SHFL"), 0u);
}

TEST(PtxMemory, LoadsGoInFrontOfStoresToOtherBytes) {
  const auto text = [](const std::string& kind) {
    return kernel_of("st." + kind + ".u32 [s], %r1;\nld." + kind + ".u32 %r2, [s+4];\n");
  };
  const Program plain = ptx_program(text("shared"));
  EXPECT_LT(place_of(plain, "LDS"), place_of(plain, "STS"));
  const Program ordered = ptx_program(text("volatile.shared"));
  EXPECT_LT(place_of(ordered, "STS"), place_of(ordered, "LDS"));
}

TEST(PtxMemory, LoadsStayBehindStoresToTheirBytes) {
  EXPECT_EQ(words_of(kernel_of("st.shared.u32 [s], 7;\nst.shared.u32 [s+4], 9;\n"
                               "st.shared.u8 [s+3], 1;\nld.shared.u32 %r2, [s];\n"
                               "st.shared.u16 [s+6], 2;\nld.shared.u16 %r3, [s+6];\n"
                               "add.u32 %r2, %r2, %r3;\n")),
            by_lane([](uint32_t) { return 0x01000009u; }));
}

TEST(PtxMemory, AnAddressThatIsCountedOnIsAnother) {
  EXPECT_EQ(words_of(kernel_of("mov.u32 %r3, s;\nst.shared.u32 [%r3+4], %r0;\n"
                               "st.shared.u32 [%r3], 0;\nld.shared.u32 %r4, [%r3];\n"
                               "add.u32 %r3, %r3, %r4;\nadd.u32 %r3, %r3, 4;\n"
                               "st.shared.u32 [%r3], 5;\nld.shared.u32 %r2, [%r3+0];\n")),
            by_lane([](uint32_t) { return 5u; }));
}

TEST(PtxCopies, ALoopsVariableStaysInItsRegister) {
  const std::string text = kernel_of(
      "mov.u32 %r5, 0;\nagain:\nmov.b32 %r6, %r1;\nadd.u32 %r5, %r5, 1;\n"
      "shfl.sync.up.b32 %r7, %r6, 1, 0, -1;\nmul.lo.u32 %r8, %r6, 3;\n"
      "add.u32 %r1, %r8, %r7;\nsetp.ne.u32 %p1, %r5, 4;\n@%p1 bra again;\nmov.u32 %r2, %r1;\n");
  std::vector<uint32_t> now = hashed_words(kLanes);
  for (int round = 0; round < 4; ++round) {
    std::vector<uint32_t> next = now;
    for (size_t lane = 0; lane < kLanes; ++lane) {
      next[lane] = now[lane] * 3 + now[lane == 0 ? 0 : lane - 1];
    }
    now = next;
  }
  EXPECT_EQ(words_of(text), now);
  EXPECT_EQ(count_of(ptx_program(text), "MOV R"), 0u);
}

}  // namespace ptx_memory_test
}  // namespace shflsim::isa
