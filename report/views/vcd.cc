// SPDX-License-Identifier: Apache-2.0
// Value changes for a waveform viewer, written by SystemC's tracing: after the run, a small
// separate simulation replays the observed window, with a cycle as a nanosecond. States are
// numbers: 0 no warp, then from 1 on in the order of model::WarpState.
#include <fmt/format.h>
#include <unistd.h>

#include <sysc/tracing/sc_tracing_ids.h>
#include <algorithm>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <tuple>

#include "model/core/simulation.h"
#include "report/run/view.h"
#include "report/time/pipeline.h"

namespace shflsim::report {
namespace {

using model::Cycle;
using model::kNever;
using model::WarpState;

struct Change {
  Cycle cycle = 0;
  bool is_set = false;  ///< a change that begins in a cycle hides one that ends in it
  size_t signal = 0;
  uint32_t value = 0;

  auto key() const { return std::tie(cycle, is_set, signal); }
  bool operator<(const Change& other) const { return key() < other.key(); }
};

/// Signals of the machine, 0 where nothing is known, and their changes in a window.
class Waves {
 public:
  Waves(const isa::Code& code, const Pipeline& pipeline, Cycle end)
      : code_(code), from_(pipeline.window().from), to_(std::min(pipeline.window().to, end)) {
    for (const PipelineWarp& warp : pipeline.warps()) {
      for (const PipelineRow& row : warp.rows) add(warp.who, row);
    }
    for (const auto& [name, changes] : depths_) add_depth(name, changes);
    std::stable_sort(changes_.begin(), changes_.end());
  }

  struct Signal {
    std::string name;
    int bits = 1;
  };
  /// The signals by name.
  std::vector<Signal> signals() const {
    std::vector<Signal> all(signals_.size());
    for (const auto& [name, signal] : signals_) all[signal.first] = {name, signal.second};
    return all;
  }
  const std::vector<Change>& changes() const { return changes_; }
  Cycle end() const { return to_; }

 private:
  void add(const model::ResidentWarp& warp, const PipelineRow& row) {
    const std::string sm = fmt::format("sm{}.", warp.sm);
    const std::string part = fmt::format("{}sub{}.", sm, warp.sub_partition);
    const std::string slot = fmt::format("{}slot{}.", part, warp.slot);
    for (const Wait& wait : row.waits) add_state(slot, wait.index, wait.state, wait.from, wait.to);
    if (!row.has_issued) return;
    const Cycle now = row.issue.cycle;
    const std::string issue = part + (row.issue.is_second ? "pair." : "issue.");
    hold(issue + "valid", 1, 1, now, now + 1);
    hold(issue + "pc", 32, code_.lines[row.issue.index].address, now, now + 1);
    hold(issue + "warp", 32, warp.index, now, now + 1);
    if (!row.issue.is_second) add_state(slot, row.issue.index, WarpState::kSelected, now, now + 1);
    if (row.entered.front() != kNever && row.left_queue != kNever) {
      ++depths_[part + "mio_queue_depth"][now];
      --depths_[part + "mio_queue_depth"][row.left_queue];
    }
    const std::string unit = sm + isa::pipe_name(code_.lines[row.issue.index].pipe);
    for (uint32_t pass = 0; pass < row.passes; ++pass) {
      const Cycle first = row.first_pass + Cycle{pass} * row.interval;
      hold(fmt::format("{}.sub{}.pass", unit, warp.sub_partition), 16, pass + 1, first,
           first + row.interval);
    }
  }

  void add_state(const std::string& slot, uint32_t index, WarpState state, Cycle from, Cycle to) {
    hold(slot + "state", 8, static_cast<uint32_t>(state) + 1, from, to);
    hold(slot + "pc", 32, code_.lines[index].address, from, to);
  }

  void add_depth(const std::string& name, const std::map<Cycle, int>& changes) {
    int depth = 0;
    for (auto at = changes.begin(); at != changes.end(); ++at) {
      depth += at->second;
      const auto next = std::next(at);
      hold(name, 8, static_cast<uint32_t>(depth), at->first,
           next == changes.end() ? at->first + 1 : next->first);
    }
  }

