// SPDX-License-Identifier: Apache-2.0
// The checker's findings in kernels that do not wait for asynchronous operations
// (tests/data/hopper/faults.cu): each fault is found, and nothing in the kernels without one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "isa/base/access_order.h"
#include "isa/check/checker.h"
#include "isa/dialects/source.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace sm70_asynchronous_check_test {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kInUse = "copies into memory that may still be read";
constexpr const char* kNotAwaited = "reaches bytes of a copy that no warp has waited for";
constexpr const char* kNotExpected = "tells a barrier of bytes that no phase of it expects";

struct Kernel {
  const char* name;
  uint32_t blocks, threads;
};

std::set<std::string> findings(const Program& program, const Kernel& kernel) {
  DeviceMemory memory;
  const uint64_t pointers[] = {memory.allocate(std::vector<uint8_t>(16384)),
                               memory.allocate(std::vector<uint8_t>(16384))};
  Launch launch;
  launch.grid = {kernel.blocks, 1, 1};
  launch.block = {kernel.threads, 1, 1};
  launch.parameters.resize(sizeof pointers);
  std::memcpy(launch.parameters.data(), pointers, sizeof pointers);
  Checker checker(program);
  execute(program, launch, memory, checker);
  std::set<std::string> all;
  for (const CheckFinding& finding : checker.finish()) all.insert(finding.what);
  return all;
}

Program program_of(const char* kernel) {
  return open_source(test::data_path("hopper/faults.sm90a.cubin.gz"))->program(kernel);
}

std::set<std::string> findings(const Kernel& kernel) {
  return findings(program_of(kernel.name), kernel);
}

TEST(AsynchronousCheck, FindsNothingInKernelsThatWait) {
  for (const Kernel& kernel : {Kernel{"read_rows_0", 1, 64}, Kernel{"multiply_rows_0", 1, 160},
                               Kernel{"pass_rows_0", 1, 32}, Kernel{"share_rows_0", 2, 32},
                               Kernel{"products_of_cluster", 4, 128}})
    EXPECT_THAT(findings(kernel), IsEmpty()) << kernel.name;
}

TEST(AsynchronousCheck, FindsACopyIntoMemoryThatIsStillRead) {
  EXPECT_THAT(findings({"read_rows_2", 1, 64}), Contains(kInUse));       // by loads
  EXPECT_THAT(findings({"multiply_rows_1", 1, 160}), Contains(kInUse));  // by a product
  EXPECT_THAT(findings({"pass_rows_1", 1, 32}), Contains(kInUse));       // by a store
  EXPECT_THAT(findings({"share_rows_1", 2, 32}), Contains(kInUse));      // by another block
}

TEST(AsynchronousCheck, FindsReadersThatDoNotWaitForACopy) {
  EXPECT_THAT(findings({"read_rows_1", 1, 64}), Contains(kNotAwaited));
  EXPECT_THAT(findings({"read_rows_4", 1, 64}), Contains(kNotAwaited));
  EXPECT_THAT(findings({"multiply_rows_2", 1, 160}), Contains(kNotAwaited));
}

TEST(AsynchronousCheck, FindsABarrierWithoutItsTransactionCount) {
  EXPECT_THAT(findings({"read_rows_3", 1, 64}), Contains(kNotExpected));
}

TEST(AsynchronousCheck, FindsAProductThatIsReadBeforeItsGroupIsComplete) {
  const Kernel kernel{"multiply_rows_0", 1, 160};
  Program program = program_of(kernel.name);
  unsigned waits = 0;
  for (Instruction& instruction : program.code) {
    if (instruction.op != Op::kSm70_WARPGROUP) continue;
    Operand& most = instruction[Role::kB];
    if (!most.is(Operand::Kind::kImmediate)) continue;
    most.value = 1;
    ++waits;
  }
  EXPECT_GT(waits, 0u);
  const std::set<std::string> found = findings(program, kernel);
  EXPECT_THAT(found, Contains(kInUse));
  EXPECT_THAT(found, Contains(HasSubstr("reads R")));
}

// ---- AccessOrder

constexpr AccessOrder::Warp kReader{0, 0}, kCopier{0, 5};
constexpr AccessOrder::Bytes kRow{0, 1024, 64};
constexpr AccessOrder::Place kEmpty{AccessOrder::Place::Kind::kShared, 0, 8};

TEST(AccessOrder, KnowsOfAccessesInFrontOfAnArrivalThatItHasSeen) {
  AccessOrder order(1, 8);
  order.access(kReader, kRow);
  EXPECT_TRUE(order.is_in_use(kCopier, {0, 1072, 16}));
  EXPECT_FALSE(order.is_in_use(kCopier, {0, 1088, 16}));
  EXPECT_FALSE(order.is_in_use(kReader, kRow));
  order.arrive(kReader, kEmpty);
  EXPECT_TRUE(order.is_in_use(kCopier, kRow));
  order.pass(kCopier, kEmpty);
  EXPECT_FALSE(order.is_in_use(kCopier, kRow));
  order.access(kReader, kRow);  // after its arrival
  order.pass(kCopier, kEmpty);
  EXPECT_TRUE(order.is_in_use(kCopier, kRow));
}

TEST(AccessOrder, ProductsAreOverWhenTheirGroupIs) {
  AccessOrder order(1, 8);
  order.access_by_product(kReader, kRow);
  order.end_products(kReader);
  order.wait_for_products(kReader, 1);
  order.arrive(kReader, kEmpty);
  order.pass(kCopier, kEmpty);
  EXPECT_TRUE(order.is_in_use(kCopier, kRow));
  order.wait_for_products(kReader, 0);
  order.arrive(kReader, kEmpty);
  order.pass(kCopier, kEmpty);
  EXPECT_FALSE(order.is_in_use(kCopier, kRow));
}

TEST(AccessOrder, CopiesFromMemoryAreOverWhenTheirWarpHasWaited) {
  AccessOrder order(2, 4);
  order.access_by_copy(kReader, kRow);
  order.end_copies(kReader);
  EXPECT_TRUE(order.is_in_use(kReader, kRow));
  order.wait_for_copies(kReader, 0);
  EXPECT_FALSE(order.is_in_use(kReader, kRow));
  EXPECT_TRUE(order.is_in_use({1, 2}, kRow));
}

}  // namespace sm70_asynchronous_check_test
}  // namespace shflsim::isa
