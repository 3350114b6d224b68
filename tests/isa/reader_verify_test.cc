// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/verify.h"

#include <gtest/gtest.h>

#include "isa/base/input_error.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace reader_verify_test {

struct Case {
  const char* path;
  size_t instructions;
};

class ListingOfACompiler : public testing::TestWithParam<Case> {};

TEST_P(ListingOfACompiler, ComesBackEqualInEveryWordAndText) {
  const Verification found = verify_listing(read_source_text(test::source_path(GetParam().path)));
  EXPECT_EQ(found.instructions, GetParam().instructions);
  EXPECT_EQ(found.decoded, GetParam().instructions);
  EXPECT_EQ(found.texts_equal, GetParam().instructions);
  EXPECT_EQ(found.reencoded, GetParam().instructions);
  EXPECT_TRUE(found.differences.empty()) << found.differences.front().what;
  EXPECT_TRUE(found.all_equal());
}

INSTANTIATE_TEST_SUITE_P(Shipped, ListingOfACompiler,
                         testing::Values(Case{"traces/kernels.sm50.sass", 654},
                                         Case{"tests/data/sm50/kernels.nvdisasm.txt.gz", 654},
                                         Case{"tests/data/sm50/shfl_forms.cuobjdump.txt.gz", 2904},
                                         Case{"tests/data/sm50/shfl_forms.nvdisasm.txt.gz", 2904},
                                         Case{"tests/data/sm50/bench.cuobjdump.txt.gz", 8970},
                                         Case{"tests/data/corpus/control.nvdisasm.txt.gz", 2136}));

/// One bundle: S2R R0, SR_TID.X; a SHFL; EXIT.
std::string bundle(const std::string& first, const std::string& word, const std::string& third) {
  return "\t\tFunction : k\n"
         "                                  /* 0x001fffe2ffe007f6 */\n"
         "        /*0008*/  " +
         first +
         " ;  /* 0xf0c8000002170000 */\n"
         "        /*0010*/  SHFL.BFLY PT, R1, R0, 0x10, 0x1f ;  /* 0x" +
         word +
         " */\n"
         "        /*0018*/  " +
         third + " ;  /* 0xe30000000007000f */\n";
}

TEST(Verify, CountsAndNamesEachDifferenceAndGoesOn) {
  const Verification found =
      verify_listing({"k.sass", bundle("S2R R0, SR_TID.Y", "ffffffffffffffff", "@P0 EXIT")});
  EXPECT_EQ(found.instructions, 3u);
  EXPECT_EQ(found.decoded, 2u);
  EXPECT_EQ(found.texts_equal, 0u);
  EXPECT_EQ(found.reencoded, 2u);
  ASSERT_EQ(found.differences.size(), 3u);
  EXPECT_EQ(found.differences[0].line, 3u);
  EXPECT_EQ(found.differences[0].kernel, "k");
  EXPECT_EQ(found.differences[0].what,
            "reads 'S2R R0, SR_TID.Y ;'; its word says 'S2R R0, SR_TID.X'");
  EXPECT_EQ(found.differences[1].line, 4u);
  EXPECT_EQ(found.differences[2].line, 5u);
  EXPECT_FALSE(found.all_equal());
}

TEST(Verify, TakesAnyWhiteSpaceForTheSame) {
  const Verification found =
      verify_listing({"k.sass", bundle("S2R   R0,SR_TID.X", "ef17007cf1070001", "EXIT")});
  EXPECT_TRUE(found.all_equal());
  EXPECT_EQ(found.instructions, 3u);
}

TEST(Verify, RefusesAListingThatIsCutOffInsideABundle) {
  std::string text = bundle("S2R R0, SR_TID.X", "ef17007cf1070001", "EXIT");
  text.resize(text.rfind("        /*0018*/"));
  EXPECT_THROW(verify_listing({"k.sass", text}), InputError);
}

}  // namespace reader_verify_test
}  // namespace shflsim::isa
