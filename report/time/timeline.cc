// SPDX-License-Identifier: Apache-2.0
#include "report/time/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "report/terminal/text_table.h"
#include "report/time/marks.h"

namespace shflsim::report {
namespace {

using model::Cycle;
using model::WarpState;

constexpr Cycle kPartCycles = 100;  ///< cycles of a part if the screen sets no limit
constexpr Cycle kLeastCycles = 15;  ///< fewest cycles of a part, however narrow the screen
constexpr size_t kTextColumns = 26;
constexpr size_t kWaitColumns = 13;
constexpr size_t kMostWaitColumns = 40;  ///< however wide the screen
class Drawing {
 public:
  /// If the window has no end, only the first part is drawn and measured.
  Drawing(std::ostream& out, const isa::Code& code, const Pipeline& pipeline, Cycle end,
          bool has_end)
      : out_(out), code_(code), pipeline_(pipeline), end_(end) {
    // A part is at most this long.
    const size_t width = screen_of(out).width;
    const Cycle first = pipeline.window().from;
    const Cycle measured = has_end ? end : std::min(end, first + (width == 0 ? cycles_ : width));
    for_rows(first, measured, [this, measured](const PipelineWarp& warp, const PipelineRow& row) {
      label_ = std::max(label_, label_of(warp, row).size());
      text_ = std::max(text_, code_.lines[row.index()].text.size());
      waits_ = std::max(waits_, waits_of(warp, row, 0, measured).size());
    });
    fit();
  }

  Cycle cycles() const { return cycles_; }
  /// Draws the cycles from `from` on.
  void draw(Cycle from) {
    const Cycle to = std::min(end_, from + cycles_);
    ruler(from, to);
    for_rows(from, to, [&](const PipelineWarp& warp, const PipelineRow& row) {
      const std::string text = cut(code_.lines[row.index()].text, text_);
      const std::string waits = cut(waits_of(warp, row, from, to), waits_);
      out_ << fmt::format("{:<{}} ", label_of(warp, row), label_);
      write_marks(out_, cells_of(row, from, to));
      out_ << (waits.empty() ? " " + text : fmt::format(" {:<{}} {}", text, text_, waits)) << '\n';
    });
  }
  const std::set<char>& marks() const { return marks_; }

 private:
  template <class Action>
  void for_rows(Cycle from, Cycle to, const Action& action) const {
    for (const PipelineWarp& warp : pipeline_.warps()) {
      for (const PipelineRow& row : warp.rows) {
        if (row.begin() < to && row.end() > from) action(warp, row);
      }
    }
  }

  void fit() {
    const size_t width = screen_of(out_).width;
    waits_ = std::min(waits_, kMostWaitColumns);
    if (width == 0) return;
    text_ = std::min(text_, kTextColumns);
    waits_ = std::min(waits_, kWaitColumns);
    const size_t others = label_ + text_ + waits_ + 3;
    cycles_ = std::max<Cycle>(kLeastCycles, width > others ? (width - others) / 5 * 5 : 0);
  }

  static std::string cut(const std::string& text, size_t width) {
    return text.size() <= width ? text : text.substr(0, width - 3) + "...";
  }

  std::string label_of(const PipelineWarp& warp, const PipelineRow& row) const {
    return fmt::format("w{} {:04x}", warp.who.index, code_.lines[row.index()].address);
  }

  /// The waits as text: "s<0008 n<w2:0010".
  std::string waits_of(const PipelineWarp& warp, const PipelineRow& row, Cycle from,
                       Cycle to) const {
    std::string text;
    std::string last;
    for (const Wait& wait : row.waits) {
      if (!wait.on || wait.from >= to || wait.to <= from) continue;
      const uint32_t its = wait.on->id.warp;
      const std::string whose = its == warp.who.index ? "" : fmt::format("w{}:", its);
      const std::string one = fmt::format("{}<{}{:04x}", mark_of(wait.state), whose,
                                          code_.lines[wait.on->index].address);
      if (one != last) text += (text.empty() ? "" : " ") + one;
      last = one;
    }
    return text;
  }

  void ruler(Cycle from, Cycle to) {
    std::string tens(to - from, ' ');
    std::string ones;
    for (Cycle at = from; at < to; ++at) {
      ones += static_cast<char>('0' + at % 10);
      if (at % 10 != 0 && at != from) continue;
      const std::string number = fmt::format("{}", at);
      const bool is_free = tens.find_first_not_of(' ', at - from) == std::string::npos &&
                           (at == from || tens[at - from - 1] == ' ');
      if (is_free && at - from + number.size() <= tens.size())
        tens.replace(at - from, number.size(), number);
    }
    out_ << fmt::format("{:{}} {}\n", "", label_, tens.substr(0, tens.find_last_not_of(' ') + 1));
    out_ << fmt::format("{:{}} {}\n", "", label_, ones);
  }

