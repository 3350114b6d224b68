// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "isa/ptx/text/token.h"

namespace shflsim::isa::ptx {

/// A position among the words of a text, with functions that test and take words. They throw
/// InputError at the word if they fail.
class Cursor {
 public:
  explicit Cursor(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& peek(size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  bool at_end() const { return peek().kind == Token::Kind::kEnd; }
  bool is_symbol(const char* text, size_t ahead = 0) const {
    return peek(ahead).kind == Token::Kind::kSymbol && peek(ahead).text == text;
  }
  bool is_word(const char* text) const {
    return peek().kind == Token::Kind::kName && peek().text == text;
  }
  bool is_any_word() const { return peek().kind == Token::Kind::kName; }

  const Token& take() { return tokens_[std::min(at_++, tokens_.size() - 1)]; }
  bool take_symbol(const char* text) { return is_symbol(text) && (++at_, true); }
  bool take_word(const char* text) { return is_word(text) && (++at_, true); }
  std::string take_name(const std::string& expected) {
    if (!is_any_word()) fail_here(expected);
    return take().text;
  }
  uint64_t take_integer(const std::string& expected) {
    if (peek().kind != Token::Kind::kInteger) fail_here(expected);
    return take().value;
  }
  void expect(const char* symbol) {
    if (!take_symbol(symbol)) fail_here(std::string("'") + symbol + "'");
  }
  void skip_to(const char* symbol) {
    while (!is_symbol(symbol) && !at_end()) ++at_;
  }

  /// Continues after an error: at the current word if it is past `start` and begins a line, else
  /// after the next ';', but not past a '}' that begins its line. Always moves on from `start`.
  void recover(size_t start) {
    if (at_ > start && is_first_of_line()) return;
    if (at_ == start && !at_end()) ++at_;
    while (!at_end() && !is_symbol(";") && !(is_symbol("}") && is_first_of_line())) ++at_;
    take_symbol(";");
  }
  size_t place() const { return at_; }

  [[noreturn]] void fail(const std::string& what) const { throw InputError(peek().where, what); }
  [[noreturn]] void fail_here(const std::string& expected) const {
    fail("'" + peek().text + "' cannot stand here; expected " + expected);
  }

 private:
  bool is_first_of_line() const {
    return at_ != 0 && !at_end() && tokens_[at_ - 1].where.line != peek().where.line;
  }

  std::vector<Token> tokens_;
  size_t at_ = 0;
};

}  // namespace shflsim::isa::ptx
