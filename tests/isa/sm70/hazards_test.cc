// SPDX-License-Identifier: Apache-2.0
// The control bits of sm_70 and later: no hazard is found in ptxas' code, and hazards are found if
// control bits are taken away.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "isa/base/input_error.h"
#include "isa/dialects/source.h"
#include "tests/isa/code_walk.h"
#include "tests/isa/sm70/support.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace sm70_hazards_test {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr unsigned kWalks = 12;
constexpr size_t kSteps = 500;

std::string cubin(const std::string& set, unsigned number) {
  return test::data_path("volta/" + set + ".sm" + std::to_string(number) + ".cubin.gz");
}

using SetAndArch = std::tuple<const char*, unsigned>;

class CompiledCode : public testing::TestWithParam<SetAndArch> {};

/// True if all words of a kernel are known; other tests check which words are.
bool is_known(const Source& source, const std::string& kernel) {
  try {
    source.program(kernel);
  } catch (const InputError&) {
    return false;
  }
  return true;
}

TEST_P(CompiledCode, waits_for_all_that_it_uses) {
  const auto [set, number] = GetParam();
  const auto source = open_source(cubin(set, number));
  size_t unknown = 0;
  for (const std::string& kernel : source->kernels()) {
    if (!is_known(*source, kernel)) {
      ++unknown;
      continue;
    }
    EXPECT_THAT(hazards_on_walks(source->program(kernel), kWalks, kSteps), IsEmpty()) << kernel;
  }
  EXPECT_LE(unknown, 2u) << "of " << source->kernels().size();
}

/// The number of changes of a kind, and of those that are found.
struct Share {
  unsigned found = 0;
  unsigned all = 0;
};

struct Shares {
  Share waits;
  Share write_barriers;
  Share stalls;
};

void try_change(Program* program, size_t index, const Control& changed, Share* share) {
  const Control control = program->code[index].control;
  program->code[index].control = changed;
  ++share->all;
  if (!hazards_on_walks(*program, kWalks, kSteps).empty()) ++share->found;
  program->code[index].control = control;
}

/// Tries each instruction without one of its waits, its write barrier, or its stall count.
void try_changes(Program program, Shares* shares) {
  std::vector<bool> reached(program.code.size());
  for (unsigned seed = 0; seed < kWalks; ++seed) {
    for (const CodeWalk::Step& step : CodeWalk(program, seed).steps(kSteps))
      reached[step.index] = true;
  }
  for (size_t i = 0; i < program.code.size(); ++i) {
    const Control control = program.code[i].control;
    if (!reached[i]) continue;
    Control changed = control;
    for (unsigned scoreboard = 0; scoreboard < 6; ++scoreboard) {
      changed.wait_mask = static_cast<uint8_t>(control.wait_mask & ~(1u << scoreboard));
      if (changed != control) try_change(&program, i, changed, &shares->waits);
    }
    changed = control;
    changed.write_barrier = Control::kNoScoreboard;
    if (changed != control) try_change(&program, i, changed, &shares->write_barriers);
    changed = control;
    changed.issue_code = 1;
    if (control.stall() > 1) try_change(&program, i, changed, &shares->stalls);
  }
}

class ChangedCode : public testing::TestWithParam<unsigned> {};

/// Some waits are for a result whose successor in the same queue is waited for as well; many stall
/// counts are longer than the next reader needs.
TEST_P(ChangedCode, is_wrong_without_most_of_its_control_bits) {
  const auto source = open_source(cubin("c", GetParam()));
  Shares shares;
  for (const std::string& kernel : source->kernels()) try_changes(source->program(kernel), &shares);
  EXPECT_GT(shares.waits.all, 100u);
  EXPECT_GE(shares.waits.found * 100, shares.waits.all * 91);
  EXPECT_GE(shares.write_barriers.found * 100, shares.write_barriers.all * 99);
  EXPECT_GE(shares.stalls.found * 100, shares.stalls.all * 60);
}