  std::string cells_of(const PipelineRow& row, Cycle from, Cycle to) {
    std::string cells;
    for (Cycle at = from; at < to; ++at) cells += at % 5 == 0 ? '.' : ' ';
    const auto mark = [&](Cycle begin, Cycle end, auto&& sign) {
      for (Cycle at = std::max(begin, from); at < std::min(end, to); ++at) {
        cells[at - from] = sign(at);
        marks_.insert(sign(at));
      }
    };
    for (const StageTime& stage : row.stages()) {
      const bool has_passes = stage.kind == StageTime::Kind::kExecute && row.passes != 0;
      mark(stage.from, stage.to, [&](Cycle at) {
        if (!has_passes) return mark_of(stage.kind);
        return static_cast<char>('0' + ((at - row.first_pass) / row.interval + 1) % 10);
      });
      if (has_passes) marks_.insert(kPass);
    }
    for (const Wait& wait : row.waits)
      mark(wait.from, wait.to, [&](Cycle) { return mark_of(wait.state); });
    if (row.has_issued) mark(row.issue.cycle, row.issue.cycle + 1, [](Cycle) { return kIssue; });
    return cells;
  }

  std::ostream& out_;
  const isa::Code& code_;
  const Pipeline& pipeline_;
  const Cycle end_;
  size_t label_ = 0;
  size_t text_ = 0;
  size_t waits_ = 0;
  Cycle cycles_ = kPartCycles;
  std::set<char> marks_;
};

/// The warps as --timeline takes them: "0-3,7".
std::string text_of(const std::vector<Window::Warps>& warps) {
  std::string text;
  for (const Window::Warps& each : warps) {
    text += text.empty() ? "" : ",";
    text += each.first == each.last ? fmt::format("{}", each.first)
                                    : fmt::format("{}-{}", each.first, each.last);
  }
  return text.empty() ? "all" : text;
}

/// True if the window shows any of the first `warps` warps.
bool has_any(const Window& window, size_t warps) {
  return window.warps.empty() ||
         std::any_of(window.warps.begin(), window.warps.end(),
                     [warps](const Window::Warps& each) { return each.first < warps; });
}

/// "warps 0-3 of 8", only warps that exist.
std::string shown_warps(std::vector<Window::Warps> warps, size_t count) {
  warps.erase(std::remove_if(warps.begin(), warps.end(),
                             [count](const Window::Warps& each) { return each.first >= count; }),
              warps.end());
  for (Window::Warps& each : warps)
    each.last = std::min(each.last, static_cast<uint32_t>(count) - 1);
  return fmt::format("warps {} of {}", text_of(warps), count);
}

/// A window without an end gets one beyond the width of any screen.
Window shown_of(Window window) {
  if (window.to == model::kNever) window.to = window.from + 4 * kPartCycles;
  return window;
}

}  // namespace

Timeline::Timeline(const Window& window)
    : has_end_(window.to != model::kNever), pipeline_(shown_of(window)) {}

void Timeline::write(std::ostream& out, const Run& run) {
  pipeline_.finish();
  const Window& window = pipeline_.window();
  const Cycle end = std::min(window.to, run.result.cycles);
  out << '\n' << painted(out, Paint::kHeading, "Timeline");
  if (window.from >= end) {
    write_line(out, fmt::format(": nothing from cycle {} on; the run has {} cycles", window.from,
                                run.result.cycles));
    return;
  }
  const size_t warps = run.trace.warps.size();
  if (!has_any(window, warps)) {
    write_line(out, fmt::format(": no such warp; the run has warps 0-{}", warps - 1));
    return;
  }
  Drawing drawing(out, run.trace.code, pipeline_, end, has_end_);
  const Cycle shown = has_end_ ? end : std::min(end, window.from + drawing.cycles());
  std::string title = fmt::format(": cycles {} to {} of {}, {}", window.from, shown - 1,
                                  run.result.cycles, shown_warps(window.warps, warps));
  out << title << '\n';
  for (Cycle from = window.from; from < shown; from += drawing.cycles()) drawing.draw(from);
  write_wrapped(out, legend_of(drawing.marks()) +
                         "; s<0008: waits for the instruction at 0008, s<w2:0008: for warp 2's");
  if (!has_end_ && shown < run.result.cycles)
    write_wrapped(out,
                  fmt::format("It goes on with --timeline={},{}:", text_of(window.warps), shown));
}

Timelines::Timelines(const std::vector<Window>& windows) {
  for (const Window& each : windows) {
    if (!each.is_whole_run()) timelines_.emplace_back(each);
  }
  if (timelines_.size() < windows.size() || windows.empty())
    overview_ = std::make_unique<Overview>();
  if (overview_) observers_.add(overview_.get());
  for (Timeline& each : timelines_) observers_.add(each.observer());
  observers_.add(&path_);
}

void Timelines::write(std::ostream& out, const Run& run) {
  if (overview_) overview_->write(out, run);
  for (Timeline& each : timelines_) each.write(out, run);
  write_critical_path(out, run, path_.links(run.result));
}

}  // namespace shflsim::report
