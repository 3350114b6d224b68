// SPDX-License-Identifier: Apache-2.0
// Memory of sm_70 and later: forms of addresses, copies, matrices, atomics, generic addresses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "isa/machine/asynchronous_row.h"
#include "tests/isa/machine_support.h"

namespace shflsim::isa {
namespace sm70_memory_test {

constexpr uint32_t kSharedHigh = 0x7f00;  // upper word of generic addresses of shared memory
constexpr uint32_t kLocalHigh = 0x7f01;

/// A launch with one buffer, whose address is in R2:R3 of every lane, and the lane number in R0.
struct WithBuffer : Experiment {
  WithBuffer(Arch arch, const std::vector<std::string>& lines, const std::vector<uint32_t>& words)
      : Experiment(lines, arch) {
    std::vector<uint8_t> bytes(4 * words.size());
    std::memcpy(bytes.data(), words.data(), bytes.size());
    address = memory.allocate(bytes);
    std::vector<uint32_t> lanes;
    for (uint32_t lane = 0; lane < kLanes; ++lane) lanes.push_back(lane);
    set_lanes(0, lanes);
    set(2, static_cast<uint32_t>(address));
    set(3, static_cast<uint32_t>(address >> 32));
  }
  uint32_t word(size_t index) const {
    uint32_t word = 0;
    std::memcpy(&word, memory.bytes(address).data() + 4 * index, sizeof word);
    return word;
  }
  uint64_t address = 0;
};

/// A last argument of one byte used to be out of bounds: constants are stored as words.
TEST(Sm70Constants, TheLastArgumentMayBeAByte) {
  Experiment one({"ULDC.U8 UR4, c[0x0][0x214]", "IMAD.U32 R0, RZ, RZ, UR4"}, Arch::kSm90);
  one.launch.parameters = {1, 2, 3, 4, 0x85};
  EXPECT_EQ(one.run().value(0), 0x85u);
}

TEST(Sm70Constants, AUniformLoadShowsWhereItsRegisterLedIt) {
  Experiment one({"UMOV UR6, 0x4", "ULDC UR4, c[0x0][UR6+0x210]", "IMAD.U32 R0, RZ, RZ, UR4"},
                 Arch::kSm90);
  one.launch.parameters = {1, 0, 0, 0, 9, 0, 0, 0};
  EXPECT_EQ(one.run().value(0), 9u);
  ASSERT_EQ(one.witness.addresses.size(), 1u);
  EXPECT_EQ(one.witness.addresses[0][31], 0x214u);
}

TEST(Sm70GlobalMemory, LoadsAndStoresEveryWidth) {
  WithBuffer one(Arch::kSm90,
                 {"LDG.E.U8 R4, desc[UR4][R2.64]", "LDG.E.S8 R5, desc[UR4][R2.64]",
                  "LDG.E.S16 R6, desc[UR4][R2.64]", "LDG.E.64 R8, desc[UR4][R2.64]",
                  "LDG.E.128 R12, desc[UR4][R2.64]", "STG.E.128 desc[UR4][R2.64+0x10], R12",
                  "STG.E.64 desc[UR4][R2.64+0x20], R8", "STG.E.U8 desc[UR4][R2.64+0x28], R5"},
                 {0xFFFF8880, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0x11111111});
  one.run();
  EXPECT_EQ(one.value(4), 0x80u);
  EXPECT_EQ(one.value(5), 0xFFFFFF80u);
  EXPECT_EQ(one.value(6), 0xFFFF8880u);
  EXPECT_EQ(one.value(9), 1u);
  EXPECT_EQ(one.value(15), 3u);
  EXPECT_EQ(one.word(7), 3u);
  EXPECT_EQ(one.word(8), 0xFFFF8880u);
  EXPECT_EQ(one.word(10), 0x11111180u);
}

/// The lane, of four lanes 8 apart, whose value stays at one address (results of an H100).
TEST(Sm70GlobalMemory, KeepsTheLowestOfTheLanesThatAreWrittenTogether) {
  for (const auto& [width, stays] : std::vector<std::pair<std::string, uint32_t>>{
           {".U8", 0}, {".U16", 0}, {"", 0}, {".64", 16}, {".128", 24}}) {
    for (const char* guard : {"", "@P0 "}) {
      WithBuffer one(Arch::kSm90,
                     {"LOP3.LUT R1, R0, 0x7, RZ, 0xc0, !PT", "IMAD.WIDE.U32 R2, R1, 0x10, R2",
                      "IMAD.SHL.U32 R1, R1, 0x10, RZ", "ISETP.GT.U32.AND P0, PT, R0, 0x18, PT",
                      "IMAD.MOV.U32 R4, RZ, RZ, R0", "IMAD.MOV.U32 R5, RZ, RZ, R0",
                      "IMAD.MOV.U32 R6, RZ, RZ, R0", "IMAD.MOV.U32 R7, RZ, RZ, R0",
                      fmt::format("{}STG.E{} desc[UR4][R2.64], R4", guard, width),
                      fmt::format("{}STS{} [R1], R4", guard, width), "LDS R8, [R1]"},
                     std::vector<uint32_t>(32, 0xffffff00));
      one.launch.shared_bytes = 128;
      one.run();
      // With P0, only lanes 25 to 31 execute, each alone at its address.
      const uint32_t lowest = *guard != 0 ? 24 : stays;
      for (uint32_t place = 1; place < 8; ++place) {
        EXPECT_EQ(one.word(4 * place) & 0xff, lowest + place) << width << guard;
        EXPECT_EQ(one.value(8, place) & 0xff, lowest + place) << width << guard;
      }
    }
  }
}

TEST(Sm70GlobalMemory, KeepsTheHalvesOf256BitsInTheirRegisters) {
  WithBuffer one(
      Arch::kSm100,
      {"LDG.E.ENL2.256 R12, R8, desc[UR4][R2.64]", "STG.E.ENL2.256 desc[UR4][R2.64+0x20], R8, R12"},
      {0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0, 0, 0, 0, 0});
  one.run();
  EXPECT_EQ(one.value(8), 0u);
  EXPECT_EQ(one.value(11), 3u);
  EXPECT_EQ(one.value(12), 4u);
  EXPECT_EQ(one.value(15), 7u);
  for (size_t i = 0; i < 8; ++i) EXPECT_EQ(one.word(8 + i), i);
}

TEST(Sm70SharedMemory, ScalesTheRegisterOfAnAddress) {
  Experiment one({"MOV R1, 0x2", "MOV R4, 0x77", "STS [R1.X8+0x4], R4", "LDS R5, [R1.X4+0xc]",
                  "LDS R6, [R1.X16+-0xc]"},
                 Arch::kSm80);
  one.launch.shared_bytes = 64;
  one.run();
  EXPECT_EQ(one.value(5), 0x77u);
  EXPECT_EQ(one.value(6), 0x77u);
}

TEST(Sm70GenericMemory, ReachesSharedAndLocalMemoryThroughTheirWindows) {
  Experiment one(
      {"MOV R4, 0x10", "MOV R5, 0x7f00", "MOV R6, 0x20", "MOV R7, 0x7f01", "MOV R8, 0x123",
       "MOV R9, 0x456", "ST.E desc[UR4][R4.64], R8", "ST.E desc[UR4][R6.64], R9", "LDS R10, [0x10]",
       "LDL R11, [0x20]", "QSPC.E.S P0, RZ, [R4]", "QSPC.E.L P1, RZ, [R4]", "QSPC.E.L P2, RZ, [R6]",
       "QSPC.E.G P3, RZ, [R6]"},
      Arch::kSm90);
  ASSERT_EQ(kSharedHigh, 0x7f00u);
  ASSERT_EQ(kLocalHigh, 0x7f01u);
  one.launch.shared_bytes = 64;
  one.run();
  EXPECT_EQ(one.value(10), 0x123u);
  EXPECT_EQ(one.value(11), 0x456u);
  EXPECT_EQ(one.predicate(0), kAllLanes);
  EXPECT_EQ(one.predicate(1), 0u);
  EXPECT_EQ(one.predicate(2), kAllLanes);
  EXPECT_EQ(one.predicate(3), 0u);
}

TEST(Sm70Copies, FillWithZerosWhatThePredicateOrTheLowBitsOfTheAddressSay) {
  WithBuffer one(Arch::kSm80,
                 {"MOV R8, 0x0", "LDGSTS.E.BYPASS.128.ZFILL [R8], [R2.64+0x5]",
                  "LDGSTS.E.BYPASS.128 [R8+0x10], [R2.64], P0", "LDGSTS.E [R8+0x20], [R2.64]",
                  "LDS.128 R4, [RZ]", "LDS R12, [0x10]", "LDS R13, [0x20]"},
                 {0x11111111, 0x22222222, 0x33333333, 0x44444444});
  one.launch.shared_bytes = 64;
  one.run();
  EXPECT_EQ(one.value(4), 0x11111111u);
  EXPECT_EQ(one.value(5), 0x22222222u);
  EXPECT_EQ(one.value(6), 0x00333333u);  // 11 of 16 bytes
  EXPECT_EQ(one.value(7), 0u);
  EXPECT_EQ(one.value(12), 0u);
  EXPECT_EQ(one.value(13), 0x11111111u);
}

TEST(Sm70Copies, TellBothAddressesOfEachLane) {
  WithBuffer one(Arch::kSm80, {"IMAD.SHL.U32 R8, R0, 0x8, RZ", "LDGSTS.E [R8+0x40], [R2.64]"},
                 std::vector<uint32_t>(4));
  std::vector<uint32_t> lanes(kLanes);
  for (uint32_t lane = 0; lane < kLanes; ++lane) lanes[lane] = lane;
  one.set_lanes(0, lanes);
  one.launch.shared_bytes = 512;
  one.run();
  ASSERT_EQ(one.witness.rows.size(), 1u);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const CopiedLane copied = CopiedLane::unpacked(one.witness.rows[0][lane]);
    EXPECT_EQ(copied.from, one.address);
    EXPECT_EQ(copied.to, 0x40 + 8 * lane);
  }
  EXPECT_EQ(copied_from(one.witness.rows[0])[5], one.address);
}

TEST(Sm70Matrices, GoByRowsOrByColumnsToTheLanes) {
  std::vector<std::string> lines = {"IMAD.SHL.U32 R1, R0, 0x4, RZ", "STS [R1], R2",
                                    "IMAD.SHL.U32 R5, R0, 0x10, RZ", "LDSM.16.M88 R6, [R5]",
                                    "LDSM.16.MT88 R7, [R5]"};
  Experiment one(lines, Arch::kSm80);
  std::vector<uint32_t> lanes, pairs;  // the value of row r and column c is 8 r + c
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    lanes.push_back(lane);
    pairs.push_back((2 * lane + 1) << 16 | 2 * lane);
  }
  one.set_lanes(0, lanes);
  one.set_lanes(2, pairs);
  one.launch.shared_bytes = 1024;
  one.run();
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    EXPECT_EQ(one.value(6, lane), pairs[lane]);
    const unsigned first = 16 * (lane % 4) + lane / 4;
    EXPECT_EQ(one.value(7, lane), (first + 8) << 16 | first);
  }
}

