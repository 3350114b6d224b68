// SPDX-License-Identifier: Apache-2.0
// Code with more live values than there are registers or predicates.
#include <gtest/gtest.h>

#include <cstdlib>

#include "isa/check/checker.h"
#include "tests/isa/ptx/random_program.h"
#include "tests/isa/ptx/support.h"

namespace shflsim::isa {
namespace ptx_spill_test {

std::string kernel(const std::string& registers, const std::string& body) {
  return ".version 8.0\n.target sm_50\n.address_size 64\n"
         ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n" +
         registers +
         ".reg .b32 %x, %sum, %one;\n.reg .b64 %in, %out, %at;\n"
         "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nmov.u32 %x, %tid.x;\n"
         "mul.wide.u32 %at, %x, 4;\nadd.s64 %in, %in, %at;\nadd.s64 %out, %out, %at;\n" +
         body + "st.global.u32 [%out], %sum;\nret;\n}\n";
}

std::vector<uint32_t> run_checked(const Program& program) {
  std::vector<uint32_t> in = hashed_words(12 * 32);
  in[kOnlyWord] = kLanes;
  Witness witness;
  std::vector<uint32_t> out = run_kernel(program, 1, 32, in, 32, &witness);
  EXPECT_TRUE(witness.uses.empty());
  return out;
}

/// Code that loads all `count` words of `in` before it uses the first of them.
std::string sum_of_words(unsigned count) {
  std::string body;
  for (unsigned i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    body +=
        "ld.volatile.global.u32 %w" + number + ", [%in+" + std::to_string(4 * (i % 300)) + "];\n";
  }
  body += "mov.u32 %sum, 0;\n";
  for (unsigned i = count; i-- > 0;) {
    body += "mad.lo.u32 %sum, %sum, 31, %w" + std::to_string(i) + ";\n";
  }
  return kernel(".reg .b32 %w<" + std::to_string(count) + ">;\n", body);
}

std::vector<uint32_t> expected_sum(unsigned count) {
  const std::vector<uint32_t> in = hashed_words(12 * 32);
  return by_lane([&](uint32_t x) {
    uint32_t sum = 0;
    for (unsigned i = count; i-- > 0;) {
      const uint32_t at = x + i % 300;
      sum = sum * 31 + (at == kOnlyWord ? kLanes : in[at]);
    }
    return sum;
  });
}

TEST(PtxSpill, KeepsWhatRegistersHaveNoRoomForInLocalMemory) {
  for (const Lowering lowering : {Lowering::kOptimised, Lowering::kPlain}) {
    const Program few = ptx_program(sum_of_words(200), "", lowering);
    EXPECT_EQ(few.local_bytes, 0u);
    for (const unsigned count : {260u, 600u, 2000u}) {
      const Program program = ptx_program(sum_of_words(count), "", lowering);
      EXPECT_LE(program.registers, 255u);
      EXPECT_GE(program.local_bytes, 4 * (count - 255));
      EXPECT_TRUE(program.warnings.empty());
      EXPECT_EQ(run_checked(program), expected_sum(count)) << count;
    }
  }
}

TEST(PtxSpill, KeepsPredicatesInRegisters) {
  std::string body = "ld.global.u32 %one, [%in];\n";
  for (unsigned i = 0; i < 20; ++i) {
    body += "and.b32 %x, %one, " + std::to_string(1u << i) + ";\nsetp.ne.u32 %p" +
            std::to_string(i) + ", %x, 0;\n";
  }
  body += "mov.u32 %sum, 0;\n";
  for (unsigned i = 0; i < 20; ++i) {
    body += "@%p" + std::to_string(19 - i) + " add.u32 %sum, %sum, " + std::to_string(i + 1) +
            ";\nshl.b32 %sum, %sum, 1;\n";
  }
  // In reverse order this time, so that all predicates are live at once.
  for (unsigned i = 0; i < 20; ++i) {
    body +=
        "@!%p" + std::to_string(i) + " xor.b32 %sum, %sum, " + std::to_string(3 * i + 1) + ";\n";
  }
  const std::vector<uint32_t> in = hashed_words(32);
  const std::vector<uint32_t> expected = by_lane([&](uint32_t x) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < 20; ++i) {
      if (((in[x] >> (19 - i)) & 1u) != 0) sum += i + 1;
      sum <<= 1;
    }
    for (unsigned i = 0; i < 20; ++i) sum ^= ((in[x] >> i) & 1u) != 0 ? 0 : 3 * i + 1;
    return sum;
  });
  for (const Lowering lowering : {Lowering::kOptimised, Lowering::kPlain}) {
    const Program program = ptx_program(kernel(".reg .pred %p<20>;\n", body), "", lowering);
    EXPECT_EQ(run_checked(program), expected);
    EXPECT_EQ(program.local_bytes, 0u);
  }
}

/// Runs SHFLSIM_PTX_PROGRAMS / 10 programs (CONTRIBUTING), each also in the plain form.
TEST(PtxSpill, RandomProgramsOfManyRegistersComputeWhatEachThreadComputesAlone) {
  const char* said = std::getenv("SHFLSIM_PTX_PROGRAMS");
  const uint32_t programs = said == nullptr ? 10 : static_cast<uint32_t>(std::atoi(said)) / 10;
  const auto run = [](const Program& program, uint32_t only) {
    std::vector<uint32_t> in = hashed_words(12 * 32);
    in[kOnlyWord] = only;
    Witness witness;
    return run_kernel(program, 1, 32, in, 32, &witness);
  };
  for (uint32_t seed = 1; seed <= programs; ++seed) {
    const std::string text = random_ptx(seed, false, {180, 40, 40, 14});
    if (ptx_error(text).find("expected branches that nest") != std::string::npos) continue;
    const Program program = ptx_program(text);
    const std::vector<uint32_t> together = run(program, kLanes);
    ASSERT_EQ(run(ptx_program(text, "", Lowering::kPlain), kLanes), together) << "seed " << seed;
    for (uint32_t thread = 0; thread < kLanes; thread += 11) {
      ASSERT_EQ(run(program, thread)[thread], together[thread]) << "seed " << seed;
    }
  }
}

}  // namespace ptx_spill_test
}  // namespace shflsim::isa
