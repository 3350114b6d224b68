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
/// collected in order; a later one overrides an earlier one. In front of its sections, a file can
/// take over the values of another file: unchanged (`include = NAME`), or as values that are known
/// of another chip and assumed for this one (`assume = NAME`). A copy shares its files with its
/// original, so that ten thousand designs on one file cost little more than their own settings.
class ConfigLayers {
 public:
  /// A path, the name of a shipped config ("gm107"), or several of these, each overriding the one
  /// before: "gm107+mine.cfg". Throws InputError if there is no such file; faults of its lines,
  /// and of settings, are reported by apply().
  void add_file(const std::string& name_or_path);
  /// "shuffle.network=banked"
  void add_setting(const std::string& setting, const std::string& option = "--set");

  /// Adds the layers of another config on top.
  void add(const ConfigLayers& other);

  /// The files as they were named, joined by '+', and the settings: how results name the machine.
  const std::string& name() const { return name_; }
  const std::vector<std::string>& settings() const { return settings_; }
  /// True where every parameter has a value, set or by default: a machine, not an overlay.
  bool sets_all(const ParameterList& parameters) const;

  /// Writes every parameter and returns the effective configuration in the parameters' order.
  /// Throws InputError for an unknown key (with the nearest one), a value out of range, a key given
  /// twice in one file, a parameter that no layer sets, and values that do not go together.
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

/// Throws InputError if the parameter cannot have this value.
void check_value(const Parameter& parameter, const Assignment& assignment);

/// The folder of shipped configs, beside the source tree or where they are installed.
std::string config_folder();
/// Names of the shipped configs of a chip, the file of one, and what the brackets in its first line
/// say of the chip: "RTX 4090; Ada, sm_89".
std::vector<std::string> shipped_configs();
std::string shipped_config_path(const std::string& name);
std::string shipped_chip(const std::string& name);

}  // namespace shflsim::model
