// SPDX-License-Identifier: Apache-2.0
#include "sweep/engine.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "isa/base/input_error.h"
#include "isa/base/work.h"
#include "model/run.h"
#include "report/run/chosen_network.h"
#include "report/run/json_fields.h"
#include "report/time/shuffle_watch.h"

namespace shflsim::sweep {
namespace {

using report::Value;
using Json = nlohmann::json;
using Traces = std::shared_ptr<const std::vector<traces::Trace>>;

/// The memory that open inputs may take before another one is opened, bytes.
constexpr size_t kMostOpen = size_t{256} << 20;

size_t bytes_of(const traces::Trace& trace) {
  size_t bytes = trace.lane_maps.size() * sizeof(isa::LaneMap);
  for (const traces::WarpTrace& warp : trace.warps) {
    bytes += warp.steps.size() * sizeof(traces::Step) +
             warp.addresses.size() * sizeof(traces::LaneAddresses);
  }
  return bytes;
}

Json json_of(const Value& value) {
  return std::visit(
      [](const auto& each) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(each)>, std::monostate>)
          return nullptr;
        else
          return each;
      },
      value);
}

/// A point as bytes, for the way from the process that ran it.
std::string packed(const Point& point) {
  Json metrics = Json::array();
  for (const Value& value : point.metrics) metrics.push_back(json_of(value));
  std::string bytes;
  Json::to_msgpack(
      {static_cast<int>(point.state), point.reason, point.seconds, metrics, point.rows}, bytes);
  return bytes;
}

Point unpacked(const std::string& bytes) {
  const Json json = Json::from_msgpack(bytes);
  Point point;
  point.state = static_cast<PointState>(json[0].get<int>());
  point.reason = json[1];
  point.seconds = json[2];
  for (const Json& value : json[3]) point.metrics.push_back(report::value_of(value));
  point.rows = json[4].get<std::vector<std::string>>();
  return point;
}

Point failed(PointState state, const std::string& reason) { return {state, reason, 0, {}, {}}; }

/// The costs of the designs that this process has timed; designs recur with each launch.
class DesignCosts {
 public:
  const report::DesignCost& of(const Grid& grid, size_t number, const model::ConfigLayers& layers) {
    if (costs_.size() == kMost) costs_.clear();
    const GridPoint point = grid.at(number);
    const auto [place, is_new] = costs_.try_emplace({grid.config(point), point.values});
    if (is_new) place->second = report::chosen_network(layers).cost;
    return place->second;
  }

 private:
  static constexpr size_t kMost = 4096;
  std::map<std::pair<std::string, std::vector<size_t>>, report::DesignCost> costs_;
};

bool wants_watch(const Spec& spec) {
  return std::any_of(spec.keep.begin(), spec.keep.end(), report::is_watched);
}

/// Times one point. An exception is the failure of the point.
Point timed(const Sweep& sweep, size_t number, const traces::Trace& trace, DesignCosts* costs) {
  const model::ConfigLayers layers = layers_of(sweep, number);
  const auto start = std::chrono::steady_clock::now();
  const bool is_watched = wants_watch(sweep.spec);
  report::ShuffleWatch watch;
  const model::RunResult result =
      model::run(trace, layers, sweep.spec.sms, is_watched ? watch.observer() : nullptr);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const report::Run run{trace, result};
  const report::DesignCost& cost = costs->of(sweep.grid, number, layers);
  const report::WatchedFigures watched = is_watched ? watch.figures(run) : report::WatchedFigures();
  Point point;
  point.seconds = took.count();
  for (const auto* metric : kept_metrics(sweep.spec))
    point.metrics.push_back(metric->get({run, cost, is_watched ? &watched : nullptr}));
  for (size_t i = 0; sweep.spec.keeps_rows && i < result.instructions.size(); ++i) {
    const report::InstructionRow row{run, i};
    point.rows.push_back(report::object_of(report::instruction_columns(), row).dump());
  }
  return point;
}

template <class Work>
Point guarded(Work work) {
  try {
    return work();
  } catch (const model::Interrupted&) {
    throw;  // the point has no result yet
  } catch (const InputError& error) {
    return failed(PointState::kInvalid, error.what());
  } catch (const model::Deadlock& error) {
    return failed(PointState::kDeadlock, error.what());
  } catch (const std::bad_alloc&) {
    return failed(PointState::kOutOfMemory, "needs more memory than it may have");
  } catch (const std::exception& error) {
    return failed(PointState::kCrashed, error.what());
  }
}

/// The points of a sweep that have to run, and the open inputs.
class Runs {
 public:
  Runs(const Sweep& sweep, unsigned processes, const std::function<void(size_t, Point)>& take)
      : sweep_(sweep), processes_(processes), take_(take) {}

