// SPDX-License-Identifier: Apache-2.0
// The CSV of Nsight Compute's source page, with its names: a row for each static instruction, with
// samples of each stall reason. A sample is a warp-cycle here.
#include <fmt/format.h>

#include "report/run/csv.h"
#include "report/run/view.h"

namespace shflsim::report {
namespace {

using model::WarpState;

/// A column and its state; kCount if the model has no such state.
struct Reason {
  const char* column;
  WarpState state;
};
constexpr Reason kReasons[] = {
    {"stall_barrier", WarpState::kBarrier},
    {"stall_branch_resolving", WarpState::kBranchResolving},
    {"stall_dispatch", WarpState::kDispatchStall},
    {"stall_drain", WarpState::kDrain},
    {"stall_gmma", WarpState::kGmma},
    {"stall_imc", WarpState::kImcMiss},
    {"stall_lg", WarpState::kLgThrottle},
    {"stall_long_sb", WarpState::kLongScoreboard},
    {"stall_math", WarpState::kMathPipeThrottle},
    {"stall_membar", WarpState::kMembar},
    {"stall_mio", WarpState::kMioThrottle},
    {"stall_sleeping", WarpState::kSleeping},
    {"stall_no_inst", WarpState::kNoInstruction},
    {"stall_not_selected", WarpState::kNotSelected},
    {"stall_selected", WarpState::kSelected},
    {"stall_short_sb", WarpState::kShortScoreboard},
    {"stall_sleep", WarpState::kCount},
    {"stall_tex", WarpState::kCount},
    {"stall_wait", WarpState::kWait},
};

uint64_t samples_of(const model::StateCycles& states, const Reason& reason) {
  return reason.state == WarpState::kCount ? 0 : states[static_cast<size_t>(reason.state)];
}

class NsightCompute final : public View {
 public:
  std::string content(const Run& run) override {
    std::string text =
        "Address,Source,# Samples,Instructions Executed,Predicated-On Thread Instructions Executed";
    for (const Reason& reason : kReasons) text += fmt::format(",{}", reason.column);
    text += ",Kernel Name\n";
    for (size_t i = 0; i < run.result.instructions.size(); ++i) add_row(run, i, &text);
    return text;
  }

 private:
  static void add_row(const Run& run, size_t index, std::string* text) {
    const isa::CodeLine& line = run.trace.code.lines[index];
    const model::InstructionStats& stats = run.result.instructions[index];
    *text += fmt::format("{:04x},{},{},{},{}", line.address, csv_quoted(line.text),
                         sum_of(stats.states), stats.issued, stats.lanes);
    for (const Reason& reason : kReasons)
      *text += fmt::format(",{}", samples_of(stats.states, reason));
    *text += "," + csv_quoted(run.trace.code.name) + "\n";
  }
};

const bool ncu_registered = Views::add<NsightCompute>(
    "ncu", "the columns of Nsight Compute's source page, CSV; a sample is a warp-cycle");

}  // namespace
}  // namespace shflsim::report
