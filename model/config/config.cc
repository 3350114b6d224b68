// SPDX-License-Identifier: Apache-2.0
#include "model/config/config.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include "isa/base/faults.h"

namespace shflsim::model {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfigExtension = ".cfg";

/// A path that the system cannot resolve (a circle of links, a name that is too long) is missing.
bool is_there(const fs::path& path) {
  std::error_code unknown;
  return fs::exists(path, unknown);
}

/// A file may include another regular file, but no pipe or terminal, which could block.
bool is_file(const fs::path& path) {
  std::error_code unknown;
  return fs::is_regular_file(path, unknown);
}

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// The source of a value that is known of another chip and assumed for this one.
std::string assumed(const std::string& source, const std::string& chip) {
  if (source.rfind("assumed", 0) == 0) return source;
  return source.rfind("measured", 0) == 0 ? "assumed: as measured on " + chip
                                          : "assumed: as " + chip;
}

class FileReader {
 public:
  /// Errors in single lines go to `faults`. `files`: number of files read so far for the file that
  /// the user named.
  FileReader(std::string path, Faults& faults, unsigned* files, unsigned depth = 0)
      : path_(std::move(path)), faults_(faults), files_(files), depth_(depth) {}

  std::vector<Assignment> read() {
    read_ini(path_, "a config file", faults_,
             [this](Assignment assignment) { take(std::move(assignment)); });
    return std::move(assignments_);
  }

 private:
  void take(Assignment assignment) {
    if (assignment.key == "include") return take_all(included(assignment));
    if (assignment.key == "assume") return assume(assignment);
    if (!seen_.insert(assignment.key).second)
      throw InputError(assignment.where_key(),
                       "'" + assignment.key + "' stands twice; expected it once a file");
    assignments_.push_back(std::move(assignment));
  }

  /// NAME.cfg beside this file, else the shipped file; NAME may end in ".cfg".
  fs::path file_of(const std::string& name) const {
    const std::string file =
        fs::path(name).extension() == kConfigExtension ? name : name + kConfigExtension;
    const fs::path beside = fs::path(path_).parent_path() / file;
    const fs::path shipped = fs::path(config_folder()) / file;
    return !is_there(beside) && is_there(shipped) ? shipped : beside;
  }

  /// `include = NAME`: the values of that file precede those that follow.
  std::vector<Assignment> included(const Assignment& include) {
    const fs::path other = file_of(include.value);
    if (!is_file(other))
      throw InputError(include.where_key(), "no config '" + other.string() + "' to include");
    if (depth_ == kMostIncludes)
      throw InputError(include.where_key(), "files include one another without end");
    if (++*files_ > kMostFiles + 1) return {};  // reported once, for the first file too many
    if (*files_ > kMostFiles)
      throw InputError(include.where_key(), "files include more than " +
                                                std::to_string(kMostFiles) +
                                                " files in all; expected fewer");
    return FileReader(other.string(), faults_, files_, depth_ + 1).read();
  }

  /// `assume = NAME`: as include, for another chip than NAME's. Values that the other file itself
  /// sets are assumed for this chip; values of the files that it includes are not its chip's own.
  void assume(const Assignment& include) {
    std::vector<Assignment> others = included(include);
    const fs::path other = file_of(include.value);
    const std::string chip = upper_case(fs::path(include.value).stem().string());
    for (Assignment& assignment : others) {
      if (assignment.file == other) assignment.source = assumed(assignment.source, chip);
    }
    take_all(std::move(others));
  }

  void take_all(std::vector<Assignment> others) {
    std::move(others.begin(), others.end(), std::back_inserter(assignments_));
  }

  static constexpr unsigned kMostIncludes = 8;  ///< greatest depth of includes
  static constexpr unsigned kMostFiles = 256;   ///< a file counts each time that it is included

