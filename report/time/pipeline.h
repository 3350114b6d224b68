// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/core/observer.h"
#include "report/run/window.h"
#include "report/time/producers.h"

namespace shflsim::report {

/// Cycles that a warp spent in one state.
struct Wait {
  model::WarpState state{};
  uint32_t index = 0;  ///< index of the line to which the cycles are charged
  model::Cycle from = 0;
  model::Cycle to = 0;
  std::optional<Issued> on;  ///< the instruction that it waited for, if any
};

/// A stage of an instruction after its issue.
constexpr size_t kStageKinds = 6;
struct StageTime {
  enum class Kind : uint8_t {
    kQueue,     ///< in the MIO queue
    kOperands,  ///< collects its operands
    kReady,     ///< waits for its unit
    kWaiting,   ///< in the unit's input queue
    kExecute,   ///< in its pipe or unit; its passes, if it has any
    kReturn,    ///< its result is on the way back
  };
  Kind kind{};
  model::Cycle from = 0;
  model::Cycle to = 0;
};

/// The course of one warp instruction over time.
struct PipelineRow {
  std::vector<Wait> waits;  ///< before its issue; for the last instruction of a warp also after it
  bool has_issued = false;  ///< false: the run ended before it issued
  model::Issue issue;
  std::array<model::Cycle, 4> entered = {model::kNever, model::kNever, model::kNever,
                                         model::kNever};  ///< by model::Stage
  model::Cycle left_queue = model::kNever;
  uint32_t passes = 0;  ///< passes in the unit that executes it; 0: none
  uint32_t interval = 1;
  model::Cycle first_pass = 0;
  model::Cycle result = 0;  ///< 0: not recorded

  uint32_t index() const { return has_issued ? issue.index : waits.back().index; }
  model::Cycle last_pass() const { return first_pass + model::Cycle{passes} * interval; }
  model::Cycle begin() const;
  model::Cycle end() const;
  /// In order, without gaps from the cycle after the issue; none is empty.
  std::vector<StageTime> stages() const;
};

struct PipelineWarp {
  model::ResidentWarp who;
  bool has_started = false;
  uint32_t first = 0;   ///< number of the first kept row
  uint32_t issued = 0;  ///< warp instructions issued, shown or not
  std::deque<PipelineRow> rows;
  std::vector<Wait> waits;  ///< waits since the last issue
};

/// Records what the instructions of a run do in a window: about 200 bytes for each instruction in
/// the window, nothing for the others.
class Pipeline : public model::Observer {
 public:
  explicit Pipeline(Window window = {}) : window_(std::move(window)) {}

  const Window& window() const { return window_; }
  void show(Window window) { window_ = std::move(window); }
  const std::vector<PipelineWarp>& warps() const { return warps_; }
  /// Completes what was open at the end of the run; call it after the run.
  void finish();

  std::shared_ptr<void> elaborate(const traces::Trace& trace,
                                  const model::RunResult& result) override;
  void warp_started(const model::ResidentWarp& warp, model::Cycle now) override;
  void stood(const model::ResidentWarp& warp, uint32_t index, model::WarpState state,
             model::Cycle from, model::Cycle to) override;
  void issued(const model::ResidentWarp& warp, const model::Issue& issue) override;
  void entered(model::InstructionId id, model::Stage stage, model::Cycle from) override;
  void left_queue(model::InstructionId id, model::Cycle now) override;
  void sources_read(model::InstructionId id, model::Cycle cycle) override;
  void passes(model::InstructionId id, model::Cycle first, uint32_t count,
              uint32_t interval) override;
  void done(model::InstructionId id, model::Cycle result) override;

 private:
  PipelineRow* row_of(model::InstructionId id);
  void forget(PipelineWarp* warp) const;

  Window window_;
  std::unique_ptr<Producers> producers_;
  std::vector<PipelineWarp> warps_;  ///< by ResidentWarp::index
};

}  // namespace shflsim::report
