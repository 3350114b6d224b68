// SPDX-License-Identifier: Apache-2.0
// Trace events for ui.perfetto.dev and chrome://tracing; a cycle is a microsecond. An SM is several
// processes, which a viewer can fold: the units that it shares, the shuffle unit first; each
// sub-partition; and its warps, each with what it waited for. A unit is one track, or as many
// tracks as it has entries in use at once. Arrows lead from a SHFL in its unit to the end of a wait
// for it. Counters show the depth of the MIO queues and the power of an SM's instructions.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "report/run/json_fields.h"
#include "report/run/report.h"
#include "report/run/view.h"
#include "report/time/pipeline.h"
#include "report/time/port_passes.h"
#include "report/views/trace_events.h"

namespace shflsim::report {
namespace {

using model::Cycle;
using model::kNever;

/// Most passes in a file with a track for each port, which has up to 32 slices per pass.
constexpr uint64_t kMostPasses = 10000;

/// Parts of a run for which the power is shown.
constexpr Cycle kPowerBins = 200;

/// Kinds of tracks, in the order in which they are shown.
enum class Unit : uint8_t {
  kIssue,
  kPair,
  kQueue,
  kOperands,
  kReady,
  kPipe,
  kInput,
  kPasses,
  kPort
};

struct Track {
  uint32_t process = 0;
  unsigned place = 0;  ///< sub-partition; the SM's own units follow
  Unit unit{};
  std::string name;

  auto key() const { return std::tie(process, place, unit, name); }
  bool operator<(const Track& other) const { return key() < other.key(); }
};

/// The use of a unit by an instruction.
struct Use {
  Cycle from = 0;
  Cycle to = 0;
  const PipelineRow* row = nullptr;
  uint32_t pass = 0;  ///< from 1 on; 0: not a pass
};

/// The operation without guard and operands: "SHFL.BFLY".
std::string operation_of(const isa::CodeLine& line) { return line.name + line.modifiers; }

/// The processes of an SM: its shared units, its sub-partitions, its warps.
constexpr uint32_t kProcesses = model::kSubPartitions + 2;
uint32_t process_of_shared(uint32_t sm) { return kProcesses * sm + 1; }
uint32_t process_of_part(const model::ResidentWarp& warp) {
  return process_of_shared(warp.sm) + 1 + warp.sub_partition;
}
uint32_t process_of_warps(uint32_t sm) { return kProcesses * (sm + 1); }

/// Sorts the activities of a run's rows by the hardware that performs them.
class Tracks {
 public:
  Tracks(const Run& run, const Pipeline& pipeline)
      : code_(run.trace.code),
        ports_(run.trace, run.result),
        has_ports_(passes_of(pipeline) <= kMostPasses) {
    for (const PipelineWarp& warp : pipeline.warps()) {
      for (const PipelineRow& row : warp.rows) add(warp.who, row);
    }
  }

  bool has_ports() const { return has_ports_; }
  const std::map<Track, std::vector<Use>>& all() const { return all_; }
  /// The changes of a queue's depth, by process and sub-partition, and by cycle.
  using Depths = std::map<std::pair<uint32_t, unsigned>, std::map<Cycle, int>>;
  const Depths& depths() const { return depths_; }

 private:
  static uint64_t passes_of(const Pipeline& pipeline) {
    uint64_t passes = 0;
    for (const PipelineWarp& warp : pipeline.warps()) {
      for (const PipelineRow& row : warp.rows) passes += row.passes;
    }
    return passes;
  }

  void add(const model::ResidentWarp& warp, const PipelineRow& row) {
    if (!row.has_issued) return;
    const isa::CodeLine& line = code_.lines[row.issue.index];
    const auto place = [&](Unit unit, const std::string& name, Cycle from, Cycle to) {
      const std::string where = fmt::format("sub{} {}", warp.sub_partition, name);
      all_[{process_of_part(warp), warp.sub_partition, unit, where}].push_back({from, to, &row, 0});
    };
    const bool is_pair = row.issue.is_second;
    place(is_pair ? Unit::kPair : Unit::kIssue, is_pair ? "issue, second of a pair" : "issue slot",
          row.issue.cycle, row.issue.cycle + 1);
    if (row.entered.front() != kNever && row.left_queue != kNever) {
      place(Unit::kQueue, "MIO queue", row.issue.cycle, row.left_queue);
      ++depths_[{process_of_part(warp), warp.sub_partition}][row.issue.cycle];
      --depths_[{process_of_part(warp), warp.sub_partition}][row.left_queue];
    }
    for (const StageTime& stage : row.stages()) {
      const std::string pipe = isa::pipe_name(line.pipe);
      switch (stage.kind) {
        case StageTime::Kind::kOperands:
          place(Unit::kOperands, "operand collector", stage.from, stage.to);
          break;
        case StageTime::Kind::kReady:
          place(Unit::kReady, "has operands", stage.from, stage.to);
          break;
        case StageTime::Kind::kWaiting:
          place(Unit::kInput, pipe + " input", stage.from, stage.to);
          break;
        case StageTime::Kind::kExecute:
          if (row.passes == 0) place(Unit::kPipe, pipe, stage.from, stage.to);
          break;
        default: break;
      }
    }
    if (row.passes != 0) add_passes(warp, row);
  }

