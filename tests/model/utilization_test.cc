// SPDX-License-Identifier: Apache-2.0
// No unit is busy for longer than the run, on any machine within the parameters' ranges.
#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <string>

#include "isa/base/input_error.h"
#include "model/run.h"
#include "model/sm/sm.h"
#include "tests/support/code_trace.h"
#include "tests/support/layers.h"

namespace shflsim::model {
namespace utilization_test {

constexpr const char* kCode =
    "S2R R1, SR_TID.X &wr=0 ?trans2\n"
    "SHFL.IDX PT, R2, R1, R3, R4 &req={0} &wr=1 &rd=2 ?trans2\n"
    "SHFL.BFLY PT, R5, R1, 0x1, 0x1f &wr=3 ?trans2\n"
    "LDS R6, [R7] &wr=4 ?trans2\n"
    "STS [R7], R8 &rd=5 ?trans2\n"
    "LDG.E R9, [R10] &wr=0 ?trans2\n"
    "STG.E [R10], R8 &rd=5 ?trans2\n"
    "MUFU.RCP R12, R13 &wr=2 ?trans2\n"
    "DADD R14, R16, R16 &wr=1 ?trans2\n"
    "FADD R18, R19, R20 ?trans1\n"
    "IADD R21, R22, R23 ?trans1\n"
    "BAR.SYNC 0x0 ?trans5\n"
    "SHFL.IDX PT, R2, R1, R3, R4 &req={0,1,2,3,4,5} &wr=1 ?trans2\n";

/// Eight warps, twice through the code; SHFLs send all lanes to one bank of four.
traces::Trace make_trace() {
  const std::string code = std::string(kCode) + kCode + "EXIT\n";
  traces::Trace trace;
  trace.code = test::code_of(code);
  isa::LaneMap map;
  map.executing = map.in_range = isa::kAllLanes;
  for (unsigned lane = 0; lane < isa::kLanes; ++lane)
    map.source[lane] = static_cast<uint8_t>(lane * 4 % isa::kLanes);
  trace.lane_maps = {map};
  constexpr uint32_t kWarps = 8;
  trace.threads_per_block = kWarps * isa::kLanes;
  trace.warps.resize(kWarps);
  for (uint32_t w = 0; w < kWarps; ++w) {
    trace.warps[w].warp = w;
    for (uint32_t i = 0; i < trace.code.lines.size(); ++i) {
      const bool shuffles = trace.code.lines[i].is_shuffle();
      trace.warps[w].steps.push_back({i, isa::kAllLanes, shuffles ? 0 : traces::Step::kNone});
    }
  }
  return trace;
}

const UnitStats& unit_of(const RunResult& result, const std::string& name) {
  for (const UnitStats& unit : result.units) {
    if (unit.name == name) return unit;
  }
  throw std::out_of_range(name);
}

void expect_within_time(const RunResult& result, const std::string& machine) {
  for (const UnitStats& unit : result.units)
    EXPECT_LE(unit.busy, result.cycles * unit.instances) << unit.name << " of" << machine;
  EXPECT_EQ(std::accumulate(result.states.begin(), result.states.end(), uint64_t{0}),
            result.warp_cycles)
      << machine;
}

RunResult run_on(const std::string& machine, const std::vector<std::string>& settings) {
  const ConfigLayers layers = test::layers_of(machine, settings);
  return run(make_trace(), layers);
}

TEST(Utilization, A25NeitherCollectingNorAnIntervalIsLongerThanTheRun) {
  const std::vector<std::string> cases[] = {{"mio.collect_base=64"},
                                            {"shuffle.interval=256"},
                                            {"shuffle.interval=256", "shuffle.network=banked"},
                                            {"shuffle.pipelined=0", "shuffle.network=banked"},
                                            {"special_function.interval=256"},
                                            {"global_memory.interval=256"},
                                            {"math.double_interval=128", "math.double_latency=1"}};
  for (const char* machine : {"gm107", "gh100"}) {
    for (const std::vector<std::string>& settings : cases)
      expect_within_time(run_on(machine, settings), " " + settings[0]);
  }
}

/// On gh100 a barrier does not use shared memory; on gm107 it does, but takes no bank.
TEST(Utilization, U3_11SharedMemoryCountsNoBarriers) {
  for (const char* machine : {"gm107", "gh100"}) {
    const UnitStats shared = unit_of(run_on(machine, {}), "shared_memory");
    EXPECT_EQ(shared.operations, 2u * 2 * 8) << machine;  // LDS and STS
    EXPECT_EQ(shared.busy, 2u * 2 * 8) << machine;
  }
}

std::string some_value(const Parameter& parameter, std::mt19937* random) {
  if (!parameter.choices.empty()) return parameter.choices[(*random)() % parameter.choices.size()];
  const uint64_t kind = (*random)() % 4;
  const uint64_t values = uint64_t{parameter.most} - parameter.least + 1;
  uint64_t value = kind == 0   ? parameter.least
                   : kind == 1 ? parameter.most
                               : parameter.least + (*random)() % std::min<uint64_t>(values, 300);
  while (!parameter.allows(value)) ++value;
  return std::to_string(value);
}

TEST(Utilization, A25IsAtMostWholeOnAnyMachine) {
  SmParams params;
  ParameterList list;
  params.list(list);
  std::mt19937 random(13);
  unsigned runs = 0;
  for (unsigned i = 0; i < 300; ++i) {
    std::vector<std::string> settings;
    std::string said;
    for (unsigned n = 1 + random() % 8; n != 0; --n) {
      const Parameter& parameter = list.all()[random() % list.all().size()];
      settings.push_back(parameter.key + "=" + some_value(parameter, &random));
      said += " " + settings.back();
    }
    try {
      expect_within_time(run_on(i % 2 == 0 ? "gm107" : "gh100", settings), said);
      ++runs;
    } catch (const InputError&) {  // settings that exclude each other, and blocks that do not fit
    } catch (const Deadlock& deadlock) {
      ADD_FAILURE() << said << "\n" << deadlock.what();
    }
  }
  EXPECT_GE(runs, 200u);
}

}  // namespace utilization_test
}  // namespace shflsim::model
