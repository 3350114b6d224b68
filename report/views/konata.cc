// SPDX-License-Identifier: Apache-2.0
// The pipeline as the Konata viewer shows it, a log of version 0004: a row for each warp
// instruction, warp by warp. Lane 0 has the stages: W waits to issue, Is issue, Q MIO queue, Op
// collects operands, Rd waits for its unit, Un in the unit's input queue, X executes, Wb on the way
// back. Lane 1 says what the warp waits for. The whole run is held: some 150 bytes a warp
// instruction, and several times that while the log is put together.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "report/view.h"

namespace shflsim::report {
namespace {

using model::Cycle;
using model::kNever;
using model::Stage;
using model::WarpState;

struct Wait {
  WarpState state;
  Cycle from;
  Cycle to;
};

/// What is known of a warp instruction.
struct Row {
  std::vector<Wait> waits;  ///< before it issues; of a warp's last one also behind it
  model::Issue issue;
  std::array<Cycle, 4> entered = {kNever, kNever, kNever, kNever};  ///< by Stage
  uint32_t passes = 0;  ///< of its unit, where there are any: their first cycle...
  Cycle first_pass = 0;
  Cycle last_pass = 0;  ///< ... and the one behind the last
  Cycle result = 0;     ///< 0: its latency is not taken
};

/// A stage of the viewer, behind the issue.
struct Mark {
  const char* stage;
  Cycle from;
};
/// In their order.
std::vector<Mark> marks_of(const Row& row) {
  constexpr const char* kNames[] = {"Q", "Op", "Rd", "Un"};
  std::vector<Mark> marks;
  for (size_t s = 0; s < row.entered.size(); ++s) {
    if (row.entered[s] != kNever) marks.push_back({kNames[s], row.entered[s]});
  }
  if (row.passes == 0) {
    if (marks.empty()) marks.push_back({"X", row.issue.cycle + 1});
    if (row.entered.back() != kNever) marks.back().stage = "X";
  } else {
    marks.push_back({"X", row.first_pass});
    marks.push_back({"Wb", row.last_pass});
  }
  return marks;
}

struct Warp {
  model::ResidentWarp who;
  std::vector<Wait> waits;  ///< since the last issue
  std::vector<Row> rows;
};

/// The log's lines, which are in the order of time.
class Log {
 public:
  template <class... Arguments>
  void add(Cycle cycle, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    lines_.push_back({cycle, fmt::format(format, std::forward<Arguments>(arguments)...)});
  }
  std::string text() {
    std::stable_sort(lines_.begin(), lines_.end(),
                     [](const Line& a, const Line& b) { return a.cycle < b.cycle; });
    std::string text = "Kanata\t0004\nC=\t0\n";
    Cycle now = 0;
    for (const Line& line : lines_) {
      if (line.cycle != now) text += fmt::format("C\t{}\n", line.cycle - now);
      now = line.cycle;
      text += line.text + "\n";
    }
    return text;
  }

 private:
  struct Line {
    Cycle cycle;
    std::string text;
  };
  std::vector<Line> lines_;
};

/// Writes one row; `id` is its number.
class RowWriter {
 public:
  RowWriter(const Warp& warp, const Row& row, uint64_t id, Log* log)
      : warp_(warp), row_(row), id_(id), log_(*log) {}

  void write(const isa::CodeLine& line) {
    begin(line);
    wait();
    log_.add(row_.issue.cycle, "S\t{}\t0\tIs", id_);
    end_ = row_.issue.cycle + 1;
    show(marks_of(row_));
    end_ = std::max(end_, row_.result);
    for (const Wait& behind : row_.waits) end_ = std::max(end_, behind.to);
    log_.add(end_, "R\t{0}\t{0}\t{1}", id_, row_.issue.lanes == 0 ? 1 : 0);
  }

