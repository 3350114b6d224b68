// SPDX-License-Identifier: Apache-2.0
// The pipeline for the Konata viewer, as a log of version 0004: a row for each warp instruction,
// warp by warp. Lane 0 has the stages: W waits to issue, Is issue, Q MIO queue, Op collects
// operands, Rd waits for its unit, Un in the unit's input queue, X executes, Wb result on its way
// back. Lane 1 says what the warp waits for; an arrow leads there from the instruction that had to
// finish. An id is the place of a warp instruction in the trace, the same on every machine; the
// viewer aligns two runs by it. Memory: about 300 bytes per shown warp instruction, and the log,
// which is as large or twice as large.
#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

#include "report/run/view.h"
#include "report/time/pipeline.h"

namespace shflsim::report {
namespace {

using model::Cycle;

constexpr const char* kStages[] = {"Q", "Op", "Rd", "Un", "X", "Wb"};  // by StageTime::Kind

/// The log, sorted by time and then by id. Rows arrive in the order of their beginnings, and lines
/// of later cycles wait.
class Log {
 public:
  /// Begins a row; nothing that is added to it is before `begin`.
  void start_row(uint64_t id, Cycle begin) {
    write_before(begin);
    id_ = id;
  }
  template <class... Arguments>
  void add(Cycle cycle, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    ahead_.push({cycle, id_, lines_++, fmt::format(format, std::forward<Arguments>(arguments)...)});
  }
  std::string text() {
    write_before(model::kNever);
    return std::move(text_);
  }

 private:
  struct Line {
    Cycle cycle;
    uint64_t id;
    uint64_t number;
    std::string text;

    bool operator<(const Line& other) const {  // the greatest is on top of the queue
      return std::tie(cycle, id, number) > std::tie(other.cycle, other.id, other.number);
    }
  };

  void write_before(Cycle cycle) {
    for (; !ahead_.empty() && ahead_.top().cycle < cycle; ahead_.pop()) {
      const Line& line = ahead_.top();
      if (line.cycle != now_) text_ += fmt::format("C\t{}\n", line.cycle - now_);
      now_ = line.cycle;
      text_ += line.text;
      text_ += '\n';
    }
  }

  std::priority_queue<Line> ahead_;
  uint64_t id_ = 0;
  uint64_t lines_ = 0;
  Cycle now_ = 0;
  std::string text_ = "Kanata\t0004\nC=\t0\n";
};

/// Writes one row; `id` is its number.
class RowWriter {
 public:
  RowWriter(const model::ResidentWarp& who, const PipelineRow& row, uint32_t number, uint64_t id,
            Log* log)
      : who_(who), row_(row), number_(number), id_(id), first_(row.begin()), log_(*log) {}

  static constexpr uint64_t kNone = ~uint64_t{0};

  /// `producer`: id of the row that produced its last operand.
  void write(const isa::CodeLine& line, uint64_t producer) {
    begin(line);
    wait();
    if (row_.has_issued) log_.add(row_.issue.cycle, "S\t{}\t0\tIs", id_);
    for (const StageTime& stage : row_.stages()) {
      log_.add(stage.from, "S\t{}\t0\t{}", id_, kStages[static_cast<size_t>(stage.kind)]);
      if (stage.kind == StageTime::Kind::kExecute && row_.passes != 0)
        log_.add(stage.from, "L\t{}\t2\tpasses: {}", id_, row_.passes);
    }
    if (producer != kNone) log_.add(row_.issue.cycle, "W\t{}\t{}\t0", id_, producer);
    const bool counts = row_.has_issued && row_.issue.lanes != 0;
    log_.add(row_.end(), "R\t{0}\t{0}\t{1}", id_, counts ? 0 : 1);
  }

