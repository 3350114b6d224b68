// SPDX-License-Identifier: Apache-2.0
#include "report/schema/schema.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "isa/base/input_error.h"
#include "report/compare/accuracy.h"
#include "report/compare/compare.h"
#include "report/compare/lane_ranking.h"
#include "report/compare/networks.h"
#include "report/run/check_columns.h"
#include "report/run/columns.h"
#include "report/run/energy_columns.h"
#include "report/run/json_fields.h"
#include "report/run/occupancy.h"
#include "report/schema/shapes.h"
#include "report/time/critical_path.h"

namespace shflsim::report {
namespace {

Json machine_schema() { return closed_object(properties_of(machine_columns())); }

Json launch_schema() {
  Json properties = properties_of(launch());
  properties["sms"] = kWhole;
  return closed_object(std::move(properties), {"sms"});
}

Json run_schema() {
  Json properties = properties_of(header());
  properties.update(properties_of(input_columns()));
  properties["verdict"] = closed_object({{"lines", list_of(kText)},
                                         {"shuffles", kWhole},
                                         {"cut", {{"type", {"integer", "null"}}}},
                                         {"bounds", rows_of(bound_columns())},
                                         {"busiest", rows_of(busiest_columns())},
                                         {"what_ifs", rows_of(what_if_columns())}});
  properties["machine"] = machine_schema();
  properties["remarks"] = list_of(kText);
  properties["complete"] = kYesOrNo;
  properties["stopped_by"] = kText;
  properties["launch"] = launch_schema();
  properties["occupancy"] = closed_object(properties_of(occupancy()));
  properties["totals"] = closed_object(properties_of(totals()));
  properties["states"] = rows_of(state_columns());
  properties["units"] = rows_of(unit_columns());
  properties["energy"] = rows_of(energy_columns());
  properties["instructions"] = rows_of(instruction_columns());
  Json warp = properties_of(warp_columns());
  warp["sm"] = kWhole;
  properties["warps"] = list_of(closed_object(std::move(warp), {"sm"}));
  properties["findings"] = rows_of(finding_columns());
  properties["critical_path"] = rows_of(path_columns());
  properties["critical_path"]["type"] = {"array", "null"};
  properties["critical_path"]["description"] =
      "What the run's length is made of; null of a run of more than 2 million warp instructions.";
  properties["config"] = rows_of(config_columns());
  properties["sensitivity"] = rows_of(varied_columns());
  properties["profile"] = profile_of_run();
  return closed_object(std::move(properties), {"profile", "sensitivity", "stopped_by", "verdict"});
}

Json input_schema() {
  Json properties = {{"workload", kText}, {"kernel", kText}};
  properties.update(properties_of(input_columns()));
  properties["remarks"] = list_of(kText);
  properties["launch"] = launch_schema();
  return closed_object(std::move(properties));
}

Json design_schema() {
  Json properties = properties_of(design_columns());
  properties["machine"] = machine_schema();
  properties["remarks"] = list_of(kText);
  properties["config_differences"] = rows_of(config_columns());
  return closed_object(std::move(properties));
}

/// An object whose members are numbers, whatever their names.
Json counts_by_name() { return {{"type", "object"}, {"additionalProperties", kWhole}}; }

Json point_schema() {
  const Json whole = {{"type", "integer"}};
  Json properties = properties_of(point_columns());
  properties["equals_first"] = kYesOrNo;
  properties["differences"] = list_of(closed_object({{"pc", kText},
                                                     {"text", kText},
                                                     {"warp_cycles", whole},
                                                     {"passes", whole},
                                                     {"state", kText}}));
  properties["shuffle_instructions"] =
      list_of(closed_object({{"pc", kText},
                             {"text", kText},
                             {"issues_by_passes", counts_by_name()},
                             {"port_conflicts_by_port", counts_by_name()}}));
  properties["ports"] = list_of(closed_object({{"port", kText}, {"passes", kWhole}}));
  return closed_object(std::move(properties));
}

Json compare_schema() {
  Json properties = properties_of(comparison_header());
  properties["verdict"] = list_of(kText);
  properties["complete"] = kYesOrNo;
  properties["inputs"] = list_of(input_schema());
  properties["designs"] = list_of(design_schema());
  properties["points"] = list_of(point_schema());
  properties["config"] = rows_of(config_columns());
  return closed_object(std::move(properties));
}

Json compare_lanes_schema() {
  Json json = document("compare-lanes", "version:text verdict:texts", "", "");
  json["properties"]["profiles"] = list_of(members_of(
      "file:text source:text hashes:texts arch:text counted:text lanes:count moves:count "
      "families:count"));
  json["properties"]["rows"] = rows_of(traffic_columns());
  for (const char* key : {"profiles", "rows"}) json["required"].push_back(key);
  return json;
}

Json check_schema() {
  Json properties = properties_of(check_header());
  properties["findings"] = rows_of(check_columns());
  return closed_object(std::move(properties));
}

Json list_schema() {
  const std::string named = "name:text help:text";
  const std::pair<std::string, std::string> topics[] = {
      {"configs",
       "config:text measured:count vendor:count published:count assumed:count chip:text"},
      {"config", "key:text value:figure unit:text origin:text source:text help:text allowed:text"},
      {"modules", "path:text module:text section:text hardware:text"},
      {"families", named + " lanes:counts operations:texts"},
      {"policies", named},
      {"inputs", named},
      {"views", named},
      {"kernels",
       "kernel:text architecture:text? form:text? compression:text? instructions:count? "
       "registers:count? shared_bytes:count? local_bytes:count? barriers:count? "
       "parameter_base:count? arguments:counts? use:text? demangled:text? error:text?"},
      {"schemas", "name:text"},
      {"commands", named + " call:text example:text"},
      {"options",
       "command:text group:text name:text letter:text value:text optional:yes_or_no default:text "
       "repeats:yes_or_no common:yes_or_no "
       "help:text"},
      {"stats", "list:text key:text unit:text help:text"}};
  Json each = Json::array();
  for (const auto& [topic, row] : topics) each.push_back(document("list-" + topic, "", topic, row));
  Json networks = document("list-networks", "library:text lane_pitch:count", "", "");
  networks["properties"]["networks"] = rows_of(network_columns());
  networks["required"].push_back("networks");
  each.push_back(networks);
  return {{"oneOf", each}};
}

Json launches_schema() {
  return document("launches", "", "launches",
                  "kernel:text name:text machine:text cycles:count warp_instructions:count "
                  "passes:count port_conflicts:count register_conflicts:count");
}

/// A launch that was not timed has no cycles and no time.
Json exec_schema() {
  Json json = document("exec", "version:text program:texts", "launches",
                       "kernel:text name:text machine:text grid:counts block:counts "
                       "shared_bytes:count warp_instructions:count launch_file:text remark:text");
  Json kernel =
      members_of("kernel:text name:text machine:text launches:count warp_instructions:count");
  Json& launch = json["properties"]["launches"]["items"];
  for (Json* row : {&kernel, &launch}) {
    (*row)["properties"]["cycles"] = {{"type", {"integer", "null"}}};
    (*row)["properties"]["microseconds"] = {{"type", {"number", "null"}}};
    for (const char* key : {"cycles", "microseconds"}) (*row)["required"].push_back(key);
  }
  json["properties"]["kernels"] = list_of(kernel);
  json["required"].push_back("kernels");
  return json;
}

Json explain_schema() {
  Json json =
      document("explain", "text:text word:text ptx:text cuda:text segments:text", "networks",
               "network:text passes:count port_conflicts:count "
               "collisions:texts set_up:count");
  Json pass = members_of("lanes:counts through_memory:yes_or_no");
  pass["properties"]["ports"] = list_of(members_of("port:text source:count"));
  pass["required"].push_back("ports");
  Json& network = json["properties"]["networks"]["items"];
  network["properties"]["cost"] = members_of(
      "mux2:count switches:count mux_levels:count wire_tracks:count wire_length:count "
      "configuration_bits:count result_registers:count state_registers:count lane_enables:count");
  network["properties"]["schedule"] = list_of(pass);
  network["properties"]["energy_pj"] = {{"type", {"number", "null"}}};
  for (const char* key : {"energy_pj", "cost", "schedule"}) network["required"].push_back(key);
  json["properties"]["lanes"] = list_of(members_of(
      "lane:count executes:yes_or_no source:count in_range:yes_or_no undefined:yes_or_no"));
  json["properties"]["words"] = list_of(members_of("arch:text word:text"));
  for (const char* key : {"lanes", "words"}) json["required"].push_back(key);
  return json;
}

Json explain_lanes_schema() {
  Json json =
      document("explain-lanes", "text:text family:text word:text cost:text active:text as:text",
               "networks", "network:text passes:count port_conflicts:count mux2:count");
  Json& network = json["properties"]["networks"]["items"];
  network["properties"]["energy_pj"] = {{"type", {"number", "null"}}};
  network["required"].push_back("energy_pj");
  const Json lane = members_of("lane:count from:text operand:count source:count");
  json["properties"]["steps"] = list_of(list_of(list_of(lane)));
  json["properties"]["sequence"] =
      list_of(members_of("text:text chained:yes_or_no needs:text cycles:number cost:text"));
  for (const char* key : {"steps", "sequence"}) json["required"].push_back(key);
  return json;
}

Json verify_schema() {
  return document("verify", "instructions:count decoded:count texts_equal:count reencoded:count",
                  "differences", "line:count kernel:text what:text");
}

Json accuracy_schema() {
  Json properties = properties_of(accuracy_header());
  properties["machine"] = machine_schema();
  properties["remarks"] = list_of(kText);
  properties["points"] = rows_of(accuracy_columns());
  return closed_object(std::move(properties));
}

Json trace_info_schema() {
  return document("trace-info", "", "traces",
                  "format:text kernel:text isa:text instructions:count control_bits:yes_or_no "
                  "registers:count shared_bytes:count grid:text block:text warps:count "
                  "warp_instructions:count shuffles:count memory_accesses:count lane_maps:count "
                  "findings:count sections:count? bytes:count? bytes_of_steps:count?");
}

Json errors_schema() {
  return document("errors", "more:count? remarks:texts?", "errors",
                  "file:text? line:count? column:count? what:text expected:text?");
}

Json version_schema() {
  return document("version",
                  "name:text version:text commit:text build_type:text compiler:text systemc:text "
                  "boost:text fmt:text sqlite:text files:text sanitizers:text",
                  "", "");
}

/// The rows have the axes and metrics of a sweep: numbers or words under any names.
Json results_schema() {
  const Json figure = {{"type", {"number", "string", "null"}}};
  const Json row = {{"type", "object"}, {"additionalProperties", figure}};
  return closed_object({{"schema", {{"const", "shflsim-results/1"}}},
                        {"version", kText},
                        {"view", {{"enum", {"points", "best", "pareto", "pivot", "sensitivity"}}}},
                        {"verdict", list_of(kText)},
                        {"arguments", list_of(kText)},
                        {"remarks", list_of(kText)},
                        {"rows", list_of(row)}},
                       {"arguments", "verdict"});
}

/// A figure that one of the results lacks is null there.
Json diff_schema() {
  const Json number = {{"type", {"number", "null"}}};
  const Json address = {{"type", {"string", "null"}}};
  Json row = members_of("part:text name:text metric:text within:yes_or_no");
  for (const char* key : {"a", "b", "difference", "percent"}) row["properties"][key] = number;
  for (const char* key : {"pc_a", "pc_b"}) row["properties"][key] = address;
  for (const char* key : {"a", "b", "difference", "percent", "pc_a", "pc_b"})
    row["required"].push_back(key);
  const Json side = members_of("file:text result:text title:text");
  return closed_object({{"schema", {{"const", "shflsim-diff/1"}}},
                        {"version", kText},
                        {"a", side},
                        {"b", side},
                        {"aligned_by", {{"enum", {"pc", "text"}}}},
                        {"aligned", kWhole},
                        {"only_a", kWhole},
                        {"only_b", kWhole},
                        {"compared", kWhole},
                        {"beyond", kWhole},
                        {"config", list_of(members_of("key:text a:text b:text"))},
                        {"differences", list_of(row)}});
}

struct Schema {
  const char* name;
  const char* title;
  Json (*make)();
};
const Schema kSchemas[] = {
    {"run", "What `shflsim run --json FILE` writes", run_schema},
    {"compare", "What `shflsim compare --json FILE` writes", compare_schema},
    {"compare-lanes", "What `shflsim compare --json FILE` writes of lane profiles",
     compare_lanes_schema},
    {"check", "What `shflsim check --json FILE` writes", check_schema},
    {"launches", "What `shflsim run` prints of a list of traces with --format json",
     launches_schema},
    {"exec", "What `shflsim exec --json FILE` writes", exec_schema},
    {"explain", "What `shflsim explain --format json` prints", explain_schema},
    {"explain-lanes", "What `shflsim explain --format json` prints of other lane instructions",
     explain_lanes_schema},
    {"verify", "What `shflsim verify --format json` prints", verify_schema},
    {"accuracy", "What `shflsim accuracy --format json` prints", accuracy_schema},
    {"trace-info", "What `shflsim trace info --format json` prints", trace_info_schema},
    {"list", "What `shflsim list TOPIC --format json` prints", list_schema},
    {"version", "What `shflsim --version --format json` prints", version_schema},
    {"results", "What `shflsim results --json FILE` writes", results_schema},
    {"diff", "What `shflsim diff --json FILE` writes", diff_schema},
    {"profile", "What `shflsim diff --json FILE` writes of a run and a profile", profile_schema},
    {"errors", "What a command that fails with --format json writes to standard error",
     errors_schema},
};

}  // namespace

std::vector<std::string> schemas() {
  std::vector<std::string> names;
  for (const Schema& schema : kSchemas) names.emplace_back(schema.name);
  return names;
}

std::string schema_text(const std::string& name) {
  for (const Schema& schema : kSchemas) {
    if (name != schema.name) continue;
    Json json = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", schema.title}};
    json.update(schema.make());
    return json.dump(1) + "\n";
  }
  throw InputError("no schema '" + name + "'" + suggestion(name, schemas()));
}

}  // namespace shflsim::report
