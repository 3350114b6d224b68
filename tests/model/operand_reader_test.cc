// SPDX-License-Identifier: Apache-2.0
// The readers of operands in front of the shared pipe: ports, handover, special functions, loads
// whose address is early.
#include "model/mio/shared_pipe.h"
#include "tests/model/mio_fakes.h"

namespace shflsim::model {
namespace operand_reader_test {

MioParams with_port() {
  MioParams takes = pipe_params();
  takes.port = 1;
  return takes;
}

MioParams with_handover() {
  MioParams waits = pipe_params();
  waits.handover = 1;
  return waits;
}

using Bench = ArbiterBench<SharedPipe>;

const Facts kLoad = request_to(isa::Pipe::kShared);
const Facts kStore = request_to(isa::Pipe::kShared, 2);
const Facts kShuffle = request_to(isa::Pipe::kShuffle);
const Facts kShuffleByRegister = request_to(isa::Pipe::kShuffle, 2);
const Facts kSpecial = request_to(isa::Pipe::kXu);

TEST(SharedPipe, TakesThePortOfEachRegistersBank) {
  Facts wide = request_to(isa::Pipe::kShared, 2);
  wide.footprint.reads[1].count = 2;  // registers 1 and 2
  Bench bench(with_port());
  bench.put(0, wide, 10);
  bench.run(10, 30);
  EXPECT_EQ(bench.part[0].taken, (std::set<std::pair<unsigned, Cycle>>{{0, 17}, {1, 19}, {2, 21}}));
  EXPECT_EQ(bench.shared.starts, (Events{{0, 20}}));
}

TEST(SharedPipe, TakesNoPortForWhatReadsNoRegister) {
  Bench bench(with_port());
  bench.put(0, request_to(isa::Pipe::kShared, 0), 10);
  bench.run(10, 30);
  EXPECT_TRUE(bench.part[0].taken.empty());
}

TEST(SharedPipe, WhatComesAsTheReaderBecomesFreeLosesACycle) {
  Bench bench(with_handover());
  bench.put(0, kShuffle, 10);
  bench.put(0, kShuffle, 12);
  bench.run(10, 30);
  EXPECT_EQ(bench.shuffle.starts, (Events{{0, 16}, {0, 19}}));
}

// It is told as of the issue with which it would not have waited.
TEST(SharedPipe, ASpecialFunctionIsReadBetweenTheOperandsOfAnother) {
  Bench bench(pipe_params());
  bench.put(0, kShuffleByRegister, 10);  // 14 to 16 and, behind the special function, 18 to 20
  bench.pass(0, kSpecial, 11);
  bench.run(10, 30);
  EXPECT_EQ(bench.special.starts, (Events{{0, 12}}));
  EXPECT_EQ(bench.shuffle.starts, (Events{{0, 20}}));
}

TEST(SharedPipe, ASpecialFunctionWaitsForTheRegistersOfAnOperand) {
  Facts wide = kStore;
  wide.is_store = true;
  wide.footprint.reads[1].count = 2;
  Bench bench(pipe_params());
  bench.put(0, wide, 10);  // its data, 14 to 18, and its address, 20 to 22
  bench.pass(0, kSpecial, 11);
  bench.run(10, 30);
  EXPECT_EQ(bench.special.starts, (Events{{0, 14}}));
  EXPECT_EQ(bench.shared.starts, (Events{{0, 22}}));
}

TEST(SharedPipe, AnEarlyLoadIsReadBeforeASpecialFunctionOfItsCycle) {
  Facts load = kLoad;
  load.footprint.write_count = 1;
  Bench bench(pipe_params());
  bench.put(0, load, 10);
  bench.pass(0, kSpecial, 10);
  bench.run(10, 30);
  EXPECT_EQ(bench.shared.starts, (Events{{0, 15}}));
  EXPECT_EQ(bench.special.starts, (Events{{0, 11}}));
}

TEST(SharedPipe, AStopOfIssueHoldsTheSpecialFunctionThatIsOnItsWay) {
  Bench bench(pipe_params());
  bench.pass(0, kSpecial, 10);
  bench.arbiter.stop(0, 12, 3);
  bench.arbiter.stop(0, 17, 3);  // it has come to the reader
  bench.run(17, 30);
  EXPECT_EQ(bench.special.starts, (Events{{0, 13}}));
}

TEST(SharedPipe, WhatWaitsForTheReaderLosesNone) {
  Bench bench(with_handover());
  bench.put(0, kShuffle, 10);
  bench.put(0, kShuffle, 11);
  bench.run(10, 30);
  EXPECT_EQ(bench.shuffle.starts, (Events{{0, 16}, {0, 18}}));
}

TEST(SharedPipe, TheAddressOfALoadIsEarlyUnlessTheLoadWaits) {
  Facts load = kLoad;
  load.footprint.write_count = 1;
  Bench bench(pipe_params());
  bench.put(0, load, 10);
  bench.put(0, load, 10);
  bench.run(10, 30);
  EXPECT_EQ(bench.shared.starts, (Events{{0, 15}, {0, 17}}));
  EXPECT_EQ(bench.part[0].reads, (std::vector<Cycle>{20, 22}));
}

/// When a load starts that issues at 10 as soon as a barrier lets it.
Events held_load(uint32_t held_address) {
  Facts load = kLoad;
  load.footprint.write_count = 1;
  MioParams waits = pipe_params();
  waits.held_address = held_address;
  Bench bench(waits);
  bench.put(0, load, 10);
  bench.part[0].waiting.front().first.was_held = true;
  bench.run(10, 30);
  return bench.shared.starts;
}

TEST(SharedPipe, TheAddressOfALoadThatABarrierHeldIsNotEarly) {
  EXPECT_EQ(held_load(1), (Events{{0, 16}}));
}

TEST(SharedPipe, TheAddressOfAHeldLoadIsEarlyWithoutItsOwnTime) {
  EXPECT_EQ(held_load(0), (Events{{0, 15}}));
}

/// When a request without registers starts that issues at 10.
Events empty_request(isa::Pipe pipe, uint32_t empty_at_once) {
  Facts empty = request_to(pipe, 0);
  empty.footprint.write_count = 1;
  MioParams waits = pipe_params();
  waits.empty_at_once = empty_at_once;
  Bench bench(waits);
  bench.put(0, empty, 10);
  bench.run(10, 30);
  return pipe == isa::Pipe::kShared ? bench.shared.starts : bench.shuffle.starts;
}

TEST(SharedPipe, ALoadWithoutAnAddressRegisterIsReadAtOnce) {
  EXPECT_EQ(empty_request(isa::Pipe::kShared, 1), (Events{{0, 14}}));
}

TEST(SharedPipe, ALoadWithoutAnAddressRegisterIsReadAsOneThatHasIt) {
  EXPECT_EQ(empty_request(isa::Pipe::kShared, 0), (Events{{0, 15}}));
}

TEST(SharedPipe, AShuffleOfNoRegisterIsReadAtOnce) {
  EXPECT_EQ(empty_request(isa::Pipe::kShuffle, 1), (Events{{0, 14}}));
}

/// When a request of so many registers starts that issues at 10 and that no lane executes.
Cycle idle_request(isa::Pipe pipe, uint8_t registers, uint32_t empty_at_once) {
  Facts idle = request_to(pipe, registers);
  idle.footprint.write_count = 1;
  MioParams waits = pipe_params();
  waits.empty_at_once = empty_at_once;
  waits.port = 1;
  Bench bench(waits);
  MioRequest request;
  request.facts = &idle;
  request.issued = 10;
  request.has_lanes = false;
  bench.put(0, request, 10);
  bench.run(10, 30);
  EXPECT_EQ(bench.part[0].taken.empty(), empty_at_once != 0);
  const FakeUnit& unit = pipe == isa::Pipe::kShuffle  ? bench.shuffle
                         : pipe == isa::Pipe::kShared ? bench.shared
                                                      : bench.global;
  return unit.starts.at(0).second;
}

// measured: rates.csv of tests/data/h200/2026-11-30, shuffles_off, shared_off and global_off
TEST(SharedPipe, AShuffleThatNoLaneExecutesIsReadAtOnce) {
  EXPECT_EQ(idle_request(isa::Pipe::kShuffle, 3, 1), 14u);
}

TEST(SharedPipe, ALoadFromSharedMemoryThatNoLaneExecutesIsReadAtOnce) {
  EXPECT_EQ(idle_request(isa::Pipe::kShared, 1, 1), 14u);
}

TEST(SharedPipe, ALoadFromGlobalMemoryThatNoLaneExecutesIsReadAtOnce) {
  EXPECT_EQ(idle_request(isa::Pipe::kGlobal, 2, 1), 14u);
}

TEST(SharedPipe, AShuffleThatNoLaneExecutesIsReadAsOthersIfThatIsOff) {
  EXPECT_EQ(idle_request(isa::Pipe::kShuffle, 1, 0), 16u);
}

}  // namespace operand_reader_test
}  // namespace shflsim::model
