// SPDX-License-Identifier: Apache-2.0
#include "report/compare/lane_ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "isa/base/input_error.h"
#include "model/shuffle/shuffle_energy.h"
#include "model/shuffle/shuffle_unit.h"
#include "report/run/chosen_network.h"
#include "report/run/compare_design.h"

namespace shflsim::report {
namespace {

using traces::CountedMove;

/// A design's shuffle unit, for a number of lanes.
class RankedUnit {
 public:
  RankedUnit(const Design& design, unsigned lanes)
      : choice_(network_choice(design.layers)), cost_(chosen_network(design.layers).cost) {
    model::ParameterList list;
    params_.list(list);
    read_part(design.layers, list);
    params_ = model::with_depth(params_, *choice_, choice_->technology().lane_pitch);
    network_ = choice_->make(lanes);
    if (lanes != isa::kLanes) widen(design.name, lanes);
  }

  const DesignCost& cost() const { return cost_; }

  /// The work of one such move; known moves are looked up by their text.
  const Traffic& traffic_of(const CountedMove& move) {
    const auto [found, is_new] = known_.emplace(move.text, Traffic());
    if (is_new) found->second = routed(move);
    return found->second;
  }

 private:
  /// Sets the costs that are known for any number of lanes; `shuffle.lanes` refers to a unit of 32.
  void widen(const std::string& name, unsigned lanes) {
    if (params_.lanes != isa::kLanes) {
      throw InputError(fmt::format(
          "{}: shuffle.lanes = {} with a profile of {} lanes; expected {}, a unit of all lanes",
          name, params_.lanes, lanes, isa::kLanes));
    }
    cost_.network_cost = network_->cost();
    cost_.pass_energy = model::pass_energy(cost_.network_cost, choice_->technology(), lanes);
    cost_.register_energy =
        model::shuffle_energy(cost_.network_cost, choice_->technology(), lanes, 0);
    cost_.unit = cost_.crossbar = UnitCost();
  }

  Traffic routed(const CountedMove& move) const {
    Traffic sum;
    for (const isa::LaneMove& step : move.steps) {
      for (unsigned result = 0; result < step.results; ++result) {
        for (unsigned operand = 0; operand < step.operands; ++operand)
          add_route(model::requests(step, result, operand), &sum);
      }
    }
    if (sum.passes == 0) add_schedule(network_->route(std::vector<model::Request>()), &sum);
    sum.moves = 1;
    sum.in_one_pass = sum.passes == 1 ? 1 : 0;
    sum.most_passes = static_cast<uint32_t>(sum.passes);
    return sum;
  }
  void add_route(const std::vector<model::Request>& requests, Traffic* sum) const {
    if (!requests.empty()) add_schedule(network_->route(requests), sum);
  }
  void add_schedule(const model::Schedule& schedule, Traffic* sum) const {
    const model::UnitTime time = model::unit_time(schedule, params_);
    sum->passes += schedule.pass_count();
    sum->held += time.held(params_);
    sum->latency += time.whole(params_);
  }

