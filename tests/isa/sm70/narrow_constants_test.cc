// SPDX-License-Identifier: Apache-2.0
// Loads of constants of less than a word, at the end of a kernel's arguments.
#include <gtest/gtest.h>

#include "tests/isa/machine_support.h"

namespace shflsim::isa {
namespace narrow_constants_test {

TEST(NarrowConstants, ReadTheLastBytesOfTheArguments) {
  const std::vector<uint8_t> arguments = {0, 0, 0, 0, 0x11, 0x22, 0x44, 0x95};
  Experiment one(
      {"ULDC.U8 UR4, c[0x0][0x167]", "ULDC.U16 UR5, c[0x0][0x166]", "ULDC.S8 UR6, c[0x0][0x167]",
       "MOV R2, UR4", "MOV R3, UR5", "MOV R4, UR6", "LDC.U8 R5, c[0x0][0x167]"},
      Arch::kSm80);
  one.launch.parameters = arguments;
  one.run();
  EXPECT_EQ(one.value(2), 0x95u);
  EXPECT_EQ(one.value(3), 0x9544u);
  EXPECT_EQ(one.value(4), 0xFFFFFF95u);
  EXPECT_EQ(one.value(5), 0x95u);
}

TEST(NarrowConstants, AreRefusedBehindTheArguments) {
  const auto failure = [](const std::string& line) {
    Experiment one({line}, Arch::kSm80);
    one.launch.parameters = std::vector<uint8_t>(8);
    return one.failure();
  };
  EXPECT_EQ(failure("ULDC.U8 UR4, c[0x0][0x168]"),
            "kernel 'test' at 0x0000 (ULDC.U8 UR4, c[0x0][0x168]): reads bytes 8 to 8 of the "
            "kernel's arguments, but only 8 were given");
  EXPECT_EQ(failure("ULDC.64 UR4, c[0x0][0x164]"),
            "kernel 'test' at 0x0000 (ULDC.64 UR4, c[0x0][0x164]): reads bytes 4 to 11 of the "
            "kernel's arguments, but only 8 were given");
}

}  // namespace narrow_constants_test
}  // namespace shflsim::isa
