// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/text/token.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>

#include "isa/base/faults.h"

namespace shflsim::isa::ptx {
namespace {

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || (c != '\0' && std::strchr("_$%.", c));
}
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Lexer {
 public:
  Lexer(const std::string& file, const std::string& text) : file_(file), text_(text) {}

  std::vector<Token> read() {
    std::vector<Token> tokens;
    while (faults_.hold([this] { skip_blanks(); }) && at_ < text_.size()) {
      if (!faults_.hold([&] { tokens.push_back(next()); })) skip_word();
    }
    faults_.raise();
    Token& end = tokens.emplace_back();
    end.text = "the end of the file";
    end.where = here();
    return tokens;
  }

 private:
  Position here() const { return {file_, line_, static_cast<unsigned>(at_ - line_start_ + 1)}; }
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool starts_with(std::string_view words) const {
    return text_.compare(at_, words.size(), words) == 0;
  }

  void advance() {
    if (text_[at_++] != '\n') return;
    ++line_;
    line_start_ = at_;
  }

  void skip_comment() {
    if (starts_with("//")) {
      while (at_ < text_.size() && peek() != '\n') advance();
      return;
    }
    const Position start = here();
    while (at_ < text_.size() && !starts_with("*/")) advance();
    if (at_ >= text_.size()) throw InputError(start, "a comment without an end; expected '*/'");
    at_ += 2;
  }

  size_t first_of_line() const { return text_.find_first_not_of(" \t", line_start_); }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const bool blank = std::isspace(static_cast<unsigned char>(peek())) != 0;
      if (blank) {
        advance();
      } else if (peek() == '#' && at_ == first_of_line() && is_line_marker(text_, at_)) {
        while (at_ < text_.size() && peek() != '\n') advance();
      } else if (starts_with("//") || starts_with("/*")) {
        skip_comment();
      } else {
        return;
      }
    }
  }

  /// Skips the rest of text that is not a PTX word.
  void skip_word() {
    ++at_;
    while (at_ < text_.size() && std::strchr(" \t\r\n,;", peek()) == nullptr) ++at_;
  }

  Token next() {
    Token token;
    token.where = here();
    const char c = peek();
    const size_t start = at_;
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      read_number(token);
    } else if (is_letter(c) && !is_remainder()) {
      read_name(token);
    } else if (c == '"') {
      read_string(token);
    } else if (std::strchr("@!,;:()[]{}<>|+-=~*/%&^?", c) != nullptr) {
      token.kind = Token::Kind::kSymbol;
      at_ += is_pair_of_symbols() ? 2 : 1;
    } else {
      throw InputError(here(), "'" + std::string(1, c) +
                                   "' is no part of PTX; expected an "
                                   "instruction, a directive or a label");
    }
    token.text = text_.substr(start, at_ - start);
    return token;
  }

  /// True inside a name such as ld.L2::128B.
  bool is_qualified() const {
    return peek() == ':' && peek(1) == ':' && (is_letter(peek(2)) || is_digit(peek(2)));
  }

  /// True for a '%' that does not begin a name.
  bool is_remainder() const {
    return peek() == '%' && (peek(1) == '.' || !(is_letter(peek(1)) || is_digit(peek(1))));
  }

  bool is_pair_of_symbols() const {
    static constexpr std::string_view kPairs[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
    return std::any_of(std::begin(kPairs), std::end(kPairs),
                       [this](std::string_view pair) { return starts_with(pair); });
  }

  /// A directive ends where the next one begins: ".reg.b32" is two words.
  void read_name(Token& token) {
    token.kind = Token::Kind::kName;
    const bool is_directive = peek() == '.';
    ++at_;
    while (is_letter(peek()) || is_digit(peek()) || is_qualified()) {
      if (is_directive && (peek() == '.' || peek() == '%')) break;
      at_ += is_qualified() ? 2 : 1;
    }
  }

  void read_string(Token& token) {
    token.kind = Token::Kind::kString;
    ++at_;
    while (at_ < text_.size() && peek() != '"' && peek() != '\n') ++at_;
    if (peek() != '"') throw InputError(token.where, "a string without an end; expected '\"'");
    ++at_;
  }

  void read_number(Token& token) {
    const char kind = static_cast<char>(std::tolower(static_cast<unsigned char>(peek(1))));
    if (peek() == '0' && (kind == 'f' || kind == 'd'))
      return read_bits(token, kind == 'f' ? 8 : 16);
    const bool is_binary = peek() == '0' && kind == 'b';
    const char* const start = text_.c_str() + at_;
    char* end = nullptr;
    errno = 0;
    token.kind = Token::Kind::kInteger;
    token.value = is_binary ? std::strtoull(start + 2, &end, 2) : std::strtoull(start, &end, 0);
    if (is_float(start)) {
      token.kind = Token::Kind::kFloat;
      errno = 0;
      token.real = std::strtod(start, &end);
    }
    if (errno != 0)
      throw InputError(token.where, "a number out of range; expected 64 bits at most");
    token.is_unsigned = *end == 'U' || *end == 'u' || token.value >> 63 != 0;
    if (*end == 'U' || *end == 'u') ++end;
    at_ = static_cast<size_t>(end - text_.c_str());
    if ((is_letter(peek()) && !is_remainder()) || is_digit(peek())) {
      throw InputError(here(), "'" + std::string(1, peek()) + "' in a number; expected digits");
    }
  }

  /// True for digits that are followed by a point or an exponent.
  static bool is_float(const char* start) {
    const char* end = start;
    while (is_digit(*end)) ++end;
    if (*end == '.') return is_digit(end[1]) || !is_letter(end[1]) || is_exponent(end + 1);
    return is_exponent(end);
  }

  static bool is_exponent(const char* start) {
    if (*start != 'e' && *start != 'E') return false;
    return is_digit(start[1]) || ((start[1] == '-' || start[1] == '+') && is_digit(start[2]));
  }

  void read_bits(Token& token, unsigned digits) {
    at_ += 2;
    unsigned count = 0;
    while (std::isxdigit(static_cast<unsigned char>(peek(count))) != 0) ++count;
    if (count != digits) {
      throw InputError(token.where, "the bits of a float with " + std::to_string(count) +
                                        " digits; expected " + std::to_string(digits));
    }
    token.kind = digits == 8 ? Token::Kind::kFloatBits : Token::Kind::kFloat;
    token.value = std::strtoull(text_.substr(at_, count).c_str(), nullptr, 16);
    if (digits == 16) std::memcpy(&token.real, &token.value, sizeof token.real);
    at_ += count;
  }

  const std::string& file_;
  const std::string& text_;
  size_t at_ = 0;
  size_t line_start_ = 0;
  unsigned line_ = 1;
  Faults faults_;
};

}  // namespace

bool is_line_marker(std::string_view text, size_t at) {
  if (text.substr(at, 1) != "#") return false;
  const size_t word = text.find_first_not_of(" \t", at + 1);
  if (word == std::string_view::npos) return false;
  return is_digit(text[word]) || text.substr(word, 5) == "line ";
}

std::vector<Token> tokens_of(const std::string& file, const std::string& text) {
  return Lexer(file, text).read();
}

}  // namespace shflsim::isa::ptx
