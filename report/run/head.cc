// SPDX-License-Identifier: Apache-2.0
#include "report/run/head.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/run.h"
#include "report/run/report.h"
#include "report/terminal/text_table.h"

namespace shflsim::report {
namespace {

constexpr const char* kMeasured = "measured";
constexpr const char* kAssumed = "assumed";

std::string setting_of(const Machine& machine, const std::string& key) {
  for (const model::ConfigValue& value : machine.values) {
    if (value.key == key) return value.value;
  }
  return "";
}

void write_word(std::ostream& out, const char* word, const std::string& text) {
  if (!text.empty()) write_wrapped(out, fmt::format("{}: {}", word, text));
}

}  // namespace

Origin on_machine(Origin of_input, const model::ConfigLayers& layers) {
  of_input.machine = layers.name();
  of_input.overrides = layers.settings();
  return of_input;
}

std::vector<std::string> overrides_beside_network(const Machine& machine) {
  std::vector<std::string> overrides;
  for (const std::string& setting : machine.overrides) {
    if (setting.rfind("shuffle.network=", 0) != 0) overrides.push_back(setting);
  }
  return overrides;
}

Machine machine_of(const model::ConfigLayers& layers) {
  return {layers.name(), layers.settings(), model::effective_config(layers)};
}

std::string source_kind(const model::ConfigValue& value) {
  return value.source.substr(0, value.source.find_first_of(": "));
}

namespace {

/// True unless the value belongs to a choice not made: "shuffle.ring.ways" is for network ring.
bool is_chosen(const std::string& key, const std::vector<model::ConfigValue>& config) {
  const size_t first = key.find('.');
  const size_t second = key.find('.', first + 1);
  if (second == std::string::npos) return true;
  const std::string choice = key.substr(first + 1, second - first - 1);
  return std::any_of(config.begin(), config.end(), [&](const model::ConfigValue& value) {
    return value.key.compare(0, first + 1, key, 0, first + 1) == 0 && value.value == choice;
  });
}

bool has_value(const std::vector<model::ConfigValue>& config, const char* key, const char* value) {
  return std::any_of(config.begin(), config.end(), [&](const model::ConfigValue& each) {
    return each.key == key && each.value == value;
  });
}

/// True for the network whose latencies were measured; the depth of others does not affect it.
bool is_plain_crossbar(const std::vector<model::ConfigValue>& config) {
  return has_value(config, "shuffle.network", "crossbar") &&
         has_value(config, "shuffle.lanes", "32") &&
         has_value(config, "shuffle.self_bypass", "0") &&
         has_value(config, "shuffle.quad_fast_path", "0") &&
         has_value(config, "shuffle.uniform_broadcast", "0");
}

/// True for the technology values that determine the time of a pass; the others are prices.
bool is_of_delay(const std::string& key) {
  static const std::set<std::string> of_delay = {
      "technology.library", "technology.clock", "technology.lane_pitch",
      "technology.wire_resistance", "technology.wire_capacitance"};
  return of_delay.count(key) != 0;
}

bool is_issue_code(const std::string& key) {
  return key.rfind("control.", 0) == 0 && key != "control.codes";
}

/// The number of assumed values that can affect the cycles.
size_t count_in_use(const std::vector<model::ConfigValue>& values) {
  return static_cast<size_t>(
      std::count_if(values.begin(), values.end(), [&](const model::ConfigValue& value) {
        return source_kind(value) == kAssumed && can_act(value, values);
      }));
}

}  // namespace

bool can_act(const model::ConfigValue& value, const std::vector<model::ConfigValue>& config) {
  if (value.key == "sm.watchdog" || !is_chosen(value.key, config)) return false;
  if (value.key.rfind("energy.", 0) == 0) return !has_value(config, "energy.idle_power", "0");
  if (value.key == "shuffle.depth") return !is_plain_crossbar(config);
  if (value.key.rfind("technology.", 0) == 0)
    return is_of_delay(value.key) && has_value(config, "shuffle.depth", "1") &&
           !is_plain_crossbar(config);
  return !is_issue_code(value.key) || has_value(config, "control.codes", "maxwell");
}

size_t count_of_kind(const std::vector<model::ConfigValue>& values, const std::string& kind) {
  return static_cast<size_t>(
      std::count_if(values.begin(), values.end(),
                    [&](const model::ConfigValue& value) { return source_kind(value) == kind; }));
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

const Fields<Origin>& input_columns() {
  using Row = Origin;
  static const Fields<Row> fields = {
      {"input", "", "The file, and the kernel where one was chosen.",
       [](const Row& row) { return row.input; }},
      {"arguments", "", "Options of the launch, those of the file's own launch line among them.",
       [](const Row& row) { return row.arguments; }},
  };
  return fields;
}

const Fields<Machine>& machine_columns() {
  using Row = Machine;
  static const Fields<Row> fields = {
      {"name", "", "Its configs, each over the one in front of it: A+B.",
       [](const Row& row) { return row.name; }},
      {"network", "", "Its shuffle network.",
       [](const Row& row) { return setting_of(row, "shuffle.network"); }},
      {"overrides", "", "KEY=VALUE set over the configs, in order.",
       [](const Row& row) { return row.overrides; }},
      {"values", "values", "Values that make up the machine.",
       [](const Row& row) { return uint64_t{row.values.size()}; }},
      {"assumed", "values",
       "Values of the machine that are assumed: without a source of their own.",
       [](const Row& row) { return uint64_t{count_of_kind(row.values, kAssumed)}; }},
      {"assumed_in_use", "values", "Of the assumed ones, those that can act on the cycles.",
       [](const Row& row) { return uint64_t{count_in_use(row.values)}; }},
      {"measured", "values", "Values of the machine that were measured on the chip itself.",
       [](const Row& row) { return uint64_t{count_of_kind(row.values, kMeasured)}; }},
  };
  return fields;
}

std::vector<std::string> remarks_on(const traces::Trace& trace) {
  std::vector<std::string> remarks;
  const bool is_guessed =
      std::any_of(trace.findings.begin(), trace.findings.end(), [](const traces::Finding& finding) {
        return finding.what.rfind(traces::kGuessedLanes, 0) == 0;
      });
  if (is_guessed)
    remarks.emplace_back(
        "lanes are guessed where the trace does not say which ones a SHFL reads; --unknown-lanes "
        "chooses how");
  if (trace.code.is_lowered)
    remarks.push_back(fmt::format(
        "lowered from PTX by shflsim {}, not by ptxas: other instructions, other cycles",
        tool_version()));
  return remarks;
}

std::vector<std::string> remarks_on(const Machine& machine) {
  const size_t measured = count_of_kind(machine.values, kMeasured);
  if (measured == 0) return {};
  return {fmt::format(
      "{}: {} values measured on the chip itself; docs/accuracy.md says how close that is",
      machine.name, measured)};
}

std::vector<std::string> remarks_on(const traces::Trace& trace, const Machine& machine) {
  const std::string codes = setting_of(machine, "control.codes");
  if (codes.empty()) return {};
  const isa::Family family = codes == "volta" ? isa::Family::kSm70 : isa::Family::kMaxwell;
  if (family == trace.code.family()) return {};
  return {fmt::format("{}: code of {} on a machine of {}", machine.name,
                      isa::facts(trace.code.family()).name, isa::facts(family).name)};
}

void add_new(const std::vector<std::string>& more, std::vector<std::string>* remarks) {
  for (const std::string& remark : more) {
    if (std::find(remarks->begin(), remarks->end(), remark) == remarks->end())
      remarks->push_back(remark);
  }
}

void write_input(std::ostream& out, const Origin& origin) {
  write_word(out, "input", origin.input);
  write_word(out, "launch", joined(origin.arguments, " "));
}

void write_machine(std::ostream& out, const Machine& machine) {
  if (machine.name.empty()) return;
  const std::vector<std::string> overrides = overrides_beside_network(machine);
  write_word(
      out, "machine",
      fmt::format("{}, network {}{}{}; {} of {} values assumed and in use", machine.name,
                  setting_of(machine, "shuffle.network"), overrides.empty() ? "" : ", ",
                  joined(overrides, ", "), count_in_use(machine.values), machine.values.size()));
}

void write_remarks(std::ostream& out, const std::vector<std::string>& remarks) {
  for (const std::string& remark : remarks) write_word(out, "remark", remark);
}

}  // namespace shflsim::report
