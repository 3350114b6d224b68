// SPDX-License-Identifier: Apache-2.0
// Faults planted into code, one per kind and position: the checker finds each one alone, in place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "isa/check/checker.h"
#include "tests/isa/ptx/support.h"

namespace shflsim::isa {
namespace check_faults_test {

struct Planted {
  const char* name;
  const char* kernel;  ///< the one with the fault, "" if there is only one
  const char* text;    ///< PTX if it begins with a small letter or a dot
  const char* finding;
};

/// Warp 1 of two takes the loop's second round alone, with lanes 16 to 31.
#define LOOP_HEAD                        \
  "S2R R0, SR_TID.X &wr=0 ?trans2\n"     \
  "MOV32I R5, 0 ?trans1\n"               \
  "SHR.U32 R6, R0, 4 &req={0} ?trans6\n" \
  "SHR.U32 R7, R6, 1 ?trans6\n"          \
  "LOP.AND R6, R6, R7 ?trans6\n"         \
  "SSY end ?trans1\n"                    \
  "loop: IADD R5, R5, 1 ?trans6\n"       \
  "ISETP.LE.U32.AND P0, PT, R5, R6, PT ?WAIT13_END_GROUP\n"
#define LOOP_END           \
  "@P0 BRA loop ?trans5\n" \
  "SYNC ?trans5\n"         \
  "end: EXIT ?WAIT15_END_GROUP\n"

/// Two kernels; the fault is in the second one.
#define FIRST_KERNEL                                                                \
  ".version 6.4\n.target sm_50\n.entry first() { .reg .b32 %r<3>; .reg .pred %p;\n" \
  "mov.u32 %r0, %laneid; shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;\n"                 \
  "setp.eq.u32 %p, %r1, 77; @%p bra done; done: ret; }\n"                           \
  ".entry second() { .reg .b32 %r<4>; .reg .pred %p<3>; mov.u32 %r0, %laneid;\n"

const Planted kPlanted[] = {
    {"lane_outside_a_guard", "",
     "mov.u32 l, %laneid; setp.lt.u32 p, l, 8;\n"
     "@p shfl.down.b32 d, l, 2, 0x1f;",
     "t:0x0018 0/0 000000c0 reads from a lane that does not execute the shuffle"},
    {"lane_behind_a_branch", "",
     "mov.u32 l, %laneid; setp.ge.u32 p, l, 4; @p bra end;\n"
     "shfl.idx.b32 d, l, 9, 0x1f; end: add.u32 l, l, 1;",
     "t:0x0030 0/0 0000000f reads from a lane that does not execute the shuffle"},
    {"lane_in_a_loop", "", LOOP_HEAD "SHFL.IDX PT, R8, R0, 0x3, 0x1f &wr=1 ?trans2\n" LOOP_END,
     "t:0x0058 0/1 ffff0000 reads from a lane that does not execute the shuffle"},
    {"member_not_named", "", "mov.u32 l, %laneid; shfl.sync.idx.b32 d, l, 5, 0x1f, 0xffff7fff;",
     "t:0x0010 0/0 00008000 shuffles without being in its membermask"},
    {"member_read_outside", "second",
     FIRST_KERNEL "setp.lt.u32 %p0, %r0, 16; @!%p0 bra over;\n"
                  "shfl.sync.down.b32 %r1, %r0, 1, 31, 0xffff; over: ret; }",
     "second:0x0028 0/0 00008000 reads from a lane outside its membermask"},
    {"members_apart", "second",
     FIRST_KERNEL "setp.lt.u32 %p0, %r0, 16; @%p0 bra over;\n"
                  "shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1; over: bar.sync 0; ret; }",
     "second:0x0030 0/0 0000ffff is in the membermask of a shuffle that it does not execute in "
     "convergence"},
    {"member_kept_by_a_guard", "",
     "mov.u32 l, %laneid; setp.ne.u32 p, l, 31;\n"
     "@p shfl.sync.up.b32 d, l, 1, 0, 0xffffffff;",
     "t:0x0018 0/0 80000000 is in the membermask of a shuffle that it does not execute in "
     "convergence"},
    {"clamp_at_the_end", "", "mov.u32 l, %laneid; add.u32 l, l, 1; shfl.up.b32 d, l, 4, 0x3;",
     "t:0x0018 0/0 ffffffff is .UP with a clamp other than 0, which silicon compares with and the "
     "manual does not; expected 0"},
    {"clamp_in_a_register", "",
     "mov.u32 l, %laneid; mov.u32 c, 2; add.u32 c, c, 1;\n"
     "shfl.up.b32 d, l, 4, c;",
     "t:0x0028 0/0 ffffffff is .UP with a clamp other than 0, which silicon compares with and the "
     "manual does not; expected 0"},
    {"predicate_unread_in_a_loop", "",
     LOOP_HEAD "SHFL.DOWN P1, R8, R0, 0x1, 0x1f &wr=1 ?trans2\n"
               "IADD R9, R8, R5 &req={1} ?trans6\n" LOOP_END,
     "t:0x0058 0/0 ffffffff writes a predicate that nobody reads; expected PT"},
    {"predicate_overwritten_unread", "",
     "mov.u32 l, %laneid; shfl.up.b32 d|p, l, 1, 0;\n"
     "shfl.up.b32 e|p, l, 2, 0; @p add.u32 l, d, e;",
     "t:0x0010 0/0 ffffffff writes a predicate that nobody reads; expected PT"},
    {"identity_by_own_lane", "", "mov.u32 l, %laneid; shfl.idx.b32 d, l, l, 0x1f;",
     "t:0x0010 0/0 ffffffff moves nothing: every lane reads its own value"},
    {"identity_of_a_segment_of_one", "", "mov.u32 l, %laneid; shfl.idx.b32 d, l, 1, 0x1f00;",
     "t:0x0010 0/0 ffffffff moves nothing: every lane reads its own value"},
    {"wait_missing_for_a_shuffle", "",
     LOOP_HEAD "SHFL.BFLY PT, R8, R0, 0x1, 0x1f &wr=1 ?trans2\nIADD R9, R8, R5 ?trans6\n" LOOP_END,
     "t:0x0068 0/0 ffffffff reads R8 before the SHFL at 0x0058 has delivered it; expected a wait "
     "for SB1"},
    {"wait_missing_for_its_predicate", "",
     "S2R R0, SR_LANEID &wr=0 ?trans2\nSHFL.UP P1, R1, R0, 0x1, 0x0 &req={0} &wr=1 ?trans2\n"
     "MOV32I R2, 0 ?trans6\n@P1 IADD R2, R2, 1 ?trans6\nEXIT &req={1} ?WAIT15_END_GROUP\n",
     "t:0x0028 0/0 ffffffff reads P1 before the SHFL at 0x0010 has delivered it; expected a wait "
     "for SB1"},
    {"wait_for_another_barrier", "",
     "S2R R0, SR_LANEID &wr=0 ?trans2\nS2R R1, SR_TID.X &wr=1 ?trans2\n"
     "IADD R2, R1, R0 &req={0} ?trans6\nEXIT &req={1} ?WAIT15_END_GROUP\n",
     "t:0x0018 0/0 ffffffff reads R1 before the S2R at 0x0010 has delivered it; expected a wait "
     "for SB1"},
    {"barrier_missing", "",
     "S2R R0, SR_LANEID &wr=0 ?trans2\nPOPC R1, R0 &req={0} ?trans2\nIADD R2, R1, 1 ?trans6\n",
     "t:0x0018 0/0 ffffffff reads R1 before the POPC at 0x0010 has delivered it; expected a write "
     "barrier there and a wait for it"},
    {"barrier_waited_for_too_soon", "",
     "S2R R0, SR_LANEID &wr=0 ?trans1\nIADD R2, R0, 1 &req={0} ?trans6\n",
     "t:0x0010 0/0 ffffffff waits for SB0 1 cycle behind the S2R at 0x0008 that sets it; expected "
     "2"},
    {"stall_too_short_behind_a_branch", "",
     "S2R R0, SR_LANEID &wr=0 ?trans2\nISETP.LT.AND P0, PT, R0, 0x3, PT &req={0} "
     "?WAIT13_END_GROUP\n"
     "SSY end ?trans1\n@P0 SYNC ?trans5\nIADD R1, R0, 1 ?trans5\nIADD R2, R1, 1 ?trans6\n"
     "SYNC ?trans5\nend: EXIT ?WAIT15_END_GROUP\n",
     "t:0x0038 0/0 fffffff8 reads R1 5 cycles after the IADD at 0x0030 on its way to IADD; "
     "expected 6 at least"},
    {"stall_too_short_for_a_shuffle", "",
     "S2R R0, SR_LANEID &wr=0 ?trans2\nIADD R1, R0, 1 &req={0} ?trans3\n"
     "SHFL.BFLY PT, R2, R1, 0x1, 0x1f &wr=0 ?trans2\nIADD R2, R2, 1 &req={0} ?trans6\n",
     "t:0x0018 0/0 ffffffff reads R1 3 cycles after the IADD at 0x0010 on its way to SHFL; "
     "expected 4 at least"},
    {"stall_too_short_for_a_guard", "",
     "S2R R0, SR_TID.X &wr=0 ?trans2\nISETP.LT.U32.AND P0, PT, R0, 0x20, PT &req={0} "
     "?WAIT12_END_GROUP\n"
     "@P0 EXIT ?trans5\nIADD R1, R0, 1 ?trans6\n",
     "t:0x0018 0/0 ffffffff reads P0 12 cycles after the ISETP at 0x0010 on its way to EXIT; "
     "expected 13 at least"},
    {"stall_too_short_for_the_carry", "",
     "MOV32I R0, 0x7 ?trans6\nIADD R2.CC, R0, R0 ?trans5\nIADD.X R3, RZ, RZ ?trans6\n",
     "t:0x0018 0/0 ffffffff reads CC 5 cycles after the IADD at 0x0010 on its way to IADD; "
     "expected 6 at least"},
    {"source_overwritten", "",
     "S2R R0, SR_LANEID &wr=0 ?trans2\nSHFL.IDX PT, R1, R0, 0x4, 0x1f &req={0} &rd=1 &wr=2 "
     "?trans2\n"
     "MOV32I R0, 0 ?trans6\nIADD R1, R1, R0 &req={2} ?trans6\n",
     "t:0x0018 0/0 ffffffff overwrites R0 before the SHFL at 0x0010 has read it; expected a wait "
     "for SB1"},
    {"result_overwritten", "",
     "S2R R0, SR_LANEID &wr=0 ?trans2\nSHFL.BFLY PT, R1, R0, 0x4, 0x1f &req={0} &wr=1 ?trans2\n"
     "MOV32I R1, 0x5 ?trans6\nIADD R2, R1, 1 &req={1} ?trans6\n",
     "t:0x0018 0/0 ffffffff overwrites R1 before the SHFL at 0x0010 has delivered it; expected a "
     "wait for SB1"},
    {"result_overwritten_under_a_guard", "",
     "S2R R0, SR_TID.X &wr=0 ?trans2\nISETP.LT.U32.AND P0, PT, R0, 0x28, PT &req={0} "
     "?WAIT13_END_GROUP\n"
     "SHFL.BFLY PT, R1, R0, 0x4, 0x1f &wr=1 ?trans2\n@!P0 MOV32I R1, 0x5 ?trans6\n"
     "IADD R2, R1, 1 &req={1} ?trans6\n",
     "t:0x0028 0/1 ffffff00 overwrites R1 before the SHFL at 0x0018 has delivered it; expected a "
     "wait for SB1"},
};

std::string finding_line(const Program& program, const CheckFinding& finding) {
  char place[96];
  std::snprintf(place, sizeof place, "%s:0x%04x %u/%u %08x ", program.name.c_str(),
                program.code[finding.index].address, finding.block, finding.warp, finding.lanes);
  return place + finding.what;
}

class PlantedFault : public testing::TestWithParam<Planted> {};

TEST_P(PlantedFault, is_all_that_is_found) {
  const std::string text = GetParam().text;
  const bool is_ptx = text[0] == '.' || (text[0] >= 'a' && text[0] <= 'z');
  const Program program = is_ptx ? ptx_program(text, GetParam().kernel)
                                 : Dialects::named("manual").open({"t", text})->program("t");
  Launch launch;
  launch.block = {2 * kLanes, 1, 1};
  DeviceMemory memory;
  Checker checker(program);
  execute(program, launch, memory, checker);
  std::vector<std::string> lines;
  for (const CheckFinding& finding : checker.finish())
    lines.push_back(finding_line(program, finding));
  EXPECT_THAT(lines, testing::ElementsAre(GetParam().finding));
}

INSTANTIATE_TEST_SUITE_P(Each, PlantedFault, testing::ValuesIn(kPlanted),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace check_faults_test
}  // namespace shflsim::isa
