// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/command.h"
#include "cli/input.h"
#include "isa/input_error.h"
#include "isa/reader/source.h"
#include "model/modules.h"
#include "model/run.h"
#include "model/scheduler/scheduling_policy.h"
#include "model/shuffle/shuffle_network.h"
#include "report/columns.h"
#include "report/view.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

void list_networks(const po::variables_map& /*values*/) {
  for (const auto& [name, entry] : model::ShuffleNetworks::table())
    std::cout << fmt::format("{:<24}{}\n", name, entry.help);
}

void list_policies(const po::variables_map& /*values*/) {
  for (const auto& [name, entry] : model::SchedulingPolicies::table())
    std::cout << fmt::format("{:<24}{}\n", name, entry.help);
}

void list_inputs(const po::variables_map& /*values*/) {
  for (const isa::Dialect& dialect : isa::Dialects::all())
    std::cout << fmt::format("{:<24}{}\n", dialect.name, dialect.help);
  for (const traces::TraceFormat& format : traces::TraceFormats::all())
    std::cout << fmt::format("{:<24}{}\n", format.name, format.help);
}

void list_views(const po::variables_map& /*values*/) {
  for (const auto& [name, entry] : report::Views::table())
    std::cout << fmt::format("{:<24}{}\n", name, entry.help);
}

void list_stats(const po::variables_map& /*values*/) { std::cout << report::describe_columns(); }

/// "measured", "vendor", "published", "assumed": the first word of a value's source.
std::string kind_of(const model::ConfigValue& value) {
  return value.source.substr(0, value.source.find_first_of(": "));
}

void list_configs(const po::variables_map& /*values*/) {
  std::cout << fmt::format("{:<12}{:>10}{:>10}{:>10}{:>10}\n", "config", "measured", "vendor",
                           "published", "assumed");
  for (const std::string& name : model::shipped_configs()) {
    model::ConfigLayers one;
    one.add_file(name);
    std::array<size_t, 4> counts{};
    const std::array<const char*, 4> kinds = {"measured", "vendor", "published", "assumed"};
    for (const model::ConfigValue& value : model::effective_config(one)) {
      const auto kind = std::find(kinds.begin(), kinds.end(), kind_of(value));
      if (kind != kinds.end()) ++counts[static_cast<size_t>(kind - kinds.begin())];
    }
    std::cout << fmt::format("{:<12}{:>10}{:>10}{:>10}{:>10}\n", name, counts[0], counts[1],
                             counts[2], counts[3]);
  }
}

void list_config(const po::variables_map& values) {
  for (const model::ConfigValue& value : model::effective_config(config_layers(values))) {
    std::cout << fmt::format("{} = {}{}\n    {}\n    {}: {}\n", value.key, value.value,
                             value.unit.empty() ? "" : " " + value.unit, value.help, value.origin,
                             value.source);
  }
}

void list_modules(const po::variables_map& values) {
  std::cout << fmt::format("{:<48}{:<16}{:<17}{}\n", "path", "module", "section", "hardware");
  for (const model::ModuleInstance& each : model::modules_of(config_layers(values))) {
    std::cout << fmt::format("{:<48}{:<16}{:<17}{}\n", each.path, each.module,
                             each.section.empty() ? "-" : each.section, each.hardware);
  }
}

std::string sizes_of(const isa::Program& program) {
  std::string sizes;
  for (const isa::Program::Parameter& each : program.parameters) {
    sizes += (sizes.empty() ? "" : ",") + std::to_string(each.size);
  }
  return sizes.empty() ? "?" : sizes;
}

void list_programs(const isa::Source& source) {
  std::cout << fmt::format("{:>12} {:>9} {:>7} {:>6} {:<16} {}\n", "instructions", "registers",
                           "shared", "local", "arguments", "kernel");
  for (const std::string& name : source.kernels()) {
    try {
      const isa::Program program = source.program(name);
      std::cout << fmt::format("{:>12} {:>9} {:>7} {:>6} {:<16} {}\n", program.code.size(),
                               program.registers, program.shared_bytes, program.local_bytes,
                               sizes_of(program), name);
    } catch (const InputError& error) {
      std::cout << fmt::format("{} cannot be used: {}\n", name, error.faults().front().line());
    }
  }
}

/// What is only timed says no more of its kernels than their names.
void list_kernels(const po::variables_map& values) {
  if (values.count("file") == 0) {
    throw InputError("no file given; expected shflsim list kernels FILE");
  }
  const Input input(values["file"].as<std::string>(), values);
  if (!input.is_trace() && input.family() == isa::Family::kMaxwell)
    return list_programs(input.source("list"));
  for (const std::string& name : input.kernels()) std::cout << name << "\n";
}

struct Topic {
  const char* name;
  const char* help;
  void (*print)(const po::variables_map& values);
};

constexpr Topic kTopics[] = {
    {"configs", "shipped machines, and how many of their values have which kind of source",
     list_configs},
    {"config", "effective configuration: each value, its unit, meaning, origin and source",
     list_config},
    {"modules", "parts of an SM: their place, class, config section and what they are",
     list_modules},
    {"networks", "shuffle networks for shuffle.network", list_networks},
    {"policies", "scheduling policies for scheduler.policy", list_policies},
    {"inputs", "kinds of files that commands read", list_inputs},
    {"views", "ways of showing a run in a file, for --view NAME:FILE", list_views},
    {"kernels", "kernels of FILE: their code, resources and the sizes of their arguments",
     list_kernels},
    {"stats", "columns and totals of the report, with their units", list_stats},
};

int run(const std::vector<std::string>& arguments) {
  po::options_description options("options");
  options.add_options()("topic", po::value<std::string>()->value_name("TOPIC")->required(),
                        "what to list")("file", po::value<std::string>()->value_name("FILE"),
                                        "for kernels: any input")(
      "config", po::value<std::vector<std::string>>()->value_name("NAME"),
      "machine or overlay: a shipped name or a file; repeatable (default gm107)")(
      "set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "KEY=VALUE over the config; repeatable");
  po::positional_options_description positions;
  positions.add("topic", 1).add("file", 1);
  po::variables_map values;
  std::string topics;
  std::vector<std::string> names;
  for (const Topic& topic : kTopics) {
    topics += fmt::format("  shflsim list {:<10} # {}\n", topic.name, topic.help);
    names.emplace_back(topic.name);
  }
  const Usage usage{"shflsim list TOPIC [FILE] [--config NAME|PATH]... [--set KEY=VALUE]...",
                    topics.c_str()};
  if (!parse(arguments, usage, options, positions, &values)) return kFine;
  const std::string wanted = values["topic"].as<std::string>();
  for (const Topic& topic : kTopics) {
    if (wanted != topic.name) continue;
    if (values.count("file") != 0 && topic.print != list_kernels) {
      throw InputError("list " + wanted + " takes no FILE; expected it with kernels alone");
    }
    topic.print(values);
    return kFine;
  }
  throw InputError("nothing to list by the name '" + wanted + "'" + suggestion(wanted, names));
}

}  // namespace

const Command kList = {"list",
                       "print what there is of: configs, config, modules, networks, policies, "
                       "inputs, views, kernels, stats",
                       run};

}  // namespace shflsim::cli