  /// Adds the units that the sub-partitions share, the shuffle units first.
  void add_passes(const model::ResidentWarp& warp, const PipelineRow& row) {
    const isa::CodeLine& line = code_.lines[row.issue.index];
    const unsigned unit = line.is_shuffle() ? warp.sub_partition / ports_.cluster() : 0;
    const std::string name = line.is_shuffle() && ports_.cluster() < model::kSubPartitions
                                 ? fmt::format("{}{}", isa::pipe_name(line.pipe), unit)
                                 : isa::pipe_name(line.pipe);
    PortPasses::Ports ports;
    if (has_ports_) ports = ports_.of(row.issue);
    // If a pass of the network takes several cycles of the unit, the ports are left out.
    if (ports.size() != row.passes) ports.clear();
    for (uint32_t pass = 0; pass < row.passes; ++pass) {
      const Cycle from = row.first_pass + Cycle{pass} * row.interval;
      const Use use{from, from + row.interval, &row, pass + 1};
      const unsigned place = line.is_shuffle() ? unit : model::kSubPartitions;
      const Track track{process_of_shared(warp.sm), place, Unit::kPasses, name};
      for (const uint32_t port : pass < ports.size() ? ports[pass] : std::vector<uint32_t>{}) {
        Track its_port = track;
        its_port.unit = Unit::kPort;
        its_port.name = fmt::format("{} port {:3} {}", name, port, ports_.port_name(port));
        all_[its_port].push_back(use);
      }
      all_[track].push_back(use);
    }
  }

  const isa::Code& code_;
  PortPasses ports_;
  const bool has_ports_;
  std::map<Track, std::vector<Use>> all_;
  Depths depths_;
};

/// The first pass of each SHFL, by warp and number.
using Served = std::map<std::pair<uint32_t, uint32_t>, TraceEvents::Moment>;

std::string arguments_of(const isa::CodeLine& line, const Use& use) {
  const model::InstructionId id = use.row->issue.id;
  std::string text =
      fmt::format("\"pc\":\"{:04x}\",\"warp\":{},\"number\":{}", line.address, id.warp, id.number);
  if (use.pass != 0) text += fmt::format(",\"pass\":{},\"of\":{}", use.pass, use.row->passes);
  return text;
}

/// Writes a unit's uses without overlap: on further tracks if several are active at once.
void write_track(const isa::Code& code, const Track& track, std::vector<Use> uses, uint32_t* next,
                 TraceEvents* events, Served* served) {
  std::stable_sort(uses.begin(), uses.end(),
                   [](const Use& a, const Use& b) { return a.from < b.from; });
  const uint32_t first = *next;
  std::vector<Cycle> busy_until;
  for (const Use& use : uses) {
    const auto free = std::find_if(busy_until.begin(), busy_until.end(),
                                   [&use](Cycle until) { return until <= use.from; });
    const auto entry = static_cast<uint32_t>(free - busy_until.begin());
    if (free == busy_until.end()) {
      busy_until.push_back(0);
      events->name_track(track.process, first + entry,
                         entry == 0 ? track.name : fmt::format("{} ({})", track.name, entry + 1));
    }
    busy_until[entry] = use.to;
    const isa::CodeLine& line = code.lines[use.row->issue.index];
    events->slice(track.process, first + entry, use.from, use.to, operation_of(line),
                  arguments_of(line, use));
    if (track.unit == Unit::kPasses && use.pass == 1 && line.is_shuffle()) {
      const model::InstructionId id = use.row->issue.id;
      (*served)[{id.warp, id.number}] = {track.process, first + entry, use.from};
    }
  }
  *next += static_cast<uint32_t>(busy_until.size());
}

class Perfetto final : public View {
 public:
  bool show(const Window& window) override {
    pipeline_.show(window);
    return true;
  }
  model::Observer* observer() override { return &pipeline_; }

