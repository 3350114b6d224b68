// SPDX-License-Identifier: Apache-2.0
// Kernels with forms that the machine does not know (tests/data/hopper/forms.ptx.in) are refused by
// lists, and before they run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isa/base/input_error.h"
#include "isa/codec/codec.h"
#include "isa/dialects/source.h"
#include "isa/machine/machine.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace sm70_unknown_forms_test {

using testing::HasSubstr;

struct Refused {
  const char* file;
  const char* kernel;
  const char* reason;
};

const Refused kRefused[] = {
    {"100", "masked_copy", "the form with bit 84, which is not known, cannot be executed"},
    {"100", "bytes_loaded", "the form with bit 75, which is not known, cannot be executed"},
    {"100", "bytes_stored", "the form .8 cannot be executed"},
    {"100", "rows_of_indices", "the form .GATHER4 cannot be executed"},
    {"100", "rows_to_indices", "the form with bit 83, which is not known, cannot be executed"},
    {"100", "columns", "the form with bit 83, which is not known, cannot be executed"},
    {"100", "columns_of_128", "the form with bit 83, which is not known, cannot be executed"},
    {"100", "rounded_at_random", "the form with bit 64, which is not known, cannot be executed"},
    {"100", "in_clusters", "in clusters of 2x1x1 blocks; expected code for sm_90"},
    {"120", "masked_copy", "the form with bit 84, which is not known, cannot be executed"},
    {"120", "bytes_loaded", "the form with bit 75, which is not known, cannot be executed"},
    {"120", "bytes_stored", "the form .8 cannot be executed"},
    {"120", "in_clusters", "in clusters of 2x1x1 blocks; expected code for sm_90"},
    {"120", "box", "a function of the driver; expected code without it"},
};

std::string path_of(const std::string& file) {
  return test::data_path("hopper/forms.sm" + file + "a.cubin.gz");
}

std::string first_line(const InputError& error) { return error.faults().front().line(); }

KernelSummary listed(const Refused& of) {
  CodeChoice choice;
  choice.refusal = refusal_of;
  choice.line_refusal = refusal_of_line;
  for (const KernelSummary& each : listed_kernels(path_of(of.file), choice))
    if (each.kernel == of.kernel) return each;
  return {};
}

/// Why the kernel is refused before it runs.
std::string refused(const Refused& of) {
  try {
    const Program program = open_source(path_of(of.file))->program(of.kernel);
    std::string why = refusal_of(program);
    if (!why.empty()) return why;
    Launch launch;
    launch.grid.x = 2;
    cluster_of(program, launch);
  } catch (const InputError& error) {
    return first_line(error);
  }
  return "";
}

class UnknownForms : public testing::TestWithParam<Refused> {};

TEST_P(UnknownForms, are_listed_but_not_executed) {
  const KernelSummary summary = listed(GetParam());
  EXPECT_EQ(summary.use, "listed");
  ASSERT_FALSE(summary.faults.empty());
  EXPECT_THAT(summary.faults.front().line(), HasSubstr(GetParam().reason));
}

TEST_P(UnknownForms, are_refused_before_they_run) {
  EXPECT_THAT(refused(GetParam()), HasSubstr(GetParam().reason));
}

TEST(UnknownBits, of_arithmetic_are_refused_unless_they_have_no_effect) {
  const Word product(0x0000000015087235, 0x000FE20003808002);  // HFMA2.MMA.RELU
  const Word bytes(0x0000541004047896, 0x000FE2000000003F);    // UPRMT
  const auto refused = [](Word word, unsigned bit) {
    Instruction instruction;
    EXPECT_EQ(decode(Arch::kSm90, word | field_mask(bit, 1), 0, &instruction), "");
    return refusal_of_line(instruction);
  };
  EXPECT_THAT(refused(product, 86), HasSubstr("the form with bit 86, which is not known"));
  EXPECT_THAT(refused(bytes, 90), HasSubstr("the form with bit 90, which is not known"));
  EXPECT_EQ(refused(bytes, 91), "");
}

INSTANTIATE_TEST_SUITE_P(Each, UnknownForms, testing::ValuesIn(kRefused), [](const auto& each) {
  return std::string("sm") + each.param.file + "_" + each.param.kernel;
});

}  // namespace sm70_unknown_forms_test
}  // namespace shflsim::isa
