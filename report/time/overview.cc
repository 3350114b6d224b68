// SPDX-License-Identifier: Apache-2.0
#include "report/time/overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/terminal/screen.h"
#include "report/terminal/text_table.h"
#include "report/time/marks.h"

namespace shflsim::report {
namespace {

constexpr size_t kColumnsWithoutScreen = 100;
constexpr size_t kLeastColumns = 20;
constexpr model::Cycle kHintCycles = 40;
constexpr size_t kRulerCells = 10;  ///< cells from one number to the next

/// The state with the most cycles in a range of bins; kCount if there are no cycles.
model::WarpState most_in(const std::vector<std::vector<uint64_t>>& bins, size_t first,
                         size_t last) {
  uint64_t most = 0;
  model::WarpState state = model::WarpState::kCount;
  for (const model::WarpState each : all_states()) {
    uint64_t cycles = 0;
    const std::vector<uint64_t>& its = bins[static_cast<size_t>(each)];
    for (size_t bin = first; bin < std::min(last, its.size()); ++bin) cycles += its[bin];
    if (cycles > most) {
      most = cycles;
      state = each;
    }
  }
  return state;
}

/// The first cycle of every tenth cell.
std::string ruler(model::Cycle end, model::Cycle cell) {
  std::string text;
  for (size_t at = 0; at * cell < end; at += kRulerCells) {
    text.resize(std::max(text.size(), at), ' ');
    if (text.size() == at) text += fmt::format("{} ", at * cell);
  }
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

}  // namespace

std::shared_ptr<void> Overview::elaborate(const traces::Trace& trace,
                                          const model::RunResult& /*result*/) {
  trace_ = &trace;
  return nullptr;
}

void Overview::stood(const model::ResidentWarp& warp, uint32_t /*index*/, model::WarpState state,
                     model::Cycle from, model::Cycle to) {
  if (warp.index >= kMostWarps || from >= to) return;
  if (rows_.size() <= warp.index) rows_.resize(warp.index + 1);
  Row& row = rows_[warp.index];
  row.begin = std::min(row.begin, from);
  row.end = std::max(row.end, to);
  row.states.add(static_cast<size_t>(state), from, to);
}

void Overview::issued(const model::ResidentWarp& /*warp*/, const model::Issue& issue) {
  if (trace_->code.lines[issue.index].is_shuffle()) shuffles_.add(0, issue.cycle, issue.cycle + 1);
}

void Overview::write(std::ostream& out, const Run& run) const {
  const model::Cycle end = run.result.cycles;
  out << '\n' << painted(out, Paint::kHeading, "Timeline");
  if (end == 0 || rows_.empty()) {
    write_line(out, ": the run has no cycles");
    return;
  }
  const std::string last_warp = fmt::format("w{} ", rows_.size() - 1);
  const size_t screen = screen_of(out).width;
  const size_t columns =
      screen == 0 ? kColumnsWithoutScreen : std::max(kLeastColumns, screen - last_warp.size());
  model::Cycle bin = 1;  // the widest bin of the rows
  for (const Row& row : rows_) bin = std::max(bin, row.states.width());
  const model::Cycle bins_a_cell = (end + bin * columns - 1) / (bin * columns);
  const model::Cycle cell = bin * bins_a_cell;
  out << fmt::format(": all {} cycles, {} cycle{} a letter, {} of {} warps\n", end, cell,
                     cell == 1 ? "" : "s", rows_.size(), run.trace.warps.size());
  out << std::string(last_warp.size(), ' ') << ruler(end, cell) << '\n';
  std::set<char> marks;
  for (size_t warp = 0; warp < rows_.size(); ++warp) write_warp(out, warp, end, cell, &marks);
  marks.erase(' ');
  write_wrapped(out, legend_of(marks));
  write_hint(out, end);
}

void Overview::write_warp(std::ostream& out, size_t warp, model::Cycle end, model::Cycle cell,
                          std::set<char>* marks) const {
  const Row& row = rows_[warp];
  const size_t bins_a_cell = cell / row.states.width();
  const auto bins = row.states.over(end);
  std::string letters;
  for (size_t first = 0; first * row.states.width() < end; first += bins_a_cell) {
    const model::WarpState state = most_in(bins, first, first + bins_a_cell);
    letters += state == model::WarpState::kCount ? ' ' : mark_of(state);
    marks->insert(letters.back());
  }
  const size_t label = fmt::format("w{} ", rows_.size() - 1).size();
  out << fmt::format("{:<{}}", fmt::format("w{}", warp), label);
  write_marks(out, letters);
  out << '\n';
}

/// Names the bin in which the most SHFLs issue.
void Overview::write_hint(std::ostream& out, model::Cycle end) const {
  const std::vector<uint64_t> shuffles = shuffles_.over(end).front();
  const auto most = std::max_element(shuffles.begin(), shuffles.end());
  if (*most == 0) return;
  const model::Cycle width = std::max<model::Cycle>(shuffles_.width(), kHintCycles);
  const model::Cycle middle =
      static_cast<model::Cycle>(most - shuffles.begin()) * shuffles_.width();
  const model::Cycle from = middle > width / 4 ? middle - width / 4 : 0;
  write_wrapped(out, fmt::format("Most SHFLs issue about cycle {}: --timeline=0-3,{}:{} shows them",
                                 middle, from, std::min(end, from + width)));
}

}  // namespace shflsim::report
