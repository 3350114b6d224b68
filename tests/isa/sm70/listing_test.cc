// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/sm70_listing.h"

#include <gtest/gtest.h>

#include "isa/base/input_error.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace sm70_listing_test {

/// The listing of the same 16 kernels, compiled for sm_90, by one of CUDA's disassemblers.
std::unique_ptr<Source> listing(const std::string& format) {
  return open_source(test::data_path("volta/c.sm90." + format + ".txt.gz"));
}

TEST(Sm70Listing, OfBothToolsIsTheSameCode) {
  const auto cuobjdump = listing("cuobjdump");
  const auto nvdisasm = listing("nvdisasm");
  EXPECT_EQ(cuobjdump->family(), Family::kSm70);
  ASSERT_EQ(nvdisasm->kernels(), cuobjdump->kernels());
  ASSERT_EQ(nvdisasm->kernels().size(), 16u);
  for (const std::string& kernel : nvdisasm->kernels()) {
    const Code first = cuobjdump->code(kernel);
    const Code second = nvdisasm->code(kernel);
    ASSERT_EQ(second.lines.size(), first.lines.size()) << kernel;
    EXPECT_GT(first.lines.size(), 10u);
    for (size_t i = 0; i < first.lines.size(); ++i) {
      EXPECT_EQ(second.lines[i].text, first.lines[i].text) << kernel;
      EXPECT_EQ(second.lines[i].address, first.lines[i].address);
      EXPECT_EQ(second.lines[i].control, first.lines[i].control);
      EXPECT_EQ(second.lines[i].target, first.lines[i].target) << first.lines[i].text;
    }
  }
}

TEST(Sm70Listing, HasItsBranchesTargetsWhereTheTextNamesALabel) {
  const Code code = listing("nvdisasm")->code("divergent_half");
  const auto branch = [&code](uint32_t address) {
    for (const CodeLine& line : code.lines) {
      if (line.address == address) return line.target;
    }
    return int64_t{-2};
  };
  EXPECT_EQ(branch(0xb0), 0x180);
  EXPECT_EQ(branch(0xe0), 0x160);
  EXPECT_EQ(branch(0x150), 0x110);
}

// A branch to an address that stands in front of its own would be taken without end.
TEST(Sm70Listing, WhoseAddressesDoNotAscendIsRefused) {
  const std::string exit = " EXIT ; /* 0x000000000000794d */\n /* 0x000fea0003800000 */\n";
  const auto source = Dialects::named("sm70_listing")
                          .open({"l.txt", "\t.target\tsm_90\n\t\tFunction : k\n /*0000*/" + exit +
                                              " /*0020*/" + exit + " /*0020*/" + exit});
  try {
    source->code("k");
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "l.txt:7:1: address 0x20 out of order; expected one above 0x20");
  }
}

TEST(Sm70Listing, IsAProgramOfItsArchitecture) {
  const Program program = listing("cuobjdump")->program("bitonic_sort");
  EXPECT_EQ(program.arch, Arch::kSm90);
  ASSERT_GT(program.code.size(), 0u);
  EXPECT_EQ(program.code[1].address, 16u);
  EXPECT_EQ(program.index_at(0x20), 2);
}

}  // namespace sm70_listing_test
}  // namespace shflsim::isa
