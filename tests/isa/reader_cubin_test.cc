// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>

#include "isa/base/input_error.h"
#include "isa/dialects/source.h"
#include "isa/machine/variables.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace reader_cubin_test {

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
  const auto constants = constants_with_addresses(program, {0x700000000});
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
  EXPECT_EQ(constants_with_addresses(listed, {0x700000000}),
            constants_with_addresses(binary, {0x700000000}));
}

struct PatchedRelocation {
  uint64_t offset, info;
};

/// corpus/control.cubin, whose relocations of constants are made relocations of tid_3d's code.
std::string with_code_relocations(const std::array<PatchedRelocation, 3>& relocations) {
  std::string cubin = test::read_file(test::data_path("corpus/control.cubin.gz"));
  const std::string before(".rel.nv.constant4\0", 18), after(".rel.text.tid_3d\0\0", 18);
  for (size_t at = 0; (at = cubin.find(before, at)) != std::string::npos;)
    cubin.replace(at, after.size(), after);
  const std::array<PatchedRelocation, 3> written = {
      {{0x10, 0x600000002}, {0x8, 0x500000002}, {0x0, 0x300000002}}};
  const std::string place(reinterpret_cast<const char*>(&written), sizeof written);
  const std::string patch(reinterpret_cast<const char*>(&relocations), sizeof relocations);
  return cubin.replace(cubin.find(place), place.size(), patch);
}

/// SPA 5.0: a linker fills half of an address into an immediate.
TEST(Cubin, OfBundlesTakesHalvesOfAddressesOfVariables) {
  const uint64_t low = 0x2b, high = 0x2c, sq = uint64_t{5} << 32, table = uint64_t{3} << 32;
  const std::string cubin =
      with_code_relocations({{{0x110, table | low}, {0x118, table | high}, {0x150, sq | low}}});
  const Program program = Dialects::named("cubin").open({"file", cubin, ""})->program("tid_3d");
  ASSERT_EQ(program.variable_addresses.size(), 3u);
  const struct {
    int64_t address;
    uint64_t variable;
    bool is_upper;
  } halves[] = {{0x110, 0x30, false}, {0x118, 0x30, true}, {0x150, 0x18, false}};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(program.variable_addresses[i].variable, halves[i].variable);
    const auto slot = static_cast<int64_t>(program.variable_addresses[i].offset);
    const Operand& half =
        program.code[static_cast<size_t>(program.index_at(halves[i].address))][Role::kB];
    ASSERT_TRUE(half.is(Operand::Kind::kConstant)) << i;
    EXPECT_EQ(half.bank, 4);
    EXPECT_EQ(half.value, slot + (halves[i].is_upper ? 4 : 0));
  }
}

