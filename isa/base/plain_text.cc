// SPDX-License-Identifier: Apache-2.0
#include "isa/base/plain_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "isa/base/enclosed_text.h"
#include "isa/base/line_front.h"
#include "isa/base/text_lines.h"

namespace shflsim::isa {
namespace {

using Text = std::optional<std::string>;

constexpr char kEscape = '\x1B';
constexpr std::string_view kBlanks = " \t\r";

/// The place behind the control sequence at `at`: ESC [, parameters and a letter; ESC ], a text and
/// BEL or ESC \; ESC, a mark and a letter; or ESC and a letter.
size_t end_of_escape(std::string_view text, size_t at) {
  const auto is_in = [&text](size_t i, char first, char last) {
    return i < text.size() && text[i] >= first && text[i] <= last;
  };
  if (++at >= text.size() || text[at] == '\n') return at;
  if (text[at] == '[') {
    while (is_in(++at, ' ', '?')) continue;
    return at < text.size() && text[at] != '\n' ? at + 1 : at;
  }
  if (text[at] == ']') {
    while (at < text.size() && text[at] != '\a' && text[at] != kEscape && text[at] != '\n') ++at;
    if (at >= text.size() || text[at] == '\n') return at;
    return std::min(text.size(), at + (text[at] == kEscape ? 2 : 1));
  }
  while (is_in(at, ' ', '/')) ++at;
  return std::min(text.size(), at + (is_in(at, '0', '~') ? 1 : 0));
}

Text without_escapes(std::string_view text) {
  if (text.find(kEscape) == std::string_view::npos) return std::nullopt;
  std::string plain;
  plain.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    if (text[i] == kEscape) {
      i = end_of_escape(text, i);
      continue;
    }
    plain += text[i++];
  }
  return plain;
}

Text with_line_feeds(std::string_view text) {
  if (text.find('\n') != std::string_view::npos || text.find('\r') == std::string_view::npos)
    return std::nullopt;
  std::string plain(text);
  std::replace(plain.begin(), plain.end(), '\r', '\n');
  return plain;
}

/// Blanks that do not break, of web pages, become blanks.
Text with_plain_blanks(std::string_view text) {
  constexpr std::array<Replacement, 1> kBlank = {{{"\u00a0", " "}}};
  if (text.find(kBlank[0].from) == std::string_view::npos) return std::nullopt;
  return with_replacements(text, kBlank);
}

/// The text with blanks for what stands in front of its lines, which `front(line)` tells; none if
/// a line that is not blank has nothing there, or fewer than two lines have.
template <class F>
Text with_blank_front(std::string_view text, F front) {
  size_t found = 0;
  const bool all = all_lines(text, [&](std::string_view line, size_t) {
    const bool has = front(line).size != 0;
    found += has ? 1 : 0;
    return has || is_blank(line);
  });
  if (!all || found < 2) return std::nullopt;
  std::string plain(text);
  all_lines(text, [&](std::string_view line, size_t at) {
    make_blank(&plain, at, front(line).size);
    return true;
  });
  return plain;
}

/// Mail says in a line of its own whom it quotes.
std::string_view without_introduction(std::string_view text, size_t* size) {
  const size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  const size_t end = std::min(text.find('\n', first), text.size());
  const std::string_view line = text.substr(first, end - first);
  *size = line.find('>') != 0 && (has_end(line, ":") || has_end(line, ":\r")) ? end : 0;
  return text.substr(*size);
}

Text without_quotation(std::string_view text) {
  for (const std::string_view mark : {"|", "//", "#", ";", "*", "\u2502"}) {
    Text plain =
        with_blank_front(text, [mark](std::string_view line) { return mark_front(line, mark); });
    if (plain) return plain;
  }
  size_t size = 0;
  const std::string_view rest = without_introduction(text, &size);
  const Text plain =
      with_blank_front(rest, [](std::string_view line) { return quotation_front(line); });
  if (!plain) return std::nullopt;
  return std::string(size, ' ') + *plain;
}

/// Lines of a terminal's record that are a command, in a text that begins with one.
Text without_commands(std::string_view text) {
  const auto is_command = [](std::string_view line) {
    return starts_with(line, "$ ") || starts_with(line, "Script started ") ||
           starts_with(line, "Script done ");
  };
  if (!is_command(text.substr(std::min(text.find_first_not_of("\r\n"), text.size()))))
    return std::nullopt;
  std::string plain(text);
  all_lines(text, [&](std::string_view line, size_t at) {
    if (is_command(line)) make_blank(&plain, at, line.size());
    return true;
  });
  return plain;
}

/// Lines of grep between pieces of a text.
bool is_gap(std::string_view line) { return line == "--" || line == "--\r"; }

/// The numbers ascend, by one where only a blank is behind them.
Text without_numbers(std::string_view text) {
  uint64_t last = 0;
  bool has_one = false;
  const bool ascends = all_lines(text, [&](std::string_view line, size_t) {
    const LineFront front = number_front(line);
    if (front.size == 0) return is_blank(line) || is_gap(line);
    const bool follows = has_one ? front.number > last : true;
    const bool is_next = has_one ? front.number == last + 1 : front.number == 1;
    last = front.number;
    has_one = true;
    return follows && (front.is_marked || is_next);
  });
  if (!ascends || !has_one) return std::nullopt;
  return with_blank_front(text, [](std::string_view line) {
    return is_gap(line) ? LineFront{line.size()} : number_front(line);
  });
}

Text without_file_names(std::string_view text) {
  const size_t colon = text.substr(0, text.find('\n')).find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view name = text.substr(0, colon);
  if (name.find_first_of("./") == std::string_view::npos ||
      name.find_first_of(" \t[({*") != std::string_view::npos)
    return std::nullopt;
  return with_blank_front(text, [name](std::string_view line) {
    return is_gap(line) ? LineFront{line.size()} : file_front(line, name);
  });
}

Text without_tags(std::string_view text) {
  std::vector<std::string_view> lines;
  all_lines(text, [&lines](std::string_view line, size_t) {
    if (!is_blank(line)) lines.push_back(line);
    return lines.size() != 2 ||
           line.substr(0, line.find(' ')) == lines[0].substr(0, lines[0].find(' '));
  });
  const std::string_view tag = common_tag(lines);
  if (tag.empty()) return std::nullopt;
  return with_blank_front(text, [tag](std::string_view line) {
    return LineFront{starts_with(line, tag) ? tag.size() : 0};
  });
}

/// A frame around the text: its first and last line, and between two lines at the start a title.
Text without_frame(std::string_view text) {
  std::vector<std::pair<size_t, size_t>> lines;  // place and size, of those that are not blank
  std::vector<size_t> frames;                    // indices in `lines`
  all_lines(text, [&](std::string_view line, size_t at) {
    if (is_blank(line)) return true;
    if (is_frame(line)) frames.push_back(lines.size());
    lines.emplace_back(at, line.size());
    return !frames.empty();
  });
  if (frames.empty()) return std::nullopt;
  constexpr size_t kMostTitles = 3;
  const size_t behind = frames.size() > 1 && frames[1] <= kMostTitles ? frames[1] : 0;
  std::string plain(text);
  for (size_t i = 0; i < lines.size(); ++i) {
    const bool is_part = i <= behind || std::find(frames.begin(), frames.end(), i) != frames.end();
    if (is_part) make_blank(&plain, lines[i].first, lines[i].second);
  }
  return plain;
}

/// The mark that ends every line that is not blank: the right side of a frame, or `cat -A`.
Text without_ends(std::string_view text) {
  for (const std::string_view mark : {"|", "$", "\u2502"}) {
    size_t found = 0;
    const auto size_at_end = [mark](std::string_view line) {
      const size_t last = line.find_last_not_of(kBlanks);
      if (last == std::string_view::npos) return size_t{0};
      return has_end(line.substr(0, last + 1), mark) ? line.size() - last - 1 + mark.size() : 0;
    };
    const bool all = all_lines(text, [&](std::string_view line, size_t) {
      const bool has = size_at_end(line) != 0;
      found += has ? 1 : 0;
      return has || is_blank(line);
    });
    if (!all || found < 2) continue;
    std::string plain(text);
    all_lines(text, [&](std::string_view line, size_t at) {
      const size_t size = size_at_end(line);
      make_blank(&plain, at + line.size() - size, size);
      return true;
    });
    constexpr std::array<Replacement, 2> kShown = {{{"^I", "\t"}, {"^M", " "}}};
    return mark == "$" ? with_replacements(plain, kShown) : plain;
  }
  return std::nullopt;
}

/// What one tool added; none if the text has nothing of it.
using Removal = Text (*)(std::string_view text);

constexpr std::array<Removal, 16> kRemovals = {
    without_escapes,
    with_line_feeds,
    with_plain_blanks,
    of_web_page,
    [](std::string_view text) { return of_fences(text, '`'); },
    [](std::string_view text) { return of_fences(text, '~'); },
    of_difference,
    of_plain_difference,
    without_commands,
    without_frame,
    without_quotation,
    without_numbers,
    without_file_names,
    [](std::string_view text) { return with_blank_front(text, time_front); },
    [](std::string_view text) { return with_blank_front(text, blame_front); },
    without_tags,
};

Text without_one(std::string_view text) {
  for (const Removal removal : kRemovals) {
    if (Text plain = removal(text)) return plain;
  }
  return without_ends(text);
}

}  // namespace

std::optional<std::string> plain_text(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return std::nullopt;
  constexpr unsigned kMostTools = 8;  // one behind the other
  Text plain = without_one(text);
  for (unsigned i = 1; plain && i < kMostTools; ++i) {
    Text next = without_one(*plain);
    if (!next) break;
    plain = std::move(next);
  }
  return plain;
}

}  // namespace shflsim::isa