  std::unique_ptr<model::NetworkChoice> choice_;
  DesignCost cost_;
  model::ShuffleParams params_;
  std::unique_ptr<model::ShuffleNetwork> network_;
  std::map<std::string, Traffic> known_;
};

double per_move(uint64_t sum, const Traffic& traffic) {
  return traffic.moves == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(traffic.moves);
}

/// The figures by which rows are ranked; a network without own wires has the highest cost.
std::tuple<uint64_t, uint64_t> order_of(const TrafficRow& row) {
  return {row.traffic.held, row.cost->has_wires ? row.cost->network_cost.mux2 : ~uint64_t{0}};
}

/// Ranks the rows of one family, from `first` on.
void rank_rows(std::vector<TrafficRow>* rows, size_t first) {
  const auto begin = rows->begin() + static_cast<std::ptrdiff_t>(first);
  std::stable_sort(begin, rows->end(), [](const TrafficRow& one, const TrafficRow& other) {
    return order_of(one) < order_of(other);
  });
  for (size_t row = first; row < rows->size(); ++row) {
    const bool is_equal = row > first && order_of((*rows)[row]) == order_of((*rows)[row - 1]);
    (*rows)[row].rank = is_equal ? (*rows)[row - 1].rank : row - first + 1;
  }
}

Traffic traffic_sum(const traces::MoveFamily& family, RankedUnit* unit) {
  Traffic sum;
  for (const CountedMove& move : family.moves) {
    Traffic its = unit->traffic_of(move);
    for (uint64_t* figure : {&its.moves, &its.passes, &its.in_one_pass, &its.held, &its.latency})
      *figure *= move.count;
    if (move.count != 0) sum.add(its);
  }
  return sum;
}

/// Adds the rows of a profile: for all its moves, then family by family.
void add_rows(const RankedProfile& profile, std::vector<RankedUnit>* units, LaneRanking* ranking,
              const std::vector<DesignCost>& costs) {
  const auto& families = profile.profile.families;
  std::vector<std::vector<Traffic>> by_family(families.size());
  std::vector<Traffic> all(units->size());
  for (size_t family = 0; family < families.size(); ++family) {
    for (size_t unit = 0; unit < units->size(); ++unit) {
      by_family[family].push_back(traffic_sum(families[family], &(*units)[unit]));
      all[unit].add(by_family[family][unit]);
    }
  }
  const auto add = [&](const std::string& name, const std::vector<Traffic>& traffic) {
    const size_t first = ranking->rows.size();
    for (size_t unit = 0; unit < units->size(); ++unit)
      ranking->rows.push_back(
          {&profile, name, &ranking->designs[unit], &costs[unit], traffic[unit], 0});
    rank_rows(&ranking->rows, first);
  };
  add("", all);
  for (size_t family = 0; family < families.size(); ++family)
    add(families[family].name, by_family[family]);
}

Value of_hardware(const TrafficRow& row, const char* key) {
  for (const Field<DesignCost>& column : hardware_columns()) {
    if (column.key == key) return column.get(*row.cost);
  }
  return {};
}

Field<TrafficRow> hardware_column(const char* key) {
  for (const Field<DesignCost>& column : hardware_columns()) {
    if (column.key != key) continue;
    Field<TrafficRow> field{column.key, column.unit, column.help,
                            [key](const TrafficRow& row) { return of_hardware(row, key); },
                            column.heading};
    field.kind = ValueKind::kFigureOrNone;
    return field;
  }
  throw std::logic_error(std::string("no column of hardware ") + key);
}

/// A column of an area or a delay, which are known only for 32 lanes.
Field<TrafficRow> built_column(const char* key) {
  Field<TrafficRow> field = hardware_column(key);
  field.get = [key](const TrafficRow& row) {
    return row.profile->profile.lanes == isa::kLanes ? of_hardware(row, key) : Value();
  };
  return field;
}

Value move_energy_of(const TrafficRow& row) {
  if (!row.cost->has_wires || row.traffic.moves == 0) return {};
  return per_move(row.traffic.passes, row.traffic) * row.cost->pass_energy +
         row.cost->register_energy;
}

Fields<TrafficRow> columns_of_traffic() {
  using Row = const TrafficRow&;
  return {
      {"profile", "", "File of the lane profile.", [](Row r) { return r.profile->file; }},
      {"family", "", "Family of kernels; empty for all of the profile.",
       [](Row r) { return r.family; }},
      {"design", "", "Name of the design.", [](Row r) { return r.design->name; }, "design"},
      {"network", "", "Its shuffle network.", [](Row r) { return r.cost->network; }},
      {"rank", "", "By cycles, then by multiplexers; equals share a rank.",
       [](Row r) { return r.rank; }, "rank"},
      {"moves", "moves", "Lane moves, as often as they were counted.",
       [](Row r) { return r.traffic.moves; }},
      {"passes", "passes", "Passes of a move, mean.",
       [](Row r) { return per_move(r.traffic.passes, r.traffic); }, "passes\na move"},
      {"one_pass", "", "Share of the moves that take one pass.",
       [](Row r) { return per_move(r.traffic.in_one_pass, r.traffic); }, "in one\npass"},
      {"most_passes", "passes", "Passes of the move that takes most.",
       [](Row r) { return uint64_t{r.traffic.most_passes}; }, "most\npasses"},
      {"cycles", "cycles", "Cycles of a move in which its unit takes no other one, mean.",
       [](Row r) { return per_move(r.traffic.held, r.traffic); }, "cycles\na move"},
      {"move_latency", "cycles", "From a move's start in its unit to the use of the result, mean.",
       [](Row r) { return per_move(r.traffic.latency, r.traffic); }, "latency"},
      {"move_energy_pj", "pJ", "Energy of a move: passes, operand read and result write; mean.",
       [](Row r) { return move_energy_of(r); }, "pJ\na move"},
  };
}

}  // namespace

void Traffic::add(const Traffic& more) {
  moves += more.moves;
  passes += more.passes;
  in_one_pass += more.in_one_pass;
  most_passes = std::max(most_passes, more.most_passes);
  held += more.held;
  latency += more.latency;
}

std::vector<TrafficRow> LaneRanking::whole(size_t profile) const {
  std::vector<TrafficRow> found;
  for (const TrafficRow& row : rows) {
    if (row.profile == &profiles[profile] && row.family.empty()) found.push_back(row);
  }
  return found;
}

LaneRanking ranked(std::vector<RankedProfile> profiles, std::vector<Design> designs) {
  LaneRanking ranking{std::move(profiles), std::move(designs), {}, {}};
  ranking.costs.resize(ranking.profiles.size());
  for (size_t profile = 0; profile < ranking.profiles.size(); ++profile) {
    std::vector<RankedUnit> units;
    for (const Design& design : ranking.designs) {
      units.emplace_back(design, ranking.profiles[profile].profile.lanes);
      ranking.costs[profile].push_back(units.back().cost());
    }
    add_rows(ranking.profiles[profile], &units, &ranking, ranking.costs[profile]);
  }
  return ranking;
}

void sort_rows(const std::string& key, LaneRanking* ranking) {
  std::vector<std::string> keys;
  for (const Field<TrafficRow>& column : traffic_columns()) {
    if (!column.unit.empty() || column.key == "one_pass") keys.push_back(column.key);
  }
  if (std::find(keys.begin(), keys.end(), key) == keys.end())
    throw InputError("--sort '" + key + "' is no figure of a lane profile" + suggestion(key, keys));
  const auto figure = [&key](const TrafficRow& row) {
    double found = 0;
    for (const Field<TrafficRow>& column : traffic_columns()) {
      if (column.key == key) found = number_of(column.get(row));
    }
    if (std::isnan(found)) return std::numeric_limits<double>::infinity();
    return key == "one_pass" ? -found : found;
  };
  const size_t designs = ranking->designs.size();
  for (size_t first = 0; first < ranking->rows.size(); first += designs) {
    const auto begin = ranking->rows.begin() + static_cast<std::ptrdiff_t>(first);
    std::stable_sort(
        begin, begin + static_cast<std::ptrdiff_t>(designs),
        [&](const TrafficRow& a, const TrafficRow& b) { return figure(a) < figure(b); });
  }
}

const Fields<TrafficRow>& traffic_columns() {
  static const Fields<TrafficRow> fields = [] {
    Fields<TrafficRow> all = columns_of_traffic();
    for (const char* key : {"mux2", "mux_levels"}) all.push_back(hardware_column(key));
    for (const char* key :
         {"cells_to_crossbar", "channel_to_crossbar", "delay_to_crossbar", "cell_area"})
      all.push_back(built_column(key));
    return all;
  }();
  return fields;
}

}  // namespace shflsim::report
