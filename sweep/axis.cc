// SPDX-License-Identifier: Apache-2.0
#include "sweep/axis.h"

#include <algorithm>
#include <optional>
#include <set>

#include "isa/base/bounded.h"
#include "isa/base/text_cursor.h"
#include "model/config/config.h"
#include "model/run.h"

namespace shflsim::sweep {
namespace {

using model::Assignment;

constexpr uint64_t kMostNumber = 0xFFFFFFFFu;
constexpr size_t kMostValues = 100000;  ///< greatest number of values of an axis
constexpr const char* kRange = "expected FIRST..LAST, FIRST..LAST step N or FIRST..LAST times N";

const model::Parameter& parameter_of(const Assignment& assignment) {
  static const std::vector<model::Parameter> all = model::parameters();
  const auto found = std::find_if(all.begin(), all.end(), [&](const model::Parameter& each) {
    return each.key == assignment.key;
  });
  if (found != all.end()) return *found;
  std::vector<std::string> known;
  for (const model::Parameter& parameter : all) known.push_back(parameter.key);
  throw InputError(assignment.where_key(),
                   "unknown key '" + assignment.key + "'" + suggestion(assignment.key, known));
}

/// "8..32 step 8": numbers from the first to the last, each a sum or a product of the previous
/// one.
class Range {
 public:
  explicit Range(const Assignment& item) : item_(item) {
    const size_t dots = item.value.find("..");
    first_ = number(std::string_view(item.value).substr(0, dots));
    std::string_view rest = isa::trimmed(std::string_view(item.value).substr(dots + 2));
    const size_t blank = rest.find(' ');
    last_ = number(rest.substr(0, blank));
    if (blank != std::string_view::npos) read_step(isa::trimmed(rest.substr(blank)));
    if (first_ > last_) fail("goes down; expected the smaller number first");
  }

  std::vector<std::string> values() const {
    std::vector<std::string> all;
    for (uint64_t value = first_; value <= last_;
         value = is_factor_ ? value * step_ : value + step_) {
      if (all.size() == kMostValues)
        fail("has more than " + std::to_string(kMostValues) + " values; expected fewer");
      all.push_back(std::to_string(value));
    }
    return all;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(item_.where(), "'" + item_.value + "' " + what);
  }

  uint64_t number(std::string_view text) const {
    const std::optional<uint64_t> value = whole_number(isa::trimmed(text));
    if (!value || *value > kMostNumber) fail(std::string("is no range; ") + kRange);
    return *value;
  }

  void read_step(std::string_view text) {
    const size_t blank = text.find(' ');
    const std::string_view word = text.substr(0, blank);
    is_factor_ = word == "times";
    if (blank == std::string_view::npos || (!is_factor_ && word != "step"))
      fail(std::string("is no range; ") + kRange);
    step_ = number(text.substr(blank));
    if (step_ < (is_factor_ ? 2 : 1) || (is_factor_ && first_ == 0))
      fail(
          "does not end; expected a step of 1 or more, or a factor of 2 or more and a first number "
          "above 0");
  }

  const Assignment& item_;
  uint64_t first_ = 0;
  uint64_t last_ = 0;
  uint64_t step_ = 1;
  bool is_factor_ = false;
};

std::vector<std::string> values_of(const model::Parameter& parameter, const Assignment& item) {
  const std::vector<std::string>& choices = parameter.choices;
  const bool is_choice = std::find(choices.begin(), choices.end(), item.value) != choices.end();
  if (item.value == "all" && !choices.empty() && !is_choice) return choices;
  if (item.value.find("..") != std::string::npos) return Range(item).values();
  return {item.value};
}

}  // namespace

std::vector<Assignment> items_of(const Assignment& list) {
  std::vector<Assignment> items;
  for (size_t at = 0; at <= list.value.size();) {
    const size_t comma = std::min(list.value.find(',', at), list.value.size());
    const std::string_view whole = std::string_view(list.value).substr(at, comma - at);
    const std::string_view text = isa::trimmed(whole);
    Assignment item = list;
    item.value = text;
    const size_t blanks = std::min(whole.find_first_not_of(" \t"), whole.size());
    if (list.column != 0) item.column += static_cast<unsigned>(at + blanks);
    if (text.empty())
      throw InputError(item.where(), list.key + " has an empty item; expected one between commas");
    items.push_back(std::move(item));
    at = comma + 1;
  }
  return items;
}

Axis axis_of(const Assignment& assignment) {
  const model::Parameter& parameter = parameter_of(assignment);
  Axis axis{assignment.key, {}, assignment.where()};
  std::set<std::string> seen;
  for (Assignment item : items_of(assignment)) {
    for (std::string& value : values_of(parameter, item)) {
      item.value = std::move(value);
      model::check_value(parameter, item);
      if (!seen.insert(item.value).second)
        throw InputError(item.where(),
                         axis.key + " has the value " + item.value + " twice; expected it once");
      axis.values.push_back(item.value);
    }
  }
  return axis;
}

Assignment assignment_of(const std::string& text, const std::string& option) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw InputError(option + " '" + text + "'; expected KEY=VALUE");
  return {text.substr(0, equals), text.substr(equals + 1), "", option, 0, 0, 0};
}

}  // namespace shflsim::sweep
