// SPDX-License-Identifier: Apache-2.0
#include "tests/report/sample_run.h"

namespace shflsim::test {
namespace {

using model::InstructionStats;
using model::WarpState;

void add_instruction(isa::Op op, const char* text, isa::Code* code) {
  isa::Instruction instruction;
  instruction.op = op;
  instruction.address = isa::address_of(code->lines.size());
  code->lines.push_back(isa::code_line(instruction, text));
}

/// Issued by both warps, each with `lanes` lanes, with a latency of 4 and one of `longest` cycles.
InstructionStats issued_twice(uint64_t lanes, model::Cycle longest) {
  InstructionStats stats;
  stats.issued = 2;
  stats.lanes = 2 * lanes;
  stats.results = 2;
  stats.latency_min = 4;
  stats.latency_max = longest;
  stats.latency_sum = 4 + longest;
  return stats;
}

void charge(WarpState state, uint64_t cycles, InstructionStats* stats) {
  stats->states[static_cast<size_t>(state)] += cycles;
}

std::vector<InstructionStats> sample_instructions() {
  InstructionStats s2r = issued_twice(32, 4);
  charge(WarpState::kNoInstruction, 4, &s2r);
  charge(WarpState::kSelected, 2, &s2r);
  InstructionStats shfl = issued_twice(31, 9);
  charge(WarpState::kShortScoreboard, 18, &shfl);
  charge(WarpState::kNotSelected, 1, &shfl);
  charge(WarpState::kSelected, 2, &shfl);
  InstructionStats fadd = issued_twice(32, 6);
  charge(WarpState::kShortScoreboard, 8, &fadd);
  charge(WarpState::kSelected, 2, &fadd);
  InstructionStats sts = issued_twice(32, 7);
  charge(WarpState::kWait, 3, &sts);
  charge(WarpState::kSelected, 2, &sts);
  InstructionStats exit;
  exit.issued = 2;
  exit.lanes = 64;
  charge(WarpState::kDrain, 8, &exit);
  return {s2r, shfl, fadd, sts, exit, InstructionStats{}};
}

}  // namespace

traces::Trace sample_trace() {
  traces::Trace trace;
  trace.code.name = "sample";
  trace.code.registers = 6;
  trace.threads_per_block = 64;
  trace.shared_bytes = 256;
  isa::Code& code = trace.code;
  add_instruction(isa::Op::kS2R, "S2R R0, SR_TID.X", &code);
  add_instruction(isa::Op::kSHFL, "@P0 SHFL.UP PT, R1, R0, 0x1, 0x0", &code);
  add_instruction(isa::Op::kFADD, "FADD R2, R1, R0", &code);
  add_instruction(isa::Op::kSTS, "STS [R0], R2", &code);
  add_instruction(isa::Op::kEXIT, "EXIT", &code);
  add_instruction(isa::Op::kSHFL, "SHFL.BFLY PT, R1, R0, 0x10, 0x1f", &code);
  trace.findings = {{3, 0, 0, 0x8000000Fu, "stores an undefined value"},
                    {3, 0, 1, 0x8000000Fu, "stores an undefined value"}};
  return trace;
}

model::RunResult sample_result() {
  model::RunResult result;
  result.cycles = 25;
  result.warp_instructions = 10;
  result.dual_issued = 2;  // EXIT issues together with STS
  result.warp_cycles = 50;
  result.occupancy = {64, 2, {128, 256, 32, 32, model::Occupancy::kUnlimited, 1}};
  result.instructions = sample_instructions();
  for (const InstructionStats& stats : result.instructions) {
    for (size_t s = 0; s < model::kWarpStates; ++s) result.states[s] += stats.states[s];
  }
  constexpr uint64_t kNone = model::StatColumn::kNone;
  result.counts = {{"register_conflicts", {kNone, kNone, 1, kNone, kNone, kNone}},
                   {"passes", {kNone, 5, kNone, kNone, kNone, 0}},
                   {"port_conflicts", {kNone, 12, kNone, kNone, kNone, 0}},
                   {"undefined_reads", {kNone, 3, kNone, kNone, kNone, 0}},
                   {"shared_wavefronts", {kNone, kNone, kNone, 4, kNone, kNone}},
                   {"shared_conflicts", {kNone, kNone, kNone, 2, kNone, kNone}}};
  result.units = {{"fmai", 4, 10, 2}, {"double", 4, 0, 0}, {"shuffle", 1, 5, 2}};
  result.warps = {{0, 0, 2, 24, {}}, {0, 1, 3, 25, {7, 19}}};
  result.config = {{"shuffle.network", "banked", "", "command line", "assumed", "lane network",
                    "banked, crossbar"}};
  return result;
}

}  // namespace shflsim::test
