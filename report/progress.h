// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <ostream>
#include <string>

#include "model/core/observer.h"

namespace shflsim::report {

/// Standard error where it is a terminal, else nullptr.
std::ostream* terminal();

/// A line on a terminal that says how far some work is: after two seconds, then every half second
/// at most. It is erased when this goes.
class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  /// Without `out` nothing is shown.
  explicit ProgressLine(std::ostream* out, std::function<Clock::time_point()> now = Clock::now);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  bool is_shown() const { return out_ != nullptr; }
  /// Shows what `text` returns, if it is time for that.
  void update(const std::function<std::string()>& text);
  /// "3 of 12 runs"
  void update_runs(size_t done, size_t all);

 private:
  std::ostream* const out_;
  const std::function<Clock::time_point()> now_;
  Clock::time_point next_;
  size_t width_ = 0;  ///< of what stands there
};

/// Tells the line how far a run is.
class RunProgress final : public model::Observer {
 public:
  /// `warps`: of the whole run.
  RunProgress(ProgressLine* line, size_t warps) : line_(*line), warps_(warps) {}

  bool follows_instructions() const override { return false; }
  void reached(model::Cycle now) override;
  void warp_left(const model::ResidentWarp& /*warp*/, model::Cycle /*now*/) override { ++left_; }

 private:
  ProgressLine& line_;
  const size_t warps_;
  size_t left_ = 0;
};

}  // namespace shflsim::report
