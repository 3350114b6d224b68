// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iostream>

#include "cli/command.h"
#include "cli/face.h"
#include "cli/kernel_list.h"
#include "cli/result_format.h"
#include "isa/input_error.h"
#include "isa/reader/source.h"
#include "model/modules.h"
#include "model/run.h"
#include "model/scheduler/scheduling_policy.h"
#include "model/shuffle/shuffle_network.h"
#include "report/columns.h"
#include "report/networks.h"
#include "report/schema.h"
#include "report/text_table.h"
#include "report/view.h"
#include "sweep/chosen_network.h"
#include "traces/trace_format.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;
using report::Document;
using report::Json;
using report::rows_of;

Document document(const std::string& topic, std::vector<std::string> keys) {
  return {
      {{"schema", "shflsim-list-" + topic + "/1"}, {topic, Json::array()}}, topic, std::move(keys)};
}

void add(Document* list, Json row) { list->json[list->rows].push_back(std::move(row)); }
std::string text(const Json& row, const char* key) {
  const Json& value = row.at(key);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Things that register themselves, by name.
template <class Table>
Document named(const std::string& topic, const Table& table) {
  Document list = document(topic, {"name", "help"});
  for (const auto& [name, entry] : table) add(&list, Json{{"name", name}, {"help", entry.help}});
  return list;
}

Document networks(const po::variables_map& values) {
  std::vector<report::NetworkRow> rows;
  for (const auto& [name, entry] : model::ShuffleNetworks::table()) {
    model::ConfigLayers layers = config_layers(values);
    layers.add_setting("shuffle.network=" + name);
    rows.push_back({name, entry.help, sweep::chosen_network(layers).cost});
  }
  return report::networks_document(rows);
}

Document policies(const po::variables_map& /*values*/) {
  return named("policies", model::SchedulingPolicies::table());
}

Document views(const po::variables_map& /*values*/) {
  return named("views", report::Views::table());
}

Document inputs(const po::variables_map& /*values*/) {
  Document list = document("inputs", {"name", "help"});
  for (const isa::Dialect& each : isa::Dialects::all())
    add(&list, Json{{"name", each.name}, {"help", each.help}});
  for (const traces::TraceFormat& each : traces::TraceFormats::all())
    add(&list, Json{{"name", each.name}, {"help", each.help}});
  return list;
}

void write_named(std::ostream& out, const Document& list) {
  for (const Json& row : rows_of(list))
    report::write_line(out, fmt::format("{:<24}{}", text(row, "name"), text(row, "help")), 24);
}

Document stats(const po::variables_map& /*values*/) {
  Document list = document("stats", {"list", "key", "unit", "help"});
  for (const report::DescribedColumn& each : report::described_columns()) {
    add(&list,
        Json{{"list", each.list}, {"key", each.key}, {"unit", each.unit}, {"help", each.help}});
  }
  return list;
}

void write_stats(std::ostream& out, const Document& list) {
  std::string title;
  for (const Json& row : rows_of(list)) {
    if (text(row, "list") != title) {
      if (!title.empty()) out << "\n";
      title = text(row, "list");
      report::write_line(out, title);
    }
    report::write_line(
        out,
        fmt::format("  {:<26} {:<28} {}", text(row, "key"), text(row, "unit"), text(row, "help")),
        6);
  }
}

constexpr std::array<const char*, 4> kSourceKinds = {"measured", "vendor", "published", "assumed"};

/// "measured", "vendor", "published", "assumed": the first word of a value's source.
std::string kind_of(const model::ConfigValue& value) {
  return value.source.substr(0, value.source.find_first_of(": "));
}

Document configs(const po::variables_map& /*values*/) {
  Document list = document("configs", {"config"});
  list.keys.insert(list.keys.end(), kSourceKinds.begin(), kSourceKinds.end());
  list.keys.emplace_back("chip");
  for (const std::string& name : model::shipped_configs()) {
    model::ConfigLayers one;
    one.add_file(name);
    Json row = {{"config", name}};
    for (const char* kind : kSourceKinds) row[kind] = 0;
    for (const model::ConfigValue& value : model::effective_config(one)) {
      if (row.contains(kind_of(value))) row[kind_of(value)] = row[kind_of(value)].get<int>() + 1;
    }
    row["chip"] = model::shipped_chip(name);
    add(&list, row);
  }
  return list;
}

void write_configs(std::ostream& out, const Document& list) {
  constexpr const char* kLine = "{:<8}{:>10}{:>10}{:>10}{:>10}  {}";
  report::write_line(
      out, fmt::format(kLine, "config", "measured", "vendor", "published", "assumed", "chip"));
  for (const Json& row : rows_of(list)) {
    const auto count = [&row](const char* kind) { return row.at(kind).get<int>(); };
    report::write_line(out,
                       fmt::format(kLine, text(row, "config"), count("measured"), count("vendor"),
                                   count("published"), count("assumed"), text(row, "chip")),
                       50);
  }
}

Document config(const po::variables_map& values) {
  return report::document_of("shflsim-list-config/1", "config", report::config_columns(),
                             model::effective_config(config_layers(values)));
}

void write_config(std::ostream& out, const Document& list) {
  for (const Json& row : rows_of(list)) {
    const std::string unit = text(row, "unit");
    report::write_line(out, fmt::format("{} = {}{}", text(row, "key"), text(row, "value"),
                                        unit.empty() ? "" : " " + unit));
    report::write_line(out, fmt::format("    {}: {}", text(row, "help"), text(row, "allowed")), 6);
    report::write_line(out, fmt::format("    {}: {}", text(row, "origin"), text(row, "source")), 6);
  }
}

Document modules(const po::variables_map& values) {
  Document list = document("modules", {"path", "module", "section", "hardware"});
  for (const model::ModuleInstance& each : model::modules_of(config_layers(values))) {
    add(&list, Json{{"path", each.path},
                    {"module", each.module},
                    {"section", each.section},
                    {"hardware", each.hardware}});
  }
  return list;
}

void write_modules(std::ostream& out, const Document& list) {
  report::write_line(
      out, fmt::format("{:<48}{:<16}{:<17}{}", "path", "module", "section", "hardware"), 48);
  for (const Json& row : rows_of(list)) {
    const std::string section = text(row, "section");
    report::write_line(out,
                       fmt::format("{:<48}{:<16}{:<17}{}", text(row, "path"), text(row, "module"),
                                   section.empty() ? "-" : section, text(row, "hardware")),
                       48);
  }
}

Document command_list(const po::variables_map& /*values*/) {
  Document list = document("commands", {"name", "help", "call", "example"});
  for (const NamedCommand& each : all_commands()) {
    const Face face = face_of(each.command);
    add(&list, Json{{"name", each.name},
                    {"help", each.command.summary},
                    {"call", face.call},
                    {"example", face.example}});
  }
  return list;
}

Document option_list(const po::variables_map& /*values*/) {
  Document list = document("options", {"command", "group", "name", "letter", "value", "optional",
                                       "default", "repeats", "help"});
  for (const NamedCommand& each : all_commands()) {
    for (const FaceOption& option : face_of(each.command).options) {
      add(&list, Json{{"command", each.name},
                      {"group", option.group},
                      {"name", option.name},
                      {"letter", std::string(option.letter != 0 ? 1 : 0, option.letter)},
                      {"value", option.value},
                      {"optional", option.is_optional},
                      {"default", option.standard},
                      {"repeats", option.repeats},
                      {"help", option.help}});
    }
  }
  return list;
}

void write_options(std::ostream& out, const Document& list) {
  std::string command;
  for (const Json& row : rows_of(list)) {
    if (text(row, "command") != command) {
      command = text(row, "command");
      report::write_line(out, command);
    }
    const bool is_argument = text(row, "group") == FaceOption::kArguments;
    const std::string name = is_argument
                                 ? text(row, "value")
                                 : fmt::format("--{} {}", text(row, "name"), text(row, "value"));
    report::write_line(out, fmt::format("  {:<24} {}", name, text(row, "help")), 27);
  }
}

/// The names, or the schema of that name itself.
Document schemas(const po::variables_map& values) {
  if (values.count("file") != 0)
    return {Json::parse(report::schema_text(values["file"].as<std::string>())), "", {}};
  Document list = document("schemas", {"name"});
  for (const std::string& name : report::schemas()) add(&list, Json{{"name", name}});
  return list;
}

void write_schemas(std::ostream& out, const Document& list) {
  if (list.keys.empty()) {
    out << report::json_of(list.json);
    return;
  }
  for (const Json& row : rows_of(list)) out << text(row, "name") << "\n";
}

struct Topic {
  const char* name;
  const char* example;  ///< behind `shflsim list`
  const char* help;
  Document (*list)(const po::variables_map& values);
  void (*write)(std::ostream& out, const Document& list);
};

constexpr Topic kTopics[] = {
    {"configs", "configs", "shipped machines, their chips, kinds of source", configs,
     write_configs},
    {"config", "config", "values of a machine: unit, meaning, origin, source", config,
     write_config},
    {"modules", "modules", "parts of an SM: place, class, config section", modules, write_modules},
    {"networks", "networks", "shuffle networks, and what each costs", networks,
     report::write_networks},
    {"policies", "policies", "scheduling policies for scheduler.policy", policies, write_named},
    {"inputs", "inputs", "kinds of files that commands read", inputs, write_named},
    {"views", "views", "ways of showing a run, for --view NAME:FILE", views, write_named},
    {"kernels", "kernels traces/kernels.sm50.sass", "kernels of a file", list_kernels,
     write_kernels},
    {"schemas", "schemas run", "JSON Schema of --json; without a name, all names", schemas,
     write_schemas},
    {"commands", "commands", "what the program can be told to do", command_list, write_named},
    {"options", "options --format csv", "what each command takes", option_list, write_options},
    {"stats", "stats", "columns and totals of the report, with their units", stats, write_stats},
};

void add_config_options(po::options_description& options) {
  options.add_options()("config", po::value<std::vector<std::string>>()->value_name("NAME"),
                        "machine or overlay: a shipped name or a file; repeatable (default gm107)")(
      "set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "KEY=VALUE over the config; repeatable");
}

const Topic& topic_named(const std::string& wanted) {
  std::vector<std::string> names;
  for (const Topic& topic : kTopics) {
    if (wanted == topic.name) return topic;
    names.emplace_back(topic.name);
  }
  throw InputError("nothing to list by the name '" + wanted + "'" + suggestion(wanted, names));
}

po::options_description list_options() {
  po::options_description options("options");
  options.add_options()("topic", po::value<std::string>()->value_name("TOPIC")->required(),
                        "what to list, one of those in the example")(
      "file", po::value<std::string>()->value_name("FILE"),
      "with kernels: any input; with schemas: the name of one");
  add_config_options(options);
  add_format_option(options);
  return options;
}

int run(const std::vector<std::string>& arguments) {
  po::positional_options_description positions;
  positions.add("topic", 1).add("file", 1);
  po::variables_map values;
  std::string examples;
  for (const Topic& topic : kTopics) {
    examples += fmt::format("  shflsim list {:<11} # {}\n", topic.example, topic.help);
  }
  const Usage usage{"shflsim list TOPIC [FILE] [--config NAME]... [--set KEY=VALUE]...",
                    examples.c_str()};
  if (!parse(arguments, usage, list_options(), positions, &values)) return kFine;
  const Topic& topic = topic_named(values["topic"].as<std::string>());
  if (values.count("file") != 0 && topic.list != list_kernels && topic.list != schemas) {
    throw InputError(std::string("list ") + topic.name +
                     " takes no FILE; expected it with kernels or schemas");
  }
  if (topic.list != config && topic.list != modules && topic.list != networks)
    refuse(values, add_config_options, {},
           std::string("list ") + topic.name + "; expected it with config, modules or networks");
  const Document list = topic.list(values);
  if (!print_formatted(values, list)) topic.write(std::cout, list);
  return kFine;
}

}  // namespace

const Command kList = {"list",
                       "print what there is of: configs, config, modules, networks, policies, "
                       "inputs, views, kernels, schemas, commands, options, stats",
                       run};

}  // namespace shflsim::cli
