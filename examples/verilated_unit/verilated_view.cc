// SPDX-License-Identifier: Apache-2.0
// The view `verilated`: sends each SHFL of a run, with random words, through the pins of the
// Verilated network as well, in the cycles in which the unit has its passes.
#include <fmt/format.h>

#include <optional>
#include <random>
#include <stdexcept>

#include "isa/base/input_error.h"
#include "model/config/config.h"
#include "report/run/compare_design.h"
#include "report/run/view.h"
#include "traces/trace.h"
#include "unit.h"

namespace shflsim::examples {
namespace {

using model::Cycle;

/// The Verilated units of a run, one for each unit of the model.
class Units {
 public:
  Units(const traces::Trace& trace, const model::RunResult& result, Tally* tally)
      : trace_(trace), tally_(*tally), machine_(result) {
    expect("shuffle.network", SHFLSIM_NETWORK);
    expect("shuffle.lanes", "32");          // a pass takes one cycle
    expect("mio.arbitration", "per_unit");  // each pass has its own cycle
    model::ConfigLayers layers;
    for (const model::ConfigValue& each : result.config) {
      layers.add_setting(each.key + "=" + each.value);
    }
    network_ = report::network_choice(layers)->make(isa::kLanes);
    solver_.emplace(network_->wiring());
    cluster_ = static_cast<unsigned>(std::stoul(value("shuffle.cluster")));
    for (unsigned unit = 0; unit < result.sms * model::kSubPartitions; unit += cluster_) {
      units_.push_back(std::make_unique<Unit>(fmt::format("verilated{}", unit / cluster_).c_str(),
                                              network_->wiring(), tally));
    }
  }

  void warp_started(const model::ResidentWarp& warp) {
    const unsigned sub_partition = warp.sm * model::kSubPartitions + warp.sub_partition;
    unit_of_warp_[warp.index] = units_[sub_partition / cluster_].get();
  }
  void issued(const model::Issue& issue) {
    if (trace_.code.lines[issue.index].is_shuffle())
      map_of_[{issue.id.warp, issue.id.number}] = issue.payload;
  }
  void passes(model::InstructionId id, Cycle first, uint32_t count, uint32_t interval) {
    const auto map = map_of_.find({id.warp, id.number});
    if (map == map_of_.end()) return;  // an access to shared memory
    if (map->second != traces::Step::kNone) {
      shuffle(trace_.maps()[map->second], *unit_of_warp_.at(id.warp), first, count, interval);
    }
    map_of_.erase(map);
  }

 private:
  void shuffle(const isa::LaneMap& map, Unit& unit, Cycle first, uint32_t count,
               uint32_t interval) {
    ++tally_.shuffles;
    auto words = std::make_shared<Words>();
    words->map = map;
    for (uint32_t& word : words->lanes) word = static_cast<uint32_t>(random_());
    isa::LaneMask left = map.executing;
    const std::vector<model::Settings> passes = solver_->solve(network_->route(map));
    for (size_t pass = 0; pass < passes.size(); ++pass) {
      unit.pass_in(first + pass * interval, passes[pass], words);
      left &= static_cast<isa::LaneMask>(~passes[pass].enables);
    }
    if (passes.size() != count) {
      tally_.fault = fmt::format("cycle {}: {} passes, expected {}", first, count, passes.size());
    } else if (left != 0) {
      tally_.fault = fmt::format("cycle {}: lanes {:#x} are served in no pass", first, left);
    }
  }

  void expect(const char* key, const std::string& wanted) const {
    if (value(key) == wanted) return;
    throw InputError(
        fmt::format("--view verilated: expected {} = {}, not {}", key, wanted, value(key)));
  }
  std::string value(const char* key) const {
    for (const model::ConfigValue& each : machine_.config) {
      if (each.key == key) return each.value;
    }
    throw std::logic_error(std::string("no parameter ") + key);
  }

  const traces::Trace& trace_;
  Tally& tally_;
  const model::RunResult& machine_;
  std::unique_ptr<model::ShuffleNetwork> network_;
  std::optional<model::SettingsSolver> solver_;
  unsigned cluster_ = 1;  ///< sub-partitions that share a unit
  std::vector<std::unique_ptr<Unit>> units_;
  std::map<uint32_t, Unit*> unit_of_warp_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> map_of_;  ///< map of each issued SHFL
  std::mt19937 random_{1};
};

class Verilated final : public report::View, public model::Observer {
 public:
  model::Observer* observer() override { return this; }

  std::shared_ptr<void> elaborate(const traces::Trace& trace,
                                  const model::RunResult& result) override {
    const auto units = std::make_shared<Units>(trace, result, &tally_);
    units_ = units.get();
    return units;
  }
  void warp_started(const model::ResidentWarp& warp, Cycle /*now*/) override {
    units_->warp_started(warp);
  }
  void issued(const model::ResidentWarp& /*warp*/, const model::Issue& issue) override {
    units_->issued(issue);
  }
  void passes(model::InstructionId id, Cycle first, uint32_t count, uint32_t interval) override {
    units_->passes(id, first, count, interval);
  }

  std::string content(const report::Run& /*run*/) override {
    if (!tally_.fault.empty()) throw std::runtime_error("--view verilated: " + tally_.fault);
    return fmt::format("{} SHFLs, {} passes, {} lanes compared\n", tally_.shuffles, tally_.passes,
                       tally_.lanes);
  }

 private:
  Tally tally_;
  Units* units_ = nullptr;  ///< owned by the run
};

const bool registered = report::Views::add<Verilated>(
    "verilated", "that the Verilated network has brought each lane its source's word");

}  // namespace
}  // namespace shflsim::examples
