// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/control_text.h"

#include <cctype>
#include <cstdio>

namespace shflsim::isa {
namespace {

uint8_t issue_code(bool yields, unsigned stall) {
  return static_cast<uint8_t>(yields ? stall : stall | 16u);
}

char scoreboard_char(uint8_t scoreboard, char first) {
  return scoreboard < Control::kScoreboards ? static_cast<char>(first + scoreboard) : '-';
}

/// The scoreboard of a digit counted from `first`; kNoScoreboard for '-'.
std::optional<uint8_t> scoreboard_of(char c, char first) {
  if (c == '-') return Control::kNoScoreboard;
  if (c < first || c >= first + static_cast<char>(Control::kScoreboards)) return std::nullopt;
  return static_cast<uint8_t>(c - first);
}

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return std::nullopt;
}

/// True if `text` begins with `shape`, in which '?' matches any character.
bool has_shape(std::string_view text, std::string_view shape) {
  if (text.size() < shape.size()) return false;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != '?' && text[i] != shape[i]) return false;
  }
  return true;
}

std::optional<uint8_t> maxas_waits(char high, char low) {
  if (high == '-' && low == '-') return uint8_t{0};
  const auto upper = hex_digit(high);
  const auto lower = hex_digit(low);
  if (!upper || !lower || *upper > 3) return std::nullopt;
  return static_cast<uint8_t>(*upper << 4 | *lower);
}

std::optional<uint8_t> cuasm_waits(std::string_view places) {
  unsigned mask = 0;
  for (unsigned n = 0; n < Control::kScoreboards; ++n) {
    if (places[n] == '-') continue;
    if (places[n] != static_cast<char>('0' + n)) return std::nullopt;
    mask |= 1u << n;
  }
  return static_cast<uint8_t>(mask);
}

/// The mask of reuse flags; "-R--" is operand B.
std::optional<uint8_t> cuasm_reuse(std::string_view flags) {
  unsigned mask = 0;
  for (unsigned n = 0; n < flags.size(); ++n) {
    if (flags[n] != '-' && flags[n] != 'R') return std::nullopt;
    if (flags[n] == 'R') mask |= 1u << n;
  }
  return static_cast<uint8_t>(mask);
}

bool is_yield(char c) { return c == 'Y' || c == 'y' || c == '-'; }

}  // namespace

std::string maxas_control(const Control& control) {
  char waits[4] = "--";
  if (control.wait_mask != 0) std::snprintf(waits, sizeof waits, "%02x", control.wait_mask);
  char text[16];
  std::snprintf(
      text, sizeof text, "%s:%c:%c:%c:%x", waits, scoreboard_char(control.read_barrier, '1'),
      scoreboard_char(control.write_barrier, '1'), control.stay() ? '-' : 'Y', control.stall());
  return text;
}

std::string cuasm_control(const Control& control) {
  std::string waits;
  for (unsigned n = 0; n < Control::kScoreboards; ++n) {
    waits += ((control.wait_mask >> n) & 1u) != 0 ? static_cast<char>('0' + n) : '-';
  }
  char text[32];
  std::snprintf(text, sizeof text, "[B%s:R%c:W%c:%c:S%02u]", waits.c_str(),
                scoreboard_char(control.read_barrier, '0'),
                scoreboard_char(control.write_barrier, '0'), control.stay() ? '-' : 'Y',
                control.stall());
  return text;
}

std::optional<Control> take_maxas_control(std::string_view* text) {
  constexpr std::string_view kShape = "??:?:?:?:?";
  if (!has_shape(*text, kShape)) return std::nullopt;
  const std::string_view in = *text;
  const auto waits = maxas_waits(in[0], in[1]);
  const auto read = scoreboard_of(in[3], '1');
  const auto write = scoreboard_of(in[5], '1');
  const auto stall = hex_digit(in[9]);
  if (!waits || !read || !write || !stall || !is_yield(in[7])) return std::nullopt;
  Control control;
  control.wait_mask = *waits;
  control.read_barrier = *read;
  control.write_barrier = *write;
  control.issue_code = issue_code(in[7] != '-', *stall);
  text->remove_prefix(kShape.size());
  return control;
}

std::optional<Control> take_cuasm_control(std::string_view* text) {
  constexpr std::string_view kShape = "[B??????:R?:W?:?:S??]";
  constexpr std::string_view kOldShape = "[????:B??????:R?:W?:?:S??]";  // reuse flags first
  const bool is_old = has_shape(*text, kOldShape);
  if (!is_old && !has_shape(*text, kShape)) return std::nullopt;
  const std::optional<uint8_t> reuse = is_old ? cuasm_reuse(text->substr(1, 4)) : uint8_t{0};
  if (!reuse) return std::nullopt;
  const std::string_view in = text->substr(is_old ? kOldShape.size() - kShape.size() : 0);
  const auto waits = cuasm_waits(in.substr(2, Control::kScoreboards));
  const auto read = scoreboard_of(in[10], '0');
  const auto write = scoreboard_of(in[13], '0');
  const auto tens = hex_digit(in[18]);
  const auto ones = hex_digit(in[19]);
  if (!waits || !read || !write || !tens || !ones || !is_yield(in[15])) return std::nullopt;
  const unsigned stall = *tens * 10 + *ones;
  if (*ones > 9 || stall > 15) return std::nullopt;
  Control control;
  control.wait_mask = *waits;
  control.read_barrier = *read;
  control.write_barrier = *write;
  control.issue_code = issue_code(in[15] != '-', stall);
  control.reuse = *reuse;
  text->remove_prefix(is_old ? kOldShape.size() : kShape.size());
  return control;
}

}  // namespace shflsim::isa
