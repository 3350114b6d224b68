// SPDX-License-Identifier: Apache-2.0
#include "report/diff.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "isa/input_error.h"
#include "report/alignment.h"

namespace shflsim::report {
namespace {

using Parts = std::vector<ResultPart>;

std::vector<std::string> metrics_of(const ResultFile& a, const ResultFile& b) {
  std::set<std::string> names;
  for (const ResultFile* file : {&a, &b}) {
    for (const Parts* parts : {&file->parts, &file->instructions}) {
      for (const ResultPart& part : *parts) {
        for (const auto& figure : part.figures) names.insert(figure.first);
      }
    }
  }
  return {names.begin(), names.end()};
}

void check_patterns(const std::vector<std::string>& patterns, const std::string& option,
                    const std::vector<std::string>& known) {
  for (const std::string& pattern : patterns) {
    const auto matches = [&](const std::string& name) { return is_of_pattern(name, pattern); };
    if (std::none_of(known.begin(), known.end(), matches))
      throw InputError(option + ": no metric '" + pattern + "'" + suggestion(pattern, known));
  }
}

/// Compares figures, and keeps those that are not alike.
class Comparing {
 public:
  Comparing(const Tolerances& tolerances, const std::vector<std::string>& metrics, Diff* diff)
      : tolerances_(tolerances), metrics_(metrics), diff_(*diff) {}

  void compare(const ResultPart& a, const ResultPart& b) {
    Difference one{a.kind, a.name, pc_of(a), pc_of(b), "", {}, {}};
    for (const auto& [metric, value] : a.figures) take(one, metric, value, value_in(b, metric));
    for (const auto& [metric, value] : b.figures) {
      if (!has(a, metric)) take(one, metric, nullptr, value);
    }
  }

  void take_alone(const ResultPart& part, bool is_of_a) {
    Difference one{part.kind, part.name, {}, {}, "", {}, {}};
    (is_of_a ? one.pc_a : one.pc_b) = pc_of(part);
    for (const auto& [metric, value] : part.figures) {
      if (is_of_a) take(one, metric, value, nullptr);
      if (!is_of_a) take(one, metric, nullptr, value);
    }
  }

 private:
  static std::optional<std::string> pc_of(const ResultPart& part) {
    return part.kind == "instruction" ? std::optional(part.pc) : std::nullopt;
  }
  static Json value_in(const ResultPart& part, const std::string& metric) {
    for (const auto& figure : part.figures) {
      if (figure.first == metric) return figure.second;
    }
    return nullptr;
  }
  static bool has(const ResultPart& part, const std::string& metric) {
    return std::any_of(part.figures.begin(), part.figures.end(),
                       [&](const auto& figure) { return figure.first == metric; });
  }
  bool is_asked_for(const std::string& metric) const {
    return metrics_.empty() ||
           std::any_of(metrics_.begin(), metrics_.end(),
                       [&](const std::string& pattern) { return is_of_pattern(metric, pattern); });
  }

  void take(Difference one, const std::string& metric, const Json& a, const Json& b) {
    if ((a.is_null() && b.is_null()) || !is_asked_for(metric)) return;
    ++diff_.compared;
    if (a == b) return;
    one.metric = metric;
    one.a = a;
    one.b = b;
    one.is_within =
        one.is_of_both() && tolerances_.is_within(metric, a.get<double>(), b.get<double>());
    if (!one.is_within) ++diff_.beyond;
    diff_.differences.push_back(std::move(one));
  }

  const Tolerances& tolerances_;
  const std::vector<std::string>& metrics_;
  Diff& diff_;
};

/// For each part of `a` the one of `b` of the same kind and name, the first that is still free.
std::vector<std::optional<size_t>> by_name(const Parts& a, const Parts& b) {
  std::multimap<std::pair<std::string, std::string>, size_t> free;
  for (size_t i = 0; i < b.size(); ++i) free.emplace(std::pair{b[i].kind, b[i].name}, i);
  std::vector<std::optional<size_t>> places;
  for (const ResultPart& part : a) {
    const auto found = free.lower_bound({part.kind, part.name});
    const bool is_there = found != free.end() && found->first == std::pair{part.kind, part.name};
    places.push_back(is_there ? std::optional(found->second) : std::nullopt);
    if (is_there) free.erase(found);
  }
  return places;
}

std::vector<std::string> texts_of(const Parts& parts) {
  std::vector<std::string> texts;
  for (const ResultPart& part : parts) texts.push_back(part.name);
  return texts;
}

bool is_same_code(const Parts& a, const Parts& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ResultPart& one, const ResultPart& other) {
                      return one.pc == other.pc && one.name == other.name;
                    });
}

/// Those of A in their order, each with its counterpart; then those of B that have none.
size_t compare_parts(const Parts& a, const Parts& b,
                     const std::vector<std::optional<size_t>>& places, Comparing* comparing) {
  std::vector<bool> is_taken(b.size(), false);
  size_t pairs = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!places[i]) {
      comparing->take_alone(a[i], true);
      continue;
    }
    comparing->compare(a[i], b[*places[i]]);
    is_taken[*places[i]] = true;
    ++pairs;
  }
  for (size_t i = 0; i < b.size(); ++i) {
    if (!is_taken[i]) comparing->take_alone(b[i], false);
  }
  return pairs;
}

std::vector<Diff::Setting> differing_config(const ResultFile& a, const ResultFile& b) {
  std::map<std::string, Diff::Setting> settings;
  for (const auto& [key, value] : a.config) settings[key] = {key, value, ""};
  for (const auto& [key, value] : b.config) {
    settings[key].key = key;
    settings[key].b = value;
  }
  std::vector<Diff::Setting> differing;
  for (const auto& [key, setting] : settings) {
    if (setting.a != setting.b) differing.push_back(setting);
  }
  return differing;
}

}  // namespace

Json Difference::difference() const {
  if (!is_of_both()) return nullptr;
  if (a.is_number_integer() && b.is_number_integer())
    return static_cast<int64_t>(b.get<uint64_t>() - a.get<uint64_t>());
  return b.get<double>() - a.get<double>();
}

Json Difference::percent() const {
  if (!is_of_both() || a.get<double>() == 0) return nullptr;
  return 100 * (b.get<double>() - a.get<double>()) / std::abs(a.get<double>());
}

Diff diff_of(const ResultFile& a, const ResultFile& b, const Tolerances& tolerances,
             const std::vector<std::string>& metrics) {
  if (a.schema != b.schema)
    throw InputError({b.path}, "is of " + b.schema + "; expected " + a.schema + ", as " + a.path);
  const std::vector<std::string> known = metrics_of(a, b);
  check_patterns(metrics, "--metrics", known);
  check_patterns(tolerances.patterns(), "--tolerance", known);
  Diff diff{a, b, false, 0, 0, 0, {}, {}};
  diff.config = differing_config(a, b);
  Comparing comparing(tolerances, metrics, &diff);
  compare_parts(a.parts, b.parts, by_name(a.parts, b.parts), &comparing);
  diff.is_by_text = !is_same_code(a.instructions, b.instructions);
  diff.aligned =
      compare_parts(a.instructions, b.instructions,
                    aligned(texts_of(a.instructions), texts_of(b.instructions)), &comparing);
  return diff;
}

}  // namespace shflsim::report