/// An atomic in the first lane: the memory's value before and after.
struct AtomicRow {
  Arch arch;
  const char* text;
  uint32_t old;
  uint32_t operand;
  uint32_t updated;
};
void PrintTo(const AtomicRow& row, std::ostream* out) { *out << row.text; }

class Sm70Atomic : public testing::TestWithParam<AtomicRow> {};

TEST_P(Sm70Atomic, UpdatesMemoryAndReturnsWhatItHeld) {
  const AtomicRow& row = GetParam();
  WithBuffer one(row.arch, {"ISETP.EQ.AND P1, PT, R0, RZ, PT", std::string("@P1 ") + row.text},
                 {row.old, 0});
  one.set(4, row.operand);
  one.set(5, 0);
  one.set(6, 0xABCD);
  one.run();
  EXPECT_EQ(one.word(0), row.updated);
  const bool returns = std::strncmp(row.text, "RED", 3) != 0;
  if (returns) {
    EXPECT_EQ(one.value(8), row.old);
  }
}

INSTANTIATE_TEST_SUITE_P(
    OfEveryKind, Sm70Atomic,
    testing::Values(
        AtomicRow{Arch::kSm80, "ATOMG.E.ADD.STRONG.GPU PT, R8, [R2.64], R4", 5, 7, 12},
        AtomicRow{Arch::kSm90, "ATOMG.E.ADD.STRONG.GPU PT, R8, desc[UR4][R2.64], R4", 5, 7, 12},
        AtomicRow{Arch::kSm90, "ATOMG.E.MIN.S32.STRONG.GPU PT, R8, desc[UR4][R2.64], R4", 5,
                  0xFFFFFFFF, 0xFFFFFFFF},
        AtomicRow{Arch::kSm90, "ATOMG.E.MIN.STRONG.GPU PT, R8, desc[UR4][R2.64], R4", 5, 0xFFFFFFFF,
                  5},
        AtomicRow{Arch::kSm90, "ATOMG.E.INC.STRONG.GPU PT, R8, desc[UR4][R2.64], R4", 5, 5, 0},
        AtomicRow{Arch::kSm90, "ATOMG.E.DEC.STRONG.GPU PT, R8, desc[UR4][R2.64], R4", 0, 9, 9},
        AtomicRow{Arch::kSm90, "ATOMG.E.EXCH.STRONG.GPU PT, R8, desc[UR4][R2.64], R4", 5, 9, 9},
        AtomicRow{Arch::kSm80, "ATOMG.E.CAS.STRONG.GPU PT, R8, [R2], R4, R6", 5, 5, 0xABCD},
        AtomicRow{Arch::kSm80, "ATOMG.E.CAS.STRONG.GPU PT, R8, [R2], R4, R6", 5, 6, 5},
        // 1.5 + 2; a denormal that .FTZ takes for zero
        AtomicRow{Arch::kSm80, "ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU PT, R8, [R2.64], R4", 0x3FC00000,
                  0x40000000, 0x40600000},
        AtomicRow{Arch::kSm100, "ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU PT, R8, desc[UR4][R2.64], R4",
                  0x3FC00000, 0x40000000, 0x40600000},
        AtomicRow{Arch::kSm90, "REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R4", 1, 1, 0},
        AtomicRow{Arch::kSm90, "REDG.E.ADD.F32.RN.STRONG.GPU desc[UR4][R2.64], R4", 1, 1, 2},
        // halves 1 + 1 and 2 + 0.5; bfloat16 1 + 1 and 1 + 2^-9, which is halfway down to 1
        AtomicRow{Arch::kSm90, "REDG.E.ADD.F16x2.RN.STRONG.GPU desc[UR4][R2.64], R4", 0x40003C00,
                  0x38003C00, 0x41004000},
        AtomicRow{Arch::kSm90, "REDG.E.ADD.BF16x2.RN.STRONG.GPU desc[UR4][R2.64], R4", 0x3F803F80,
                  0x3B003F80, 0x3F804000},
        AtomicRow{Arch::kSm90, "REDG.E.ADD.BF16x2.RN.STRONG.GPU desc[UR4][R2.64], R4", 0x7F80FF80,
                  0xFF803F80, 0x7FFFFF80}));

