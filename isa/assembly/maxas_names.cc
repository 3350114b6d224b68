// SPDX-License-Identifier: Apache-2.0
#include "isa/assembly/maxas_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "isa/base/bounded.h"
#include "isa/base/text_cursor.h"

namespace shflsim::isa {
namespace {

constexpr std::array<std::string_view, 3> kBlocks = {"REGISTER_MAPPING", "CONSTANT_MAPPING",
                                                     "COMMENT"};
constexpr int kMostNumber = 254;  // R254 is the last register

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(trimmed(text.substr(at, end - at)));
    at = end + 1;
  }
  return parts;
}

/// "3" or "0-3": the first and the last number.
struct Range {
  int first;
  int last;
};
std::optional<Range> range_of_numbers(std::string_view text) {
  const size_t dash = std::min(text.find('-'), text.size());
  const auto first = whole_number(trimmed(text.substr(0, dash)));
  const auto last = dash < text.size() ? whole_number(trimmed(text.substr(dash + 1))) : first;
  if (!first || !last || *first > *last || *last > static_cast<uint64_t>(kMostNumber)) return {};
  return Range{static_cast<int>(*first), static_cast<int>(*last)};
}

/// The digits of a number, padded with zeros to `width`.
std::string padded(int number, size_t width) {
  std::string digits = std::to_string(number);
  return digits.size() < width ? std::string(width - digits.size(), '0') + digits : digits;
}

/// The names in "y<00-03|32>z": y00z, y01z, y02z, y03z, y32z; empty if the text is not a name.
std::vector<std::string> expanded(std::string_view name) {
  if (name.size() > 3 && name.back() == ']') name = trimmed(name.substr(0, name.size() - 3));
  const size_t open = std::min(name.find('<'), name.size());
  const std::string head(name.substr(0, open));
  if (head.empty() || leading_name(head).size() != head.size()) return {};
  if (open == name.size()) return {head};
  const size_t close = name.find('>', open);
  if (close == std::string_view::npos) return {};
  const std::string tail(name.substr(close + 1));
  std::vector<std::string> names;
  for (const std::string_view each : parts_of(name.substr(open + 1, close - open - 1), '|')) {
    const std::optional<Range> range = range_of_numbers(each);
    if (!range) return {};
    const size_t width = leading_name(each).size();
    for (int n = range->first; n <= range->last; ++n)
      names.push_back(head + padded(n, width) + tail);
  }
  return names;
}

/// A name without its ranges of numbers: "yz" for "y<0-3>z".
std::string short_name(std::string_view name) {
  const size_t open = std::min(name.find('<'), name.size());
  const size_t close = name.find('>', open);
  const std::string_view tail = close == std::string_view::npos ? "" : name.substr(close + 1);
  return std::string(name.substr(0, open)) + std::string(tail);
}

/// Value of "2*64 + 8": sums and differences of products; none for anything else.
std::optional<int64_t> value_of(std::string_view text) {
  constexpr int64_t kMost = int64_t{1} << 32;
  int64_t sum = 0, product = 1;
  int sign = 1;
  for (size_t at = 0;;) {
    while (at < text.size() && text[at] == ' ') ++at;
    const std::string_view digits = leading_name(text.substr(at));
    const auto number = whole_number(digits);
    if (!number || *number > static_cast<uint64_t>(kMost)) return std::nullopt;
    product *= static_cast<int64_t>(*number);
    at += digits.size();
    while (at < text.size() && text[at] == ' ') ++at;
    const char next = at < text.size() ? text[at++] : '\0';
    if (product > kMost) return std::nullopt;
    if (next == '*') continue;
    sum += sign * product;
    if (next == '\0') return sum;
    if (next != '+' && next != '-') return std::nullopt;
    sign = next == '+' ? 1 : -1;
    product = 1;
  }
}

/// Replaces sums of products such as "4x<2*64 + 8>" by their values.
std::string products_in(std::string text) {
  for (size_t at = text.find("x<"); at != std::string::npos; at = text.find("x<", at + 1)) {
    size_t begin = at;
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(text[begin - 1])) != 0) --begin;
    const size_t close = text.find('>', at);
    if (begin == at || close == std::string::npos) continue;
    const auto factor = whole_number(std::string_view(text).substr(begin, at - begin));
    const auto value = value_of(std::string_view(text).substr(at + 2, close - at - 2));
    if (!factor || *factor > 1024 || !value) continue;
    text.replace(begin, close + 1 - begin, std::to_string(static_cast<int64_t>(*factor) * *value));
    at = begin;
  }
  return text;
}

