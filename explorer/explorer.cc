// SPDX-License-Identifier: Apache-2.0
// Functions that the page calls: `shflsim explain` from text to text, compiled to WebAssembly.
#include <memory>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "isa/base/bounded.h"
#include "isa/base/input_error.h"
#include "report/explain/lane_pattern.h"
#include "report/explain/lane_report.h"
#include "report/explain/network_svg.h"
#include "report/explain/shuffle_request.h"

namespace shflsim::explorer {
namespace {

std::string answer;  // result of the last call; the caller copies it

std::unique_ptr<model::NetworkChoice> machine;

void set(const model::Parameter& parameter, const std::string& value) {
  const std::optional<uint64_t> number = whole_number(value);
  const bool is_allowed =
      parameter.word != nullptr ? parameter.allows(value) : number && parameter.allows(*number);
  if (!is_allowed)
    throw InputError(parameter.key + " = " + value + "; expected " + parameter.allowed());
  if (parameter.word != nullptr) *parameter.word = value;
  if (parameter.number != nullptr) *parameter.number = static_cast<uint32_t>(*number);
}

/// Sets the parameters of all networks from an object with a value for each key.
void set_machine(const report::Json& values) {
  auto choice = std::make_unique<model::NetworkChoice>();
  model::ParameterList list;
  choice->list(list);
  for (const model::Parameter& parameter : list.all()) {
    if (parameter.is_file) continue;  // the cell library, which no answer depends on
    const report::Json& value = values.at(parameter.key);
    set(parameter, value.is_string() ? value.get<std::string>() : value.dump());
  }
  machine = std::move(choice);
}

/// The value of a text field of the request; none if the field is not there or empty.
std::optional<std::string> field(const report::Json& request, const char* name) {
  const std::string text = request.value(name, "");
  return text.empty() ? std::nullopt : std::optional(text);
}

report::LaneQuestion lane_question(const report::Json& request) {
  return {request.at("text").get<std::string>(),
          field(request, "family"),
          request.value("lane_count", 0u),
          field(request, "lanes"),
          field(request, "values"),
          field(request, "as")};
}

/// Calls `work` and returns its result, or {"error": "..."}.
template <class Work>
const char* answered(Work work) {
  try {
    answer = work();
  } catch (const std::exception& error) {
    answer = report::Json{{"error", printable(error.what())}}.dump();
  }
  return answer.c_str();
}

}  // namespace
}  // namespace shflsim::explorer

extern "C" {
// A returned text is valid until the next call of any function.

/// {"key": value, ...} -> the networks with their descriptions.
const char* shflsim_machine(const char* values) {
  return shflsim::explorer::answered([values] {
    using namespace shflsim;
    explorer::set_machine(report::Json::parse(values));
    report::Json networks = report::Json::array();
    for (const auto& [name, entry] : model::ShuffleNetworks::table())
      networks.push_back({{"name", name}, {"help", entry.help}});
    return networks.dump();
  });
}

/// A line of `shflsim explain --many` -> the document that it prints for that line.
const char* shflsim_explain(const char* request) {
  return shflsim::explorer::answered([request] {
    using namespace shflsim;
    return report::explanation(report::shuffle_request(request), *explorer::machine).json().dump();
  });
}

/// The lane families: [{"name", "help", "lane_counts", "operations"}, ...].
const char* shflsim_families() {
  return shflsim::explorer::answered([] {
    using namespace shflsim;
    report::Json families = report::Json::array();
    for (const isa::LaneFamily& family : isa::LaneFamilies::all())
      families.push_back({{"name", family.name},
                          {"help", family.help},
                          {"lane_counts", family.lane_counts},
                          {"operations", family.operations}});
    return families.dump();
  });
}

/// {"text", "family", "lane_count", "lanes", "values", "as"}, all but the text optional -> the
/// document of `shflsim explain` for that lane instruction.
const char* shflsim_explain_lanes(const char* request) {
  return shflsim::explorer::answered([request] {
    using namespace shflsim;
    const report::LaneQuestion question = explorer::lane_question(report::Json::parse(request));
    const auto lanes = report::explained_lanes(question, *explorer::machine,
                                               report::networks_of(report::ShuffleRequest{}));
    return report::lanes_explanation(lanes).json().dump();
  });
}

/// A line of `shflsim explain --many` with one network, and a pass from 0 on -> the SVG that
/// `shflsim explain --svg` draws of that pass; "" if there is nothing to draw.
const char* shflsim_pass(const char* request, const char* pass) {
  return shflsim::explorer::answered([request, pass] {
    using namespace shflsim;
    const report::ShuffleRequest asked = report::shuffle_request(request);
    const auto network = explorer::machine->make(asked.networks.at(0), isa::kLanes);
    const model::Schedule schedule = network->route(report::explained(asked).map);
    const report::Picture picture =
        report::pass_picture(*network, schedule, whole_number(pass).value_or(0));
    return picture.body.empty() ? "" : report::svg_of({picture});
  });
}

/// A pattern for --sb and --sc -> its 32 values.
const char* shflsim_lanes(const char* pattern) {
  return shflsim::explorer::answered([pattern] {
    using namespace shflsim;
    return report::Json(report::lane_pattern(pattern, "values")).dump();
  });
}
}
