// SPDX-License-Identifier: Apache-2.0
// PTX of nvcc, lowered here, compared with the words that a GPU computed from it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "tests/isa/ptx/support.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace ptx_kernels_test {

constexpr uint32_t kWords = 1024;

class CompiledKernel : public testing::TestWithParam<std::string> {};

std::vector<std::string> names() {
  return test::lines_of(test::read_file(test::data_path("sm50/kernels.names.txt")));
}

std::vector<uint32_t> expected_words(const std::string& name) {
  const std::vector<std::string> all = names();
  const size_t index = static_cast<size_t>(std::find(all.begin(), all.end(), name) - all.begin());
  const std::string bytes = test::read_file(test::data_path("sm50/kernels.expected.bin"));
  std::vector<uint32_t> words(kWords);
  std::memcpy(words.data(), bytes.data() + index * kWords * 4, kWords * 4);
  return words;
}

TEST_P(CompiledKernel, computes_what_a_gpu_computes) {
  const auto source = open_source(test::data_path("sm50/kernels.ptx.gz"));
  const Program program = source->program(GetParam());
  Witness witness;
  EXPECT_EQ(run_kernel(program, 4, 256, hashed_words(kWords), kWords, &witness),
            expected_words(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Sm50, CompiledKernel, testing::ValuesIn(names()),
                         [](const auto& each) { return each.param; });

TEST(PtxFile, holds_the_kernels_in_the_order_of_the_text) {
  EXPECT_EQ(open_source(test::data_path("sm50/kernels.ptx.gz"))->kernels(), names());
}

}  // namespace ptx_kernels_test
}  // namespace shflsim::isa