  std::string path_;
  Faults& faults_;
  unsigned* files_;
  unsigned depth_;
  std::set<std::string> seen_;
  std::vector<Assignment> assignments_;
};

std::vector<std::string> keys_of(const ParameterList& parameters) {
  std::vector<std::string> keys;
  for (const Parameter& parameter : parameters.all()) keys.push_back(parameter.key);
  return keys;
}

/// " expected 1 to 64 (cycles)"
std::string range_of(const Parameter& parameter) {
  return " expected " + parameter.allowed() +
         (parameter.unit.empty() ? "" : " (" + parameter.unit + ")");
}

uint32_t number_of(const Parameter& parameter, const Assignment& assignment) {
  const std::string& text = assignment.value;
  if (parameter.word_instead != nullptr && text == parameter.word_instead) return Parameter::kWord;
  const bool digits = !text.empty() && text.size() <= 10 &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits) {
    throw InputError(assignment.where(),
                     parameter.key + " = '" + text + "' is no whole number;" + range_of(parameter));
  }
  const unsigned long long value = std::strtoull(text.c_str(), nullptr, 10);
  if (!parameter.allows(value)) {
    throw InputError(assignment.where(),
                     parameter.key + " = " + text + " is out of range;" + range_of(parameter));
  }
  return static_cast<uint32_t>(value);
}

const std::string& word_of(const Parameter& parameter, const Assignment& assignment) {
  if (!parameter.allows(assignment.value)) {
    throw InputError(assignment.where(), parameter.key + " = '" + assignment.value +
                                             "' is unknown" +
                                             suggestion(assignment.value, parameter.choices));
  }
  return assignment.value;
}

void set(const Parameter& parameter, const Assignment& assignment) {
  if (parameter.number != nullptr) *parameter.number = number_of(parameter, assignment);
  if (parameter.word != nullptr) *parameter.word = word_of(parameter, assignment);
}

Assignment default_of(const Parameter& parameter) {
  return {parameter.key, parameter.default_value, parameter.default_source, "default"};
}

std::string none_sets(const std::vector<std::string>& keys) {
  const std::string others =
      keys.size() == 1 ? "" : " and " + std::to_string(keys.size() - 1) + " more";
  return "no config sets '" + keys.front() + "'" + others +
         "; expected it in a --config file or as --set";
}

ConfigValue effective(const Parameter& parameter, const Assignment& assignment) {
  std::string origin = assignment.file.substr(assignment.file.rfind('/') + 1);
  if (assignment.line != 0) origin += ":" + std::to_string(assignment.line);
  return {parameter.key,     assignment.value, parameter.unit,     std::move(origin),
          assignment.source, parameter.help,   parameter.allowed()};
}

}  // namespace

void check_value(const Parameter& parameter, const Assignment& assignment) {
  if (parameter.choices.empty()) {
    number_of(parameter, assignment);
  } else {
    word_of(parameter, assignment);
  }
}

void ConfigLayers::add_file(const std::string& name_or_path) {
  const bool is_one = is_there(name_or_path);
  std::istringstream names(name_or_path);
  for (std::string name; std::getline(names, name, is_one ? '\0' : '+');) {
    if (name.empty())
      throw InputError("--config '" + name_or_path + "'; expected a config on each side of '+'");
    add_one_file(name);
  }
}

void ConfigLayers::add_one_file(const std::string& name_or_path) {
  std::string path = name_or_path;
  const bool is_name = path.find('/') == std::string::npos && path != "-" &&
                       fs::path(path).extension() != kConfigExtension;
  if (is_name) {
    path = shipped_config_path(name_or_path);
    if (!is_there(path))
      throw InputError("no config '" + name_or_path + "'" +
                       suggestion(name_or_path, shipped_configs()));
  }
  unsigned files = 0;
  layers_.push_back(
      std::make_shared<const std::vector<Assignment>>(FileReader(path, faults_, &files).read()));
  name_ += (name_.empty() ? "" : "+") + name_or_path;
}

void ConfigLayers::add_setting(const std::string& setting, const std::string& option) {
  const size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == setting.size()) {
    return faults_.add(InputError(option + " '" + setting + "' is no setting; expected KEY=VALUE"));
  }
  Assignment assignment;
  assignment.key = setting.substr(0, equals);
  assignment.value = setting.substr(equals + 1);
  assignment.source = "set by the user";
  assignment.file = "command line";
  layers_.push_back(std::make_shared<const std::vector<Assignment>>(1, assignment));
  settings_.push_back(setting);
}