TEST(Sm70SharedAtomics, CastTellsWhetherItStored) {
  Experiment one({"MOV R4, 0x0", "MOV R5, 0x9", "ISETP.EQ.AND P1, PT, R0, RZ, PT",
                  "@P1 ATOMS.CAST.SPIN R6, [RZ], R4, R5", "@P1 ATOMS.CAST.SPIN R7, [RZ], R4, R5",
                  "@P1 LDS R8, [RZ]"},
                 Arch::kSm80);
  one.launch.shared_bytes = 64;
  one.run();
  EXPECT_EQ(one.value(6), 1u);
  EXPECT_EQ(one.value(7), 0u);
  EXPECT_EQ(one.value(8), 9u);
}

TEST(Sm70SharedAtomics, ExchangeWordsOf16BytesAndCompareAllOfThem) {
  Experiment one({"SHF.L.U32 R3, R0, 0x4, RZ", "MOV R4, R0", "MOV R5, 0x5", "MOV R6, 0x6",
                  "MOV R7, 0x7", "ATOMS.EXCH.128 R8, [R3], R4", "MOV R12, 0x1", "MOV R13, 0x2",
                  "MOV R14, 0x3", "MOV R15, 0x4", "ISETP.EQ.AND P1, PT, R0, 0x9, PT",
                  "@P1 MOV R7, 0x8", "ATOMS.CAS.128 R16, [R3], R4, R12", "LDS.128 R20, [R3]"},
                 Arch::kSm90);
  std::vector<uint32_t> lanes(kLanes);
  for (uint32_t lane = 0; lane < kLanes; ++lane) lanes[lane] = lane;
  one.set_lanes(0, lanes);
  one.launch.shared_bytes = 512;
  one.run();
  EXPECT_EQ(one.value(11, 3), 0u);
  EXPECT_EQ(one.value(16, 3), 3u);
  EXPECT_EQ(one.value(19, 9), 7u);
  EXPECT_EQ(one.value(20, 3), 1u);
  EXPECT_EQ(one.value(23, 3), 4u);
  EXPECT_EQ(one.value(20, 9), 9u);  // its last word differs
  EXPECT_EQ(one.value(23, 9), 7u);
}

