// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

#include <algorithm>
#include <iostream>

#include "cli/common_options.h"
#include "cli/help.h"
#include "cli/result_format.h"
#include "cli/version.h"
#include "isa/input_error.h"
#include "model/run.h"
#include "report/messages.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

po::parsed_options parsed(const std::vector<std::string>& arguments,
                          const po::options_description& options,
                          const po::positional_options_description& positions) {
  const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  return po::command_line_parser(arguments)
      .options(options)
      .positional(positions)
      .style(style)
      .run();
}

/// "--kernel"..., of what is no argument
std::vector<std::string> option_names(const Face& face) {
  std::vector<std::string> names;
  for (const FaceOption& option : face.options) {
    if (!option.is_argument()) names.push_back("--" + option.name);
  }
  return names;
}

/// True where the user asks about the program, and wants nothing done.
bool asks(const po::variables_map& values) {
  return values.count("help") != 0 || values.count("version") != 0;
}

}  // namespace

bool parse(const std::vector<std::string>& arguments, const Usage& usage,
           const po::options_description& options,
           const po::positional_options_description& positions, po::variables_map* values) {
  po::options_description all = options;
  add_common_options(all);
  if (shows_face(usage, all, positions)) return false;
  try {
    po::store(parsed(arguments, all, positions), *values);
    if (!asks(*values)) po::notify(*values);
  } catch (const po::unknown_option& error) {
    throw InputError(
        "unknown option '" + error.get_option_name() + "'" +
        suggestion(error.get_option_name(), option_names(face_of(usage, all, positions))));
  } catch (const po::required_option& error) {
    throw InputError("no " + error.get_option_name().substr(2) + " given; expected " + usage.call);
  } catch (const po::too_many_positional_options_error&) {
    throw InputError(std::string("more arguments than there are places for; expected ") +
                     usage.call);
  } catch (const po::error& error) {
    throw InputError(std::string(error.what()) + "; expected " + usage.call);
  }
  apply_common_options(*values);
  const ResultFormat format = result_format(*values);
  if (!asks(*values)) return true;
  if (values->count("help") != 0) {
    std::cout << help_text(face_of(usage, all, positions));
  } else {
    std::cout << (format == ResultFormat::kText ? version_text() : version_json());
  }
  return false;
}

std::string text_of(const po::variables_map& values, const char* name) {
  return values.count(name) == 0 ? "" : values[name].as<std::string>();
}

std::optional<isa::OutFile> file_of(const po::variables_map& values, const char* name) {
  if (values.count(name) == 0) return std::nullopt;
  return isa::OutFile(values[name].as<std::string>());
}

void refuse(const po::variables_map& values, void (*add)(po::options_description&),
            const std::vector<std::string>& allowed, const std::string& because) {
  po::options_description group;
  add(group);
  for (const auto& option : group.options()) {
    const std::string& name = option->long_name();
    const bool is_given = values.count(name) != 0 && !values[name].defaulted();
    if (!is_given || std::find(allowed.begin(), allowed.end(), name) != allowed.end()) continue;
    throw InputError("--" + name + " with " + because);
  }
}

std::vector<model::ConfigLayers> machines(const po::variables_map& values,
                                          const std::string& machine) {
  std::vector<std::string> configs = {machine};
  const bool is_given = values.count("config") != 0;
  if (is_given) configs = values["config"].as<std::vector<std::string>>();
  std::vector<model::ConfigLayers> all;
  for (const std::string& config : configs) {
    report::detail("machine " + config + (is_given ? ", of --config" : ", as --config names none"));
    model::ConfigLayers layers;
    layers.add_file(config);
    if (all.empty() || model::is_whole(layers)) {
      all.push_back(layers);
    } else {
      all.back().add(layers);
    }
  }
  if (values.count("set") == 0) return all;
  for (const std::string& setting : values["set"].as<std::vector<std::string>>()) {
    for (model::ConfigLayers& layers : all) layers.add_setting(setting);
  }
  return all;
}

model::ConfigLayers config_layers(const po::variables_map& values, const std::string& machine) {
  const std::vector<model::ConfigLayers> all = machines(values, machine);
  if (all.size() == 1) return all.front();
  throw InputError("--config " + all[1].name() + " is a machine of its own beside " +
                   all[0].name() + "; expected one machine here, or shflsim compare");
}

}  // namespace shflsim::cli
