// SPDX-License-Identifier: Apache-2.0
#include "sweep/condition.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "isa/base/text_cursor.h"

namespace shflsim::sweep {
namespace {

using report::Value;

std::vector<std::string> split(const std::string& text, const std::string& word) {
  std::vector<std::string> parts;
  size_t at = 0;
  for (size_t next = text.find(word); next != std::string::npos; next = text.find(word, at)) {
    parts.push_back(text.substr(at, next - at));
    at = next + word.size();
  }
  parts.push_back(text.substr(at));
  return parts;
}

std::optional<double> number_in(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') return std::nullopt;
  return number;
}

std::optional<double> number_in(const Value& value) {
  if (const auto* count = std::get_if<uint64_t>(&value)) return static_cast<double>(*count);
  if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* text = std::get_if<std::string>(&value)) return number_in(*text);
  return std::nullopt;
}

bool compares(double a, const std::string& relation, double b) {
  if (relation == "=") return a == b;
  if (relation == "!=") return a != b;
  if (relation == "<") return a < b;
  if (relation == "<=") return a <= b;
  if (relation == ">") return a > b;
  return a >= b;
}

}  // namespace

Condition::Condition(const std::string& text, const Position& where,
                     const std::vector<std::string>& known) {
  for (const std::string& alternative : split(text, " or ")) {
    std::vector<Clause> clauses;
    for (const std::string& clause : split(alternative, " and "))
      clauses.push_back(clause_of(clause, where, known));
    alternatives_.push_back(std::move(clauses));
  }
}

Condition::Clause Condition::clause_of(const std::string& text, const Position& where,
                                       const std::vector<std::string>& known) {
  constexpr std::array<const char*, 6> kRelations = {"!=", "<=", ">=", "=", "<", ">"};
  const size_t at = text.find_first_of("!<>=");
  const auto relation = std::find_if(kRelations.begin(), kRelations.end(), [&](const char* each) {
    return at != std::string::npos && text.compare(at, std::string(each).size(), each) == 0;
  });
  if (relation == kRelations.end())
    throw InputError(where, "'" + std::string(isa::trimmed(text)) +
                                "' is no condition; expected KEY = VALUE, with !=, <, <=, > or >= "
                                "too, joined by 'and' and 'or'");
  Clause clause{std::string(isa::trimmed(text.substr(0, at))), *relation,
                std::string(isa::trimmed(text.substr(at + std::string(*relation).size())))};
  if (std::find(known.begin(), known.end(), clause.key) == known.end())
    throw InputError(where, "unknown key '" + clause.key + "'" + suggestion(clause.key, known));
  if (clause.value.empty())
    throw InputError(where, "'" + clause.key + " " + clause.relation +
                                "' compares with nothing; "
                                "expected a value");
  if (clause.relation.front() != '=' && clause.relation != "!=" && !number_in(clause.value))
    throw InputError(where,
                     "'" + clause.value + "' is no number; expected one behind " + clause.relation);
  return clause;
}

bool Condition::Clause::holds(const Value& of_point) const {
  const std::optional<double> number = number_in(of_point);
  const std::optional<double> wanted = number_in(value);
  if (number && wanted) return compares(*number, relation, *wanted);
  const auto* text = std::get_if<std::string>(&of_point);
  if (text == nullptr || (relation != "=" && relation != "!=")) return false;
  return (fnmatch(value.c_str(), text->c_str(), 0) == 0) == (relation == "=");
}

bool Condition::holds(const std::function<Value(const std::string&)>& value_of) const {
  return std::any_of(alternatives_.begin(), alternatives_.end(), [&](const auto& clauses) {
    return std::all_of(clauses.begin(), clauses.end(),
                       [&](const Clause& clause) { return clause.holds(value_of(clause.key)); });
  });
}

}  // namespace shflsim::sweep
