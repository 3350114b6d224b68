// SPDX-License-Identifier: Apache-2.0
#include "isa/base/line_front.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace shflsim::isa {
namespace {

constexpr std::string_view kFrontBlanks = " \t\r";
constexpr std::string_view kVerticalLine = "\u2502";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_front_blank(char c) { return kFrontBlanks.find(c) != std::string_view::npos; }

/// A line that is read from its front.
class Front {
 public:
  explicit Front(std::string_view line) : line_(line) {}
  size_t place() const { return at_; }
  bool is_at_end() const { return at_ == line_.size(); }
  bool is_at(char c) const { return !is_at_end() && line_[at_] == c; }
  bool is_at_blank() const { return is_at_end() || is_front_blank(line_[at_]); }
  void go_to(size_t place) { at_ = place; }
  void skip_blanks() {
    while (at_ < line_.size() && is_front_blank(line_[at_])) ++at_;
  }
  bool take(std::string_view text) {
    if (line_.substr(at_, text.size()) != text) return false;
    at_ += text.size();
    return true;
  }
  bool take_one_of(std::string_view characters) {
    if (is_at_end() || characters.find(line_[at_]) == std::string_view::npos) return false;
    ++at_;
    return true;
  }
  /// Takes `least` to `most` digits; their number goes to `value`.
  bool take_digits(size_t least, size_t most, uint64_t* value = nullptr) {
    size_t end = at_;
    uint64_t number = 0;
    while (end < line_.size() && end - at_ <= most && is_digit(line_[end]))
      number = number * 10 + static_cast<uint64_t>(line_[end++] - '0');
    if (end - at_ < least || end - at_ > most) return false;
    if (value != nullptr) *value = number;
    at_ = end;
    return true;
  }
  /// Takes what `f(*this)` takes, or nothing.
  template <class F>
  bool take_all(F f) {
    const size_t start = at_;
    if (f(*this)) return true;
    at_ = start;
    return false;
  }

