// SPDX-License-Identifier: Apache-2.0
// Words of constant bank 0 below a kernel's arguments: those that a launch has, and the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/isa/machine_support.h"

namespace shflsim::isa {
namespace launch_bank_test {

/// Where ptxas 13.0 reads the special registers of PTX.
struct Places {
  Arch arch;
  std::string nsmid, gridid, graph, envreg2, envreg3;
};

void PrintTo(const Places& places, std::ostream* out) { *out << name_of(places.arch); }

class LaunchBankOf : public testing::TestWithParam<Places> {
 protected:
  static std::string move(const std::string& offset) { return "MOV R2, c[0x0][" + offset + "]"; }
  static uint32_t value(const std::string& offset) {
    Experiment one({move(offset)}, GetParam().arch);
    one.launch.chip_sms = 132;
    one.run();
    return one.value(2);
  }
  static std::string failure(const std::string& offset) {
    return Experiment({move(offset)}, GetParam().arch).failure();
  }
};

TEST_P(LaunchBankOf, HasTheSmsOfTheChip) {
  EXPECT_EQ(value(GetParam().nsmid), 132u);
  EXPECT_THAT(failure(GetParam().nsmid),
              testing::AllOf(testing::HasSubstr("(%nsmid)"), testing::HasSubstr("shflsim exec")));
}

TEST_P(LaunchBankOf, HasTheNumberOfTheLaunch) {
  Experiment one({move(GetParam().gridid)}, GetParam().arch);
  one.launch.number = 0x700000007;
  one.run();
  EXPECT_EQ(one.value(2), 7u);
}

TEST_P(LaunchBankOf, HasNoGraphAndNoWorkspace) {
  EXPECT_EQ(value(GetParam().graph), 0u);
  EXPECT_EQ(value(GetParam().envreg2), 0u);
}

TEST_P(LaunchBankOf, RefusesToReadWhatTheLaunchDoesNotFill) {
  EXPECT_THAT(failure(GetParam().gridid), testing::HasSubstr("(%gridid)"));
  EXPECT_THAT(failure(GetParam().envreg3), testing::HasSubstr("(%envreg3)"));
  EXPECT_THAT(failure("0x60"), testing::HasSubstr("reads 4 bytes at 0x60 of constant bank 0"));
}

TEST_P(LaunchBankOf, RefusesOnlyWhatIsExecuted) {
  Experiment one({"MOV R2, 0x7", "@!PT " + move(GetParam().gridid)}, GetParam().arch);
  one.run();
  EXPECT_EQ(one.value(2), 7u);
}

TEST_P(LaunchBankOf, HasZerosWhereOnlyTimesMatter) {
  Experiment one({move(GetParam().gridid), "LDC R4, c[0x0][" + GetParam().gridid + "]"},
                 GetParam().arch);
  one.options.has_unfilled_words = true;
  one.run();
  EXPECT_EQ(one.value(2), 0u);
  EXPECT_EQ(one.value(4), 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Architectures, LaunchBankOf,
    testing::Values(Places{Arch::kSm75, "0x10c", "0x30", "0x120", "0x90", "0x94"},
                    Places{Arch::kSm80, "0x10c", "0x34", "0x130", "0x90", "0x94"},
                    Places{Arch::kSm89, "0x10c", "0x30", "0x130", "0x90", "0x94"},
                    Places{Arch::kSm90, "0x10c", "0x30", "0x190", "0x48", "0x4c"},
                    Places{Arch::kSm100, "0x2d0", "0x140", "0x2e8", "0x258", "0x25c"},
                    Places{Arch::kSm120, "0x2d0", "0x144", "0x2ec", "0x258", "0x25c"}),
    [](const auto& tested) { return name_of(tested.param.arch); });

TEST(LaunchBank, IsRefusedAtAComputedPlaceToo) {
  for (const char* const line : {"LDC R2, c[0x0][R3+0x30]", "LDC.64 R2, c[0x0][R3+0x30]"})
    EXPECT_THAT(Experiment({"MOV R3, 0x0", line}, Arch::kSm90).failure(),
                testing::HasSubstr("(%gridid)"));
}

/// Lines that read %total_smem_size into R4; measured on an H100, and the PTX ISA's units.
TEST(LaunchBank, HasTheSizesOfSharedMemory) {
  const auto total = [](Arch arch, const std::string& reserved, uint32_t dynamic) {
    std::vector<std::string> lines = {"S2R R4, SR_SMEMSZ"};
    if (!reserved.empty()) lines.push_back("IADD3 R4, R4, -c[0x0][" + reserved + "], RZ");
    Experiment one(lines, arch);
    one.launch.shared_bytes = dynamic;
    one.run();
    return one.value(4);
  };
  EXPECT_EQ(total(Arch::kSm75, "", 1000), 1024u);
  EXPECT_EQ(total(Arch::kSm75, "", 1), 256u);
  EXPECT_EQ(total(Arch::kSm80, "0x114", 1), 128u);
  EXPECT_EQ(total(Arch::kSm90, "0x114", 1000), 1024u);
  EXPECT_EQ(total(Arch::kSm90, "0x114", 0), 0u);
  EXPECT_EQ(total(Arch::kSm90, "", 1000), 2048u) << "with what the driver reserves";
}

TEST(LaunchBank, HasAllSharedMemoryOfABlock) {  // %aggr_smem_size
  Experiment one({"S2R R4, SR_SMEMSZ", "ULDC UR4, c[0x0][0x13c]", "VIMNMX.U32 R4, R4, UR4, PT"},
                 Arch::kSm90);
  one.launch.shared_bytes = 1000;
  one.run();
  EXPECT_EQ(one.value(4), 2024u);
}

/// %reserved_smem_offset_1 and _end: what cooperative groups keep there is not the block's own.
TEST(LaunchBank, HasReservedSharedMemoryBesideTheBlocksOwn) {
  const auto stored = [](Arch arch, const std::string& place) {
    Experiment one({"MOV R2, 0x7", "MOV R3, c[0x0][" + place + "]", "STS [RZ], R2", "STS [R3], R3",
                    "LDS R2, [RZ]", "LDS R4, [R3]"},
                   arch);
    one.launch.shared_bytes = 200;
    one.run();
    EXPECT_EQ(one.value(4), one.value(3));
    return one.value(3);
  };
  EXPECT_EQ(stored(Arch::kSm80, "0x124"), 256u + 512u);
  EXPECT_EQ(stored(Arch::kSm89, "0x124"), 256u + 512u);
  EXPECT_EQ(stored(Arch::kSm90, "0x6c"), 512u);
  Experiment end({"MOV R2, c[0x0][0x68]"}, Arch::kSm90);
  end.run();
  EXPECT_EQ(end.value(2), 1024u);
}

/// Offsets of %is_explicit_cluster, the sizes, their reciprocals, the numbers and the count.
TEST(LaunchBank, IsOfClustersOfOneBlockWhereThereAreNone) {
  const auto words = [](Arch arch, const std::vector<std::string>& offsets) {
    std::vector<uint32_t> found;
    for (const std::string& offset : offsets) {
      Experiment one({"MOV R2, c[0x0][" + offset + "]"}, arch);
      one.run();
      found.push_back(one.value(2));
    }
    return found;
  };
  const std::vector<uint32_t> expected = {0, 1, 1, 1, 0x3F800000, 0x3F800000, 1, 1};
  EXPECT_EQ(
      words(Arch::kSm90, {"0x140", "0x144", "0x148", "0x14c", "0x150", "0x158", "0x15c", "0x188"}),
      expected);
  for (const Arch arch : {Arch::kSm100, Arch::kSm120})
    EXPECT_EQ(words(arch, {"0x36c", "0x2a0", "0x2a4", "0x2a8", "0x2b0", "0x2b8", "0x2c0", "0x2cc"}),
              expected);
}

/// %nwarpid, as ptxas 13.0 takes it from the register.
TEST(LaunchBank, IsBesideTheNumberOfResidentWarps) {
  const std::vector<std::string> code = {"S2R R2, SR_VIRTCFG", "SHF.R.U32.HI R2, RZ, 0x8, R2",
                                         "SGXT.U32 R2, R2, 0x8"};
  for (const auto& [arch, warps] :
       {std::pair(Arch::kSm90, 64u), std::pair(Arch::kSm100, 64u), std::pair(Arch::kSm120, 48u)}) {
    Experiment one(code, arch);
    one.run();
    EXPECT_EQ(one.value(2), warps) << name_of(arch);
  }
  EXPECT_THAT(Experiment({code[0]}, Arch::kSm80).failure(),
              testing::HasSubstr("SR_VIRTCFG cannot be executed"));
}

/// fence.proxy.alias, as ptxas 13.0 makes it.
TEST(LaunchBank, SaysWhatAFenceOfAliasesOrders) {
  for (const auto& [arch, place] :
       {std::pair(Arch::kSm80, "0x128"), std::pair(Arch::kSm89, "0x128"),
        std::pair(Arch::kSm90, "0x18c"), std::pair(Arch::kSm120, "0x2d8")}) {
    Experiment one({"ISETP.EQ.U32.AND P0, PT, RZ, c[0x0][" + std::string(place) + "], PT",
                    "@!P0 MEMBAR.SC.GPU", "@P0 MEMBAR.SC.SYS", "MOV R2, 0x7"},
                   arch);
    one.run();
    EXPECT_EQ(one.value(2), 7u) << name_of(arch);
  }
}

TEST(LaunchBank, NamesTheLastWordsOfTheEnvironmentWhereTheyAreElsewhere) {
  const auto failure = [](const std::string& place) {
    return Experiment({"MOV R2, c[0x0][" + place + "]"}, Arch::kSm100).failure();
  };
  EXPECT_THAT(failure("0x28c"), testing::HasSubstr("(%envreg15)"));
  EXPECT_THAT(failure("0xd0"), testing::HasSubstr("(%envreg16)"));
  EXPECT_THAT(failure("0x10c"), testing::HasSubstr("(%envreg31)"));
  EXPECT_THAT(failure("0x110"), testing::Not(testing::HasSubstr("envreg")));
}

TEST(LaunchBank, HasTheAddressOfConstantsOnSm50Too) {  // isspacep.const, 64 bits
  Experiment one({"MOV R2, c[0x0][0xd0]", "MOV R3, c[0x0][0xd4]"});
  one.launch.constant_address = 0x123456789a;
  one.run();
  EXPECT_EQ(one.value(2), 0x3456789au);
  EXPECT_EQ(one.value(3), 0x12u);
}

}  // namespace launch_bank_test
}  // namespace shflsim::isa