  std::string content(const Run& run) override {
    pipeline_.finish();
    const Tracks tracks(run, pipeline_);
    TraceEvents events(head_of(run, tracks));
    for (uint32_t sm = 0; sm < run.result.sms; ++sm) {
      events.name_process(process_of_shared(sm), fmt::format("sm{} shuffle, shared memory", sm));
      for (unsigned part = 0; part < model::kSubPartitions; ++part)
        events.name_process(process_of_shared(sm) + 1 + part,
                            fmt::format("sm{} sub-partition {}", sm, part));
      events.name_process(process_of_warps(sm), fmt::format("sm{} warps", sm));
    }
    uint32_t next = 1;
    Served served;
    for (const auto& [track, uses] : tracks.all())
      write_track(run.trace.code, track, uses, &next, &events, &served);
    write_depths(tracks, &events);
    write_power(run, &events);
    write_warps(run.trace.code, next, served, &events);
    return events.end("\n]}\n");
  }

 private:
  static std::string head_of(const Run& run, const Tracks& tracks) {
    Json other = {{"tool", "shflsim"},
                  {"version", tool_version()},
                  {"kernel", run.trace.code.name},
                  {"cycles", run.result.cycles},
                  {"time", "a microsecond is a cycle"}};
    if (!tracks.has_ports())
      other["ports"] = fmt::format("left out beyond {} passes; --window has fewer", kMostPasses);
    return "{\"displayTimeUnit\":\"ns\",\"otherData\":" +
           other.dump(-1, ' ', false, Json::error_handler_t::replace) + ",\"traceEvents\":[";
  }

  static void write_depths(const Tracks& tracks, TraceEvents* events) {
    for (const auto& [where, changes] : tracks.depths()) {
      int depth = 0;
      for (const auto& [cycle, change] : changes) {
        if (change == 0) continue;
        depth += change;
        events->count(where.first, fmt::format("sub{} MIO queue depth", where.second), cycle,
                      depth);
      }
    }
  }

  /// The power of each SM's instructions without idle power, as if an instruction took its energy
  /// when it issues; nothing if the chip's energies are unknown.
  void write_power(const Run& run, TraceEvents* events) const {
    if (run.result.energy.empty()) return;
    const Cycle width = std::max<Cycle>(1, run.result.cycles / kPowerBins);
    std::map<uint32_t, std::map<Cycle, double>> spent;  // by SM and bin, picojoules
    for (const PipelineWarp& warp : pipeline_.warps()) {
      std::map<Cycle, double>& bins = spent[warp.who.sm];
      for (const PipelineRow& row : warp.rows) {
        if (!row.has_issued) continue;
        bins[row.issue.cycle / width] += energy_of_issue(run, row.issue.index);
        bins.try_emplace(row.issue.cycle / width + 1, 0);
      }
    }
    const double seconds = static_cast<double>(width) / clock_of(run);
    for (const auto& [sm, bins] : spent) {
      for (const auto& [bin, picojoules] : bins)
        events->power(process_of_shared(sm), bin * width, picojoules / 1e12 / seconds);
    }
  }

  static double energy_of_issue(const Run& run, uint32_t index) {
    return static_cast<double>(run.result.count("energy_pj", index)) /
           static_cast<double>(run.result.instructions[index].issued);
  }

  /// The clock rate in hertz.
  static double clock_of(const Run& run) {
    for (const model::ConfigValue& each : run.result.config) {
      if (each.key == "technology.clock") return 1e6 * std::stod(each.value);
    }
    return 1e9;
  }

  void write_warps(const isa::Code& code, uint32_t first, const Served& served,
                   TraceEvents* events) const {
    for (const PipelineWarp& warp : pipeline_.warps()) {
      if (warp.rows.empty()) continue;
      const uint32_t process = process_of_warps(warp.who.sm);
      const uint32_t track = first + warp.who.index;
      events->name_track(process, track,
                         fmt::format("warp {} (block {})", warp.who.index, warp.who.block));
      for (const PipelineRow& row : warp.rows) {
        for (const Wait& wait : row.waits) {
          events->slice(process, track, wait.from, wait.to, model::warp_state_name(wait.state),
                        arguments_of_wait(code, wait));
          if (!wait.on) continue;
          const auto shuffle = served.find({wait.on->id.warp, wait.on->id.number});
          if (shuffle != served.end() && wait.state == model::WarpState::kShortScoreboard)
            events->arrow(shuffle->second, {process, track, wait.to - 1},
                          operation_of(code.lines[wait.on->index]));
        }
      }
    }
  }

  static std::string arguments_of_wait(const isa::Code& code, const Wait& wait) {
    std::string text = fmt::format("\"pc\":\"{:04x}\"", code.lines[wait.index].address);
    if (wait.on)
      text += fmt::format(",\"for\":\"{:04x}\",\"for_warp\":{},\"for_number\":{}",
                          code.lines[wait.on->index].address, wait.on->id.warp, wait.on->id.number);
    return text;
  }

  Pipeline pipeline_;
};

const bool perfetto_registered = Views::add<Perfetto>(
    "perfetto", "trace events for ui.perfetto.dev: a track for each hardware unit and warp");

}  // namespace
}  // namespace shflsim::report
