// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/launch_file.h"

#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "isa/base/faults.h"
#include "isa/base/text_cursor.h"
#include "isa/code/launch_layout.h"
#include "isa/dialects/source.h"
#include "model/config/ini.h"

namespace shflsim::cli {
namespace {

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    parts.emplace_back(isa::trimmed(std::string_view(text).substr(at, comma - at)));
    at = comma + 1;
  }
  return parts;
}

std::vector<Pair> pairs_of(const std::string& text, const std::string& where) {
  std::vector<Pair> pairs;
  for (const std::string& part : parts_of(text)) {
    pairs.push_back(read_pair(part, ':', where + " = BUFFER:PATH"));
  }
  return pairs;
}

bool read_yes_or_no(const std::string& value, const std::string& where) {
  if (value == "yes") return true;
  if (value == "no") return false;
  throw InputError(where + " = " + value + "; expected yes or no");
}

/// Sets one value of a launch; `where` is the beginning of its error messages.
using Setter = std::function<void(LaunchStep&, const std::string& value, const std::string& where)>;

const std::map<std::string, Setter>& setters() {
  using Step = LaunchStep;
  using Text = const std::string&;
  static const std::map<std::string, Setter> all = {
      {"kernel", [](Step& step, Text value, Text) { step.kernel = value; }},
      {"code", [](Step& step, Text value, Text) { step.code = value; }},
      {"arch", [](Step& step, Text value,
                  Text where) { step.architecture = read_architecture(value, where); }},
      {"grid", [](Step& step, Text value,
                  Text where) { step.grid = read_extent(value, kMostGrid, where); }},
      {"block", [](Step& step, Text value,
                   Text where) { step.block = read_extent(value, kMostBlock, where); }},
      {"buffers", [](Step& step, Text value, Text) { step.buffers = parts_of(value); }},
      {"args", [](Step& step, Text value, Text) { step.arguments = parts_of(value); }},
      {"variables", [](Step& step, Text value, Text) { step.variables = value; }},
      {"constants", [](Step& step, Text value, Text) { step.constants = value; }},
      {"shared",
       [](Step& step, Text value, Text where) {
         step.shared_bytes =
             static_cast<uint32_t>(read_number(value, isa::LaunchLayout::kMostShared, where));
       }},
      {"cluster", [](Step& step, Text value,
                     Text where) { step.cluster = read_extent(value, kMostCluster, where); }},
      {"cooperative", [](Step& step, Text value,
                         Text where) { step.is_cooperative = read_yes_or_no(value, where); }},
      {"save", [](Step& step, Text value, Text where) { step.saves = pairs_of(value, where); }},
      {"expect", [](Step& step, Text value, Text where) { step.expects = pairs_of(value, where); }},
  };
  return all;
}

class LaunchReader {
 public:
  explicit LaunchReader(const std::string& path) : source_(isa::read_source_text(path)) {
    file_.path = path;
  }

  LaunchFile read() {
    size_t at = 0;
    while (at < source_.text.size()) {
      const size_t end = std::min(source_.text.find('\n', at), source_.text.size());
      ++line_;
      std::string_view line = std::string_view(source_.text).substr(at, end - at);
      line = isa::trimmed(line.substr(0, model::comment_of(line)));
      column_ = static_cast<unsigned>(line.data() - (source_.text.data() + at)) + 1;
      faults_.hold([&] { read_line(std::string(line)); });
      at = end + 1;
    }
    faults_.raise();
    if (file_.steps.empty()) {
      throw InputError({file_.path, line_}, "no [launch] section; expected at least one");
    }
    for (const LaunchStep& step : file_.steps) faults_.hold([&] { check(step); });
    faults_.raise();
    return std::move(file_);
  }

 private:
  Position here() const { return {file_.path, line_, column_}; }

  void check(const LaunchStep& step) const {
    if (!step.code.empty()) return;
    throw InputError({file_.path, step.line},
                     "no code for this launch; expected code = PATH in it or in front of all");
  }

  void read_line(const std::string& line) {
    if (line.empty()) return;
    if (line.front() == '[') return begin_section(line);
    const size_t equals = line.find('=');
    if (equals == std::string::npos) {
      throw InputError(here(), "'" + line + "' is no setting; expected KEY = VALUE");
    }
    set(std::string(isa::trimmed(line.substr(0, equals))),
        std::string(isa::trimmed(line.substr(equals + 1))));
  }

  void begin_section(const std::string& line) {
    LaunchStep step;
    step.line = line_;
    step.code = code_;
    file_.steps.push_back(step);
    seen_.clear();
    if (line != "[launch]")
      throw InputError(here(), "unknown section '" + line + "'; expected [launch]");
  }

  void set(const std::string& key, const std::string& value) {
    if (!seen_.insert(key).second) {
      throw InputError(here(), "'" + key + "' stands twice; expected it once a section");
    }
    if (value.empty()) throw InputError(here(), "no value for '" + key + "'; expected one");
    if (file_.steps.empty()) {
      if (key != "code") {
        throw InputError(here(), "'" + key + "' in front of the first [launch]; expected code");
      }
      code_ = value;
      return;
    }
    const auto setter = setters().find(key);
    if (setter == setters().end()) {
      std::vector<std::string> known;
      for (const auto& [name, unused] : setters()) known.push_back(name);
      throw InputError(here(), "unknown key '" + key + "'" + suggestion(key, known));
    }
    try {
      setter->second(file_.steps.back(), value, key);
    } catch (const InputError& error) {
      throw InputError(here(), error.what());
    }
  }

  isa::SourceText source_;
  LaunchFile file_;
  std::string code_;
  std::set<std::string> seen_;
  unsigned line_ = 0;
  unsigned column_ = 0;  ///< column of the line's first letter
  Faults faults_;
};

}  // namespace

std::string LaunchFile::beside(const std::string& name) const {
  if (name == "-") return name;  // standard input or output
  return (std::filesystem::path(path).parent_path() / name).string();
}

LaunchFile read_launch_file(const std::string& path) { return LaunchReader(path).read(); }

}  // namespace shflsim::cli
