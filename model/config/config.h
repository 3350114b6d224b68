// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/core/config_value.h"
#include "model/core/parameter.h"

namespace shflsim::model {

/// One line of a config file, or of the command line: a key, its text and where they stand.
struct Assignment {
  std::string key;
  std::string value;
  std::string source;  ///< comment behind the value, "measured: groundtruth/h200"; may be empty
  std::string file;    ///< as shown to the user; "command line" for --set
  unsigned line = 0;
  unsigned column = 0;  ///< of the value
};

/// Config files (INI: `[section]`, `key = value  # source: reference`) and KEY=VALUE pairs,
/// collected in order; a later one overrides an earlier one.
class ConfigLayers {
 public:
  /// A path, or the name of a shipped config ("gm107"). Throws InputError.
  void add_file(const std::string& name_or_path);
  /// "shuffle.network=banked"
  void add_setting(const std::string& setting);

  /// Writes every parameter and returns the effective configuration in the parameters' order.
  /// Throws InputError for an unknown key (with the nearest one), a value out of range, a key given
  /// twice in one file, and a parameter that no layer sets.
  std::vector<ConfigValue> apply(const ParameterList& parameters) const;

 private:
  std::vector<Assignment> assignments_;
};

/// Names of the shipped configs, and the file of one.
std::vector<std::string> shipped_configs();
std::string shipped_config_path(const std::string& name);

}  // namespace shflsim::model
