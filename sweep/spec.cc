// SPDX-License-Identifier: Apache-2.0
#include "sweep/spec.h"

#include <fnmatch.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <set>

#include "isa/base/bounded.h"
#include "isa/base/readable.h"
#include "isa/base/text_cursor.h"
#include "report/run/metrics.h"

namespace shflsim::sweep {
namespace {

using model::Assignment;

constexpr uint64_t kMostMemory = uint64_t{1} << 24;  ///< MiB
constexpr double kMostSeconds = 1e7;

/// The section and the key of "axis.shuffle.lanes": "axis" and "shuffle.lanes".
struct Split {
  std::string section;
  std::string key;
};
Split split(const std::string& full) {
  const size_t dot = full.find('.');
  if (dot == std::string::npos) return {"", full};
  return {full.substr(0, dot), full.substr(dot + 1)};
}

/// Throws InputError if the line has several values, as for an axis.
void check_setting(const Assignment& line) {
  if (axis_of(line).values.size() != 1)
    throw InputError(line.where(), line.key + " is set to several values; expected one");
}

/// Stores the value of one key of a section.
using Taker = std::function<void(Spec&, const Assignment&)>;

void append(const Assignment& list, std::vector<Assignment>* to) {
  for (Assignment& item : items_of(list)) to->push_back(std::move(item));
}

const std::map<std::string, Taker>& sweep_keys() {
  using Line = const Assignment&;
  static const std::map<std::string, Taker> all = {
      {"input", [](Spec& spec, Line line) { append(line, &spec.inputs); }},
      {"config", [](Spec& spec, Line line) { append(line, &spec.configs); }},
      {"keep", [](Spec& spec, Line line) { keep(line, &spec); }},
      {"seconds", [](Spec& spec, Line line) { spec.seconds = seconds_of(line); }},
      {"sms", [](Spec& spec, Line line) { spec.sms = sms_of(line); }},
      {"memory_mib", [](Spec& spec, Line line) { spec.memory_mib = memory_of(line); }},
  };
  return all;
}

void take_sweep_key(Spec& spec, const Assignment& line) {
  const auto found = sweep_keys().find(line.key);
  if (found != sweep_keys().end()) return found->second(spec, line);
  std::vector<std::string> known;
  for (const auto& [key, unused] : sweep_keys()) known.push_back(key);
  throw InputError(line.where_key(),
                   "unknown key '" + line.key + "'" + suggestion(line.key, known));
}

void take_setting(Spec& spec, const Assignment& line) {
  check_setting(line);
  spec.settings.push_back(line);
}

const std::map<std::string, Taker>& sections() {
  using Line = const Assignment&;
  static const std::map<std::string, Taker> all = {
      {"sweep", take_sweep_key},
      {"axis", [](Spec& spec, Line line) { spec.axes.push_back(axis_of(line)); }},
      {"zip", [](Spec& spec, Line line) { spec.zip.push_back(axis_of(line)); }},
      {"exclude", [](Spec& spec, Line line) { spec.excludes.push_back(line); }},
      {"set", take_setting},
  };
  return all;
}

class SpecReader {
 public:
  explicit SpecReader(const std::string& path) { spec_.path = path; }

  Spec read() {
    model::read_ini(spec_.path, "a sweep file", faults_,
                    [this](const Assignment& line) { take(line); });
    if (spec_.inputs.empty() && !faults_.any())
      faults_.add(InputError({spec_.path}, "names no input; expected input = FILES in [sweep]"));
    faults_.raise();
    check_axes(spec_);
    return std::move(spec_);
  }

 private:
  void take(Assignment line) {
    const Split words = split(line.key);
    const auto section = sections().find(words.section);
    if (section == sections().end()) {
      if (unknown_.insert(words.section).second) throw unknown_section(line, words.section);
      return;
    }
    if (!seen_.insert(line.key).second)
      throw InputError(line.where_key(), "'" + words.key + "' stands twice in [" + words.section +
                                             "]; expected it once");
    line.key = words.key;
    section->second(spec_, line);
  }