INSTANTIATE_TEST_SUITE_P(Sm, ChangedCode, testing::Values(80u, 90u, 120u),
                         [](const auto& each) { return std::to_string(each.param); });

std::string name_of_set(const testing::TestParamInfo<SetAndArch>& each) {
  return std::get<0>(each.param) + std::to_string(std::get<1>(each.param));
}

INSTANTIATE_TEST_SUITE_P(Sm, CompiledCode,
                         testing::Combine(testing::Values("c", "k"),
                                          testing::Values(75u, 80u, 86u, 90u, 100u, 120u)),
                         name_of_set);
INSTANTIATE_TEST_SUITE_P(Sm70, CompiledCode, testing::Values(SetAndArch{"c", 70u}), name_of_set);

struct Planted {
  const char* name;
  Arch arch;
  std::vector<std::string> lines;
  const char* finding;
};

const Planted kPlanted[] = {
    {"wait_missing_for_a_special_register",
     Arch::kSm80,
     {"S2R R0, SR_LANEID &wr=0 ?trans2", "IADD3 R1, R0, 0x1, RZ ?trans6"},
     "0x0010: reads R0 before the S2R at 0x0000 has delivered it; expected a wait for SB0"},
    {"wait_missing_for_a_shuffle",
     Arch::kSm90,
     {"SHFL.BFLY PT, R1, R0, 0x1, 0x1f &wr=3 ?trans2", "FADD R2, R1, R0 ?trans6"},
     "0x0010: reads R1 before the SHFL at 0x0000 has delivered it; expected a wait for SB3"},
    {"wait_missing_for_a_shuffles_predicate",
     Arch::kSm80,
     {"SHFL.UP P1, R1, R0, 0x1, RZ &wr=2 ?trans2", "@P1 MOV R2, 0x5 ?trans6",
      "MOV R3, R1 &req={2} ?trans6"},
     "0x0010: reads P1 before the SHFL at 0x0000 has delivered it; expected a wait for SB2"},
    {"wait_missing_for_a_load",
     Arch::kSm75,
     {"LDG.E.SYS R4, [R2] &wr=1 ?trans2", "IADD3 R5, R4, R4, RZ &req={0} ?trans6"},
     "0x0010: reads R4 before the LDG at 0x0000 has delivered it; expected a wait for SB1"},
    {"wait_missing_for_the_second_register",
     Arch::kSm80,
     {"LDS.64 R4, [R2] &wr=1 ?trans2", "IADD3 R6, R5, 0x1, RZ ?trans6"},
     "0x0010: reads R5 before the LDS at 0x0000 has delivered it; expected a wait for SB1"},
    {"wait_missing_for_a_conversion",
     Arch::kSm100,
     {"F2I.TRUNC.NTZ R4, R2 &wr=0 ?trans2", "LEA R6, R4, R4, 0x2 ?trans6"},
     "0x0010: reads R4 before the F2I at 0x0000 has delivered it; expected a wait for SB0"},
    {"wait_missing_for_a_uniform_special_register",
     Arch::kSm80,
     {"S2UR UR4, SR_CTAID.X &wr=0 ?trans2", "UIADD3 UR5, UR4, 0x1, URZ ?trans6"},
     "0x0010: reads UR4 before the S2UR at 0x0000 has delivered it; expected a wait for SB0"},
    {"wait_missing_for_a_descriptors_second_half",
     Arch::kSm100,
     {"LDCU.64 UR4, c[0x0][0x358] &wr=2 ?trans2", "LDG.E R0, desc[UR4][R2.64] &wr=0 ?trans2"},
     "0x0010: reads UR4 before the LDCU at 0x0000 has delivered it; expected a wait for SB2"},
    {"wait_missing_for_double_precision",
     Arch::kSm80,
     {"DADD R2, R4, R6 &wr=0 ?trans2", "DADD R8, R2, R6 &req={1} &wr=1 ?trans2"},
     "0x0010: reads R2 before the DADD at 0x0000 has delivered it; expected a wait for SB0"},
    {"barrier_missing_of_r2ur",
     Arch::kSm86,
     {"R2UR UR4, R2 ?W13G", "UIADD3 UR5, UR4, 0x1, URZ ?trans6"},
     "0x0010: reads UR4 before the R2UR at 0x0000 has delivered it; expected a write barrier there "
     "and a wait for it"},
    {"barrier_missing_of_a_matrix_product",
     Arch::kSm75,
     {"HMMA.1688.F32 R4, R8, R10, R12 ?W15G", "FADD R0, R4, R4 ?trans6"},
     "0x0010: reads R4 before the HMMA at 0x0000 has delivered it; expected a write barrier there "
     "and a wait for it"},
    {"barrier_waited_for_too_soon",
     Arch::kSm80,
     {"S2R R0, SR_LANEID &wr=0 ?trans1", "IADD3 R1, R0, 0x1, RZ &req={0} ?trans6"},
     "0x0010: waits for SB0 1 cycle behind the S2R at 0x0000 that sets it; expected 2"},
    {"too_many_left_by_depbar",
     Arch::kSm80,
     {"S2R R0, SR_LANEID &wr=0 ?trans2", "S2R R1, SR_TID.X &wr=0 ?trans2",
      "DEPBAR.LE SB0, 0x1 ?trans4", "IADD3 R2, R0, 0x1, RZ ?trans6",
      "IADD3 R3, R1, 0x1, RZ ?trans6"},
     "0x0040: reads R1 before the S2R at 0x0010 has delivered it; expected a wait for SB0"},
    {"source_overwritten",
     Arch::kSm80,
     {"STG.E [R2.64], R4 &rd=1 ?trans2", "IADD3 R4, R5, 0x1, RZ ?trans6"},
     "0x0010: overwrites R4 before the STG at 0x0000 has read it; expected a wait for SB1"},
    {"address_overwritten",
     Arch::kSm90,
     {"STG.E desc[UR4][R2.64], R4 ?trans2", "IADD3 R3, R5, 0x1, RZ ?trans6"},
     "0x0010: overwrites R3 before the STG at 0x0000 has read it; expected a read barrier there "
     "and a wait for it"},
    {"result_overwritten",
     Arch::kSm80,
     {"MUFU.RCP R1, R0 &wr=0 ?trans2", "MOV R1, 0x5 ?trans6"},
     "0x0010: overwrites R1 before the MUFU at 0x0000 has delivered it; expected a wait for SB0"},
    {"stall_too_short_for_integers",
     Arch::kSm80,
     {"IADD3 R1, R0, 0x1, RZ ?trans3", "IADD3 R2, R1, 0x1, RZ ?trans6"},
     "0x0010: reads R1 3 cycles after the IADD3 at 0x0000 on its way to IADD3; expected 4 at "
     "least"},
    {"stall_too_short_for_the_other_pipe",
     Arch::kSm90,
     {"IADD3 R1, R0, 0x1, RZ ?trans4", "FADD R2, R1, R1 ?trans6"},
     "0x0010: reads R1 4 cycles after the IADD3 at 0x0000 on its way to FADD; expected 5 at least"},
    {"stall_too_short_for_memory",
     Arch::kSm75,
     {"IADD3 R1, R0, 0x1, RZ ?trans7", "LDS R2, [R1] &wr=0 ?trans2"},
     "0x0010: reads R1 7 cycles after the IADD3 at 0x0000 on its way to LDS; expected 8 at least"},
    {"stall_too_short_for_double_precision",
     Arch::kSm90,
     {"DADD R2, R4, R6 ?trans7", "DADD R8, R2, R6 ?trans8"},
     "0x0010: reads R2 7 cycles after the DADD at 0x0000 on its way to DADD; expected 8 at least"},
    {"stall_too_short_for_a_matrix_product",
     Arch::kSm80,
     {"HMMA.16816.F32 R4, R8, R12, R16 ?W12G", "FADD R0, R4, R4 ?trans6"},
     "0x0010: reads R4 12 cycles after the HMMA at 0x0000 on its way to FADD; expected 13 at "
     "least"},
    {"stall_too_short_for_a_guard",
     Arch::kSm80,
     {"ISETP.GE.AND P0, PT, R0, 0x4, PT ?W12G", "@P0 MOV R1, 0x1 ?trans6"},
     "0x0010: reads P0 12 cycles after the ISETP at 0x0000 on its way to MOV; expected 13 at "
     "least"},
    {"stall_too_short_for_a_carry",
     Arch::kSm80,
     {"IADD3 R2, P0, R0, R1, RZ ?trans3", "IADD3.X R3, R4, R5, RZ, P0, !PT ?trans6"},
     "0x0010: reads P0 3 cycles after the IADD3 at 0x0000 on its way to IADD3; expected 4 at "
     "least"},
    {"stall_too_short_for_a_vote",
     Arch::kSm90,
     {"ISETP.GE.AND P0, PT, R0, 0x4, PT ?trans8", "VOTE.ANY R1, PT, P0 ?trans6"},
     "0x0010: reads P0 8 cycles after the ISETP at 0x0000 on its way to VOTE; expected 13 at "
     "least"},
    {"stall_too_short_for_uniform_integers",
     Arch::kSm80,
     {"UIADD3 UR4, UR5, 0x1, URZ ?trans5", "IADD3 R1, R0, UR4, RZ ?trans6"},
     "0x0010: reads UR4 5 cycles after the UIADD3 at 0x0000 on its way to IADD3; expected 6 at "
     "least"},
    {"stall_too_short_for_r2ur",
     Arch::kSm90,
     {"R2UR UR4, R2 ?W12G", "UIADD3 UR5, UR4, 0x1, URZ ?trans6"},
     "0x0010: reads UR4 12 cycles after the R2UR at 0x0000 on its way to UIADD3; expected 13 at "
     "least"},
    {"stall_too_short_for_a_uniform_guard",
     Arch::kSm80,
     {"UISETP.GE.AND UP0, UPT, UR4, 0x4, UPT ?trans10", "@UP0 UMOV UR5, 0x1 ?trans6"},
     "0x0010: reads UP0 10 cycles after the UISETP at 0x0000 on its way to UMOV; expected 11 at "
     "least"},
};

