// SPDX-License-Identifier: Apache-2.0
#include "report/terminal/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <utility>

#include "report/terminal/screen.h"

namespace shflsim::report {
namespace {

constexpr std::chrono::milliseconds kQuiet{2000};
constexpr std::chrono::milliseconds kInterval{500};
constexpr std::chrono::milliseconds kPlainInterval{10000};

ProgressKind& chosen_kind() {
  static ProgressKind kind = ProgressKind::kTerminal;
  return kind;
}

/// "950", "1.5 k", "12.0 M".
std::string amount(double number) {
  if (number >= 1e6) return fmt::format("{:.1f} M", number / 1e6);
  if (number >= 1e3) return fmt::format("{:.1f} k", number / 1e3);
  return fmt::format("{:.{}f}", number, number < 10 ? 1 : 0);
}

/// ", 45.0 k cycles/s"
std::string rate(uint64_t done, double seconds, const std::string& unit) {
  if (done == 0 || seconds <= 0) return "";
  return fmt::format(", {} {}/s", amount(static_cast<double>(done) / seconds), unit);
}

/// ", 1:05 left", assuming that the rest takes as long as the work so far.
std::string left(uint64_t done, uint64_t all, double seconds) {
  if (done == 0 || done >= all) return "";
  const double rest = seconds * static_cast<double>(all - done) / static_cast<double>(done);
  const auto whole = static_cast<uint64_t>(std::llround(rest));
  if (whole < 60) return fmt::format(", {} s left", whole);
  if (whole < 3600) return fmt::format(", {}:{:02} min left", whole / 60, whole % 60);
  return fmt::format(", {}:{:02} h left", whole / 3600, whole / 60 % 60);
}

}  // namespace

void set_progress(ProgressKind kind) { chosen_kind() = kind; }

void show_progress_in_logs() {
  if (chosen_kind() == ProgressKind::kTerminal && isatty(STDERR_FILENO) != 1)
    chosen_kind() = ProgressKind::kPlain;
}

std::ostream* progress_out() {
  const ProgressKind kind = chosen_kind();
  const bool is_shown = kind == ProgressKind::kPlain ||
                        (kind == ProgressKind::kTerminal && isatty(STDERR_FILENO) == 1);
  return is_shown ? &std::cerr : nullptr;
}

ProgressLine::ProgressLine(std::ostream* out, std::function<Clock::time_point()> now)
    : out_(out),
      is_plain_(chosen_kind() == ProgressKind::kPlain),
      now_(std::move(now)),
      start_(now_()),
      next_(start_ + (is_plain_ ? kPlainInterval : kQuiet)) {}

ProgressLine::~ProgressLine() {
  if (width_ != 0) *out_ << '\r' << std::string(width_, ' ') << '\r' << std::flush;
}

void ProgressLine::update(const std::function<std::string(double)>& text) {
  if (!is_shown()) return;
  const Clock::time_point now = now_();
  if (now < next_) return;
  next_ = now + (is_plain_ ? kPlainInterval : kInterval);
  std::string line = text(std::chrono::duration<double>(now - start_).count());
  if (is_plain_) {
    *out_ << line << std::endl;
    return;
  }
  const size_t screen = screen_of(*out_).width;
  if (screen != 0) line.resize(std::min(line.size(), screen - 1));  // a wrapped line would remain
  const size_t width = line.size();
  line.resize(std::max(width, width_), ' ');  // overwrites a longer line
  width_ = width;
  *out_ << '\r' << line << std::flush;
}

void ProgressLine::update_count(uint64_t done, uint64_t all, const std::string& unit) {
  update([&](double seconds) {
    const std::string of = all == 0 ? "" : fmt::format(" of {}", all);
    return fmt::format("{}{} {}", done, of, unit) + rate(done, seconds, unit) +
           left(done, all, seconds);
  });
}

void RunProgress::reached(model::Cycle now) {
  line_.update([&](double seconds) {
    return fmt::format("cycle {}{}, {} of {} warps finished{}", now, rate(now, seconds, "cycles"),
                       left_.load(), warps_, left(left_, warps_, seconds));
  });
}

}  // namespace shflsim::report