void ConfigLayers::add(const ConfigLayers& other) {
  layers_.insert(layers_.end(), other.layers_.begin(), other.layers_.end());
  settings_.insert(settings_.end(), other.settings_.begin(), other.settings_.end());
  name_ += (name_.empty() || other.name_.empty() ? "" : "+") + other.name_;
  faults_.hold([&] { other.faults_.raise(); });
}

bool ConfigLayers::sets_all(const ParameterList& parameters) const {
  Faults told_by_apply;
  const LastOf last = last_of(parameters, &told_by_apply);
  const std::vector<Parameter>& all = parameters.all();
  return std::all_of(all.begin(), all.end(), [&last](const Parameter& parameter) {
    return last.at(parameter.key) != nullptr || !parameter.default_value.empty();
  });
}

ConfigLayers::LastOf ConfigLayers::last_of(const ParameterList& parameters, Faults* faults) const {
  LastOf last;
  for (const Parameter& parameter : parameters.all()) last[parameter.key] = nullptr;
  for (const auto& layer : layers_) {
    for (const Assignment& assignment : *layer) {
      const auto known = last.find(assignment.key);
      if (known == last.end()) {
        faults->add(
            InputError(assignment.where(), "unknown key '" + assignment.key + "'" +
                                               suggestion(assignment.key, keys_of(parameters))));
      } else {
        known->second = &assignment;
      }
    }
  }
  return last;
}

std::vector<ConfigValue> ConfigLayers::apply(const ParameterList& parameters) const {
  Faults faults = faults_;
  const LastOf last = last_of(parameters, &faults);
  const bool knows_keys = !faults.any();  // otherwise a missing key may be a misspelt one
  std::vector<std::string> missing;
  std::vector<ConfigValue> values;
  values.reserve(parameters.all().size());
  for (const Parameter& parameter : parameters.all()) {
    const Assignment* const assignment = last.at(parameter.key);
    if (assignment != nullptr) {
      faults.hold([&] { set(parameter, *assignment); });
      values.push_back(effective(parameter, *assignment));
    } else if (!parameter.default_value.empty()) {
      set(parameter, default_of(parameter));
      values.push_back(effective(parameter, default_of(parameter)));
    } else {
      missing.push_back(parameter.key);
    }
  }
  if (knows_keys && !missing.empty()) faults.add(InputError(none_sets(missing)));
  faults.raise();
  for (const JointRule& rule : parameters.rules()) {
    if (!rule.holds()) faults.hold([&] { refuse(rule, values); });
  }
  faults.raise();
  return values;
}

/// "x = 1 and y = 2 do not go together; expected ...", at the value that was set last.
void ConfigLayers::refuse(const JointRule& rule, const std::vector<ConfigValue>& values) const {
  std::string text;
  for (const std::string& key : rule.keys) {
    const auto value = std::find_if(values.begin(), values.end(),
                                    [&](const ConfigValue& each) { return each.key == key; });
    text += (text.empty() ? "" : " and ") + key + " = " + value->value;
  }
  Position last;
  for (const auto& layer : layers_) {
    for (const Assignment& assignment : *layer) {
      if (std::find(rule.keys.begin(), rule.keys.end(), assignment.key) != rule.keys.end())
        last = assignment.where();
    }
  }
  throw InputError(last, text + " do not go together; expected " + rule.expected);
}

std::string config_folder() {
  const char* const chosen = std::getenv("SHFLSIM_CONFIGS");
  if (chosen != nullptr && *chosen != '\0') return chosen;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (const fs::path& folder : {program.parent_path() / "../share/shflsim/configs",
                                 fs::path(SHFLSIM_CONFIG_FOLDER), fs::path(SHFLSIM_SHARED)}) {
    if (fs::is_directory(folder, error)) return folder.string();
  }
  return SHFLSIM_CONFIG_FOLDER;
}

std::vector<std::string> shipped_configs() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(config_folder(), error)) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == kConfigExtension && !shipped_chip(name).empty())
      names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string shipped_config_path(const std::string& name) {
  return (fs::path(config_folder()) / (name + kConfigExtension)).string();
}

std::string shipped_chip(const std::string& name) {
  std::ifstream file(shipped_config_path(name));
  std::string line;
  std::getline(file, line);
  const size_t begin = line.find('(');
  const size_t end = line.find(')');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return "";
  return line.substr(begin + 1, end - begin - 1);
}

}  // namespace shflsim::model
