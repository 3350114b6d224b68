// SPDX-License-Identifier: Apache-2.0
// Calls that cannot be inlined: recursion, and functions to which pointers point.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "isa/base/input_error.h"
#include "isa/check/checker.h"
#include "isa/machine/variables.h"
#include "tests/isa/ptx/random_calls.h"
#include "tests/isa/ptx/support.h"

namespace shflsim::isa {
namespace ptx_calls_test {

constexpr const char* kHead = ".version 8.0\n.target sm_50\n.address_size 64\n";

/// A module with a kernel that stores out[t] = %r2; its body has %r0 = t and %r1 = in[t].
std::string module_of(const std::string& functions, const std::string& body) {
  return kHead + functions +
         ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n.reg .b32 %r<20>;\n"
         ".reg .b64 %d<20>;\n.reg .pred %p<9>;\nld.param.u64 %d1, [in];\n"
         "ld.param.u64 %d2, [out];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %d3, %r0, 4;\n"
         "add.s64 %d1, %d1, %d3;\nadd.s64 %d2, %d2, %d3;\nld.global.u32 %r1, [%d1];\n" +
         body + "st.global.u32 [%d2], %r2;\nret;\n}\n";
}

/// A call with the argument %r`from` and the result %r`to`.
std::string call_of(const std::string& callee, unsigned from, unsigned to,
                    const std::string& prototype = "") {
  return "{\n.param .b32 param0;\n.param .b32 retval0;\nst.param.b32 [param0+0], %r" +
         std::to_string(from) + ";\n" +
         (prototype.empty() ? ""
                            : prototype +
                                  " : .callprototype (.param .b32 _) _ (.param .b32 "
                                  "_);\n") +
         "call (retval0), " + callee + ", (param0)" + (prototype.empty() ? "" : ", " + prototype) +
         ";\nld.param.b32 %r" + std::to_string(to) + ", [retval0+0];\n}\n";
}

std::string function_of(const std::string& name, const std::string& body) {
  return ".func (.param .b32 func_retval0) " + name + "(.param .b32 " + name +
         "_param_0)\n{\n.reg .b32 %r<20>;\n.reg .b64 %d<20>;\n.reg .pred %p<9>;\n"
         "ld.param.u32 %r1, [" +
         name + "_param_0];\n" + body + "st.param.b32 [func_retval0+0], %r2;\nret;\n}\n";
}

std::vector<uint32_t> of_inputs(uint32_t (*f)(uint32_t)) {
  const std::vector<uint32_t> in = hashed_words(kLanes);
  return by_lane([&](uint32_t lane) { return f(in[lane]); });
}

size_t count_of(const Program& program, const std::string& operation) {
  size_t count = 0;
  for (const std::string& each : program.texts)
    count += each.compare(0, operation.size(), operation) == 0 ? 1 : 0;
  return count;
}

const std::string kFib = function_of(
    "fib", "mov.u32 %r2, %r1;\nsetp.lt.u32 %p1, %r1, 2;\n@%p1 bra done;\nadd.s32 %r3, %r1, -1;\n" +
               call_of("fib", 3, 4) + "add.s32 %r5, %r1, -2;\n" + call_of("fib", 5, 6) +
               "add.u32 %r2, %r4, %r6;\ndone:\n");

uint32_t fib(uint32_t n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

TEST(PtxCalls, FunctionsCallThemselvesEachThreadAsDeepAsItHasTo) {
  const std::string text = module_of(kFib, "and.b32 %r3, %r1, 7;\n" + call_of("fib", 3, 2));
  EXPECT_EQ(words_of(text), of_inputs([](uint32_t x) { return fib(x & 7); }));
  EXPECT_EQ(count_of(ptx_program(text), "CAL "), 3u);
  EXPECT_EQ(count_of(ptx_program(text), "RET"), 1u);
}

TEST(PtxCalls, FunctionsCallOneAnother) {
  const std::string other = ".func (.param .b32 func_retval0) odd(.param .b32 odd_param_0);\n";
  const auto parity = [](const std::string& name, const std::string& next, const char* last) {
    return function_of(name,
                       std::string("mov.u32 %r2, ") + last +
                           ";\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra done;\nsub.u32 %r3, %r1, 1;\n" +
                           call_of(next, 3, 2) + "done:\n");
  };
  EXPECT_EQ(words_of(module_of(other + parity("even", "odd", "1") + parity("odd", "even", "0"),
                               "and.b32 %r3, %r1, 15;\n" + call_of("even", 3, 2))),
            of_inputs([](uint32_t x) { return uint32_t{x % 2 == 0}; }));
}

const std::string kOperations = function_of("twice", "shl.b32 %r2, %r1, 1;\n") +
                                function_of("inverse", "not.b32 %r2, %r1;\n") +
                                function_of("square", "mul.lo.u32 %r2, %r1, %r1;\n") +
                                function_of("other", "xor.b32 %r2, %r1, 77;\n");
uint32_t operation(uint32_t x) {
  switch (x >> 3 & 3u) {
    case 0: return 2 * x;
    case 1: return ~x;
    case 2: return x * x;
    default: return x ^ 77u;
  }
}

std::string call_through(const std::string& space) {
  return "shr.u32 %r3, %r1, 3;\nand.b32 %r3, %r3, 3;\nmul.wide.u32 %d4, %r3, 8;\n"
         "mov.u64 %d5, table;\nadd.s64 %d4, %d4, %d5;\nld." +
         space + ".u64 %d6, [%d4];\n" + call_of("%d6", 1, 2, "prototype_0");
}

TEST(PtxCalls, PointersToFunctionsStandInTables) {
  const std::string table = ".align 8 .u64 table[4] = {twice, inverse, square, other};\n";
  for (const std::string space : {"global", "const"}) {
    EXPECT_EQ(words_of(module_of(kOperations + "." + space + " " + table, call_through(space))),
              of_inputs(operation))
        << space;
  }
}

TEST(PtxCalls, PointersToFunctionsAreChosen) {
  EXPECT_EQ(words_of(module_of(kOperations,
                               "mov.u64 %d4, twice;\nmov.u64 %d5, square;\nand.b32 %r3, %r1, 1;\n"
                               "setp.eq.u32 %p1, %r3, 0;\nselp.b64 %d6, %d4, %d5, %p1;\n" +
                                   call_of("%d6", 1, 2, "prototype_0"))),
            of_inputs([](uint32_t x) { return x % 2 == 0 ? 2 * x : x * x; }));
}

TEST(PtxCalls, TargetsOfACallCanBeListed) {
  const std::string call =
      "{\n.param .b32 param0;\n.param .b32 retval0;\nst.param.b32 [param0+0], %r1;\n"
      "mov.u64 %d4, square;\nlist : .calltargets twice, square;\n"
      "call (retval0), %d4, (param0), list;\nld.param.b32 %r2, [retval0+0];\n}\n";
  EXPECT_EQ(words_of(module_of(kOperations, call)), of_inputs([](uint32_t x) { return x * x; }));
}

TEST(PtxCalls, ThreadsAreTogetherBehindACallThatTheyCameToApart) {
  const std::string table = ".global .align 8 .u64 table[4] = {twice, inverse, square, other};\n";
  EXPECT_EQ(
      words_of(module_of(kOperations + table, call_through("global") + "activemask.b32 %r2;\n")),
      by_lane([](uint32_t) { return kAllLanes; }));
}

TEST(PtxCalls, LeaveRegistersAndPredicatesOfTheCallerAlone) {
  const std::string body =
      "cvt.u64.u32 %d4, %r1;\nmul.lo.u64 %d4, %d4, 1234567891011;\nsetp.lt.s32 %p1, %r1, 0;\n"
      "setp.gt.u32 %p2, %r0, 9;\nand.b32 %r3, %r1, 3;\n" +
      call_of("fib", 3, 4) +
      "mov.b64 {%r5, %r6}, %d4;\nxor.b32 %r2, %r5, %r6;\n@%p1 add.u32 %r2, %r2, %r4;\n"
      "@%p2 add.u32 %r2, %r2, %r0;\n";
  const std::vector<uint32_t> in = hashed_words(kLanes);
  EXPECT_EQ(words_of(module_of(kFib, body)), by_lane([&](uint32_t lane) {
              const uint64_t wide = in[lane] * 1234567891011u;
              uint32_t sum = static_cast<uint32_t>(wide) ^ static_cast<uint32_t>(wide >> 32);
              if (static_cast<int32_t>(in[lane]) < 0) sum += fib(in[lane] & 3);
              return lane > 9 ? sum + lane : sum;
            }));
}

TEST(PtxCalls, HaveVariablesOfTheirOwnEach) {
  // sum(n) fills an array, calls sum(n - 1), and adds up what it has filled in.
  const std::string sum =
      ".func (.param .b32 func_retval0) sum(.param .b32 sum_param_0)\n{\n"
      ".local .align 8 .b8 kept[16];\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\n"
      ".reg .pred %p;\nld.param.u32 %r1, [sum_param_0];\nmov.u32 %r2, 0;\n"
      "mov.u64 %d1, kept;\nst.local.u32 [%d1], %r1;\nst.local.u32 [kept+4], 5;\n"
      "cvta.local.u64 %d2, %d1;\nsetp.eq.u32 %p, %r1, 0;\n@%p bra done;\n"
      "sub.u32 %r3, %r1, 1;\n" +
      call_of("sum", 3, 2) +
      "done:\nld.u32 %r4, [%d2];\nadd.u32 %r2, %r2, %r4;\n"
      "ld.local.u32 %r4, [%d1+4];\nadd.u32 %r2, %r2, %r4;\n"
      "st.param.b32 [func_retval0+0], %r2;\nret;\n}\n";
  EXPECT_EQ(words_of(module_of(sum, "and.b32 %r3, %r1, 15;\n" + call_of("sum", 3, 2))),
            of_inputs([](uint32_t x) {
              const uint32_t n = x & 15;
              return n * (n + 1) / 2 + 5 * (n + 1);
            }));
}

TEST(PtxCalls, PassStructuresAndNarrowNumbers) {
  const std::string function =
      ".func (.param .align 8 .b8 func_retval0[16]) f(.param .align 8 .b8 f_param_0[16], "
      ".param .b32 f_param_1)\n{\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\n.reg .b16 %h<3>;\n"
      "ld.param.v2.b32 {%r1, %r2}, [f_param_0];\nld.param.u64 %d1, [f_param_0+8];\n"
      "ld.param.s8 %h1, [f_param_1];\ncvt.s32.s16 %r3, %h1;\nadd.u32 %r1, %r1, %r3;\n"
      "st.param.v2.b32 [func_retval0+0], {%r2, %r1};\nadd.s64 %d1, %d1, 1;\n"
      "st.param.b64 [func_retval0+8], %d1;\nret;\n}\n";
  const std::string call =
      "mov.b64 %d4, {%r1, %r0};\nmov.u64 %d9, f;\n{\n.param .align 8 .b8 param0[16];\n"
      ".param .b32 param1;\n.param .align 8 .b8 retval0[16];\n"
      "st.param.v2.b32 [param0+0], {%r1, %r0};\nst.param.b64 [param0+8], %d4;\n"
      "st.param.b32 [param1+0], %r1;\n"
      "p : .callprototype (.param .align 8 .b8 _[16]) _ (.param .align 8 .b8 _[16], .param .b32 "
      "_);\n"
      "call (retval0), %d9, (param0, param1), p;\nld.param.v2.b32 {%r5, %r6}, [retval0+0];\n"
      "ld.param.b64 %d5, [retval0+8];\n}\nmov.b64 {%r7, %r8}, %d5;\n"
      "mad.lo.u32 %r2, %r5, 3, %r6;\nmad.lo.u32 %r2, %r2, 31, %r7;\nmad.lo.u32 %r2, %r2, 31, "
      "%r8;\n";
  const std::vector<uint32_t> in = hashed_words(kLanes);
  EXPECT_EQ(words_of(module_of(function, call)), by_lane([&](uint32_t lane) {
              const uint32_t x = in[lane];
              const uint32_t sum = x + static_cast<uint32_t>(int32_t{static_cast<int8_t>(x)});
              const uint64_t wide = (uint64_t{lane} << 32 | x) + 1;
              uint32_t mixed = lane * 3 + sum;
              mixed = mixed * 31 + static_cast<uint32_t>(wide);
              return mixed * 31 + static_cast<uint32_t>(wide >> 32);
            }));
}

TEST(PtxCalls, StandUnderGuards) {
  const std::string call = call_of("fib", 3, 2);
  std::string guarded = call;
  guarded.insert(guarded.find("call"), "@%p1 ");
  guarded.replace(guarded.find("ld.param"), 8, "@%p1 ld.param");
  EXPECT_EQ(words_of(module_of(kFib,
                               "mov.u32 %r2, 99;\nand.b32 %r3, %r1, 7;\n"
                               "setp.gt.u32 %p1, %r3, 3;\n" +
                                   guarded)),
            of_inputs([](uint32_t x) { return (x & 7) > 3 ? fib(x & 7) : 99; }));
}

TEST(PtxCalls, ThreadsEndInFunctions) {
  const std::string text =
      module_of(function_of("f", "setp.lt.s32 %p1, %r1, 0;\n@%p1 exit;\nadd.u32 %r2, %r1, 1;\n"),
                "mov.u64 %d4, f;\n" + call_of("%d4", 1, 2, "p"));
  EXPECT_EQ(words_of(text),
            of_inputs([](uint32_t x) { return static_cast<int32_t>(x) < 0 ? 0xcdcdcdcd : x + 1; }));
}

TEST(PtxCalls, SharedMemoryIsTheBlocks) {
  const std::string f = ".shared .align 4 .b8 all[128];\n" +
                        function_of("f",
                                    ".shared .align 4 .b8 own[128];\nmov.u32 %r4, %tid.x;\n"
                                    "shl.b32 %r4, %r4, 2;\nmov.u32 %r5, own;\n"
                                    "add.u32 %r5, %r5, %r4;\nst.shared.u32 [%r5], %r1;\n"
                                    "mov.u32 %r6, all;\nadd.u32 %r6, %r6, %r4;\n"
                                    "ld.shared.u32 %r2, [%r6];\nld.shared.u32 %r7, [%r5];\n"
                                    "add.u32 %r2, %r2, %r7;\n");
  EXPECT_EQ(words_of(module_of(f,
                               "mov.u32 %r5, all;\nshl.b32 %r6, %r0, 2;\n"
                               "add.u32 %r5, %r5, %r6;\nst.shared.u32 [%r5], %r0;\n"
                               "mov.u64 %d4, f;\n" +
                                   call_of("%d4", 1, 2, "p"))),
            by_lane([](uint32_t lane) { return hashed_words(kLanes)[lane] + lane; }));
}

std::string failure_of(const std::string& text) {
  try {
    Witness witness;
    run_kernel(ptx_program(text), 1, kLanes, hashed_words(kLanes), kLanes, &witness);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PtxCalls, AStackThatIsTooDeepEndsInAFault) {
  const std::string endless =
      function_of("f", "add.u32 %r3, %r1, 1;\n" + call_of("f", 3, 4) + "add.u32 %r2, %r4, %r1;\n");
  EXPECT_THAT(failure_of(module_of(endless, call_of("f", 1, 2))),
              testing::HasSubstr("outside the thread's 65536 bytes"));
}

TEST(PtxCalls, ANullPointerEndsInAFault) {
  EXPECT_THAT(failure_of(module_of(kOperations, "mov.u64 %d4, 0;\n" + call_of("%d4", 1, 2, "p"))),
              testing::HasSubstr("outside the kernel"));
}

TEST(PtxCalls, AreRefusedWhereTheyDoNotFit) {
  EXPECT_THAT(ptx_error(module_of(kOperations, "mov.u64 %d4, twice;\n" + call_of("%d4", 1, 2))),
              testing::HasSubstr("expected the name of a function whose body the text has, or a "
                                 "pointer and a .callprototype"));
  EXPECT_THAT(ptx_error(module_of(kFib,
                                  "{\n.param .b32 a;\n.param .b32 b;\n.param .b32 c;\n"
                                  "call (a), fib, (b, c);\n}\n")),
              testing::HasSubstr("'fib' takes 1 arguments and gives 1 results"));
}

std::string driver_call(const std::string& name, const std::string& result) {
  return module_of(".extern .func " + result + " " + name + "(.param .b64 a);\n",
                   "mov.u32 %r2, %r1;\n@!%p1 bra past;\n{\n.param .b64 a;\n.param .b32 r;\n"
                   "st.param.b64 [a], %d1;\ncall.uni " +
                       std::string(result.empty() ? "" : "(r), ") + name + ", (a);\n}\npast:\n");
}

TEST(PtxCalls, OfTheDriverAreRefusedWhereTheyDoNotFit) {
  EXPECT_THAT(ptx_error(driver_call("vprintf", "(.param .b32 r)")),
              testing::HasSubstr("'vprintf' takes 2 arguments and 1 results"));
}

TEST(PtxCalls, StayInPlaceWhereNothingComesBack) {
  const Program program = ptx_program(module_of(kOperations, call_of("twice", 1, 2)));
  EXPECT_EQ(count_of(program, "CAL "), 0u);
  EXPECT_EQ(program.local_bytes, 0u);
}

/// Runs SHFLSIM_PTX_PROGRAMS / 5 programs (CONTRIBUTING).
TEST(PtxCalls, RandomFunctionsComputeWhatTheirTextSays) {
  const char* said = std::getenv("SHFLSIM_PTX_PROGRAMS");
  const uint32_t programs = said == nullptr ? 40 : static_cast<uint32_t>(std::atoi(said)) / 5;
  const std::vector<uint32_t> in = hashed_words(kLanes);
  for (uint32_t seed = 1; seed <= programs; ++seed) {
    const RandomCalls calls(seed);
    const std::string text = calls.text();
    ASSERT_EQ(words_of(text), by_lane([&](uint32_t t) { return calls.expected(in[t], t); }))
        << "seed " << seed << "\n"
        << text;
  }
}

}  // namespace ptx_calls_test
}  // namespace shflsim::isa
