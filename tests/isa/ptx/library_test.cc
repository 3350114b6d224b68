// SPDX-License-Identifier: Apache-2.0
// Fields, masks, short products and tests of floats in PTX, against the words of its manual.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/isa/ptx/pairs.h"

namespace shflsim::isa {
namespace ptx_library_test {

template <class Word>
Pairs<Word> pairs() {
  std::mt19937_64 random(4);
  constexpr unsigned kBits = 8 * sizeof(Word);
  std::vector<Word> hard = {0, 1, 31, 32, 33, 63, 64, 65, 255, static_cast<Word>(-1)};
  hard.push_back(Word{1} << (kBits - 1));
  hard.push_back(static_cast<Word>(0x7F800001));
  return pairs_of<Word>(hard, [&] { return static_cast<Word>(random() >> random() % kBits); });
}

template <class Word, class F>
void expect_results(const std::string& code, F f) {
  const auto all = pairs<Word>();
  const auto results = results_of(code, all);
  for (size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(results[i], f(all[i].first, all[i].second))
        << code << " of " << all[i].first << " " << all[i].second;
  }
}

uint32_t ones(uint32_t count) { return count > 31 ? ~0u : (1u << count) - 1; }
int64_t extended(uint64_t word, unsigned bits) {
  return static_cast<int64_t>(word << (64 - bits)) >> (64 - bits);
}

/// The result of fns according to PTX's manual.
uint32_t nth_set(uint32_t mask, uint32_t base, int32_t offset) {
  const auto is_set = [mask](int64_t at) { return (mask >> at & 1) != 0; };
  if (offset == 0) return is_set(base) ? base : ~0u;
  int64_t left = std::abs(int64_t{offset});
  for (int64_t at = base; at >= 0 && at<32; at += offset> 0 ? 1 : -1) {
    if (is_set(at) && --left == 0) return static_cast<uint32_t>(at);
  }
  return ~0u;
}

TEST(PtxMasks, AreThoseOfTheManual) {
  expect_results<uint32_t>(
      ".reg .b32 %x, %y; and.b32 %x, %b, 31; shr.s32 %y, %b, 29; fns.b32 %d, %a, %x, %y;",
      [](uint32_t a, uint32_t b) { return nth_set(a, b & 31, static_cast<int32_t>(b) >> 29); });
  expect_results<uint32_t>("bmsk.clamp.b32 %d, %a, %b;",
                           [](uint32_t a, uint32_t b) { return a > 31 ? 0 : ones(b) << a; });
  expect_results<uint32_t>("bmsk.wrap.b32 %d, %a, %b;",
                           [](uint32_t a, uint32_t b) { return ones(b & 31) << (a & 31); });
  expect_results<uint32_t>("szext.clamp.u32 %d, %a, %b;",
                           [](uint32_t a, uint32_t b) { return a & ones(b); });
  expect_results<uint32_t>("szext.wrap.s32 %d, %a, %b;", [](uint32_t a, uint32_t b) {
    return (b & 31) == 0 ? 0 : static_cast<uint32_t>(extended(a, b & 31));
  });
  expect_results<uint64_t>("cnot.b64 %d, %a;",
                           [](uint64_t a, uint64_t) { return a == 0 ? 1u : 0u; });
}

TEST(PtxFields, OfPairsAreThoseOfTheManual) {
  const std::string field =
      ".reg .b32 %x, %y; cvt.u32.u64 %x, %b; shr.u32 %y, %x, 6; "
      "and.b32 %x, %x, 63; and.b32 %y, %y, 127; ";
  const auto cut = [](uint64_t a, uint64_t b) {
    const uint64_t length = b >> 6 & 127;
    return a >> (b & 63) & (length > 63 ? ~uint64_t{0} : (uint64_t{1} << length) - 1);
  };
  expect_results<uint64_t>(field + "bfe.u64 %d, %a, %x, %y;", cut);
  expect_results<uint64_t>(field + "bfe.s64 %d, %a, %x, %y;", [&](uint64_t a, uint64_t b) {
    const unsigned length = std::min<unsigned>(b >> 6 & 127, 64 - (b & 63));
    return length == 0 ? 0 : static_cast<uint64_t>(extended(cut(a, b), length));
  });
  expect_results<uint64_t>(field + "bfi.b64 %d, %a, %b, %x, %y;", [&](uint64_t a, uint64_t b) {
    const uint64_t mask = cut(~uint64_t{0} << (b & 63), b) << (b & 63);
    return (b & ~mask) | (a << (b & 63) & mask);
  });
  const std::string find = ".reg .b32 %x; bfind";
  expect_results<uint64_t>(find + ".u64 %x, %a; cvt.s64.s32 %d, %x;", [](uint64_t a, uint64_t) {
    return a == 0 ? ~uint64_t{0} : 63u - static_cast<unsigned>(__builtin_clzll(a));
  });
  expect_results<uint64_t>(
      find + ".shiftamt.s64 %x, %a; cvt.s64.s32 %d, %x;", [](uint64_t a, uint64_t) {
        const uint64_t x = a >> 63 != 0 ? ~a : a;
        return x == 0 ? ~uint64_t{0} : static_cast<unsigned>(__builtin_clzll(x));
      });
}

TEST(PtxShortProducts, AreThoseOfTheManual) {
  const auto dot = [](uint32_t a, uint32_t b) {
    uint32_t sum = a;
    for (unsigned byte = 0; byte < 32; byte += 8) {
      sum += static_cast<uint32_t>(extended(a >> byte & 255, 8)) * (b >> byte & 255);
    }
    return sum;
  };
  expect_results<uint32_t>("dp4a.s32.u32 %d, %a, %b, %a;", dot);
  expect_results<uint32_t>("dp2a.hi.u32.s32 %d, %a, %b, %a;", [](uint32_t a, uint32_t b) {
    return a + (a & 0xFFFF) * static_cast<uint32_t>(extended(b >> 16 & 255, 8)) +
           (a >> 16) * static_cast<uint32_t>(extended(b >> 24, 8));
  });
  expect_results<uint32_t>("mad24.hi.s32 %d, %a, %b, %a;", [](uint32_t a, uint32_t b) {
    return a + static_cast<uint32_t>(extended(a, 24) * extended(b, 24) >> 16);
  });
  expect_results<uint32_t>("mul24.lo.u32 %d, %a, %b;",
                           [](uint32_t a, uint32_t b) { return (a & 0xFFFFFF) * (b & 0xFFFFFF); });
  expect_results<uint32_t>("mad.hi.sat.s32 %d, %a, %b, %a;", [](uint32_t a, uint32_t b) {
    const int64_t sum = (extended(a, 32) * extended(b, 32) >> 32) + extended(a, 32);
    return static_cast<uint32_t>(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
  });
}

TEST(PtxFloats, AreTestedAndChosenWithNan) {
  const auto number = [](uint32_t word) {
    float value = 0;
    std::memcpy(&value, &word, sizeof value);
    return value;
  };
  const auto test = [&](const std::string& kind, auto f) {
    expect_results<uint32_t>(
        ".reg .pred %p; testp." + kind + ".f32 %p, %a; selp.b32 %d, 1, 0, %p;",
        [&](uint32_t a, uint32_t) { return f(std::fpclassify(number(a))) ? 1u : 0u; });
  };
  test("normal", [](int kind) { return kind == FP_NORMAL || kind == FP_ZERO; });
  test("subnormal", [](int kind) { return kind == FP_SUBNORMAL; });
  test("finite", [](int kind) { return kind != FP_NAN && kind != FP_INFINITE; });
  test("notanumber", [](int kind) { return kind == FP_NAN; });
  expect_results<uint32_t>("max.NaN.f32 %d, %a, %b;", [&](uint32_t a, uint32_t b) {
    const bool is_nan = std::isnan(number(a)) || std::isnan(number(b));
    if (is_nan) return 0x7FFFFFFFu;
    if (number(a) == number(b)) return a & b;
    return number(a) > number(b) ? a : b;
  });
}

TEST(PtxAtomics, WithoutAnInstructionAreLoopsOfCompareAndSwap) {
  // Each lane adds 1.0 to one of two sums in shared memory.
  const std::string code =
      ".version 6.4\n.target sm_50\n.address_size 64\n"
      ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n) {\n"
      ".reg .b64 %o; .reg .b32 %t, %s; .reg .f32 %f; .shared .align 4 .b8 sum[8];\n"
      "ld.param.u64 %o, [out]; mov.u32 %t, %tid.x; and.b32 %s, %t, 1; shl.b32 %s, %s, 2;\n"
      "mov.u32 %t, sum; add.u32 %s, %s, %t; mov.u32 %t, %tid.x;\n"
      "st.shared.u32 [%s], 0; bar.sync 0;\n"
      "atom.relaxed.cta.shared.add.f32 %f, [%s], 0f3F800000;\n"
      "bar.sync 0; ld.shared.f32 %f, [%s];\n"
      "mad.wide.u32 %o, %t, 4, %o; st.global.f32 [%o], %f; ret; }\n";
  Witness witness;
  const uint32_t half = 0x42000000;  // 32.0
  EXPECT_EQ(run_kernel(ptx_program(code), 1, 64, {0}, 64, &witness),
            std::vector<uint32_t>(64, half));
}

}  // namespace ptx_library_test
}  // namespace shflsim::isa
