// SPDX-License-Identifier: Apache-2.0
#include "report/diff/diff.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "isa/base/input_error.h"
#include "report/diff/alignment.h"

namespace shflsim::report {
namespace {

using Parts = std::vector<ResultPart>;

bool is_whole(const Value& value) { return !std::holds_alternative<double>(value); }

/// The two's complement bits of a whole number.
uint64_t bits_of(const Value& value) {
  const auto* const with_sign = std::get_if<int64_t>(&value);
  return with_sign == nullptr ? std::get<uint64_t>(value) : static_cast<uint64_t>(*with_sign);
}

bool is_equal(const Value& a, const Value& b) {
  return is_whole(a) && is_whole(b) ? bits_of(a) == bits_of(b) : number_of(a) == number_of(b);
}

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

/// Compares metrics and stores those that differ.
class Comparing {
 public:
  Comparing(const Tolerances& tolerances, const std::vector<std::string>& metrics, Diff* diff)
      : tolerances_(tolerances), metrics_(metrics), diff_(*diff) {}

  void compare(const ResultPart& a, const ResultPart& b) {
    Difference one{a.kind, a.name, pc_of(a), pc_of(b), "", {}, {}};
    for (const auto& [metric, value] : a.figures) take(one, metric, value, value_in(b, metric));
    for (const auto& [metric, value] : b.figures) {
      if (!has(a, metric)) take(one, metric, {}, value);
    }
  }

  void take_alone(const ResultPart& part, bool is_of_a) {
    Difference one{part.kind, part.name, {}, {}, "", {}, {}};
    (is_of_a ? one.pc_a : one.pc_b) = pc_of(part);
    for (const auto& [metric, value] : part.figures) {
      if (is_of_a) take(one, metric, value, {});
      if (!is_of_a) take(one, metric, {}, value);
    }
  }

 private:
  static std::optional<std::string> pc_of(const ResultPart& part) {
    return part.kind == "instruction" ? std::optional(part.pc) : std::nullopt;
  }
  static Value value_in(const ResultPart& part, const std::string& metric) {
    for (const auto& figure : part.figures) {
      if (figure.first == metric) return figure.second;
    }
    return {};
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

  void take(Difference one, const std::string& metric, const Value& a, const Value& b) {
    if ((is_empty(a) && is_empty(b)) || !is_asked_for(metric)) return;
    ++diff_.compared;
    const bool is_of_both = !is_empty(a) && !is_empty(b);
    if (is_of_both && is_equal(a, b)) return;
    one.metric = metric;
    one.a = a;
    one.b = b;
    one.is_within = is_of_both && tolerances_.is_within(metric, number_of(a), number_of(b));
    if (!one.is_within) ++diff_.beyond;
    diff_.differences.push_back(std::move(one));
  }

  const Tolerances& tolerances_;
  const std::vector<std::string>& metrics_;
  Diff& diff_;
};

/// For each part of `a`, the first unused part of `b` with its kind and name.
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

/// Compares the parts of A in order with their counterparts, then the parts of B that have none.
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

Value Difference::difference() const {
  if (!is_of_both()) return {};
  if (is_whole(a) && is_whole(b)) return static_cast<int64_t>(bits_of(b) - bits_of(a));
  return number_of(b) - number_of(a);
}

Value Difference::percent() const {
  if (!is_of_both() || number_of(a) == 0) return {};
  return 100 * (number_of(b) - number_of(a)) / std::abs(number_of(a));
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
