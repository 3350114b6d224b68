// SPDX-License-Identifier: Apache-2.0
// Addresses in nvcc 13.0's files of tests/data/nvcc/addresses.cu and function_values.cu: in
// kernels' arguments and in variables' initial values, also byte by byte in packed structures.
// debug is -G, relocatable -rdc=true.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <string>

#include "tests/cli/program.h"
#include "tests/support/files.h"

namespace shflsim::cli {
namespace nvcc_addresses_test {

using testing::ElementsAre;
using testing::HasSubstr;

std::string file(const std::string& name) { return test::data_path("nvcc/" + name + ".cubin.gz"); }

/// The words 1 to 6 as an argument.
std::string words() {
  const std::string path = testing::TempDir() + "nvcc_addresses_words.bin";
  const std::array<int, 6> values = {1, 2, 3, 4, 5, 6};
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(values.data()), sizeof values);
  return "--arg bytes:" + path;
}

class NvccAddressesOf : public testing::TestWithParam<const char*> {};

TEST_P(NvccAddressesOf, LeadToArgumentsVariablesAndFunctions) {
  const std::string out = testing::TempDir() + GetParam() + ".addresses.bin";
  const ProgramRun run = run_program("run " + file(GetParam()) + " --kernel addresses --block 1 " +
                                     words() + " --arg fill:32:ee --arg u32:1 --save 1:" + out);
  EXPECT_EQ(run.status, 0) << run.errors;
  std::array<int, 8> values{};
  const std::string bytes = test::read_file(out);
  ASSERT_EQ(bytes.size(), sizeof values);
  std::memcpy(values.data(), bytes.data(), sizeof values);
  EXPECT_THAT(values, ElementsAre(21, 4, 'w', 30, 'e', 11, 11, 30 + 'b'));
}

TEST_P(NvccAddressesOf, RefuseAStoreToAnArgument) {
  const ProgramRun run = run_program("run " + file(GetParam()) + " --kernel writes --block 1 " +
                                     words() + " --arg fill:4:ee");
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.errors, HasSubstr("4 bytes at address 0x7e0000000004, among the kernel's "
                                    "arguments, which are constant"));
}

INSTANTIATE_TEST_SUITE_P(Files, NvccAddressesOf,
                         testing::Values("addresses.sm75", "addresses.sm80", "addresses.sm90",
                                         "addresses.sm100", "addresses.sm120",
                                         "addresses_debug.sm75", "addresses_debug.sm90",
                                         "addresses_debug.sm120", "addresses_relocatable.sm90",
                                         "addresses_relocatable.sm100",
                                         "addresses_relocatable.sm120",
                                         "addresses_relocatable_debug.sm90"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

class NvccFunctionValuesOf : public testing::TestWithParam<const char*> {};

TEST_P(NvccFunctionValuesOf, AreCalledWithoutALinker) {
  const std::string out = testing::TempDir() + GetParam() + ".functions.bin";
  const ProgramRun run =
      run_program("run " + file(std::string("function_values_relocatable.") + GetParam()) +
                  " --block 4 --arg fill:16:ee --save 0:" + out);
  EXPECT_EQ(run.status, 0) << run.errors;
  std::array<int, 4> values{};
  const std::string bytes = test::read_file(out);
  ASSERT_EQ(bytes.size(), sizeof values);
  std::memcpy(values.data(), bytes.data(), sizeof values);
  EXPECT_THAT(values, ElementsAre(0, 101, 6, 103));
}

INSTANTIATE_TEST_SUITE_P(Architectures, NvccFunctionValuesOf, testing::Values("sm90", "sm120"),
                         [](const auto& tested) { return std::string(tested.param); });

/// An entry of .rela.nv.global.init: a byte of the address of symbol 9, at byte `offset`.
std::string relocation(uint64_t offset, uint32_t type) {
  constexpr uint32_t kSymbol = 9;
  std::string entry(16, '\0');
  std::memcpy(entry.data(), &offset, sizeof offset);
  std::memcpy(entry.data() + 8, &type, sizeof type);
  std::memcpy(entry.data() + 12, &kSymbol, sizeof kSymbol);
  return entry;
}

/// R_CUDA_32, and an address of which one byte has the type of another byte.
TEST(NvccAddresses, RefuseARelocationOfData) {
  constexpr uint32_t kLowest = 84, kFirst = 0x32;
  for (const auto& [byte, type, said] :
       {std::tuple{0u, 1u, "type 1 for"}, std::tuple{3u, 84u, "type 84"},
        std::tuple{7u, 6u, "type 84"}}) {
    std::string cubin = test::read_file(file("addresses.sm90"));
    const size_t place = cubin.find(relocation(kFirst + byte, kLowest + byte));
    ASSERT_NE(place, std::string::npos);
    cubin.replace(place, 16, relocation(kFirst + byte, type));
    const std::string path = testing::TempDir() + "nvcc_addresses_changed.cubin";
    std::ofstream(path, std::ios::binary) << cubin;
    const ProgramRun run =
        run_program("run " + path + " --kernel writes --block 1 " + words() + " --arg fill:4:ee");
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.errors, HasSubstr(std::string(".nv.global.init has a relocation of ") + said));
    EXPECT_THAT(run.errors, HasSubstr("; expected one of an address: 2, 4, 102, or all of 76 to "
                                      "83, 84 to 91 or 104 to 111"));
  }
}

/// ptxas gives the word of 32 bits a relocation of 64 bits, which reaches into the next variable.
TEST(NvccAddresses, RefuseAnAddressInFewerBytes) {
  for (const auto& [name, said] :
       {std::pair("nvcc/narrow_address.sm75.cubin.gz",
                  "variable 'p' holds an address in fewer than 8 bytes; expected one of 64 bits"),
        std::pair("nvcc/narrow_address.ptx", "since an address has 64 bits")}) {
    const ProgramRun run =
        run_program("run " + test::data_path(name) + " --block 1 --arg fill:8:ee");
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.errors, HasSubstr(said));
  }
}

}  // namespace nvcc_addresses_test
}  // namespace shflsim::cli
