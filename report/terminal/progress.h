// SPDX-License-Identifier: Apache-2.0
#pragma once

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
  kTerminal,  ///< standard error where that is a terminal, as a line that is written over
  kPlain,     ///< standard error, as a line every ten seconds
};
/// Sets it for the whole program.
void set_progress(ProgressKind kind);

/// For work whose progress belongs in a log: plain lines where standard error is no terminal,
/// unless another kind was set.
void show_progress_in_logs();

/// Where progress is shown: standard error, or nullptr for nowhere.
std::ostream* progress_out();

/// A line that says how far some work is: on a terminal after two seconds, and then every half
/// second at most; as plain lines every ten. On a terminal it is erased when this goes.
class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  /// Without `out` nothing is shown.
  explicit ProgressLine(std::ostream* out, std::function<Clock::time_point()> now = Clock::now);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  bool is_shown() const { return out_ != nullptr; }
  /// Shows what `text` makes of the seconds since the work began, if it is time for that.
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