 private:
  std::string_view line_;
  size_t at_ = 0;
};

constexpr size_t kMostDigits = 9;  // of a line number

bool take_month(Front& at) {
  static constexpr std::array<std::string_view, 12> kMonths = {
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  return std::any_of(kMonths.begin(), kMonths.end(),
                     [&at](std::string_view each) { return at.take(each); });
}

bool take_fraction(Front& at) { return at.take_one_of(".,") && at.take_digits(1, kMostDigits); }

bool take_clock(Front& at) {
  if (!at.take_digits(1, 2) || !at.take(":") || !at.take_digits(2, 2) || !at.take(":") ||
      !at.take_digits(2, 2))
    return false;
  at.take_all(take_fraction);
  return true;
}

bool take_date(Front& at) {
  const bool is_number = at.take_all([](Front& in) {
    return in.take_digits(4, 4) && in.take_one_of("-/") && in.take_digits(2, 2) &&
           in.take_one_of("-/") && in.take_digits(2, 2);
  });
  return is_number || at.take_all([](Front& in) {
    if (!take_month(in)) return false;
    in.skip_blanks();
    return in.take_digits(1, 2);
  });
}

void take_zone(Front& at) {
  if (at.take("Z") || at.take(" UTC")) return;
  at.take_all([](Front& in) {
    in.take(" ");
    if (!in.take_one_of("+-")) return false;
    return in.take_digits(4, 4) || (in.take_digits(2, 2) && in.take(":") && in.take_digits(2, 2));
  });
}

bool take_date_and_clock(Front& at) {
  const bool has_date = at.take_all(take_date);
  const bool has_clock = at.take_all([has_date](Front& in) {
    if (has_date && !in.take_one_of("T _")) return false;
    return take_clock(in);
  });
  if (has_clock) take_zone(at);
  return has_date || has_clock;
}

/// Seconds with a fraction of three digits at least: of `dmesg` and `ts`.
bool take_seconds(Front& at) {
  at.skip_blanks();
  return at.take_digits(1, 12) && at.take(".") && at.take_digits(3, kMostDigits);
}

std::string_view without_blanks_behind(std::string_view text) {
  const size_t last = text.find_last_not_of(kFrontBlanks);
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

bool is_level(std::string_view word) {
  static constexpr std::array<std::string_view, 7> kLevels = {"INFO",  "DEBUG", "NOTICE", "WARN",
                                                              "ERROR", "TRACE", "LOG"};
  return std::find(kLevels.begin(), kLevels.end(), word) != kLevels.end();
}

/// True for words such as "[build]", "web-1 |", "host nvcc[12]:" and "INFO"; not for control bits.
bool is_tag(std::string_view words) {
  if (words.empty() || is_level(words)) return !words.empty();
  if (words.find('*') != std::string_view::npos) return false;  // a comment of a listing
  const std::string_view inner = words.substr(0, words.size() - 1);
  if (inner.find_first_of(":;{}`") != std::string_view::npos) return false;
  const char last = words.back();
  if (last == ']') return words.front() == '[' && words.find(' ') == std::string_view::npos;
  return last == '|' || last == ':';
}

}  // namespace

LineFront quotation_front(std::string_view line) {
  Front at(line);
  size_t end = 0;
  for (at.skip_blanks(); at.take(">"); at.skip_blanks()) end = at.place();
  return {end};
}

LineFront mark_front(std::string_view line, std::string_view mark) {
  Front at(line);
  at.skip_blanks();
  return {at.take(mark) ? at.place() : 0};
}

LineFront number_front(std::string_view line) {
  Front at(line);
  at.skip_blanks();
  const bool has_bracket = at.take("[");
  LineFront front;
  if (!at.take_digits(1, kMostDigits, &front.number)) return {};
  if (has_bracket) {
    if (!at.take("]")) return {};
  } else {
    const size_t end = at.place();
    at.skip_blanks();
    const bool has_line = at.take(kVerticalLine);
    if (!has_line) at.go_to(end);
    front.is_marked = has_line || at.take_one_of(":|-.)") || at.is_at('\t');
    if (!front.is_marked && !at.is_at_blank()) return {};
  }
  front.size = at.place();
  return front;
}

LineFront time_front(std::string_view line) {
  Front at(line);
  const bool has_bracket = at.take("[");
  const bool is_date = at.take_all(take_date_and_clock);
  if (!is_date && !at.take_all(take_seconds)) return {};
  if (has_bracket && !at.take("]")) return {};
  if (!at.take(":")) at.take("|");
  return {at.is_at_blank() ? at.place() : 0};
}

LineFront blame_front(std::string_view line) {
  constexpr size_t kFewestDigits = 7;
  const size_t first = line.substr(0, 1) == "^" ? 1 : 0;
  size_t end = first;
  while (end < line.size() && std::isxdigit(static_cast<unsigned char>(line[end])) != 0) ++end;
  const size_t close = line.find(')');
  const bool has_commit = end - first >= kFewestDigits && end < line.size() && line[end] == ' ';
  if (!has_commit || close == std::string_view::npos || !is_digit(line[close - 1])) return {};
  return {line.substr(end, close - end).find('(') == std::string_view::npos ? 0 : close + 1};
}

LineFront file_front(std::string_view line, std::string_view name) {
  const bool has = line.substr(0, name.size()) == name && line.size() > name.size();
  const char behind = has ? line[name.size()] : ' ';
  return {behind == ':' || behind == '-' ? name.size() + 1 : 0};
}

std::string_view common_tag(const std::vector<std::string_view>& lines) {
  constexpr size_t kFewestLines = 3;
  if (lines.size() < kFewestLines) return {};
  std::string_view common = lines.front();
  for (const std::string_view line : lines) {
    const auto ends = std::mismatch(common.begin(), common.end(), line.begin(), line.end());
    common = common.substr(0, static_cast<size_t>(ends.first - common.begin()));
  }
  // The words of the lines themselves may begin in the same way.
  for (common = without_blanks_behind(common); !common.empty();) {
    const size_t first = std::min(common.find_first_not_of(kFrontBlanks), common.size());
    const bool is_whole = std::all_of(lines.begin(), lines.end(), [&](std::string_view line) {
      return line.size() == common.size() || is_front_blank(line[common.size()]);
    });
    if (is_whole && is_tag(common.substr(first))) return common;
    const size_t blank = common.find_last_of(kFrontBlanks);
    if (blank == std::string_view::npos) return {};
    common = without_blanks_behind(common.substr(0, blank));
  }
  return {};
}

bool is_frame(std::string_view line) {
  size_t drawn = 0;
  for (size_t i = 0; i < line.size();) {
    const bool is_drawing = line.substr(i, 1) == "\xE2" &&
                            (line.substr(i + 1, 1) == "\x94" || line.substr(i + 1, 1) == "\x95");
    if (!is_drawing && !is_front_blank(line[i]) && line[i] != '-') return false;
    drawn += is_drawing ? 1 : 0;
    i += is_drawing ? 3 : 1;
  }
  return drawn > 1;
}

}  // namespace shflsim::isa
