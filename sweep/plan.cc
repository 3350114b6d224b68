// SPDX-License-Identifier: Apache-2.0
#include "sweep/plan.h"

#include <set>
#include <utility>

#include "isa/base/readable.h"
#include "model/run.h"

namespace shflsim::sweep {
namespace {

/// Separates parts of a fingerprint; does not occur in any part.
constexpr char kEnd = '\x1f';

std::set<std::string> keys_of_files() {
  std::set<std::string> keys;
  for (const model::Parameter& parameter : model::parameters()) {
    if (parameter.is_file) keys.insert(parameter.key);
  }
  return keys;
}

/// "KEY=VALUE"; if the value is a file, with a digest of its content.
std::string setting_text(const std::string& key, const std::string& value) {
  static const std::set<std::string> files = keys_of_files();
  const bool is_path = files.count(key) != 0 && model::is_path(value);
  return key + "=" + value + (is_path ? kEnd + digest_of_files({value}) : "");
}

std::string text_of(const model::ConfigLayers& layers) {
  std::string text;
  for (const model::ConfigValue& value : model::effective_config(layers))
    text += setting_text(value.key, value.value) + "\n";
  return text;
}

/// The part of the fingerprint that all points of a launch and a config share.
std::string common_part(const Sweep& sweep, const std::string& program) {
  std::string all = program + kEnd;
  for (const auto* metric : kept_metrics(sweep.spec)) all += metric->key + kEnd;
  all += sweep.spec.keeps_rows ? "rows" : "";
  if (sweep.spec.sms > 1) all += kEnd + std::to_string(sweep.spec.sms) + " SMs";
  return all + kEnd;
}

std::vector<std::string> fingerprints_of(const Sweep& sweep, const std::string& program) {
  std::map<std::string, std::string> configs;
  for (const auto& [name, layers] : sweep.configs) configs[name] = digest_of(text_of(layers));
  const std::string common = common_part(sweep, program);
  std::vector<std::string> all;
  for (size_t number = 0; number < sweep.grid.size(); ++number) {
    const GridPoint point = sweep.grid.at(number);
    const Place place = place_of(sweep, number);
    const Input& input = sweep.inputs[place.input];
    std::string parts = common + input.digest + kEnd + std::to_string(place.launch) + kEnd +
                        input.arguments + kEnd + configs.at(sweep.grid.config(point)) + kEnd;
    for (const model::Assignment& setting : sweep.spec.settings)
      parts += setting_text(setting.key, setting.value) + kEnd;
    for (size_t key = 0; key < sweep.grid.keys().size(); ++key)
      parts += setting_text(sweep.grid.keys()[key], sweep.grid.value(point, key)) + kEnd;
    all.push_back(digest_of(parts));
  }
  return all;
}

Plan plan_of(const Sweep& sweep, const std::string& program,
             const std::vector<std::string>& fingerprints) {
  Plan plan;
  plan.program = program;
  if (!sweep.spec.path.empty()) plan.spec = isa::read_bytes(sweep.spec.path, "a sweep file");
  plan.axes = sweep.grid.keys();
  for (const auto* metric : kept_metrics(sweep.spec)) plan.metrics.push_back(metric->key);
  plan.points = sweep.grid.size();
  std::string all;
  for (const std::string& each : fingerprints) all += each;
  plan.digest = digest_of(all);
  return plan;
}

}  // namespace

PlannedSweep::PlannedSweep(const Sweep& sweep, const std::string& program, const Shard& shard)
    : sweep_(sweep),
      fingerprints_(fingerprints_of(sweep, program)),
      plan_(plan_of(sweep, program, fingerprints_)) {
  for (size_t number = shard.index; number < sweep.grid.size(); number += shard.count)
    numbers_.push_back(number);
}

const std::string& PlannedSweep::fingerprint(size_t number) const { return fingerprints_[number]; }

std::vector<size_t> PlannedSweep::begin(ResultsFile* file, bool retries) const {
  std::vector<PlannedInput> inputs;
  for (const Input& input : sweep_.inputs) {
    for (const std::string& kernel : input.kernels)
      inputs.push_back({input.label, kernel, input.digest, input.arguments});
  }
  std::vector<PlannedConfig> configs;
  for (const auto& [name, layers] : sweep_.configs) configs.push_back({name, text_of(layers)});
  file->set_plan(plan_, inputs, configs, numbers_.size(),
                 [this](size_t i) { return planned(numbers_[i]); });
  std::set<std::string> known = file->known(retries ? "done" : "");
  std::vector<size_t> missing;
  for (const size_t number : numbers_) {
    if (known.insert(fingerprints_[number]).second) missing.push_back(number);
  }
  return missing;
}

PlannedPoint PlannedSweep::planned(size_t number) const {
  const GridPoint at = sweep_.grid.at(number);
  const LaunchLabel& launch = sweep_.grid.launch(at);
  PlannedPoint point{number,
                     fingerprints_[number],
                     launch.input,
                     launch.kernel,
                     sweep_.grid.config(at),
                     command(number),
                     {}};
  for (size_t key = 0; key < sweep_.grid.keys().size(); ++key)
    point.values.push_back(sweep_.grid.value(at, key));
  return point;
}

/// The command that runs the point alone.
std::string PlannedSweep::command(size_t number) const {
  const GridPoint at = sweep_.grid.at(number);
  std::string command = "shflsim run " + sweep_.inputs[place_of(sweep_, number).input].command +
                        " --config " + sweep_.configs.at(sweep_.grid.config(at)).name();
  for (const model::Assignment& setting : sweep_.spec.settings)
    command += " --set " + setting.key + "=" + setting.value;
  for (size_t key = 0; key < sweep_.grid.keys().size(); ++key)
    command += " --set " + sweep_.grid.keys()[key] + "=" + sweep_.grid.value(at, key);
  if (sweep_.spec.sms > 1) command += " --sms " + std::to_string(sweep_.spec.sms);
  return command;
}

}  // namespace shflsim::sweep
