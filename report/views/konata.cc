// SPDX-License-Identifier: Apache-2.0
// The pipeline as the Konata viewer shows it, a log of version 0004: a row for each warp
// instruction, warp by warp. Lane 0 has the stages: W waits to issue, Is issue, Q MIO queue, Op
// collects operands, Rd waits for its unit, Un in the unit's input queue, X executes, Wb on the way
// back. Lane 1 says what the warp waits for; an arrow leads there from the instruction that had to
// be done. The whole run is held: some 200 bytes a warp instruction, and several times that while
// the log is put together. Ids, by which the viewer puts
// two runs side by side, are a warp instruction's place in the trace, the same on every machine.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/pipeline.h"
#include "report/view.h"

namespace shflsim::report {
namespace {

using model::Cycle;

constexpr const char* kStages[] = {"Q", "Op", "Rd", "Un", "X", "Wb"};  // by StageTime::Kind

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
  RowWriter(const model::ResidentWarp& who, const PipelineRow& row, uint32_t number, uint64_t id,
            Log* log)
      : who_(who), row_(row), number_(number), id_(id), first_(row.begin()), log_(*log) {}

  static constexpr uint64_t kNone = ~uint64_t{0};

  /// `producer`: id of the row that it had its operands from last.
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
    Log log;
    uint64_t first = 0;  // id of the warp's first instruction
    for (size_t w = 0; w < pipeline_.warps().size(); ++w) {
      const PipelineWarp& warp = pipeline_.warps()[w];
      uint32_t number = warp.first;
      for (const PipelineRow& row : warp.rows) {
        const uint64_t id = first + number;
        RowWriter(warp.who, row, number++, id, &log)
            .write(run.trace.code.lines[row.index()], producer_of(warp, row, first));
      }
      first += length_of(run.trace, w);
    }
    return log.text();
  }

 private:
  /// Where it is a row of the log. `first`: id of the warp's first instruction.
  static uint64_t producer_of(const PipelineWarp& warp, const PipelineRow& row, uint64_t first) {
    for (auto wait = row.waits.rbegin(); wait != row.waits.rend() && row.has_issued; ++wait) {
      const bool is_result = wait->state == model::WarpState::kShortScoreboard ||
                             wait->state == model::WarpState::kLongScoreboard;
      if (!is_result || !wait->on) continue;
      return wait->on->id.number >= warp.first ? first + wait->on->id.number : RowWriter::kNone;
    }
    return RowWriter::kNone;
  }

  /// Of a trace that is not in memory, what the run came to.
  uint64_t length_of(const traces::Trace& trace, size_t warp) const {
    return trace.source == nullptr ? trace.warps[warp].steps.size()
                                   : pipeline_.warps()[warp].issued;
  }

  Pipeline pipeline_;
};

const bool registered = Views::add<Konata>("konata", "the pipeline, a log for the Konata viewer");

}  // namespace
}  // namespace shflsim::report
