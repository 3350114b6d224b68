// SPDX-License-Identifier: Apache-2.0
#include "isa/base/input_error.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <numeric>

namespace shflsim {
namespace {

constexpr size_t kLongestWord = 64;  // longer words get no suggestion of the nearest known word

std::string prefix(const Position& where) {
  std::string text = where.file;
  if (where.line != 0) text += ":" + std::to_string(where.line);
  if (where.line != 0 && where.column != 0) text += ":" + std::to_string(where.column);
  return text.empty() ? text : text + ": ";
}

std::string line_of_untold(const std::vector<Fault>& faults, size_t untold) {
  if (untold == 0) return "";
  const char* const word = untold == 1 ? " more fault" : " more faults";
  const Position whole = {faults.front().where.file};
  return printable(prefix(whole) + std::to_string(untold) + word);
}

std::string lines_of(const std::vector<Fault>& faults, size_t untold) {
  std::string text;
  for (const Fault& fault : faults) text += (text.empty() ? "" : "\n") + fault.line();
  return untold == 0 ? text : text + "\n" + line_of_untold(faults, untold);
}

/// Bytes of the first character of `text`; 0 if it is not valid UTF-8 or is a control
/// character.
size_t printable_bytes(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return byte(0) >= 0x20 && byte(0) != 0x7F ? 1 : 0;
  const size_t size = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < size) return 0;
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0u) != 0x80) return 0;
  }
  return byte(0) == 0xC2 && byte(1) < 0xA0 ? 0 : size;
}

std::string escaped(char c) {
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  char text[8];
  std::snprintf(text, sizeof text, "\\x%02x", static_cast<unsigned char>(c));
  return text;
}

char lower_case(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// The edit distance: how many insertions, deletions, replacements and exchanges of neighbours turn
/// `a` into `b`. If it is `most` or more, the result is some number that is at least `most`.
size_t edit_distance(std::string_view a, std::string_view b, size_t most) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= most) return most;
  std::vector<size_t> before(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  std::vector<size_t> next(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  const auto same = [&](size_t i, size_t j) { return lower_case(a[i]) == lower_case(b[j]); };
  for (size_t i = 0; i < a.size(); ++i) {
    next[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      next[j + 1] = std::min({row[j + 1] + 1, next[j] + 1, row[j] + (same(i, j) ? 0 : 1)});
      const bool exchanged = i > 0 && j > 0 && same(i, j - 1) && same(i - 1, j);
      if (exchanged) next[j + 1] = std::min(next[j + 1], before[j - 1] + 1);
    }
    if (*std::min_element(next.begin(), next.end()) > most) return most;
    before.swap(row);
    row.swap(next);
  }
  return row.back();
}

/// The first known name that begins with `name`, if `name` is long enough.
std::string continued_name(std::string_view name, const std::vector<std::string>& known) {
  constexpr size_t kEnough = 2;
  const size_t letters = name.find_first_not_of("-.");
  if (letters == std::string_view::npos || name.size() - letters < kEnough) return "";
  const auto found = std::find_if(known.begin(), known.end(), [name](const std::string& each) {
    return each.compare(0, name.size(), name) == 0;
  });
  return found == known.end() ? "" : *found;
}

}  // namespace

std::string Fault::line() const { return printable(prefix(where) + what); }

InputError::InputError(std::vector<Fault> faults, size_t untold)
    : std::runtime_error(lines_of(faults, untold)),
      faults_(std::make_shared<const std::vector<Fault>>(std::move(faults))),
      untold_(untold) {}

std::string InputError::untold_line() const { return line_of_untold(*faults_, untold_); }

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const size_t size = printable_bytes(text);
    result += size == 0 ? escaped(text[0]) : std::string(text.substr(0, size));
    text.remove_prefix(std::max<size_t>(size, 1));
  }
  return result;
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  if (name.empty() || name.size() > kLongestWord) return "";
  std::string best;
  size_t most = std::max<size_t>(1, name.size() / 3);
  for (const std::string& candidate : known) {
    const size_t distance = edit_distance(name, candidate, most + 1);
    const bool fits_better = best.size() != name.size() && candidate.size() == name.size();
    if (distance > most || (distance == most && !best.empty() && !fits_better)) continue;
    most = distance;
    best = candidate;
  }
  return best.empty() ? continued_name(name, known) : best;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  if (!nearest.empty()) return "; did you mean '" + nearest + "'?";
  if (known.empty()) return "; there is none";
  std::string text = "; known: ";
  for (size_t i = 0; i < known.size(); ++i) text += (i == 0 ? "" : ", ") + known[i];
  return text;
}

}  // namespace shflsim
