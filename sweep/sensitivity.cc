// SPDX-License-Identifier: Apache-2.0
#include "sweep/sensitivity.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "isa/base/input_error.h"
#include "model/run.h"
#include "report/run/head.h"
#include "sweep/jobs.h"

namespace shflsim::sweep {
namespace {

using report::VariedValue;

/// A run to do, with another value of `values[index]`.
struct Trial {
  size_t index;
  bool is_high;
  uint32_t value;
};

bool is_number(const model::ConfigValue& value, const model::Parameter& parameter) {
  return parameter.choices.empty() &&
         value.value != (parameter.word_instead == nullptr ? "" : parameter.word_instead);
}

bool can_matter(const model::ConfigValue& value, const model::Parameter& parameter,
                const std::vector<model::ConfigValue>& config) {
  return report::source_kind(value) == "assumed" && is_number(value, parameter) &&
         report::can_act(value, config);
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

/// The values of these keys; adds their trials.
std::vector<VariedValue> varied_values(const model::ConfigLayers& layers,
                                       const std::vector<std::string>& keys, uint64_t cycles,
                                       std::vector<Trial>* trials) {
  const std::vector<model::ConfigValue> config = model::effective_config(layers);
  const std::vector<model::Parameter> parameters = model::parameters();
  std::vector<VariedValue> values;
  for (size_t i = 0; i < config.size(); ++i) {
    if (std::find(keys.begin(), keys.end(), config[i].key) == keys.end()) continue;
    const auto value = static_cast<uint32_t>(std::stoul(config[i].value));
    add_trials(parameters[i], value, values.size(), trials);
    values.push_back({config[i].key, config[i].unit, value, cycles, {}, {}});
  }
  return values;
}

/// True if a pattern, in which * matches any letters, matches the whole text.
bool fits_pattern(const std::string& pattern, const std::string& text) {
  const size_t star = pattern.find('*');
  if (star == std::string::npos) return pattern == text;
  if (text.compare(0, star, pattern, 0, star) != 0) return false;
  const std::string rest = pattern.substr(star + 1);
  for (size_t at = star; at <= text.size(); ++at) {
    if (fits_pattern(rest, text.substr(at))) return true;
  }
  return false;
}

/// Adds the keys that one word of the user matches.
void add_wanted(const std::string& wanted, const std::vector<model::ConfigValue>& config,
                const std::vector<model::Parameter>& parameters, std::vector<std::string>* keys) {
  std::vector<std::string> numbers;
  const size_t before = keys->size();
  for (size_t i = 0; i < config.size(); ++i) {
    if (!is_number(config[i], parameters[i])) continue;
    numbers.push_back(config[i].key);
    if (fits_pattern(wanted, config[i].key)) keys->push_back(config[i].key);
  }
  if (keys->size() == before)
    throw InputError("--sensitivity: no number '" + wanted + "' of the machine" +
                     suggestion(wanted, numbers));
}

}  // namespace

std::vector<std::string> varied_keys(const model::ConfigLayers& layers,
                                     const std::vector<std::string>& wanted) {
  const std::vector<model::ConfigValue> config = model::effective_config(layers);
  const std::vector<model::Parameter> parameters = model::parameters();
  std::vector<std::string> keys;
  for (const std::string& word : wanted) add_wanted(word, config, parameters, &keys);
  for (size_t i = 0; wanted.empty() && i < config.size(); ++i) {
    if (can_matter(config[i], parameters[i], config)) keys.push_back(config[i].key);
  }
  return keys;
}

report::Sensitivity sensitivity(const Subject& subject, uint64_t cycles,
                                const std::vector<std::string>& wanted, unsigned processes,
                                const std::function<void(size_t, size_t)>& done) {
  std::vector<Trial> trials;
  const std::vector<std::string> keys = varied_keys(subject.layers, wanted);
  report::Sensitivity found{cycles, 0, varied_values(subject.layers, keys, cycles, &trials),
                            !wanted.empty()};
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