  /// Sets the signal to this value from `from` to before `to`.
  void hold(const std::string& name, int bits, uint32_t value, Cycle from, Cycle to) {
    from = std::max(from, from_);
    to = std::min(to, to_);
    if (from >= to) return;
    const auto [at, is_new] = signals_.try_emplace(name, signals_.size(), bits);
    changes_.push_back({from, true, at->second.first, value});
    changes_.push_back({to, false, at->second.first, 0});
  }

  const isa::Code& code_;
  const Cycle from_;
  const Cycle to_;
  std::map<std::string, std::pair<size_t, int>> signals_;
  std::map<std::string, std::map<Cycle, int>> depths_;
  std::vector<Change> changes_;
};

/// Replays the changes of the traced values.
class Playback : public sc_core::sc_module {
 public:
  Playback(const sc_core::sc_module_name& name, const Waves& waves)
      : sc_module(name), values(waves.signals().size()), waves_(waves) {
    SC_HAS_PROCESS(Playback);
    SC_METHOD(play);
  }

  std::vector<uint32_t> values;  ///< by signal

 private:
  void play() {
    const std::vector<Change>& all = waves_.changes();
    while (next_ < all.size() && all[next_].cycle == now_) {
      values[all[next_].signal] = all[next_].value;
      ++next_;
    }
    const Cycle next = next_ < all.size() ? all[next_].cycle : waves_.end();
    if (next <= now_) return;
    next_trigger(sc_core::sc_time(static_cast<double>(next - now_), sc_core::SC_NS));
    now_ = next;
  }

  const Waves& waves_;
  size_t next_ = 0;
  Cycle now_ = 0;
};

/// A folder that the destructor removes.
class Folder {
 public:
  Folder() {
    std::string name = std::filesystem::temp_directory_path() / "shflsim-XXXXXX";
    if (mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("cannot make a folder in " +
                               std::filesystem::temp_directory_path().string());
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The text without the block that says when it was written.
std::string without_date(std::string text) {
  const size_t begin = text.find("$date");
  const size_t end = text.find("$end", begin);
  if (begin == std::string::npos || end == std::string::npos) return text;
  return text.erase(begin, text.find_first_not_of('\n', end + 4) - begin);
}

std::string traced(const Waves& waves) {
  const Folder folder;
  const model::Simulation simulation;
  // SystemC announces the chosen unit on standard output.
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_TRACING_TIMESCALE_UNIT_,
                                          sc_core::SC_DO_NOTHING);
  Playback playback("playback", waves);
  sc_core::sc_trace_file* file =
      sc_core::sc_create_vcd_trace_file((folder.path() + "/run").c_str());
  file->set_time_unit(1, sc_core::SC_NS);
  const std::vector<Waves::Signal> signals = waves.signals();
  for (size_t i = 0; i < signals.size(); ++i)
    sc_core::sc_trace(file, playback.values[i], signals[i].name, signals[i].bits);
  sc_core::sc_start(sc_core::sc_time(static_cast<double>(waves.end() + 1), sc_core::SC_NS));
  sc_core::sc_close_vcd_trace_file(file);
  std::ifstream written(folder.path() + "/run.vcd", std::ios::binary);
  return without_date({std::istreambuf_iterator<char>(written), std::istreambuf_iterator<char>()});
}

class Vcd final : public View {
 public:
  bool show(const Window& window) override {
    pipeline_.show(window);
    return true;
  }
  model::Observer* observer() override { return &pipeline_; }
  std::string content(const Run& run) override {
    pipeline_.finish();
    return traced(Waves(run.trace.code, pipeline_, run.result.cycles));
  }

 private:
  Pipeline pipeline_;
};

const bool vcd_registered =
    Views::add<Vcd>("vcd", "signals for a waveform viewer, by SystemC's tracing");

}  // namespace
}  // namespace shflsim::report
