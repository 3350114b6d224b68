// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/watched_run.h"

#include <fmt/format.h>

#include <atomic>
#include <iostream>

#include "model/core/interruption.h"
#include "model/run.h"
#include "report/terminal/messages.h"
#include "report/terminal/progress.h"

namespace shflsim::cli {
namespace {

/// Prints the progress of the run on standard error when SIGUSR1 asks for it.
class StatusLine final : public model::Observer {
 public:
  explicit StatusLine(size_t warps) : warps_(warps) {}

  bool follows_instructions() const override { return false; }
  void reached(model::Cycle now) override {
    if (!model::interruption.wants_status.exchange(false)) return;
    std::cerr << fmt::format("cycle {}, {} of {} warps finished\n", now, left_.load(), warps_);
  }
  void warp_left(const model::ResidentWarp& /*warp*/, model::Cycle /*now*/) override { ++left_; }

 private:
  const size_t warps_;
  std::atomic<size_t> left_{0};
};

}  // namespace

model::RunResult watched_run(const traces::Trace& trace, const model::ConfigLayers& layers,
                             unsigned sms, const ViewFiles::Shown& shown, model::Cycle most_cycles,
                             unsigned threads, model::Observer* observer) {
  report::ProgressLine line(report::progress_out());
  report::RunProgress progress(&line, trace.warps.size());
  StatusLine status(trace.warps.size());
  model::Observers observers;
  shown.add_observers(&observers);
  observers.add(observer);
  if (line.is_shown()) observers.add(&progress);
  observers.add(&status);
  const report::TimedDetail timed("timed " + trace.code.name);
  return model::run(trace, layers, sms, observers.combined(), most_cycles, threads);
}

}  // namespace shflsim::cli
