// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/command.h"
#include "isa/input_error.h"
#include "isa/reader/source.h"
#include "model/run.h"
#include "model/scheduler/scheduling_policy.h"
#include "model/shuffle/shuffle_network.h"
#include "report/columns.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

void list_networks(const model::ConfigLayers& /*layers*/) {
  for (const auto& [name, entry] : model::ShuffleNetworks::table())
    std::cout << fmt::format("{:<24}{}\n", name, entry.help);
}

void list_policies(const model::ConfigLayers& /*layers*/) {
  for (const auto& [name, entry] : model::SchedulingPolicies::table())
    std::cout << fmt::format("{:<24}{}\n", name, entry.help);
}

void list_dialects(const model::ConfigLayers& /*layers*/) {
  for (const isa::Dialect& dialect : isa::dialects())
    std::cout << fmt::format("{:<24}{}\n", dialect.name, dialect.help);
}

void list_stats(const model::ConfigLayers& /*layers*/) { std::cout << report::describe_columns(); }

/// "measured", "vendor", "published", "assumed": the first word of a value's source.
std::string kind_of(const model::ConfigValue& value) {
  return value.source.substr(0, value.source.find_first_of(": "));
}

void list_configs(const model::ConfigLayers& /*layers*/) {
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

void list_config(const model::ConfigLayers& layers) {
  for (const model::ConfigValue& value : model::effective_config(layers)) {
    std::cout << fmt::format("{} = {}{}\n    {}\n    {}: {}\n", value.key, value.value,
                             value.unit.empty() ? "" : " " + value.unit, value.help, value.origin,
                             value.source);
  }
}

struct Topic {
  const char* name;
  const char* help;
  void (*print)(const model::ConfigLayers& layers);
};

constexpr Topic kTopics[] = {
    {"configs", "shipped machines, and how many of their values have which kind of source",
     list_configs},
    {"config", "effective configuration: each value, its unit, meaning, origin and source",
     list_config},
    {"networks", "shuffle networks for shuffle.network", list_networks},
    {"policies", "scheduling policies for scheduler.policy", list_policies},
    {"dialects", "input formats that `run` reads", list_dialects},
    {"stats", "columns and totals of the report, with their units", list_stats},
};

int run(const std::vector<std::string>& arguments) {
  po::options_description options("options");
  options.add_options()("topic", po::value<std::string>()->required(), "what to list")(
      "config", po::value<std::vector<std::string>>(),
      "machine or overlay: a shipped name or a file; repeatable (default gm107)")(
      "set", po::value<std::vector<std::string>>(), "KEY=VALUE over the config; repeatable");
  po::positional_options_description positions;
  positions.add("topic", 1);
  po::variables_map values;
  std::string topics;
  std::vector<std::string> names;
  for (const Topic& topic : kTopics) {
    topics += fmt::format("  shflsim list {:<10} # {}\n", topic.name, topic.help);
    names.push_back(topic.name);
  }
  const Usage usage{"shflsim list TOPIC [--config NAME|PATH]... [--set KEY=VALUE]...",
                    topics.c_str()};
  if (!parse(arguments, usage, options, positions, &values)) return kFine;
  const std::string wanted = values["topic"].as<std::string>();
  for (const Topic& topic : kTopics) {
    if (wanted != topic.name) continue;
    topic.print(config_layers(values));
    return kFine;
  }
  throw InputError("nothing to list by the name '" + wanted + "'" + suggestion(wanted, names));
}

}  // namespace

const Command kList = {"list", "print what there is: configs, networks, policies, stats...", run};

}  // namespace shflsim::cli