class PlantedHazard : public testing::TestWithParam<Planted> {};

TEST_P(PlantedHazard, is_all_that_is_found) {
  const Planted& planted = GetParam();
  const Program program = assemble_sm70(planted.arch, planted.lines);
  EXPECT_THAT(hazards_on_walks(program, 1, 100), ElementsAre(planted.finding));
}

INSTANTIATE_TEST_SUITE_P(Each, PlantedHazard, testing::ValuesIn(kPlanted),
                         [](const auto& each) { return std::string(each.param.name); });

/// DADD has a fixed latency on sm_90 and sm_100 and needs a scoreboard on sm_120.
TEST(Hazards, know_which_architecture_has_much_double_precision) {
  const std::vector<std::string> lines = {"DADD R2, R4, R6 ?trans8", "DADD R8, R2, R6 ?W15G"};
  EXPECT_THAT(hazards_on_walks(assemble_sm70(Arch::kSm90, lines), 1, 9), IsEmpty());
  EXPECT_THAT(hazards_on_walks(assemble_sm70(Arch::kSm100, lines), 1, 9), IsEmpty());
  EXPECT_THAT(hazards_on_walks(assemble_sm70(Arch::kSm120, lines), 1, 9),
              ElementsAre("0x0010: reads R2 before the DADD at 0x0000 has delivered it; expected a "
                          "write barrier there and a wait for it"));
}