TEST(Cubin, OfBundlesThatALinkerHasToPatchIsRefused) {
  const auto fault = [](uint64_t offset, uint64_t type) {
    const uint64_t info = uint64_t{3} << 32 | type;
    const std::string cubin =
        with_code_relocations({{{0x110, info}, {offset, info}, {0x118, info}}});
    try {
      Dialects::named("cubin").open({"file", cubin, ""})->program("tid_3d");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(fault(0x150, 0x2b), "");
  EXPECT_EQ(fault(0x150, 0x2a),
            "file: kernel 'tid_3d' refers to 'op_table' in other code; expected a linked cubin "
            "without calls of the CUDA runtime");
  EXPECT_EQ(fault(0x111, 0x2b),
            "file: a relocation at byte 273 of .text.tid_3d; expected it at an instruction");
  EXPECT_EQ(fault(0x5000, 0x2b),
            "file: a relocation at byte 20480 of .text.tid_3d; expected it at an instruction");
}

TEST(Cubin, TellsTheStackOfARecursiveKernelsFrames) {
  EXPECT_GT(corpus("mem")->program("local_dynamic").local_bytes, 0u);
}

/// Also if the code takes a barrier's number from a register.
TEST(Cubin, TellsTheBarriersOfABlock) {
  for (const char* arch : {"sm75", "sm90"}) {
    const auto cubin =
        open_source(test::data_path("nvcc/barriers." + std::string(arch) + ".cubin.gz"));
    EXPECT_EQ(cubin->program("third").barriers, 3u) << arch;
    EXPECT_EQ(cubin->program("by_register").barriers, 16u) << arch;
  }
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

struct Said {
  const char* kernel;
  uint64_t instructions, registers, shared_bytes, local_bytes, barriers, parameter_base;
  std::vector<uint32_t> parameters;
};

void expect_summary(const KernelSummary& summary, const std::string& architecture,
                    const std::string& use, const Said& said) {
  EXPECT_EQ(summary.kernel, said.kernel);
  EXPECT_EQ(summary.architecture, architecture);
  EXPECT_EQ(summary.form, "ELF");
  EXPECT_EQ(summary.use, use) << said.kernel;
  EXPECT_EQ(summary.instructions, said.instructions) << said.kernel;
  EXPECT_EQ(summary.registers, said.registers) << said.kernel;
  EXPECT_EQ(summary.shared_bytes, said.shared_bytes) << said.kernel;
  EXPECT_EQ(summary.local_bytes, said.local_bytes) << said.kernel;
  EXPECT_EQ(summary.barriers, said.barriers) << said.kernel;
  EXPECT_EQ(summary.parameter_base, said.parameter_base) << said.kernel;
  EXPECT_EQ(summary.parameters, said.parameters) << said.kernel;
  EXPECT_TRUE(summary.faults.empty()) << said.kernel;
}

/// Registers, shared memory, stack and barriers are those that ptxas -v prints.
TEST(Cubin, OfLaterArchitecturesSaysWhatItsKernelsNeed) {
  const struct {
    const char* architecture;
    std::vector<Said> kernels;
  } files[] = {
      {"sm_75",
       {{"static_and_local", 32, 10, 200, 240, 1, 0x160, {8, 8, 4}},
        {"three_barriers", 16, 12, 0, 0, 3, 0x160, {8, 1, 8, 16}},
        {"plain", 8, 8, 0, 0, 0, 0x160, {8}}}},
      {"sm_90",
       {{"static_and_local", 48, 12, 200, 240, 1, 0x210, {8, 8, 4}},
        {"three_barriers", 32, 12, 0, 0, 3, 0x210, {8, 1, 8, 16}},
        {"plain", 24, 10, 0, 0, 0, 0x210, {8}}}},
      {"sm_120",
       {{"static_and_local", 48, 12, 200, 240, 1, 0x380, {8, 8, 4}},
        {"three_barriers", 40, 12, 0, 0, 3, 0x380, {8, 1, 8, 16}},
        {"plain", 24, 10, 0, 0, 0, 0x380, {8}}}},
  };
  for (const auto& file : files) {
    const std::string number = std::string(file.architecture).substr(3);
    const auto source = open_source(test::data_path("volta/listed.sm" + number + ".cubin.gz"));
    const std::vector<KernelSummary> summaries = source->summaries();
    ASSERT_EQ(summaries.size(), file.kernels.size());
    for (size_t i = 0; i < summaries.size(); ++i)
      expect_summary(summaries[i], file.architecture, "executed", file.kernels[i]);
  }
}

TEST(Cubin, OfOlderToolkitsHasItsBarriersInTheSectionsFlags) {
  const auto later = open_source(test::data_path("volta/c.sm70.cubin.gz"))->summaries();
  ASSERT_EQ(later.size(), 16u);
  expect_summary(later[0], "sm_70", "executed",
                 {"smem_shuffle", 64, 24, 1024, 0, 1, 0x160, {8, 8, 4}});
  expect_summary(later[1], "sm_70", "executed",
                 {"divergent_half", 40, 8, 0, 0, 0, 0x160, {8, 8, 4}});
  const auto executed = open_source(test::data_path("sm50/kernels.cubin.gz"))->summaries();
  ASSERT_EQ(executed.size(), 16u);
  expect_summary(executed[0], "sm_50", "executed",
                 {"smem_shuffle", 66, 16, 1024, 0, 1, 0x140, {8, 8, 4}});
}

}  // namespace reader_cubin_test
}  // namespace shflsim::isa
