// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>

#include "model/core/observer.h"

namespace shflsim::report {

/// Where progress is shown.
enum class ProgressKind : char {
  kNone,
  kTerminal,  ///< standard error if it is a terminal, as a line that is overwritten
  kPlain,     ///< standard error, as a line every ten seconds
};
/// Sets the kind for the whole program.
void set_progress(ProgressKind kind);

/// For work whose progress belongs in a log: prints plain lines if standard error is not a
/// terminal, unless another kind was set.
void show_progress_in_logs();

/// The stream that shows progress: standard error, or nullptr.
std::ostream* progress_out();

/// A line with the progress of some work. On a terminal it appears after two seconds, is updated at
/// most every half second, and is erased by the destructor. Plain lines follow every ten seconds.
class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  /// If `out` is nullptr, nothing is shown.
  explicit ProgressLine(std::ostream* out, std::function<Clock::time_point()> now = Clock::now);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  bool is_shown() const { return out_ != nullptr; }
  /// Shows `text(seconds since the work began)` if an update is due.
  void update(const std::function<std::string(double)>& text);
  /// "3 of 12 runs, 1.5 runs/s, 6 s left"; `all` is 0 if the total is unknown.
  void update_count(uint64_t done, uint64_t all, const std::string& unit);

 private:
  std::ostream* const out_;
  const bool is_plain_;
  const std::function<Clock::time_point()> now_;
  const Clock::time_point start_;
  Clock::time_point next_;
  size_t width_ = 0;  ///< columns of the line on the screen
};

/// Shows the progress of a run in a ProgressLine.
class RunProgress final : public model::Observer {
 public:
  /// `warps`: warps of the whole run.
  RunProgress(ProgressLine* line, size_t warps) : line_(*line), warps_(warps) {}

  bool follows_instructions() const override { return false; }
  void reached(model::Cycle now) override;
  void warp_left(const model::ResidentWarp& /*warp*/, model::Cycle /*now*/) override { ++left_; }

 private:
  ProgressLine& line_;
  const size_t warps_;
  std::atomic<size_t> left_{0};
};

}  // namespace shflsim::report
