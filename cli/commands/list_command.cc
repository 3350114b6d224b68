// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iostream>

#include "cli/launch/kernel_list.h"
#include "cli/options/command.h"
#include "cli/options/help.h"
#include "cli/options/machine_choice.h"
#include "cli/options/result_format.h"
#include "isa/base/input_error.h"
#include "isa/dialects/source.h"
#include "isa/families/lane_family.h"
#include "model/modules.h"
#include "model/run.h"
#include "model/scheduler/scheduling_policy.h"
#include "model/shuffle/shuffle_network.h"
#include "report/compare/networks.h"
#include "report/page/described_columns.h"
#include "report/run/chosen_network.h"
#include "report/run/columns.h"
#include "report/run/rows.h"
#include "report/run/view.h"
#include "report/schema/schema.h"
#include "report/terminal/text_table.h"
#include "traces/trace_format.h"

namespace shflsim::cli {
namespace {

struct ListOptions : OptionGroup {
  std::string topic;
  std::optional<std::string> file;
  MachineChoice machine;
  KernelListOptions kernels;
  FormatOption format;

  void list(OptionList& list);
};

using report::Document;
using report::Json;

Document document(const std::string& topic, std::vector<std::string> keys) {
  return {Json{{"schema", "shflsim-list-" + topic + "/1"}, {topic, Json::array()}}, topic,
          std::move(keys)};
}

std::string text(const Json& row, const char* key) {
  const Json& value = row.at(key);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// The entries of a registry, by name.
template <class Table>
Document named(const std::string& topic, const Table& table) {
  Document list = document(topic, {"name", "help"});
  for (const auto& [name, entry] : table) list.add_row(Json{{"name", name}, {"help", entry.help}});
  return list;
}

Document networks(const ListOptions& options) {
  std::vector<report::NetworkRow> rows;
  for (const auto& [name, entry] : model::ShuffleNetworks::table()) {
    model::ConfigLayers layers = options.machine.layers();
    layers.add_setting("shuffle.network=" + name);
    rows.push_back({name, entry.help, report::chosen_network(layers).cost});
  }
  return report::networks_document(rows);
}

Document families(const ListOptions& /*options*/) {
  Document list = document("families", {"name", "help", "lanes", "operations"});
  for (const isa::LaneFamily& family : isa::LaneFamilies::all()) {
    list.add_row(Json{{"name", family.name},
                      {"help", family.help},
                      {"lanes", family.lane_counts},
                      {"operations", family.operations}});
  }
  return list;
}

Document policies(const ListOptions& /*options*/) {
  return named("policies", model::SchedulingPolicies::table());
}

Document views(const ListOptions& /*options*/) { return named("views", report::Views::table()); }

Document inputs(const ListOptions& /*options*/) {
  Document list = document("inputs", {"name", "help"});
  for (const isa::Dialect& each : isa::Dialects::all())
    list.add_row(Json{{"name", each.name}, {"help", each.help}});
  for (const traces::TraceFormat& each : traces::TraceFormats::all())
    list.add_row(Json{{"name", each.name}, {"help", each.help}});
  return list;
}

void write_named(std::ostream& out, const Document& list) {
  for (const Json& row : list.rows())
    report::write_line(out, fmt::format("{:<24}{}", text(row, "name"), text(row, "help")), 24);
}

Document stats(const ListOptions& /*options*/) {
  Document list = document("stats", {"list", "key", "unit", "help"});
  for (const report::DescribedColumn& each : report::described_columns()) {
    list.add_row(
        Json{{"list", each.list}, {"key", each.key}, {"unit", each.unit}, {"help", each.help}});
  }
  return list;
}

void write_stats(std::ostream& out, const Document& list) {
  std::string title;
  for (const Json& row : list.rows()) {
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

Document configs(const ListOptions& /*options*/) {
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
    list.add_row(row);
  }
  return list;
}

void write_configs(std::ostream& out, const Document& list) {
  constexpr const char* kLine = "{:<8}{:>10}{:>10}{:>10}{:>10}  {}";
  report::write_line(
      out, fmt::format(kLine, "config", "measured", "vendor", "published", "assumed", "chip"));
  for (const Json& row : list.rows()) {
    const auto count = [&row](const char* kind) { return row.at(kind).get<int>(); };
    report::write_line(out,
                       fmt::format(kLine, text(row, "config"), count("measured"), count("vendor"),
                                   count("published"), count("assumed"), text(row, "chip")),
                       50);
  }
}

Document config(const ListOptions& options) {
  return report::document_of("shflsim-list-config/1", "config", report::config_columns(),
                             model::effective_config(options.machine.layers()));
}

void write_config(std::ostream& out, const Document& list) {
  for (const Json& row : list.rows()) {
    const std::string unit = text(row, "unit");
    report::write_line(out, fmt::format("{} = {}{}", text(row, "key"), text(row, "value"),
                                        unit.empty() ? "" : " " + unit));
    report::write_line(out, fmt::format("    {}: {}", text(row, "help"), text(row, "allowed")), 6);
    report::write_line(out, fmt::format("    {}: {}", text(row, "origin"), text(row, "source")), 6);
  }
}

Document modules(const ListOptions& options) {
  Document list = document("modules", {"path", "module", "section", "hardware"});
  for (const model::ModuleInstance& each : model::modules_of(options.machine.layers())) {
    list.add_row(Json{{"path", each.path},
                      {"module", each.module},
                      {"section", each.section},
                      {"hardware", each.hardware}});
  }
  return list;
}

void write_modules(std::ostream& out, const Document& list) {
  report::write_line(
      out, fmt::format("{:<48}{:<16}{:<17}{}", "path", "module", "section", "hardware"), 48);
  for (const Json& row : list.rows()) {
    const std::string section = text(row, "section");
    report::write_line(out,
                       fmt::format("{:<48}{:<16}{:<17}{}", text(row, "path"), text(row, "module"),
                                   section.empty() ? "-" : section, text(row, "hardware")),
                       48);
  }
}

/// A command or a verb of a command: "trace record".
struct NamedCommand {
  std::string name;
  const Command& command;
};

std::vector<NamedCommand> all_commands() {
  std::vector<NamedCommand> all;
  for (const Command& command : commands()) {
    all.push_back({command.name, command});
    if (command.verbs == nullptr) continue;
    for (const Command& verb : command.verbs())
      all.push_back({command.name + " " + verb.name, verb});
  }
  return all;
}

Document kernels(const ListOptions& options) { return kernel_list(options.file, options.kernels); }

Document command_list(const ListOptions& /*options*/) {
  Document list = document("commands", {"name", "help", "call", "example"});
  for (const NamedCommand& each : all_commands()) {
    list.add_row(Json{{"name", each.name},
                      {"help", each.command.summary},
                      {"call", each.command.call},
                      {"example", each.command.example}});
  }
  return list;
}

Document option_list(const ListOptions& /*options*/) {
  Document list = document("options", {"command", "group", "name", "letter", "value", "optional",
                                       "default", "repeats", "common", "help"});
  for (const NamedCommand& each : all_commands()) {
    for (const Option& option : options_of(each.command)) {
      list.add_row(Json{{"command", each.name},
                        {"group", option.group},
                        {"name", option.name},
                        {"letter", std::string(option.letter != 0 ? 1 : 0, option.letter)},
                        {"value", option.value},
                        {"optional", option.is_optional},
                        {"default", option.standard},
                        {"repeats", option.repeats},
                        {"common", option.is_common},
                        {"help", option.help}});
    }
  }
  return list;
}

void write_options(std::ostream& out, const Document& list) {
  std::string command;
  for (const Json& row : list.rows()) {
    if (text(row, "command") != command) {
      command = text(row, "command");
      report::write_line(out, command);
    }
    const bool is_argument = text(row, "group") == OptionList::kArguments;
    const std::string name = is_argument
                                 ? text(row, "value")
                                 : fmt::format("--{} {}", text(row, "name"), text(row, "value"));
    report::write_line(out, fmt::format("  {:<24} {}", name, text(row, "help")), 27);
  }
}

/// The names of the schemas, or the schema that the user named.
Document schemas(const ListOptions& options) {
  if (options.file) return {Json::parse(report::schema_text(*options.file)), "", {}};
  Document list = document("schemas", {"name"});
  for (const std::string& name : report::schemas()) list.add_row(Json{{"name", name}});
  return list;
}

void write_schemas(std::ostream& out, const Document& list) {
  if (list.keys.empty()) {
    out << report::json_of(list);
    return;
  }
  for (const Json& row : list.rows()) out << text(row, "name") << "\n";
}

enum class Takes : char { kNothing, kFile, kMachine };

struct ListTopic {
  const char* name;
  const char* example;  ///< the words after `shflsim list`
  const char* help;
  Takes takes;
  Document (*list)(const ListOptions& options);
  void (*write)(std::ostream& out, const Document& list);
};

constexpr ListTopic kListTopics[] = {
    {"configs", "configs", "shipped machines, their chips, kinds of source", Takes::kNothing,
     configs, write_configs},
    {"config", "config", "values of a machine: unit, meaning, origin, source", Takes::kMachine,
     config, write_config},
    {"modules", "modules", "parts of an SM: place, class, config section", Takes::kMachine, modules,
     write_modules},
    {"networks", "networks", "shuffle networks, and what each costs", Takes::kMachine, networks,
     report::write_networks},
    {"families", "families", "families of lane instructions, for explain", Takes::kNothing,
     families, write_named},
    {"policies", "policies", "scheduling policies for scheduler.policy", Takes::kNothing, policies,
     write_named},
    {"inputs", "inputs", "kinds of files that commands read", Takes::kNothing, inputs, write_named},
    {"views", "views", "ways of showing a run, for --view NAME:FILE", Takes::kNothing, views,
     write_named},
    {"kernels", "kernels traces/kernels.sm50.sass", "kernels of a file", Takes::kFile, kernels,
     write_kernels},
    {"schemas", "schemas run", "JSON Schema of --json; without a name, all names", Takes::kFile,
     schemas, write_schemas},
    {"commands", "commands", "all commands", Takes::kNothing, command_list, write_named},
    {"options", "options --format csv", "the options of each command", Takes::kNothing, option_list,
     write_options},
    {"stats", "stats", "columns and totals of the report, with their units", Takes::kNothing, stats,
     write_stats},
};

const ListTopic& topic_named(const std::string& wanted) {
  std::vector<std::string> names;
  for (const ListTopic& topic : kListTopics) {
    if (wanted == topic.name) return topic;
    names.emplace_back(topic.name);
  }
  throw InputError("nothing to list by the name '" + wanted + "'" + suggestion(wanted, names));
}

std::string list_example() {
  std::string example;
  for (const ListTopic& topic : kListTopics)
    example += fmt::format("  shflsim list {:<11} # {}\n", topic.example, topic.help);
  return example;
}

void ListOptions::list(OptionList& list) {
  list.group("options", this);
  list.argument("topic", &topic, "TOPIC", "what to list, one of those in the example");
  list.argument("file", &file, "FILE", "with kernels: any input; with schemas: the name of one");
  machine.list(list);
  kernels.list(list);
  format.list(list);
}

int list_topic(const ListOptions& options) {
  const ListTopic& topic = topic_named(options.topic);
  const std::string words = std::string("list ") + topic.name;
  if (options.file && topic.takes != Takes::kFile)
    throw InputError(words + " takes no FILE; expected it with kernels or schemas");
  if (topic.takes != Takes::kMachine)
    refuse(options.machine, words + "; expected it with config, modules or networks");
  if (topic.list != kernels) refuse(options.kernels, words + "; expected it with kernels");
  const Document list = topic.list(options);
  if (!print_formatted(options.format.format, list)) topic.write(std::cout, list);
  return kFine;
}

}  // namespace

const Command kList = command("list",
                              "list one of: configs, config, modules, networks, "
                              "families, policies, inputs, views, "
                              "kernels, schemas, commands, options, stats",
                              "shflsim list TOPIC [FILE] [options]", list_example(), list_topic);

}  // namespace shflsim::cli
