// SPDX-License-Identifier: Apache-2.0
#include "isa/base/enclosed_text.h"

#include <algorithm>
#include <array>

#include "isa/base/text_lines.h"

namespace shflsim::isa {
namespace {

/// Length of the fence of Markdown in front of a line, three or more of a mark; 0 if it is none.
size_t fence_of(std::string_view line, char mark) {
  const size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos || line[first] != mark) return 0;
  const size_t end = std::min(line.find_first_not_of(mark, first), line.size());
  return end - first >= 3 ? end - first : 0;
}

}  // namespace

std::optional<std::string> of_web_page(std::string_view text) {
  const size_t open = text.find("<pre");
  if (open == std::string_view::npos) return std::nullopt;
  const size_t begin = std::min(text.find('>', open), text.size() - 1) + 1;
  const size_t end = text.find("</pre>", begin);
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view inner = text.substr(begin, end - begin);
  if (starts_with(inner, "<code")) inner.remove_prefix(std::min(inner.find('>'), inner.size()));
  if (starts_with(inner, ">")) inner.remove_prefix(1);
  if (has_end(inner, "</code>")) inner.remove_suffix(std::string_view("</code>").size());
  constexpr std::array<Replacement, 6> kNames = {{{"&lt;", "<"},
                                                  {"&gt;", ">"},
                                                  {"&quot;", "\""},
                                                  {"&#39;", "'"},
                                                  {"&nbsp;", " "},
                                                  {"&amp;", "&"}}};
  const auto lines =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
  return std::string(static_cast<size_t>(lines), '\n') + with_replacements(inner, kNames);
}

std::optional<std::string> of_fences(std::string_view text, char mark) {
  if (text.find(std::string(3, mark)) == std::string_view::npos) return std::nullopt;
  size_t begin = 0, fence = 0, most = 0, at_most = 0;  // fence: length of the open one
  const auto note = [&](size_t end) {
    if (end - begin > most) most = end - begin, at_most = begin;
  };
  all_lines(text, [&](std::string_view line, size_t at) {
    const size_t length = fence_of(line, mark);
    if (fence == 0 && length != 0) {
      fence = length;
      begin = std::min(text.size(), at + line.size() + 1);
    } else if (fence != 0 && length >= fence &&
               line.find_last_not_of(" \t\r") <= line.rfind(mark)) {
      note(at);
      fence = 0;
    }
    return true;
  });
  if (fence != 0) note(text.size());
  if (most == 0) return std::nullopt;
  const auto lines =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at_most), '\n');
  return std::string(static_cast<size_t>(lines), '\n') + std::string(text.substr(at_most, most));
}

std::optional<std::string> of_difference(std::string_view text) {
  if (!starts_with(text, "@@ -") && text.find("\n@@ -") == std::string_view::npos)
    return std::nullopt;
  const auto taken = [text](char wanted, size_t* found) {
    std::string plain(text);
    bool is_inside = false;
    all_lines(text, [&](std::string_view line, size_t at) {
      const bool is_head = starts_with(line, "@@ -");
      if (is_head) is_inside = true;
      if (starts_with(line, "diff ") || starts_with(line, "--- ")) is_inside = false;
      const bool is_taken =
          is_inside && !is_head && (line.empty() || line[0] == wanted || line[0] == ' ');
      if (is_taken && !line.empty() && line[0] == wanted) ++*found;
      make_blank(&plain, at, is_taken ? std::min<size_t>(line.size(), 1) : line.size());
      return true;
    });
    return plain;
  };
  size_t added = 0, removed = 0;
  std::string plain = taken('+', &added);
  return added != 0 ? plain : taken('-', &removed);
}

std::optional<std::string> of_plain_difference(std::string_view text) {
  size_t changes = 0, others = 0;
  all_lines(text, [&](std::string_view line, size_t) {
    const size_t digits = line.find_first_not_of("0123456789,");
    const bool is_change =
        digits != 0 && digits < line.size() &&
        std::string_view("acd").find(line[digits]) != std::string_view::npos &&
        line.find_first_not_of("0123456789,\r", digits + 1) == std::string_view::npos;
    changes += is_change ? 1 : 0;
    others += !is_change && !starts_with(line, "> ") && line != ">" && !starts_with(line, "<") &&
                      !starts_with(line, "---") && !is_blank(line)
                  ? 1
                  : 0;
    return others == 0;
  });
  if (changes == 0 || others != 0) return std::nullopt;
  std::string plain(text);
  all_lines(text, [&](std::string_view line, size_t at) {
    make_blank(&plain, at, starts_with(line, ">") ? 1 : line.size());
    return true;
  });
  return plain;
}

}  // namespace shflsim::isa