 private:
  void begin(const isa::CodeLine& line) {
    const model::ResidentWarp& who = warp_.who;
    first_ = row_.issue.cycle;
    if (!row_.waits.empty()) first_ = std::min(first_, row_.waits.front().from);
    log_.add(first_, "I\t{}\t{}\t{}", id_, row_.issue.id.number, who.index);
    log_.add(first_, "L\t{}\t0\tsm{}.{} b{} w{} {:04x}: {}", id_, who.sm, who.sub_partition,
             who.block, who.warp, line.address, line.text);
    log_.add(first_, "L\t{}\t1\tslot {}, lanes {:08x}{}", id_, who.slot, row_.issue.lanes,
             row_.issue.is_second ? ", second of a pair" : "");
  }

  void wait() {
    if (first_ != row_.issue.cycle) log_.add(first_, "S\t{}\t0\tW", id_);
    for (const Wait& wait : row_.waits) {
      log_.add(wait.from, "S\t{}\t1\t{}", id_, model::warp_state_name(wait.state));
      log_.add(wait.to, "E\t{}\t1\t{}", id_, model::warp_state_name(wait.state));
    }
  }

  /// A stage that is over before it can be seen is left out.
  void show(const std::vector<Mark>& marks) {
    for (size_t m = 0; m < marks.size(); ++m) {
      const Cycle from = std::max(marks[m].from, end_);
      const Cycle until = m + 1 == marks.size() ? row_.result : marks[m + 1].from;
      if (until <= from) continue;
      end_ = from;
      log_.add(from, "S\t{}\t0\t{}", id_, marks[m].stage);
      if (row_.passes != 0 && marks[m].stage[0] == 'X')
        log_.add(from, "L\t{}\t2\tpasses: {}", id_, row_.passes);
    }
  }

 private:
  const Warp& warp_;
  const Row& row_;
  const uint64_t id_;
  Log& log_;
  Cycle first_ = 0;
  Cycle end_ = 0;
};

class Konata final : public View, public model::Observer {
 public:
  model::Observer* observer() override { return this; }

  void warp_started(const model::ResidentWarp& warp, Cycle /*now*/) override {
    if (warps_.size() <= warp.index) warps_.resize(warp.index + 1);
    warps_[warp.index].who = warp;
  }
  void warp_left(const model::ResidentWarp& warp, Cycle /*now*/) override {
    Warp& its = warps_[warp.index];
    if (its.rows.empty()) return;
    Row& last = its.rows.back();
    last.waits.insert(last.waits.end(), its.waits.begin(), its.waits.end());
  }
  void stood(const model::ResidentWarp& warp, uint32_t /*index*/, WarpState state, Cycle from,
             Cycle to) override {
    if (state != WarpState::kSelected) warps_[warp.index].waits.push_back({state, from, to});
  }
  void issued(const model::ResidentWarp& warp, const model::Issue& issue) override {
    Warp& its = warps_[warp.index];
    Row row;
    row.issue = issue;
    row.waits.swap(its.waits);
    its.rows.push_back(std::move(row));
  }
  void entered(model::InstructionId id, Stage stage, Cycle from) override {
    row_of(id).entered[static_cast<size_t>(stage)] = from;
  }
  void passes(model::InstructionId id, Cycle first, uint32_t count, uint32_t interval) override {
    Row& row = row_of(id);
    row.passes = count;
    row.first_pass = first;
    row.last_pass = first + Cycle{count} * interval;
  }
  void done(model::InstructionId id, Cycle result) override { row_of(id).result = result; }

  std::string content(const Run& run) override {
    Log log;
    uint64_t id = 0;
    for (const Warp& warp : warps_) {
      for (const Row& row : warp.rows)
        RowWriter(warp, row, id++, &log).write(run.trace.code.lines[row.issue.index]);
    }
    return log.text();
  }

 private:
  Row& row_of(model::InstructionId id) {
    assert(id.warp < warps_.size() && id.number < warps_[id.warp].rows.size() && "has issued");
    return warps_[id.warp].rows[id.number];
  }

  std::vector<Warp> warps_;  ///< by ResidentWarp::index
};

const bool registered = Views::add<Konata>("konata", "the pipeline, a log for the Konata viewer");

}  // namespace
}  // namespace shflsim::report