 private:
  void begin(const isa::CodeLine& line) {
    log_.add(first_, "I\t{}\t{}\t{}", id_, number_, who_.index);
    log_.add(first_, "L\t{}\t0\tsm{}.{} b{} w{} {:04x}: {}", id_, who_.sm, who_.sub_partition,
             who_.block, who_.warp, line.address, line.text);
    log_.add(first_, "L\t{}\t1\tslot {}, lanes {:08x}{}", id_, who_.slot, row_.issue.lanes,
             row_.issue.is_second ? ", second of a pair" : "");
  }

  void wait() {
    if (!row_.has_issued || first_ != row_.issue.cycle) log_.add(first_, "S\t{}\t0\tW", id_);
    for (const Wait& wait : row_.waits) {
      log_.add(wait.from, "S\t{}\t1\t{}", id_, model::warp_state_name(wait.state));
      log_.add(wait.to, "E\t{}\t1\t{}", id_, model::warp_state_name(wait.state));
    }
  }

  const model::ResidentWarp& who_;
  const PipelineRow& row_;
  const uint32_t number_;
  const uint64_t id_;
  const Cycle first_;
  Log& log_;
};

class Konata final : public View {
 public:
  bool show(const Window& window) override {
    pipeline_.show(window);
    return true;
  }
  model::Observer* observer() override { return &pipeline_; }

  std::string content(const Run& run) override {
    pipeline_.finish();
    const std::vector<PipelineWarp>& warps = pipeline_.warps();
    std::vector<uint64_t> first(warps.size());  // id of each warp's first instruction
    for (size_t w = 1; w < warps.size(); ++w) first[w] = first[w - 1] + length_of(run.trace, w - 1);
    Log log;
    for (const Place& place : by_beginning()) {
      const PipelineWarp& warp = warps[place.warp];
      const PipelineRow& row = warp.rows[place.row];
      const uint32_t number = warp.first + place.row;
      const uint64_t id = first[place.warp] + number;
      log.start_row(id, place.begin);
      RowWriter(warp.who, row, number, id, &log)
          .write(run.trace.code.lines[row.index()], producer_of(warp, row, first[place.warp]));
    }
    return log.text();
  }

 private:
  struct Place {
    Cycle begin = 0;
    uint32_t warp = 0;
    uint32_t row = 0;
  };
  std::vector<Place> by_beginning() const {
    std::vector<Place> places;
    for (uint32_t w = 0; w < pipeline_.warps().size(); ++w) {
      const std::deque<PipelineRow>& rows = pipeline_.warps()[w].rows;
      for (uint32_t r = 0; r < rows.size(); ++r) places.push_back({rows[r].begin(), w, r});
    }
    std::stable_sort(places.begin(), places.end(),
                     [](const Place& a, const Place& b) { return a.begin < b.begin; });
    return places;
  }

  /// The id of the row, if it is in the log. `first`: id of the warp's first instruction.
  static uint64_t producer_of(const PipelineWarp& warp, const PipelineRow& row, uint64_t first) {
    for (auto wait = row.waits.rbegin(); wait != row.waits.rend() && row.has_issued; ++wait) {
      const bool is_result = wait->state == model::WarpState::kShortScoreboard ||
                             wait->state == model::WarpState::kLongScoreboard;
      if (!is_result || !wait->on) continue;
      return wait->on->id.number >= warp.first ? first + wait->on->id.number : RowWriter::kNone;
    }
    return RowWriter::kNone;
  }

  /// The steps of the warp; if the trace is not in memory, those that the run reached.
  uint64_t length_of(const traces::Trace& trace, size_t warp) const {
    if (trace.source == nullptr) return trace.warps[warp].steps.size();
    const PipelineWarp& its = pipeline_.warps()[warp];
    return std::max<uint64_t>(its.issued, its.first + its.rows.size());
  }

  Pipeline pipeline_;
};

const bool konata_registered =
    Views::add<Konata>("konata", "the pipeline, a log for the Konata viewer");

}  // namespace
}  // namespace shflsim::report
