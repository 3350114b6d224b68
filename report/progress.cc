// SPDX-License-Identifier: Apache-2.0
#include "report/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <utility>

namespace shflsim::report {
namespace {

constexpr std::chrono::milliseconds kQuiet{2000};
constexpr std::chrono::milliseconds kInterval{500};

}  // namespace

std::ostream* terminal() { return isatty(STDERR_FILENO) == 1 ? &std::cerr : nullptr; }

ProgressLine::ProgressLine(std::ostream* out, std::function<Clock::time_point()> now)
    : out_(out), now_(std::move(now)), next_(now_() + kQuiet) {}

ProgressLine::~ProgressLine() {
  if (width_ != 0) *out_ << '\r' << std::string(width_, ' ') << '\r' << std::flush;
}

void ProgressLine::update(const std::function<std::string()>& text) {
  if (!is_shown()) return;
  const Clock::time_point now = now_();
  if (now < next_) return;
  next_ = now + kInterval;
  std::string line = text();
  const size_t width = line.size();
  line.resize(std::max(width, width_), ' ');  // over what was longer
  width_ = width;
  *out_ << '\r' << line << std::flush;
}

void ProgressLine::update_runs(size_t done, size_t all) {
  update([=] { return fmt::format("{} of {} runs", done, all); });
}

void RunProgress::reached(model::Cycle now) {
  line_.update(
      [&] { return fmt::format("cycle {}, {} of {} warps finished", now, left_, warps_); });
}

}  // namespace shflsim::report
