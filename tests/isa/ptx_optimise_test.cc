// SPDX-License-Identifier: Apache-2.0
// PTX lowered as a compiler would against PTX lowered statement by statement.
#include <gtest/gtest.h>

#include <cstdlib>

#include "isa/assembler/schedule.h"
#include "isa/assembler/write_text.h"
#include "isa/input_error.h"
#include "tests/isa/ptx_random_program.h"
#include "tests/isa/ptx_support.h"

namespace shflsim::isa {
namespace {

uint32_t programs() {
  const char* count = std::getenv("SHFLSIM_PTX_PROGRAMS");
  return count == nullptr ? 150 : static_cast<uint32_t>(std::atoi(count));
}

std::vector<uint32_t> run_warp(const Program& program, uint32_t only = kLanes) {
  std::vector<uint32_t> in = hashed_words(12 * 32);
  in[kOnlyWord] = only;
  Witness witness;
  return run_kernel(program, 1, 32, in, 32, &witness);
}

/// SHFLSIM_PTX_PROGRAMS of them (CONTRIBUTING).
TEST(PtxOptimise, RandomProgramsComputeWhatTheyComputePlain) {
  size_t plain_lines = 0;
  size_t lines = 0;
  uint32_t refused = 0;
  for (uint32_t seed = 1; seed <= programs(); ++seed) {
    const std::string text = random_ptx(seed);
    // A few are left in ways that no tokens join.
    if (ptx_error(text).find("expected branches that nest") != std::string::npos) {
      ++refused;
      continue;
    }
    const Program plain = ptx_program(text, "", Lowering::kPlain);
    const Program optimised = ptx_program(text);
    ASSERT_EQ(run_warp(plain), run_warp(optimised)) << "seed " << seed << "\n" << text;
    plain_lines += plain.code.size();
    lines += optimised.code.size();
  }
  EXPECT_LT(lines * 10, plain_lines * 9);
  EXPECT_LE(refused, programs() / 1000);
}

/// What threads do that part and join is what each does by itself.
TEST(PtxControlFlow, RandomProgramsComputeInAWarpWhatEachThreadComputesAlone) {
  for (uint32_t seed = 1; seed <= programs() / 5; ++seed) {
    const std::string text = random_ptx(seed, false);
    const Program program = ptx_program(text);
    const std::vector<uint32_t> together = run_warp(program);
    for (uint32_t thread = 0; thread < kLanes; thread += 3) {
      ASSERT_EQ(run_warp(program, thread)[thread], together[thread]) << "seed " << seed << "\n"
                                                                     << text;
    }
  }
}

TEST(PtxOrigin, AListingHasTheLineOfPtxBehindEachInstructionAndReadsBack) {
  Program program = ptx_program(random_ptx(3));
  ASSERT_EQ(program.origins.size(), program.code.size());
  for (const Program::Origin& origin : program.origins) EXPECT_GT(origin.line, 4u);
  pad_bundles(&program);
  const Writer& nvdisasm = writers().front();
  ASSERT_STREQ(nvdisasm.name, "nvdisasm");
  const SourceText listing{"t.sass", nvdisasm.write({program})};
  EXPECT_NE(listing.text.find("  // 16: mov.u32 %t, %tid.x\n"), std::string::npos);
  EXPECT_NE(listing.text.find(": st.global.u32 [%to], %v\n"), std::string::npos);
  const Program read = find_kernel(*Dialects::named("listing").open(listing), "k", listing.file);
  EXPECT_EQ(read.texts, program.texts);
}

}  // namespace
}  // namespace shflsim::isa