  /// Opens inputs until the memory is full, runs their points, and continues with further inputs.
  void run(const std::vector<size_t>& numbers) {
    std::map<size_t, std::vector<size_t>> of_input;
    for (const size_t number : numbers) of_input[place_of(sweep_, number).input].push_back(number);
    for (const auto& [input, its] : of_input) {
      if (its.size() > 1 && !open(input, its)) continue;
      pending_.insert(pending_.end(), its.begin(), its.end());
      if (bytes_ > kMostOpen) flush();
    }
    flush();
  }

 private:
  /// Opens an input. If it cannot be opened, its points fail, and the result is false.
  bool open(size_t input, const std::vector<size_t>& numbers) {
    const Point failure = guarded([&] {
      auto opened = std::make_shared<const std::vector<traces::Trace>>(sweep_.inputs[input].open());
      for (const traces::Trace& trace : *opened) bytes_ += bytes_of(trace);
      open_[input] = std::move(opened);
      return Point();
    });
    if (failure.state == PointState::kDone) return true;
    check_files(input);
    for (const size_t number : numbers) take_(number, failure);
    return false;
  }

  /// Times a point. An input with a single point is opened here, where the point runs.
  Point one(size_t number) {
    return guarded([&] {
      const Place its = place_of(sweep_, number);
      const auto opened = open_.find(its.input);
      if (opened != open_.end())
        return timed(sweep_, number, opened->second->at(its.launch), &costs_);
      return timed(sweep_, number, sweep_.inputs[its.input].open().at(its.launch), &costs_);
    });
  }

  void flush() {
    const auto task = [this](size_t i) { return packed(one(pending_[i])); };
    const auto take = [this](size_t i, const Answer& answer) {
      Point point = point_of(answer);
      if (point.state == PointState::kInvalid) check_files(place_of(sweep_, pending_[i]).input);
      take_(pending_[i], std::move(point));
    };
    run_in_processes(pending_.size(), processes_, task, take,
                     {sweep_.spec.seconds, sweep_.spec.memory_mib});
    pending_.clear();
    open_.clear();
    bytes_ = 0;
  }

  static Point point_of(const Answer& answer) {
    switch (answer.end) {
      case Answer::End::kAnswered: return unpacked(answer.text);
      case Answer::End::kLate: return failed(PointState::kTimeout, answer.text);
      case Answer::End::kDied: break;
    }
    return failed(PointState::kCrashed, "its process " + answer.text);
  }

  /// Throws InputError if an input has changed or is missing: its points then have no result.
  void check_files(size_t input) const {
    const Input& its = sweep_.inputs[input];
    if (digest_of_files(its.files) != its.digest)
      throw InputError({its.label}, "has changed since the sweep began; expected it as it was");
  }

  const Sweep& sweep_;
  const unsigned processes_;
  const std::function<void(size_t, Point)>& take_;
  DesignCosts costs_;  ///< of the processes that run points
  std::map<size_t, Traces> open_;
  size_t bytes_ = 0;
  std::vector<size_t> pending_;
};

}  // namespace

const char* state_name(PointState state) {
  switch (state) {
    case PointState::kDone: return "done";
    case PointState::kInvalid: return "invalid";
    case PointState::kDeadlock: return "deadlock";
    case PointState::kTimeout: return "timeout";
    case PointState::kOutOfMemory: return "out_of_memory";
    case PointState::kCrashed: break;
  }
  return "crashed";
}

Place place_of(const Sweep& sweep, size_t number) {
  Place place{0, sweep.grid.at(number).launch};
  while (place.launch >= sweep.inputs[place.input].kernels.size())
    place.launch -= sweep.inputs[place.input++].kernels.size();
  return place;
}

model::ConfigLayers layers_of(const Sweep& sweep, size_t number) {
  const GridPoint point = sweep.grid.at(number);
  model::ConfigLayers layers = sweep.configs.at(sweep.grid.config(point));
  for (const model::Assignment& setting : sweep.spec.settings)
    layers.add_setting(setting.key + "=" + setting.value);
  for (size_t key = 0; key < sweep.grid.keys().size(); ++key)
    layers.add_setting(sweep.grid.keys()[key] + "=" + sweep.grid.value(point, key));
  return layers;
}

std::vector<const report::Field<report::Measured>*> kept_metrics(const Spec& spec) {
  std::vector<const report::Field<report::Measured>*> kept;
  for (const auto& metric : report::metrics()) {
    const bool is_named =
        std::find(spec.keep.begin(), spec.keep.end(), metric.key) != spec.keep.end();
    if ((spec.keep.empty() && !report::is_watched(metric.key)) || is_named) kept.push_back(&metric);
  }
  return kept;
}

void run_points(const Sweep& sweep, const std::vector<size_t>& numbers, unsigned processes,
                const std::function<void(size_t, Point)>& take) {
  Runs(sweep, processes, take).run(numbers);
}

}  // namespace shflsim::sweep