TEST(Sm70SharedAtomics, PopcIncCountsTheLanes) {
  Experiment one({"ATOMS.POPC.INC.32 RZ, [URZ+0x8]", "LDS R4, [0x8]"}, Arch::kSm80);
  one.launch.shared_bytes = 64;
  one.run();
  EXPECT_EQ(one.value(4), 32u);
}

TEST(Sm70Atomics, OfFloatsOnGenericAddressesTellWhatIsLeftToTheCode) {
  WithBuffer one(Arch::kSm80,
                 {"MOV R4, 0x3f800000", "MOV R6, 0x10", "MOV R7, 0x7f00",
                  "ATOM.E.ADD.F32.FTZ.RN.STRONG.GPU P0, RZ, [R2.64], R4",
                  "ATOM.E.ADD.F32.FTZ.RN.STRONG.GPU P1, RZ, [R6.64], R4", "LDS R8, [0x10]"},
                 {0});
  one.launch.shared_bytes = 64;
  one.run();
  EXPECT_EQ(one.predicate(0), kAllLanes);
  EXPECT_EQ(one.predicate(1), 0u);
  EXPECT_EQ(one.word(0), 0x42000000u);  // 32
  EXPECT_EQ(one.value(8), 0u);
}

/// As an H100, which counts as many instructions of words_of_four and barriers_with_steps as code
/// that needs no loop has.
TEST(Sm70Atomics, OfGenericAddressesAddWordsOf64BitsInSharedMemory) {
  Experiment one({"MOV R6, 0x10", "MOV R7, 0x7f00", "MOV R4, 0x80000000", "MOV R5, RZ",
                  "ATOM.E.ADD.64.STRONG.GPU P0, RZ, [R6], R4",
                  "ATOM.E.XOR.64.STRONG.GPU P1, RZ, [R6], R4", "LDS.64 R8, [0x10]"},
                 Arch::kSm90);
  one.launch.shared_bytes = 64;
  one.run();
  EXPECT_EQ(one.predicate(0), kAllLanes);
  EXPECT_EQ(one.predicate(1), 0u) << "the code does other operations itself";
  EXPECT_EQ(one.value(8), 0u);
  EXPECT_EQ(one.value(9), 16u);
}

