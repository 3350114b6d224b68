// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace shflsim::report {

/// A reported value; differences have a sign. Empty, which is not 0, if the value does not apply
/// (the passes of an FADD).
using Value = std::variant<std::monostate, uint64_t, int64_t, double, std::string,
                           std::vector<uint64_t>, std::vector<std::string>>;
inline bool is_empty(const Value& value) { return value.index() == 0; }
/// NaN if the value is empty or a text.
inline double number_of(const Value& value) {
  if (const auto* count = std::get_if<uint64_t>(&value)) return static_cast<double>(*count);
  if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::numeric_limits<double>::quiet_NaN();
}
/// The value of a parameter: a number, or one of its words.
using NumberOrWord = std::variant<uint64_t, std::string>;

/// The type of a field's values, as its function declares it; report/schema/schema.h prints it.
enum class ValueKind : uint8_t {
  kCount,         ///< a whole number of 0 or more
  kDifference,    ///< a whole number
  kReal,          ///< a number
  kText,          ///< a text
  kCounts,        ///< a list of whole numbers
  kTexts,         ///< a list of texts
  kCountOrNone,   ///< a whole number of 0 or more, or nothing
  kNumberOrWord,  ///< a whole number or a text
  kFigureOrNone,  ///< a number (with a unit) or a text (without), or nothing
};

template <class Result>
constexpr ValueKind value_kind() {
  if constexpr (std::is_same_v<Result, Value>) return ValueKind::kFigureOrNone;
  if constexpr (std::is_same_v<Result, std::optional<uint64_t>>) return ValueKind::kCountOrNone;
  if constexpr (std::is_same_v<Result, NumberOrWord>) return ValueKind::kNumberOrWord;
  if constexpr (std::is_same_v<Result, std::vector<uint64_t>>) return ValueKind::kCounts;
  if constexpr (std::is_same_v<Result, std::vector<std::string>>) return ValueKind::kTexts;
  if constexpr (std::is_floating_point_v<Result>) return ValueKind::kReal;
  if constexpr (std::is_integral_v<Result>)
    return std::is_signed_v<Result> ? ValueKind::kDifference : ValueKind::kCount;
  return ValueKind::kText;
}

/// One reported key. Table, JSON, CSV, their schemas and `shflsim list stats` use the lists of
/// fields, so a key that is declared in a list is reported and documented everywhere.
template <class Row>
struct Field {
  template <class Get>
  Field(std::string its_key, std::string its_unit, std::string its_help, Get its_get,
        std::string its_heading = "", bool is_summed = false)
      : key(std::move(its_key)),
        unit(std::move(its_unit)),
        help(std::move(its_help)),
        kind(value_kind<std::decay_t<std::invoke_result_t<Get, const Row&>>>()),
        heading(std::move(its_heading)),
        summed(is_summed) {
    if constexpr (std::is_same_v<std::invoke_result_t<Get, const Row&>, NumberOrWord>) {
      get = [its_get](const Row& row) {
        return std::visit([](const auto& value) { return Value(value); }, its_get(row));
      };
    } else if constexpr (std::is_same_v<std::invoke_result_t<Get, const Row&>,
                                        std::optional<uint64_t>>) {
      get = [its_get](const Row& row) {
        const std::optional<uint64_t> count = its_get(row);
        return count ? Value(*count) : Value();
      };
    } else {
      get = std::move(its_get);
    }
  }

  std::string key;
  std::string unit;  ///< "" for names and texts; shares are fractions of 1
  std::string help;  ///< help text, one sentence
  std::function<Value(const Row&)> get;
  ValueKind kind;
  std::string heading;  ///< instructions, compare: heading of one or two lines; "": not in table
  bool summed;          ///< instructions: their sum is among the totals
};
template <class Row>
using Fields = std::vector<Field<Row>>;

}  // namespace shflsim::report
