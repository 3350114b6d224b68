// SPDX-License-Identifier: Apache-2.0
// Vectors of PTX in memory and in registers, and forms that are refused with a reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "tests/isa/ptx/support.h"

namespace shflsim::isa {
namespace ptx_vector_test {

using testing::HasSubstr;

struct Form {
  std::string type;
  unsigned count;
  unsigned bits() const { return static_cast<unsigned>(std::stoul(type.substr(1))); }
};

class Vectors : public testing::TestWithParam<Form> {};

std::string list_of(unsigned count, bool reversed) {
  std::string list;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned number = reversed ? count - 1 - i : i;
    list += (i == 0 ? "{%e" : ", %e") + std::to_string(number);
  }
  return list + "}";
}

/// A kernel with 16 bytes per thread at %in and %out.
std::string kernel_of(const Form& form, const std::string& code) {
  return ".version 7.4\n.target sm_52\n.address_size 64\n"
         ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n) {\n"
         ".reg .b64 %in, %out; .reg .b32 %t, %s; .reg ." +
         form.type + " %e<4>;\n.shared .align 16 .b8 all[512]; .local .align 16 .b8 own[16];\n" +
         "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x;\n"
         "mad.wide.u32 %in, %t, 16, %in; mad.wide.u32 %out, %t, 16, %out;\n"
         "shl.b32 %t, %t, 4; mov.u32 %s, all; add.u32 %s, %s, %t;\n" +
         code + "ret;\n}\n";
}

/// Each thread's elements in reverse order, followed by bytes that are still 0xcd.
std::vector<uint32_t> reversed(const std::vector<uint32_t>& in, const Form& form) {
  std::vector<uint8_t> bytes(in.size() * 4);
  std::vector<uint8_t> out(bytes.size(), 0xcd);
  std::memcpy(bytes.data(), in.data(), bytes.size());
  const size_t size = form.bits() / 8;
  for (size_t thread = 0; thread < bytes.size() / 16; ++thread) {
    for (size_t i = 0; i < form.count; ++i) {
      std::memcpy(&out[thread * 16 + i * size], &bytes[thread * 16 + (form.count - 1 - i) * size],
                  size);
    }
  }
  std::vector<uint32_t> words(in.size());
  std::memcpy(words.data(), out.data(), out.size());
  return words;
}

TEST_P(Vectors, AreLoadedAndStoredInTheOrderOfTheirElements) {
  const Form form = GetParam();
  const std::string vector = ".v" + std::to_string(form.count) + "." + form.type + " ";
  const std::string there = list_of(form.count, false);
  const std::string back = list_of(form.count, true);
  const std::string load = "ld.global.nc.L1::no_allocate" + vector + there + ", [%in];\n";
  const std::string ways[] = {
      load + "st.global.cs" + vector + "[%out], " + back + ";\n",
      load + "st.shared" + vector + "[%s], " + back + ";\nld.shared" + vector + there +
          ", [%s];\nst" + vector + "[%out], " + there + ";\n",
      load + "st.local" + vector + "[own], " + there + ";\nld.local" + vector + there +
          ", [own];\nst.release.gpu.global" + vector + "[%out], " + back + ";\n",
  };
  const auto in = hashed_words(128);
  for (const std::string& way : ways) {
    Witness witness;
    EXPECT_EQ(run_kernel(ptx_program(kernel_of(form, way)), 1, 32, in, in.size(), &witness),
              reversed(in, form))
        << way;
  }
}

TEST_P(Vectors, AreOneAccess) {
  const Form form = GetParam();
  const std::string code = "ld.global.v" + std::to_string(form.count) + "." + form.type + " " +
                           list_of(form.count, false) + ", [%in];\nst.global." + form.type +
                           " [%out], %e0;\n";
  const Program program = ptx_program(kernel_of(form, code));
  const auto is_load = [](const std::string& text) { return text.compare(0, 3, "LDG") == 0; };
  EXPECT_EQ(std::count_if(program.texts.begin(), program.texts.end(), is_load), 1);
}

INSTANTIATE_TEST_SUITE_P(Ptx, Vectors,
                         testing::Values(Form{"u64", 2}, Form{"f32", 4}, Form{"b32", 2},
                                         Form{"u16", 4}, Form{"s16", 2}, Form{"b8", 4},
                                         Form{"s8", 2}),
                         [](const auto& each) {
                           return each.param.type + "x" + std::to_string(each.param.count);
                         });

TEST(VectorsInRegisters, AreSplitAndJoined) {
  Fragment fragment(
      "mov.b64 w, {a, b};\nmov.b64 {e0, e1, e2, e3}, w;\nmov.b64 w, {e3, e2, e1, e0};\n"
      "mov.b64 {c, d}, w;\nmov.b32 {x0, x1, x2, x3}, a;\nmov.b32 f, {x1, x0, x3, x2};\n");
  fragment.set("a", by_lane([](uint32_t lane) { return 0x00020001u + lane; }));
  fragment.set("b", by_lane([](uint32_t) { return 0x00040003u; })).run();
  EXPECT_EQ(fragment.words("c"), by_lane([](uint32_t) { return 0x00030004u; }));
  EXPECT_EQ(fragment.words("d"), by_lane([](uint32_t lane) { return 0x00010002u + (lane << 16); }));
  EXPECT_EQ(fragment.words("f"), by_lane([](uint32_t lane) { return 0x02000100u + (lane << 8); }));
}

TEST(VideoInstructions, TakePartsOfTheirOperands) {
  Fragment fragment("vsub.s32.u32.s32.add d, a.b1, b.h1, c;\nvmax.u32.u32.u32 e, a.h0, b.b3;\n");
  fragment.set("a", by_lane([](uint32_t lane) { return 0x12340056 + (lane << 8); }));
  fragment.set("b", by_lane([](uint32_t) { return 0xFFFD0001u; }));
  fragment.set("c", by_lane([](uint32_t) { return 100u; })).run();
  EXPECT_EQ(fragment.words("d"), by_lane([](uint32_t lane) { return 103 + lane; }));
  EXPECT_EQ(fragment.words("e"),
            by_lane([](uint32_t lane) { return std::max(0x56 + (lane << 8), 0xFFu); }));
}

TEST(Registers, OfInnerBracesHideOuterOnes) {
  const std::string code =
      "mov.u32 %e0, 1;\n{ .reg .b32 %e0, %e1; mov.u32 %e0, 2; { .reg .b64 %e0; mov.u64 %e0, 3; }\n"
      "mov.u32 %e1, %e0; st.global.u32 [%out+4], %e1; }\nst.global.u32 [%out], %e0;\n";
  Witness witness;
  const auto out = run_kernel(ptx_program(kernel_of({"b32", 4}, code)), 1, 1, {0}, 4, &witness);
  EXPECT_EQ(out, (std::vector<uint32_t>{1, 2, 0xcdcdcdcd, 0xcdcdcdcd}));
}

TEST(Refused, SaysWhichHardwareHasIt) {
  EXPECT_THAT(ptx_error("mov.b32 a, 1;\nredux.sync.add.u32 d, a, 0xffffffff;"),
              HasSubstr("t.ptx:2:1: 'redux' is not supported: hardware for it begins with sm_80"));
  EXPECT_THAT(ptx_error("mov.b32 a, 1;\ntanh.approx.f32 d, a;"), HasSubstr("begins with sm_75"));
  EXPECT_THAT(ptx_error("mov.b32 a, 1;\nex2.approx.f16x2 d, a;"),
              HasSubstr("'ex2' with .f16x2 is not supported: hardware for it begins with sm_75"));
  EXPECT_THAT(ptx_error("mov.b32 a, 1;\ntex.1d.v4.f32.s32 {a, b, c, d}, [t, {a}];"),
              HasSubstr("textures and surfaces are not modelled"));
}

TEST(Refused, IsAnArchitectureThatThereIsNot) {
  EXPECT_THAT(ptx_error(".version 7.4\n.target sm_99\nmov.b32 a, 1;"),
              HasSubstr("t.ptx:2:9: 'sm_99' is no architecture"));
}

}  // namespace ptx_vector_test
}  // namespace shflsim::isa
