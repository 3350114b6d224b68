// SPDX-License-Identifier: Apache-2.0
// Nsight Compute's raw page of a launch, with its names: a row for each counter that the model has.
// sm__cycles_active.max refers to the SM that is active last, from the launch on.
#include <fmt/format.h>

#include <cmath>

#include "report/run/csv.h"
#include "report/run/view.h"

namespace shflsim::report {
namespace {

using model::WarpState;

constexpr double kBytesOfSector = 32;

/// A counter, and the column of instructions whose sum it is.
struct SummedCounter {
  const char* counter;
  const char* key;
  double unit;  ///< unit of the column in units of the counter
};
constexpr SummedCounter kSummed[] = {
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", "l1_hits", 1},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", "l1_misses", 1},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "shared_wavefronts", 1},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", "shared_conflicts", 1},
    {"lts__t_sectors_srcunit_tex.sum", "l2_bytes", 1 / kBytesOfSector},
    {"dram__bytes_read.sum", "dram_bytes", 1},
    {"dram__bytes_write.sum", "dram_written", 1},
};

/// A stall reason and its state.
struct StalledFor {
  const char* reason;
  WarpState state;
};
constexpr StalledFor kStalledFor[] = {
    {"barrier", WarpState::kBarrier},
    {"branch_resolving", WarpState::kBranchResolving},
    {"dispatch_stall", WarpState::kDispatchStall},
    {"drain", WarpState::kDrain},
    {"gmma", WarpState::kGmma},
    {"imc_miss", WarpState::kImcMiss},
    {"lg_throttle", WarpState::kLgThrottle},
    {"long_scoreboard", WarpState::kLongScoreboard},
    {"math_pipe_throttle", WarpState::kMathPipeThrottle},
    {"membar", WarpState::kMembar},
    {"mio_throttle", WarpState::kMioThrottle},
    {"no_instruction", WarpState::kNoInstruction},
    {"not_selected", WarpState::kNotSelected},
    {"selected", WarpState::kSelected},
    {"short_scoreboard", WarpState::kShortScoreboard},
    {"sleeping", WarpState::kSleeping},
    {"wait", WarpState::kWait},
};

double sum_of_column(const Run& run, const std::string& key) {
  double sum = 0;
  for (const Field<InstructionRow>& field : instruction_columns()) {
    if (field.key != key) continue;
    for (size_t i = 0; i < run.result.instructions.size(); ++i) {
      const double value = number_of(field.get({run, i}));
      if (!std::isnan(value)) sum += value;
    }
  }
  return sum;
}

class LaunchCounters final : public View {
 public:
  std::string content(const Run& run) override {
    text_ = "Kernel Name,Metric Name,Metric Value\n";
    kernel_ = csv_quoted(run.trace.code.name);
    const auto issued = static_cast<double>(run.result.warp_instructions);
    uint64_t lanes = 0;
    for (const model::InstructionStats& stats : run.result.instructions) lanes += stats.lanes;
    add("sm__cycles_active.max", static_cast<double>(run.result.cycles));
    add("smsp__inst_executed.sum", issued);
    add("smsp__thread_inst_executed.sum", static_cast<double>(lanes));
    add("smsp__warps_active.sum", static_cast<double>(sum_of(run.result.states)));
    for (const SummedCounter& each : kSummed)
      add(each.counter, sum_of_column(run, each.key) * each.unit);
    for (const StalledFor& each : kStalledFor) {
      const auto cycles = static_cast<double>(run.result.states[static_cast<size_t>(each.state)]);
      add(fmt::format("smsp__average_warps_issue_stalled_{}_per_issue_active.ratio", each.reason),
          issued == 0 ? 0 : cycles / issued);
    }
    return std::move(text_);
  }

 private:
  void add(const std::string& counter, double value) {
    const bool is_whole = value == std::floor(value);
    text_ += is_whole ? fmt::format("{},{},{:.0f}\n", kernel_, counter, value)
                      : fmt::format("{},{},{:.6g}\n", kernel_, counter, value);
  }

  std::string text_;
  std::string kernel_;
};

const bool ncu_launch_registered = Views::add<LaunchCounters>(
    "ncu_launch", "counters of the launch under the names of Nsight Compute, CSV");

}  // namespace
}  // namespace shflsim::report
