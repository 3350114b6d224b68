// SPDX-License-Identifier: Apache-2.0
// Products of integers in PTX, against the host's.
#include <gtest/gtest.h>

#include <random>

#include "tests/isa/ptx/pairs.h"

namespace shflsim::isa {
namespace ptx_multiplication_test {

/// 128 bits; the lower bits of sums and products do not depend on the sign.
__extension__ using Wide = unsigned __int128;

/// Edges of words and halves of words, and random numbers of all lengths.
Pairs<uint64_t> pairs() {
  std::vector<uint64_t> hard;
  for (const unsigned bit : {0u, 15u, 16u, 31u, 32u, 48u, 63u}) {
    const uint64_t power = uint64_t{1} << bit;
    hard.insert(hard.end(), {power - 1, power, 0 - power});
  }
  std::mt19937_64 random(3);
  return pairs_of<uint64_t>(hard, [&] { return random() >> random() % 64; });
}

struct Form {
  char sign;
  unsigned bits;
  std::string type() const { return sign + std::to_string(bits); }
  /// The value of the word's lower bits in this form.
  Wide number(uint64_t word) const {
    const Wide top = Wide{1} << bits;
    const Wide value = word & (top - 1);
    return sign == 's' && value >= top / 2 ? value - top : value;
  }
};

/// Expects `code` to set %d, or the 32-bit %w, to f(x, y, b): %x and %y are low bits of %a and %b.
template <class F>
void expect_results(const std::string& code, Form form, F f) {
  const std::string cut = form.bits == 32 ? ".reg .b32 %x, %y, %z, %w; mov.b64 {%x, %z}, %a; "
                                            "mov.b64 {%y, %z}, %b;\n"
                                          : ".reg .b64 %x, %y; mov.b64 %x, %a; mov.b64 %y, %b;\n";
  const bool is_word = code.find("%w") != std::string::npos;
  const auto all = pairs();
  const auto results = results_of(cut + code + (is_word ? "\ncvt.u64.u32 %d, %w;" : ""), all);
  for (size_t i = 0; i < all.size(); ++i) {
    const Wide result = f(form.number(all[i].first), form.number(all[i].second), all[i].second);
    ASSERT_EQ(results[i], is_word ? static_cast<uint32_t>(result) : static_cast<uint64_t>(result))
        << code << " of " << all[i].first << " " << all[i].second;
  }
}

class Products : public testing::TestWithParam<Form> {};

TEST_P(Products, AreTheHosts) {
  const Form form = GetParam();
  const std::string type = form.type();
  const std::string d = form.bits == 32 ? " %w" : " %d";
  const auto product = [](Wide x, Wide y, Wide) { return x * y; };
  const auto upper = [&form](Wide x, Wide y, Wide) { return x * y >> form.bits; };
  expect_results("mul.lo." + type + d + ", %x, %y;", form, product);
  expect_results("mul.hi." + type + d + ", %x, %y;", form, upper);
  expect_results("mad.lo." + type + d + ", %x, %y, %x;", form,
                 [](Wide x, Wide y, Wide) { return x * y + x; });
  expect_results("mad.hi." + type + d + ", %x, %y, %x;", form,
                 [&](Wide x, Wide y, Wide b) { return upper(x, y, b) + x; });
  if (form.bits == 64) return;
  expect_results("mul.wide." + type + " %d, %x, %y;", form, product);
  expect_results("mad.wide." + type + " %d, %x, %y, %b;", form,
                 [](Wide x, Wide y, Wide b) { return x * y + b; });
}

TEST_P(Products, WithNumbersAreTheHosts) {
  const Form form = GetParam();
  const std::string d = form.bits == 32 ? " %w" : " %d";
  for (const int64_t factor : {0L, 1L, 8L, 1000L, 65535L, 65536L, 1L << 31, -10L}) {
    const std::string operands = ", %x, " + std::to_string(factor) + ";";
    const Wide c = form.number(static_cast<uint64_t>(factor));
    const auto product = [c](Wide x, Wide, Wide) { return x * c; };
    expect_results("mul.lo." + form.type() + d + operands, form, product);
    expect_results("mul.hi." + form.type() + d + operands, form,
                   [&](Wide x, Wide, Wide) { return x * c >> form.bits; });
    if (form.bits == 64) continue;
    expect_results("mul.wide." + form.type() + " %d" + operands, form, product);
  }
}

INSTANTIATE_TEST_SUITE_P(Ptx, Products,
                         testing::Values(Form{'u', 32}, Form{'s', 32}, Form{'u', 64},
                                         Form{'s', 64}),
                         [](const auto& each) { return each.param.type(); });

TEST(ProductsInChains, TakeInAndLeaveCarries) {
  expect_results("mad.lo.cc.u64 %x, %a, %b, %a; madc.hi.u64 %d, %a, %b, %x;", {'u', 64},
                 [](Wide x, Wide y, Wide) {
                   const Wide sum = x * y + x;
                   return (x * y >> 64) + (static_cast<uint64_t>(sum) < x ? 1 : 0) +
                          static_cast<uint64_t>(sum);
                 });
}

}  // namespace ptx_multiplication_test
}  // namespace shflsim::isa
