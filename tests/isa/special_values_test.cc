// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/alu/special_values.h"

#include <gtest/gtest.h>

namespace shflsim::isa {
namespace special_values_test {

struct SpecialCase {
  SpecialFunction function;
  uint32_t argument;
  uint32_t result;
};

/// Results of an H100.
const SpecialCase kCases[] = {
    {SpecialFunction::kCos, 0x00000000, 0x3F800000},
    {SpecialFunction::kCos, 0x3E7FFAE9, 0x38FFA863},
    {SpecialFunction::kCos, 0x3F3FFEDB, 0xB8E5BD11},
    {SpecialFunction::kCos, 0x5E800000, 0x3F800000},
    {SpecialFunction::kSin, 0x33000000, 0x34491200},
    {SpecialFunction::kSin, 0x3F000000, 0x80000000},
    {SpecialFunction::kSin, 0x5E800000, 0x00000000},
    {SpecialFunction::kSin, 0x7F800000, 0x7FFFFFFF},
    {SpecialFunction::kExp2, 0xBF800000, 0x3F000000},
    {SpecialFunction::kExp2, 0xBF800001, 0x3EFFFFFE},
    {SpecialFunction::kExp2, 0x43000000, 0x7F800000},
    {SpecialFunction::kExp2, 0xFF800000, 0x00000000},
    {SpecialFunction::kLog2, 0x3F800000, 0x00000000},
    {SpecialFunction::kLog2, 0x3F800001, 0x3495F600},
    {SpecialFunction::kLog2, 0x0088980E, 0xC2FBCFFF},
    {SpecialFunction::kLog2, 0x00000001, 0xFF800000},
    {SpecialFunction::kReciprocal, 0x80000000, 0xFF800000},
    {SpecialFunction::kReciprocal, 0x3F800000, 0x3F800000},
    {SpecialFunction::kReciprocalRoot, 0x00800000, 0x5F000000},
    {SpecialFunction::kReciprocalRoot, 0xBF800000, 0x7FFFFFFF},
    {SpecialFunction::kRoot, 0x80000000, 0x80000000},
    {SpecialFunction::kTangent, 0x00000001, 0x00000001},
    {SpecialFunction::kTangent, 0x41000000, 0x3F800000},
};

TEST(SpecialValue, IsThatOfAnH100) {
  for (const SpecialCase& each : kCases)
    EXPECT_EQ(special_value(each.function, each.argument), each.result)
        << static_cast<int>(each.function) << " of " << std::hex << each.argument;
}

/// FNV-1a over the results for every 4099th argument.
uint32_t hash_of(SpecialFunction function) {
  uint32_t hash = 0x811C9DC5;
  for (uint64_t argument = 0; argument <= 0xFFFFFFFF; argument += 4099)
    hash = (hash ^ special_value(function, static_cast<uint32_t>(argument))) * 0x01000193;
  return hash;
}

/// An H100 gave the results of all 2^32 arguments (scripts/lab/hw/special_values.cu).
TEST(SpecialValue, OfAMillionArgumentsOfEachFunctionIsThatOfAnH100) {
  constexpr uint32_t kHashes[] = {0x60B30B8B, 0x5D7B08AB, 0x098E831D, 0xAA930DEF, 0x5A3221DC,
                                  0x97D266F8, 0x0C300399, 0x37485FB8, 0xBF9DEEC9, 0x12B0979D};
  for (uint8_t function = 0; function < 10; ++function)
    EXPECT_EQ(hash_of(static_cast<SpecialFunction>(function)), kHashes[function])
        << static_cast<int>(function);
}

}  // namespace special_values_test
}  // namespace shflsim::isa
