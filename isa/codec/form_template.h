// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "isa/codec/form.h"

namespace shflsim::isa {

/// Parses the text of a row into tokens. The family's reader, a derived class, defines the names
/// and bits of fields.
class TemplateReader {
 public:
  explicit TemplateReader(std::string_view text) : text_(text) {}
  virtual ~TemplateReader() = default;
  TemplateReader(const TemplateReader&) = delete;
  TemplateReader& operator=(const TemplateReader&) = delete;

  std::vector<Token> read() { return read_until('\0'); }

 protected:
  virtual Token field_named(std::string_view name) const = 0;
  virtual void apply_option(Token& token, std::string_view option) const = 0;
  /// `digits`: "44", or "38.16" for a field with its own width.
  virtual void set_place(Token& token, std::string_view digits) const;

  static uint8_t number(std::string_view digits);
  static Token operand(Token::Type type, Role role, uint8_t position, uint8_t width);
  static Token modifier(std::string_view name);
  static void set_count(Token& token, std::string_view rest);
  static void set_high(Token& token, std::string_view rest, uint8_t width);

 private:
  std::vector<Token> read_until(char end);
  Token read_field();

  std::string_view text_;
  size_t at_ = 0;
};

/// The tokens of a form's text, in the notation that isa/codec/opcodes.inc explains; the meaning of
/// {b} and {c} depends on the form's letter. Throws std::logic_error if the table is wrong.
std::vector<Token> read_template(const Form& form);

/// Reads a template in the notation of isa/codec/sm70_opcodes.inc, for this architecture.
std::vector<Token> read_sm70_template(const Form& form, unsigned architecture);

}  // namespace shflsim::isa
