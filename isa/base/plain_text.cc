// SPDX-License-Identifier: Apache-2.0
#include "isa/base/plain_text.h"

#include <algorithm>
#include <cstdint>

namespace shflsim::isa {
namespace {

constexpr char kEscape = '\x1B';
constexpr std::string_view kBlanks = " \t\r";

/// Calls f(line, place, number) for each line until it returns false; false if it did.
template <class F>
bool all_lines(std::string_view text, F f) {
  uint64_t number = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (!f(text.substr(at, end - at), at, ++number)) return false;
    at = end + 1;
  }
  return true;
}

/// Removes control sequences: ESC [, parameters, and a letter.
std::string without_escapes(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != kEscape) {
      plain += text[i];
      continue;
    }
    if (i + 1 >= text.size() || text[i + 1] != '[') continue;
    for (i += 2; i < text.size() && text[i] >= ' ' && text[i] < '@';) ++i;
    if (i < text.size() && text[i] == '\n') plain += '\n';
  }
  return plain;
}

/// Length of the marks in front of a quoted line; 0 if there are none.
size_t quotation(std::string_view line, char mark) {
  size_t at = 0;
  for (size_t i = 0; i < line.size() && (line[i] == mark || line[i] == ' '); ++i)
    if (line[i] == mark) at = i + 1;
  return at;
}

/// Length of the line number in front of a line, with the ':' or '|' behind it; 0 if it is another.
size_t line_number(std::string_view line, uint64_t number) {
  const size_t first = std::min(line.find_first_not_of(' '), line.size());
  const std::string digits = std::to_string(number);
  if (line.substr(first, digits.size()) != digits) return 0;
  const size_t end = first + digits.size();
  const char behind = end < line.size() ? line[end] : ' ';
  if (behind == ':' || behind == '|') return end + 1;
  return kBlanks.find(behind) != std::string_view::npos ? end : 0;
}

/// The text with blanks for what stands in front of its lines, whose length `front(line, number)`
/// tells; none if a line that is not blank has nothing there, or fewer than two lines have.
template <class F>
std::optional<std::string> with_blank_front(std::string_view text, F front) {
  size_t found = 0;
  const bool all = all_lines(text, [&](std::string_view line, size_t, uint64_t number) {
    const bool has = front(line, number) != 0;
    found += has ? 1 : 0;
    return has || line.find_first_not_of(kBlanks) == std::string_view::npos;
  });
  if (!all || found < 2) return std::nullopt;
  std::string plain(text);
  all_lines(text, [&](std::string_view line, size_t at, uint64_t number) {
    const size_t size = front(line, number);
    plain.replace(at, size, size, ' ');
    return true;
  });
  return plain;
}

}  // namespace

std::optional<std::string> plain_text(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return std::nullopt;
  if (text.find(kEscape) != std::string_view::npos) {
    const std::string plain = without_escapes(text);
    return plain_text(plain).value_or(plain);
  }
  if (text.find('\n') == std::string_view::npos && text.find('\r') != std::string_view::npos) {
    std::string plain(text);
    std::replace(plain.begin(), plain.end(), '\r', '\n');
    return plain_text(plain).value_or(plain);
  }
  for (const char mark : {'>', '|'}) {
    auto plain = with_blank_front(
        text, [mark](std::string_view line, uint64_t) { return quotation(line, mark); });
    if (plain) return plain;
  }
  return with_blank_front(text, line_number);
}

}  // namespace shflsim::isa
