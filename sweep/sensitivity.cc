// SPDX-License-Identifier: Apache-2.0
#include "sweep/sensitivity.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/run.h"
#include "report/run/head.h"
#include "sweep/jobs.h"

namespace shflsim::sweep {
namespace {

using report::VariedValue;

/// One run to do: a value of `values[index]`.
struct Trial {
  size_t index;
  bool is_high;
  uint32_t value;
};

/// "shuffle.ring.ways" belongs to the network ring alone, which some "shuffle." word has to name.
bool is_chosen(const std::string& key, const std::vector<model::ConfigValue>& config) {
  const size_t first = key.find('.');
  const size_t second = key.find('.', first + 1);
  if (second == std::string::npos) return true;
  const std::string choice = key.substr(first + 1, second - first - 1);
  return std::any_of(config.begin(), config.end(), [&](const model::ConfigValue& value) {
    return value.key.compare(0, first + 1, key, 0, first + 1) == 0 && value.value == choice;
  });
}

bool can_matter(const model::ConfigValue& value, const model::Parameter& parameter,
                const std::vector<model::ConfigValue>& config) {
  return report::source_kind(value) == "assumed" && parameter.choices.empty() &&
         value.value != (parameter.word_instead == nullptr ? "" : parameter.word_instead) &&
         value.key.rfind("technology.", 0) != 0 && value.key != "sm.watchdog" &&
         is_chosen(value.key, config);
}

void add_trials(const model::Parameter& parameter, uint32_t value, size_t index,
                std::vector<Trial>* trials) {
  const bool is_rate = parameter.unit == "percent";
  const uint64_t doubled = value == 0 ? 1 : uint64_t{value} * 2;
  const uint32_t low = is_rate ? parameter.least : std::max(parameter.least, value / 2);
  const auto high =
      static_cast<uint32_t>(is_rate ? parameter.most : std::min<uint64_t>(parameter.most, doubled));
  if (low < value) trials->push_back({index, false, low});
  if (high > value) trials->push_back({index, true, high});
}

/// The assumed values that can matter, and their trials.
std::vector<VariedValue> assumed_values(const model::ConfigLayers& layers, uint64_t cycles,
                                        std::vector<Trial>* trials) {
  const std::vector<model::ConfigValue> config = model::effective_config(layers);
  const std::vector<model::Parameter> parameters = model::parameters();
  std::vector<VariedValue> values;
  for (size_t i = 0; i < config.size(); ++i) {
    if (!can_matter(config[i], parameters[i], config)) continue;
    const auto value = static_cast<uint32_t>(std::stoul(config[i].value));
    add_trials(parameters[i], value, values.size(), trials);
    values.push_back({config[i].key, config[i].unit, value, cycles, {}, {}});
  }
  return values;
}

}  // namespace

report::Sensitivity sensitivity(const Subject& subject, uint64_t cycles, unsigned processes,
                                const std::function<void(size_t, size_t)>& done) {
  std::vector<Trial> trials;
  report::Sensitivity found{cycles, 0, assumed_values(subject.layers, cycles, &trials)};
  found.runs = trials.size();
  const auto job = [&](size_t number) {
    Job one{kept_by_owner(subject.trace), subject.layers, subject.sms};
    const Trial& trial = trials[number];
    one.layers.add_setting(found.values[trial.index].key + "=" + std::to_string(trial.value));
    return one;
  };
  const auto take = [&](size_t number, const Outcome& outcome) {
    const Trial& trial = trials[number];
    VariedValue& value = found.values[trial.index];
    if (outcome.end == Outcome::End::kDone)
      (trial.is_high ? value.high : value.low) = {trial.value, outcome.result.cycles};
    done(number + 1, trials.size());
  };
  run_each(trials.size(), processes, job, take);
  std::stable_sort(found.values.begin(), found.values.end(),
                   [](const VariedValue& a, const VariedValue& b) {
                     return a.most() - a.least() > b.most() - b.least();
                   });
  return found;
}

}  // namespace shflsim::sweep