/// A queue returns results in the order of issue: the last one's scoreboard is enough.
TEST(Hazards, let_one_scoreboard_stand_for_all_of_a_queue) {
  EXPECT_THAT(
      hazards_on_walks(assemble_sm70(Arch::kSm80, {"SHFL.BFLY PT, R1, R0, 0x1, 0x1f ?trans2",
                                                   "LDS R2, [R3] &wr=0 ?trans2",
                                                   "IADD3 R4, R1, R2, RZ &req={0} ?trans6"}),
                       1, 9),
      IsEmpty());
}

TEST(Hazards, let_one_scoreboard_stand_for_reductions_in_a_row) {
  EXPECT_THAT(hazards_on_walks(assemble_sm70(Arch::kSm90, {"REDUX.XOR UR4, R1 ?trans2",
                                                           "REDUX.MIN.S32 UR5, R1 &wr=3 ?trans2",
                                                           "MOV R2, UR4 &req={3} ?trans6"}),
                               1, 9),
              IsEmpty());
}

TEST(Hazards, know_what_warp_specialised_code_keeps_between_its_instructions) {
  const auto hazards = [](const char* first, const char* second) {
    return hazards_on_walks(assemble_sm70(Arch::kSm90, {first, second}), 1, 9);
  };
  const char* const check = "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR13+0x10], R2 &wr=0 ?trans2";
  EXPECT_THAT(hazards("SHF.L.U32 R2, R3, 0x1f, RZ ?trans4", check), IsEmpty());
  EXPECT_THAT(hazards("SHF.L.U32 R2, R3, 0x1f, RZ ?trans3", check),
              ElementsAre("0x0010: reads R2 3 cycles after the SHF at 0x0000 on its way to "
                          "SYNCS_PHASECHK; expected 4 at least"));
  EXPECT_THAT(hazards("USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0xf0 ?trans2",
                      "PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x0 ?trans6"),
              IsEmpty());
}

