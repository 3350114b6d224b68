// SPDX-License-Identifier: Apache-2.0
#include "isa/base/demangled.h"

#include <gtest/gtest.h>

namespace shflsim::isa {
namespace demangled_test {

TEST(Demangled, ACxxNameIsAsItIsWrittenAndAnotherIsAsItIs) {
  EXPECT_EQ(demangled("_Z5scaleIfEvPT_S0_i"), "void scale<float>(float*, float, int)");
  EXPECT_EQ(demangled("reduce_xor"), "reduce_xor");
  EXPECT_EQ(demangled("_Znonsense"), "_Znonsense");
  EXPECT_EQ(demangled(""), "");
}

TEST(Demangled, TheNameAloneIsWithoutResultNamespaceTemplateAndArguments) {
  const std::pair<const char*, const char*> cases[] = {
      {"void scale<float>(float*, int)", "scale"},
      {"scale(float*)", "scale"},
      {"void cub::detail::Kernel<cub::Policy<int>, (cub::Order)0>(int const*)", "Kernel"},
      {"void (anonymous namespace)::local<3>(int)", "local"},
      {"ns::(anonymous namespace)::local(int)", "local"},
      {"reduce_xor", "reduce_xor"},
      {"", ""}};
  for (const auto& [text, name] : cases) EXPECT_EQ(function_name(text), name);
}

}  // namespace demangled_test
}  // namespace shflsim::isa
