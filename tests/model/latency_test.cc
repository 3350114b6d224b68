// SPDX-License-Identifier: Apache-2.0
// The latency columns: a dependent instruction issues in the cycle that they say.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "model/run.h"
#include "tests/support/code_trace.h"
#include "tests/support/layers.h"

namespace shflsim::model {
namespace latency_test {

/// The cycle in which each instruction of the only warp issues, by line.
class Issues final : public Observer {
 public:
  void issued(const ResidentWarp& /*warp*/, const Issue& issue) override {
    cycle[issue.index] = issue.cycle;
  }
  std::map<uint32_t, Cycle> cycle;
};

struct Measured {
  InstructionStats producer;
  Cycle distance = 0;  ///< from its issue to its user's issue
};

Measured measure(const std::string& machine, const std::string& producer, const std::string& user) {
  const traces::Trace trace = test::trace_of(producer + "\n" + user + "\nEXIT\n");
  const ConfigLayers layers = test::layers_of(machine, {"fetch.warm=1"});
  Issues issues;
  const RunResult result = run(trace, layers, 1, &issues);
  return {result.instructions[0], issues.cycle.at(1) - issues.cycle.at(0)};
}

/// The latency in the user's column, else the one for math.
Cycle said(const Measured& of, Cycle InstructionStats::*column) {
  const Cycle own = column == nullptr ? 0 : of.producer.*column;
  EXPECT_EQ(of.producer.results, 1u);
  EXPECT_EQ(of.producer.latency_min, of.producer.latency_max);
  return own != 0 ? own : of.producer.latency_min;
}

struct User {
  const char* code;
  Cycle InstructionStats::*column;
};

/// Users of R1 without control bits: the scoreboard keeps the distance.
constexpr User kUsers[] = {
    {"FADD R8, R1, R1", nullptr},
    {"IADD R8, R1, R1", nullptr},
    {"SHFL.IDX PT, R8, R1, 0, 0x1f", &InstructionStats::latency_shared},
    {"LDS R8, [R1]", &InstructionStats::latency_shared},
    {"STS [R7], R1", &InstructionStats::latency_shared},
    {"LDG.E R8, [R1]", &InstructionStats::latency_global},
    {"STG.E [R6], R1", &InstructionStats::latency_global},
    {"MUFU.EX2 R8, R1", &InstructionStats::latency_global},
};

constexpr const char* kProducers[] = {
    "FADD R1, R2, R3", "IADD R1, R2, R3",    "XMAD R1, R2, R3, RZ",
    "MUFU.EX2 R1, R2", "I2F.F32.S32 R1, R2", "SHFL.IDX PT, R1, R2, 0, 0x1f",
    "LDS R1, [R2]",    "LDG.E R1, [R2]",     "S2R R1, SR_TID.X"};

TEST(Latency, U3_10IsWhenADependentInstructionIssues) {
  for (const char* machine : {"gm107", "gv100", "gh100"}) {
    for (const char* producer : kProducers) {
      for (const User& user : kUsers) {
        const Measured measured = measure(machine, producer, user.code);
        EXPECT_EQ(measured.distance, said(measured, user.column))
            << machine << ": " << producer << ", " << user.code;
      }
    }
  }
}

TEST(Latency, U3_10OfDoublePrecisionIsTheSameForAll) {
  for (const char* machine : {"gm107", "gh100"}) {
    for (const User& user :
         {User{"DADD R8, R4, R4", nullptr}, User{"SHFL.IDX PT, R8, R4, 0, 0x1f", nullptr}}) {
      const Measured measured = measure(machine, "DADD R4, R2, R2", user.code);
      EXPECT_EQ(measured.producer.latency_shared, 0u);
      EXPECT_EQ(measured.distance, said(measured, nullptr)) << machine << ": " << user.code;
    }
  }
}

TEST(Latency, U3_10OfAPredicateIsThatOfItsUse) {
  for (const char* machine : {"gm107", "gh100"}) {
    for (const char* user : {"@P0 FADD R8, R9, R9", "@P0 LDS R8, [R9]", "@P0 LDG.E R8, [R10]"}) {
      const Measured measured = measure(machine, "ISETP.LT.AND P0, PT, R1, R2, PT", user);
      EXPECT_EQ(measured.distance, said(measured, &InstructionStats::latency_predicate))
          << machine << ": " << user;
    }
  }
}

/// The latencies also hold with the scoreboards that control bits name.
TEST(Latency, U3_10HoldsBehindAScoreboardToo) {
  for (const char* machine : {"gm107", "gh100"}) {
    for (const char* producer : {"SHFL.IDX PT, R1, R2, 0, 0x1f", "LDS R1, [R2]", "LDG.E R1, [R2]",
                                 "MUFU.EX2 R1, R2", "DADD R4, R2, R2"}) {
      for (const char* user :
           {"FADD R8, R1, R4", "SHFL.IDX PT, R8, R1, 0, 0x1f", "STG.E [R6], R4"}) {
        const Measured measured = measure(machine, std::string(producer) + " &wr=0 ?trans2",
                                          std::string(user) + " &req={0} ?trans1");
        EXPECT_EQ(measured.distance, said(measured, nullptr))
            << machine << ": " << producer << ", " << user;
      }
    }
  }
}

TEST(Latency, U3_10IsEmptyWhereThereIsNoResult) {
  for (const char* machine : {"gm107", "gh100"}) {
    for (const char* code : {"STG.E [R2], R1", "STS [R2], R1", "BAR.SYNC 0x0", "FADD RZ, R1, R2",
                             "ISETP.LT.AND PT, PT, R1, R2, PT"}) {
      const Measured measured = measure(machine, code, "NOP");
      EXPECT_EQ(measured.producer.issued, 1u);
      EXPECT_EQ(measured.producer.results, 0u) << machine << ": " << code;
      EXPECT_EQ(measured.producer.latency_shared, 0u);
      EXPECT_EQ(measured.producer.latency_predicate, 0u);
    }
  }
}

}  // namespace latency_test
}  // namespace shflsim::model
