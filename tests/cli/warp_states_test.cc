// SPDX-License-Identifier: Apache-2.0
// Every cycle of a warp belongs to one state and one instruction.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace shflsim::cli {
namespace warp_states_test {

/// In the lowered code the last instruction is a jump: a SYNC.
constexpr const char* kLastIsAJump = R"(cat >last.ptx <<'END'
.version 8.0
.target sm_50
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 mem)
{
.reg .b32 %r<12>;
.reg .pred %p<3>;
.reg .b32 %t<4>, %count<4>;
.reg .pred %loop<4>;
.reg .b32 %t, %own, %loc, %x;
.reg .b64 %at, %to, %wide, %priv;
ld.param.u64 %at, [in];
ld.param.u64 %to, [out];
ld.global.u32 %r5, [%at+1280];
ld.global.u32 %r6, [%at+1536];
ld.global.u32 %r7, [%at+1792];
L10: .branchtargets L5, L6, L7, L8;
brx.idx %t2, L10;
L5:
L6:
and.b32 %count1, %r0, 3;
L11:
st.shared.u32 [%own+16], %r7;
@%p1 bra L20;
@%p2 bra L13;
L20:
sub.s32 %count1, %count1, 1;
setp.ge.s32 %loop1, %count1, 0;
@%loop1 bra L11;
L13:
bra L9;
L7:
L8:
L9:
st.global.u32 [%to+0], %r0;
st.global.u32 [%to+4], %r1;
st.global.u32 [%to+8], %r2;
st.global.u32 [%to+12], %r3;
st.global.u32 [%to+16], %r4;
st.global.u32 [%to+20], %r5;
}
END
)";

TEST(WarpStates, AddUpWhereTheLastInstructionInTheCodeJumps) {
  for (const char* machine : {"gm107", "gv100", "tu102", "gh100"}) {
    const ProgramRun run =
        run_script(kLastIsAJump +
                   std::string("$S run last.ptx --block 64 --arg fill:4096:00 --arg "
                               "fill:65536:00 --arg fill:2048:5a --format json --config ") +
                   machine);
    ASSERT_EQ(run.status, 0) << run.errors;
    const auto report = nlohmann::json::parse(run.output);
    uint64_t of_states = 0, of_instructions = 0;
    for (const auto& state : report["states"]) of_states += state["cycles"].get<uint64_t>();
    for (const auto& row : report["instructions"])
      of_instructions += row["warp_cycles"].get<uint64_t>();
    EXPECT_EQ(report["totals"]["warp_cycles"], of_states) << machine;
    EXPECT_EQ(of_states, of_instructions) << machine;
  }
}

}  // namespace warp_states_test
}  // namespace shflsim::cli
