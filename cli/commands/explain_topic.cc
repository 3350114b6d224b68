// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/explain_topic.h"

#include <fmt/format.h>

#include <vector>

#include "isa/base/input_error.h"
#include "model/run.h"
#include "report/compare/compare.h"
#include "report/run/columns.h"
#include "report/run/occupancy.h"
#include "report/terminal/text_table.h"
#include "report/time/critical_path.h"

namespace shflsim::cli {
namespace {

InputError unknown(const std::string& topic, const std::string& name,
                   const std::vector<std::string>& known) {
  return InputError("no " + topic + " '" + name + "'" + suggestion(name, known));
}

void explain_stall(std::ostream& out, const std::string& name, const MachineChoice& /*machine*/) {
  std::vector<std::string> known;
  for (const model::WarpState state : report::all_states()) {
    known.emplace_back(model::warp_state_name(state));
    if (known.back() != name) continue;
    report::write_wrapped(out, fmt::format("{}: a warp-cycle in which the warp {}.", name,
                                           model::warp_state_help(state)));
    return;
  }
  throw unknown("stall", name, known);
}

/// Prints the figures of one kind that have this key, and where they appear.
template <class Row>
void look_in(const char* place, const report::Fields<Row>& fields, const std::string& name,
             std::ostream& out, std::vector<std::string>* known, bool* found) {
  for (const report::Field<Row>& field : fields) {
    known->push_back(field.key);
    if (field.key != name) continue;
    *found = true;
    report::write_wrapped(
        out, fmt::format("{} of {}{}{}: {}", name, place, field.unit.empty() ? "" : ", in ",
                         field.unit, field.help));
  }
}

void explain_metric(std::ostream& out, const std::string& name, const MachineChoice& /*machine*/) {
  std::vector<std::string> known;
  bool found = false;
  const auto look = [&](const char* place, const auto& fields) {
    look_in(place, fields, name, out, &known, &found);
  };
  look("a run", report::totals());
  look("the occupancy of a run", report::occupancy());
  look("an instruction", report::instruction_columns());
  look("the critical path", report::path_columns());
  look("a warp state", report::state_columns());
  look("a unit", report::unit_columns());
  look("a warp", report::warp_columns());
  look("a launch", report::launch());
  look("a machine", report::machine_columns());
  look("a design that is compared", report::design_columns());
  look("a workload on a design", report::point_columns());
  if (!found) throw unknown("metric", name, known);
}

std::string range_of(const model::Parameter& parameter) {
  if (!parameter.choices.empty()) return fmt::format("one of {}", parameter.allowed());
  return fmt::format("{} to {}{}{}{}{}", parameter.least, parameter.most,
                     parameter.unit.empty() ? "" : " ", parameter.unit,
                     parameter.word_instead == nullptr ? "" : ", or ",
                     parameter.word_instead == nullptr ? "" : parameter.word_instead);
}

void explain_parameter(std::ostream& out, const std::string& name, const MachineChoice& machine) {
  const model::ConfigLayers layers = machine.layers();
  const std::vector<model::ConfigValue> config = model::effective_config(layers);
  const std::vector<model::Parameter> parameters = model::parameters();
  std::vector<std::string> known;
  for (size_t i = 0; i < parameters.size(); ++i) {
    known.push_back(parameters[i].key);
    if (known.back() != name) continue;
    report::write_wrapped(out, fmt::format("{}: {}", name, parameters[i].help));
    report::write_wrapped(out, fmt::format("range: {}", range_of(parameters[i])));
    report::write_wrapped(out, fmt::format("on {}: {}, {}: {}", layers.name(), config[i].value,
                                           config[i].origin, config[i].source));
    return;
  }
  throw unknown("parameter", name, known);
}

constexpr ExplainTopic kExplainTopics[] = {
    {"stall", explain_stall}, {"metric", explain_metric}, {"parameter", explain_parameter}};

}  // namespace

const ExplainTopic* explain_topic(const std::string& word) {
  for (const ExplainTopic& topic : kExplainTopics) {
    if (word == topic.name) return &topic;
  }
  return nullptr;
}

}  // namespace shflsim::cli