std::string_view without_remark(std::string_view line) {
  return trimmed(line.substr(0, line.find('#')));
}

}  // namespace

bool MaxasNames::take(std::string_view line, const Position& where) {
  if (block_.empty()) {
    for (const std::string_view block : kBlocks) {
      if (line != "<" + std::string(block) + ">") continue;
      block_ = block;
      begin_ = where;
      return true;
    }
    return false;
  }
  if (line == "</" + block_ + ">") {
    block_.clear();
    return true;
  }
  line = without_remark(line);
  if (line.empty() || block_ == "COMMENT") return true;
  if (block_ == "REGISTER_MAPPING") {
    read_registers(line, where);
  } else {
    read_constant(line, where);
  }
  return true;
}

void MaxasNames::check_closed() const {
  if (!block_.empty())
    throw InputError(begin_, "<" + block_ + "> has no end; expected </" + block_ + "> behind it");
}

void MaxasNames::read_registers(std::string_view line, const Position& where) {
  const size_t colon = line.find_first_of(":~");
  if (colon == std::string_view::npos)
    throw InputError(where, "no names for registers; expected one such as 0-3 : x, y<0-2>");
  std::vector<int> numbers;
  for (const std::string_view part : parts_of(line.substr(0, colon), ',')) {
    const std::optional<Range> range = range_of_numbers(part);
    if (!range)
      throw InputError(where, "'" + std::string(part) +
                                  "' is no number of a register; expected 0 to 254 or a range");
    for (int n = range->first; n <= range->last; ++n) numbers.push_back(n);
  }
  size_t next = 0;
  for (const std::string_view part : parts_of(line.substr(colon + 1), ',')) {
    const std::vector<std::string> names = expanded(part);
    if (names.empty())
      throw InputError(where, "'" + std::string(part) +
                                  "' is no name of a register; expected one such as x or y<0-3>");
    for (const std::string& name : names) {
      if (next == numbers.size())
        throw InputError(where, "more names than registers; expected " +
                                    std::to_string(numbers.size()) + " at most");
      add_register(name, numbers[next++], where);
    }
    const std::string name = short_name(part);
    if (registers_.emplace(name, registers_[names.front()]).second) short_names_.insert(name);
  }
}

void MaxasNames::add_register(const std::string& name, int number, const Position& where) {
  if (short_names_.erase(name) == 0 && registers_.count(name) != 0)
    throw InputError(where, "register '" + name + "' stands twice; expected a new name");
  registers_[name] = number;
}

void MaxasNames::read_constant(std::string_view line, const Position& where) {
  const size_t colon = line.find(':');
  const std::string_view name = trimmed(line.substr(0, std::min(colon, line.size())));
  if (colon == std::string_view::npos || name.empty())
    throw InputError(where, "no name of a constant; expected one such as n : c[0x0][0x140]");
  constants_[std::string(name)] = std::string(trimmed(line.substr(colon + 1)));
}

int MaxasNames::register_named(std::string_view name) const {
  const auto found = registers_.find(name);
  return found == registers_.end() ? -1 : found->second;
}

std::vector<std::string> MaxasNames::registers() const {
  std::vector<std::string> names;
  for (const auto& [name, number] : registers_) names.push_back(name);
  return names;
}

/// Replaces names of constants; a name may have an index: "param_0[1]".
std::string MaxasNames::constants_in(std::string_view text) const {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const std::string_view word = leading_name(text.substr(at));
    if (word.empty()) {
      out += text[at++];
      continue;
    }
    size_t end = at + word.size();
    const size_t close = text.find(']', end);
    const bool has_index = end < text.size() && text[end] == '[' && close != std::string_view::npos;
    const auto indexed =
        has_index ? constants_.find(text.substr(at, close + 1 - at)) : constants_.end();
    const auto found = indexed != constants_.end() ? indexed : constants_.find(word);
    if (indexed != constants_.end()) end = close + 1;
    out += found != constants_.end() ? found->second : std::string(word);
    at = end;
  }
  return out;
}

std::string MaxasNames::replaced_in(std::string_view text) const {
  return products_in(constants_.empty() ? std::string(text) : constants_in(text));
}

}  // namespace shflsim::isa
