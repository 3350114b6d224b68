// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "isa/base/faults.h"
#include "model/config/ini.h"
#include "model/core/config_value.h"
#include "model/core/parameter.h"

namespace shflsim::model {

/// Config files (INI: `[section]`, `key = value  # source: reference`) and KEY=VALUE pairs,
/// collected in order; a later one overrides an earlier one. Before its sections, a file can take
/// the values of another file: unchanged (`include = NAME`), or as values of another chip that are
/// assumed for this one (`assume = NAME`). Copies share their files, so that ten thousand designs
/// based on one file cost little more than their own settings.
class ConfigLayers {
 public:
  /// Adds a path, the name of a shipped config ("gm107"), or several of these, each overriding the
  /// previous one: "gm107+mine.cfg". Throws InputError if there is no such file; apply() reports
  /// errors in lines and settings.
  void add_file(const std::string& name_or_path);
  /// Adds a setting, "shuffle.network=banked".
  void add_setting(const std::string& setting, const std::string& option = "--set");

  /// Adds the layers of another config on top.
  void add(const ConfigLayers& other);

  /// The names of the files, joined by '+', and the settings; results name the machine by these.
  const std::string& name() const { return name_; }
  const std::vector<std::string>& settings() const { return settings_; }
  /// True if every parameter has a value, set or by default: a machine, not an overlay.
  bool sets_all(const ParameterList& parameters) const;

  /// Writes every parameter and returns the effective configuration in the order of the parameters.
  /// Throws InputError for an unknown key (with the nearest one), a value out of range, a key given
  /// twice in one file, a parameter that no layer sets, and values that exclude one another.
  std::vector<ConfigValue> apply(const ParameterList& parameters) const;

 private:
  /// The last assignment of each parameter, by key; null if there is none.
  using LastOf = std::unordered_map<std::string_view, const Assignment*>;
  LastOf last_of(const ParameterList& parameters, Faults* faults) const;
  [[noreturn]] void refuse(const JointRule& rule, const std::vector<ConfigValue>& values) const;
  void add_one_file(const std::string& name_or_path);

  std::string name_;
  std::vector<std::string> settings_;
  std::vector<std::shared_ptr<const std::vector<Assignment>>> layers_;
  Faults faults_;  ///< faults of lines and settings that could not be read
};

/// Throws InputError if the parameter does not allow this value.
void check_value(const Parameter& parameter, const Assignment& assignment);

/// The folder of shipped configs: in the source tree, or where they are installed.
std::string config_folder();
/// Names of the shipped configs of chips, the file of a shipped config, and the text in parentheses
/// in its first line, which names the chip: "RTX 4090; Ada, sm_89".
std::vector<std::string> shipped_configs();
std::string shipped_config_path(const std::string& name);
std::string shipped_chip(const std::string& name);

}  // namespace shflsim::model
