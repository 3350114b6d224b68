// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>

#include "isa/input_error.h"
#include "isa/machine/variables.h"
#include "isa/reader/source.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace {

std::string kernels_cubin() { return test::read_file(test::data_path("sm50/kernels.cubin.gz")); }

std::unique_ptr<Source> corpus(const std::string& name) {
  return open_source(test::data_path("corpus/" + name + ".cubin.gz"));
}

std::string error_of(const std::string& content, const std::string& architecture = "") {
  try {
    Dialects::named("cubin").open({"file", content, architecture});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Cubin, HoldsTheSameCodeAsItsListing) {
  const auto cubin = open_source(test::data_path("sm50/kernels.cubin.gz"));
  const auto listing = open_source(test::data_path("sm50/kernels.nvdisasm.txt.gz"));
  ASSERT_EQ(cubin->kernels().size(), 16u);
  for (const std::string& name : cubin->kernels()) {
    const Program binary = cubin->program(name);
    const Program listed = listing->program(name);
    EXPECT_EQ(binary.texts, listed.texts) << name;
    EXPECT_EQ(binary.constants, listed.constants) << name;
    EXPECT_EQ(binary.registers, listed.registers) << name;
    EXPECT_EQ(binary.shared_bytes, listed.shared_bytes) << name;
  }
}

TEST(Cubin, TellsWhereAKernelsArgumentsStand) {
  const Program program = corpus("control")->program("call_virtual");
  ASSERT_EQ(program.parameters.size(), 3u);
  const uint32_t expected[][2] = {{0, 8}, {8, 8}, {16, 4}};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(program.parameters[i].offset, expected[i][0]);
    EXPECT_EQ(program.parameters[i].size, expected[i][1]);
  }
}

TEST(Cubin, PutsTheAddressesOfVariablesIntoConstantBankFour) {
  const Program program = corpus("control")->program("call_virtual");
  ASSERT_EQ(program.variables.size(), 0x50u);
  EXPECT_EQ(program.variables[0x30], 8u);  // op_table[0]
  const auto constants = constants_with_addresses(program, 0x700000000);
  const uint64_t expected[] = {0x700000030, 0x700000018, 0x700000000};  // table, two vtables
  uint64_t found[3];
  ASSERT_EQ(constants.at(4).size(), sizeof found);
  std::memcpy(found, constants.at(4).data(), sizeof found);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(found[i], expected[i]);
}

TEST(Cubin, GivesTheSameVariablesAsItsListing) {
  const auto listing = open_source(test::data_path("corpus/control.nvdisasm.txt.gz"));
  const Program listed = listing->program("call_virtual");
  const Program binary = corpus("control")->program("call_virtual");
  EXPECT_EQ(listed.variables, binary.variables);
  EXPECT_EQ(constants_with_addresses(listed, 0x700000000),
            constants_with_addresses(binary, 0x700000000));
}

TEST(Cubin, TellsTheStackOfARecursiveKernelsFrames) {
  EXPECT_GT(corpus("mem")->program("local_dynamic").local_bytes, 0u);
}

TEST(Cubin, OfAnotherArchitectureThanWantedIsRefused) {
  EXPECT_EQ(error_of(kernels_cubin(), "sm_50"), "");
  EXPECT_EQ(error_of(kernels_cubin(), "sm_52"), "file: is code for sm_50; expected sm_52 (--arch)");
}

TEST(Cubin, RefusesEveryFileThatIsCutOff) {
  const std::string whole = kernels_cubin();
  for (size_t size = 64; size < whole.size(); size += 997) {
    EXPECT_NE(error_of(whole.substr(0, size)), "") << size;
  }
}

}  // namespace
}  // namespace shflsim::isa