  static InputError unknown_section(const Assignment& line, const std::string& name) {
    std::vector<std::string> known;
    for (const auto& [section, unused] : sections()) known.push_back(section);
    if (name.empty())
      return {line.where_key(),
              "'" + line.key + "' in front of the first section; expected [sweep]"};
    return {line.where_key(), "unknown section [" + name + "]" + suggestion(name, known)};
  }

  Spec spec_;
  std::set<std::string> seen_;
  std::set<std::string> unknown_;  ///< unknown sections, each reported once
  Faults faults_;
};

}  // namespace

std::vector<std::string> Spec::keys() const {
  std::vector<std::string> all;
  for (const auto& list : {axes, zip}) {
    for (const Axis& axis : list) all.push_back(axis.key);
  }
  return all;
}

double seconds_of(const Assignment& assignment) {
  char* end = nullptr;
  const double seconds = std::strtod(assignment.value.c_str(), &end);
  if (*end != '\0' || !(seconds > 0) || seconds > kMostSeconds)
    throw InputError(assignment.where(),
                     "seconds = '" + assignment.value + "'; expected a number above 0, such as 20");
  return seconds;
}

unsigned sms_of(const Assignment& assignment) {
  const uint64_t sms = bounded_number(assignment.value, kMostSms, "sms", assignment.where());
  if (sms == 0) throw InputError(assignment.where(), "sms = 0; expected 1 or more");
  return static_cast<unsigned>(sms);
}

uint64_t memory_of(const Assignment& assignment) {
  const uint64_t mib =
      bounded_number(assignment.value, kMostMemory, "memory_mib", assignment.where());
  if (mib == 0) throw InputError(assignment.where(), "memory_mib = 0; expected 1 or more");
  return mib;
}

model::Assignment setting_of(const std::string& text, const std::string& option) {
  Assignment setting = assignment_of(text, option);
  check_setting(setting);
  return setting;
}

void keep(const Assignment& list, Spec* spec) {
  std::vector<std::string> known = {"rows"};
  for (const auto& metric : report::metrics()) known.push_back(metric.key);
  for (const Assignment& item : items_of(list)) {
    bool is_known = false;
    for (const std::string& name : known) {
      if (fnmatch(item.value.c_str(), name.c_str(), 0) != 0) continue;
      is_known = true;
      if (name == "rows") spec->keeps_rows = true;
      if (name != "rows") spec->keep.push_back(name);
    }
    if (!is_known)
      throw InputError(item.where(),
                       "no metric '" + item.value + "'" + suggestion(item.value, known));
  }
}

void check_axes(const Spec& spec) {
  std::set<std::string> seen;
  for (const Assignment& setting : spec.settings) seen.insert(setting.key);
  for (const auto& list : {spec.axes, spec.zip}) {
    for (const Axis& axis : list) {
      if (!seen.insert(axis.key).second)
        throw InputError(axis.where, axis.key + " is set or varied twice; expected it once, in " +
                                         "[axis], [zip] or [set]");
    }
  }
  for (const Axis& axis : spec.zip) {
    const size_t count = spec.zip.front().values.size();
    if (axis.values.size() == count) continue;
    throw InputError(axis.where, axis.key + " has " + std::to_string(axis.values.size()) +
                                     " values; expected " + std::to_string(count) + ", as " +
                                     spec.zip.front().key + " has");
  }
}

Spec read_spec(const std::string& path) { return SpecReader(path).read(); }

bool is_spec(const std::string& path) {
  std::ifstream file(isa::readable(path));
  for (std::string line; std::getline(file, line);) {
    const std::string code = line.substr(0, line.find_first_of("#;"));
    const std::string_view text = isa::trimmed(code);
    if (!text.empty()) return text.front() == '[' && text.back() == ']' && text != "[launch]";
  }
  return false;
}

}  // namespace shflsim::sweep