TEST(GroupProducts, AreFoundWhereTheirGroupIsNotWaitedFor) {
  const char* const product = "HGMMA.64x8x16.F32.BF16 R24, R32, gdesc[UR4], R24, gsb0 ?trans2";
  const char* const wait = "WARPGROUP.DEPBAR.LE gsb0, 0x0 ?trans2";
  const char* const use = "FADD R0, R24, R25 ?trans6";
  const auto hazards = [](const std::vector<std::string>& lines) {
    return hazards_on_walks(assemble_sm70(Arch::kSm90, lines), 1, 20);
  };
  EXPECT_THAT(hazards({product, product, wait, use}), IsEmpty());
  EXPECT_THAT(hazards({product, use}),
              ElementsAre("0x0010: reads R24 before the HGMMA at 0x0000 has delivered it; expected "
                          "a WARPGROUP.DEPBAR for its group"));
  EXPECT_THAT(hazards({product, product, "WARPGROUP.DEPBAR.LE gsb0, 0x1 ?trans2", use}),
              ElementsAre("0x0030: reads R24 before the HGMMA at 0x0010 has delivered it; expected "
                          "a WARPGROUP.DEPBAR for its group"));
  EXPECT_THAT(hazards({product, "MOV R33, RZ ?trans6", wait}),
              ElementsAre("0x0010: overwrites R33 before the HGMMA at 0x0000 has read it; expected "
                          "a WARPGROUP.DEPBAR for its group"));
}

TEST(GroupProducts, AsCompiledWaitForAllThatTheyUse) {
  const auto source = open_source(test::data_path("hopper/tensor.sm90a.cubin.gz"));
  for (const std::string& kernel : source->kernels()) {
    for (const std::string& found : hazards_on_walks(source->program(kernel), kWalks, kSteps))
      EXPECT_THAT(found, testing::Not(testing::HasSubstr("WARPGROUP"))) << kernel;
  }
}

}  // namespace sm70_hazards_test
}  // namespace shflsim::isa
