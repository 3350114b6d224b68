// SPDX-License-Identifier: Apache-2.0
// Hundreds of compiled kernels: the checker finds nothing in the compiler's code, nor with the
// control bits chosen here, and the kernels' PTX, lowered here, computes what a GPU computes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "isa/base/input_error.h"
#include "isa/check/checker.h"
#include "isa/dialects/schedule.h"
#include "isa/machine/variables.h"
#include "tests/isa/ptx/support.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace corpus_test {

constexpr size_t kWords = 1024;

std::string corpus_path(const std::string& group, const std::string& ending) {
  return test::data_path("corpus/" + group + ending);
}

/// Runs (const uint32_t* in, uint32_t* out, int n) over 4 blocks of 256 and returns `out`.
std::vector<uint32_t> run_checked(const Program& program, std::vector<CheckFinding>* findings) {
  DeviceMemory memory;
  Launch launch;
  launch.grid = {4, 1, 1};
  launch.block = {256, 1, 1};
  launch.local_bytes = std::max(launch.local_bytes, program.local_bytes);
  add_variables(program, memory, &launch);
  const std::vector<uint32_t> in = hashed_words(kWords);
  std::vector<uint8_t> bytes(kWords * sizeof(uint32_t));
  std::memcpy(bytes.data(), in.data(), bytes.size());
  const uint64_t arguments[] = {memory.allocate(bytes),
                                memory.allocate(std::vector<uint8_t>(bytes.size(), 0xcd)), kWords};
  launch.parameters.resize(20);
  std::memcpy(launch.parameters.data(), arguments, launch.parameters.size());
  Checker checker(program);
  execute(program, launch, memory, checker);
  *findings = checker.finish();
  std::vector<uint32_t> out(kWords);
  std::memcpy(out.data(), memory.bytes(arguments[1]).data(), bytes.size());
  return out;
}

/// Kernels with an expected finding, and a part of its text: a shuffle of CUB, with which heads of
/// segments read their own values; and a MOV that ptxas 12.8 itself puts 5 cycles after an ICMP.
const std::map<std::string, std::string> kFound = {
    {"u_warp_reduce_segments", "moves nothing"},
    {"u_double_conversions", "R3 5 cycles after the ICMP"}};

bool is_known(const Program& program, const CheckFinding& finding) {
  const auto found = kFound.find(program.name);
  return found != kFound.end() && finding.what.find(found->second) != std::string::npos;
}

void expect_nothing_found(const Program& program) {
  std::vector<CheckFinding> findings;
  run_checked(program, &findings);
  for (const CheckFinding& finding : findings) {
    if (is_known(program, finding)) continue;
    ADD_FAILURE() << program.name << ": " << program.texts[finding.index] << ": " << finding.what;
  }
}

class CorpusGroup : public testing::TestWithParam<const char*> {};

TEST_P(CorpusGroup, HasNothingToFindInTheCompilersControlNorInTheToolsOwn) {
  const auto source = open_source(corpus_path(GetParam(), ".cubin.gz"));
  for (const std::string& name : source->kernels()) {
    Program program = source->program(name);
    expect_nothing_found(program);
    choose_control(&program);
    expect_nothing_found(program);
  }
}

constexpr const char* kGroups[] = {"cub", "cg", "math", "control", "mem", "unseen"};
INSTANTIATE_TEST_SUITE_P(Sm50, CorpusGroup, testing::ValuesIn(kGroups),
                         [](const auto& each) { return std::string(each.param); });

/// Kernels that cannot be lowered, and a part of the error's one line.
const std::map<std::string, std::string> kRefused = {};

class CorpusPtx : public testing::TestWithParam<const char*> {};

TEST_P(CorpusPtx, ComputesWhatAGpuComputesOrIsRefusedInOneLineAFault) {
  const std::string group = GetParam();
  const std::string expected = test::read_file(corpus_path(group, ".expected.bin"));
  const auto source = open_source(corpus_path(group, ".ptx.gz"));
  size_t offset = 0;
  for (const std::string& name :
       test::lines_of(test::read_file(corpus_path(group, ".names.txt")))) {
    std::vector<uint32_t> words(kWords);
    std::memcpy(words.data(), expected.data() + offset, kWords * sizeof(uint32_t));
    offset += kWords * sizeof(uint32_t);
    const auto refused = kRefused.find(name);
    try {
      std::vector<CheckFinding> findings;
      const Program program = source->program(name);
      EXPECT_EQ(run_checked(program, &findings), words) << name;
      for (const CheckFinding& finding : findings) {
        EXPECT_TRUE(is_known(program, finding)) << name << ": " << finding.what;
      }
      EXPECT_EQ(refused, kRefused.end()) << name;
    } catch (const InputError& error) {
      ASSERT_NE(refused, kRefused.end()) << name << ": " << error.what();
      EXPECT_NE(std::string(error.what()).find(refused->second), std::string::npos) << error.what();
      for (const Fault& fault : error.faults()) EXPECT_EQ(fault.what.find('\n'), std::string::npos);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Nvcc, CorpusPtx, testing::ValuesIn(kGroups),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace corpus_test
}  // namespace shflsim::isa