/// The code behind the atomic adds floats itself, as ptxas' code for atom.shared::cluster.add.f32
/// does.
TEST(Sm70Atomics, OfGenericAddressesLeaveFloatsInSharedMemoryToTheCode) {
  for (const char* type : {"F32.FTZ.RN", "F64.RN", "F16x2.RN", "BF16x2.RN"}) {
    Experiment one(
        {"MOV R6, 0x10", "MOV R7, 0x7f00", "MOV R4, 0x3f800000", "MOV R5, RZ",
         "ATOM.E.ADD." + std::string(type) + ".STRONG.GPU P0, RZ, [R6], R4", "LDS.64 R8, [0x10]"},
        Arch::kSm90);
    one.launch.shared_bytes = 64;
    one.run();
    EXPECT_EQ(one.predicate(0), 0u) << type;
    EXPECT_EQ(one.value(8) | one.value(9), 0u) << type;
  }
}

TEST(Sm70Memory, RefusesByNameWhatItHasNoPartFor) {
  Experiment multicast({"LDGMC.E.ADD.F32.RN.STRONG.SYS R13, [R10.64+UR4]"}, Arch::kSm90);
  EXPECT_NE(multicast.failure().find("LDGMC, an access to the memories of several GPUs, "
                                     "cannot be executed"),
            std::string::npos);
  Experiment sums({"ATOMG.E.ADD.128.STRONG.GPU PT, R8, desc[UR4][R2.64], R4"}, Arch::kSm90);
  EXPECT_NE(sums.failure().find("this operation on 128 bits cannot be executed"),
            std::string::npos);
}

}  // namespace sm70_memory_test
}  // namespace shflsim::isa
