// SPDX-License-Identifier: Apache-2.0
#include "isa/form.h"

#include <stdexcept>
#include <string_view>
#include <utility>

#include "isa/bits.h"
#include "isa/form_template.h"

namespace shflsim::isa {
namespace {

struct ModRow {
  std::string_view name;
  std::vector<const char*> names;
};

const std::vector<ModRow>& mod_rows() {
  static const std::vector<ModRow> rows = {
#define MOD(name, ...) {#name, {__VA_ARGS__}},
#include "isa/modifiers.inc"
#undef MOD
  };
  return rows;
}

uint64_t bit(uint8_t position) { return position == Token::kNoBit ? 0 : uint64_t{1} << position; }

uint64_t field_mask(uint8_t position, uint8_t width) { return low_mask(width) << position; }

uint64_t used_bits(const std::vector<Token>& tokens) {
  uint64_t used = 0;
  for (const Token& token : tokens) {
    used |= used_bits(token.children);
    used |= field_mask(token.position, static_cast<uint8_t>(token.width - token.high_width));
    if (token.high_width != 0) used |= field_mask(token.high_bit, token.high_width);
    for (uint8_t position : {token.sign_bit, token.negate_bit, token.absolute_bit, token.invert_bit,
                             token.wide_bit, token.signed_bit}) {
      used |= bit(position);
    }
    if (token.half_position != Token::kNoBit) {
      used |= field_mask(token.half_position, bits_for(mod_names(token.half_mod).size()));
    }
    if (token.bank_position != 0) used |= field_mask(token.bank_position, 5);
    if (token.type == Token::Type::kIndexed) used |= field_mask(8, 8);
    if (token.type == Token::Type::kMemory) used |= field_mask(8, 8);
  }
  return used;
}

std::vector<Form> build() {
  std::vector<Form> table;
  const auto add = [&table](Op op, const char* letter, uint64_t pattern, uint64_t mask,
                            const char* text) {
    Form form;
    form.op = op;
    form.letter = letter;
    form.pattern = pattern;
    form.mask = mask;
    const bool repeats = *text == '\0';
    form.text = repeats ? table.back().text : text;
    form.guarded = repeats ? table.back().guarded : *text != '!';
    if (*form.text == '!') ++form.text;
    form.tokens = read_template(form);
    form.reserved = ~(form.mask | used_bits(form.tokens) | (form.guarded ? field_mask(16, 4) : 0));
    table.push_back(std::move(form));
  };
#define OP(name, pipe, latency, stall)
#define FORM(op, letter, pattern, mask, text) \
  add(Op::k##op, #letter, 0x##pattern##000000000000, 0x##mask##000000000000, text);
#define FORM64(op, letter, pattern, mask, text) \
  add(Op::k##op, #letter, 0x##pattern, 0x##mask, text);
#include "isa/opcodes.inc"
#undef OP
#undef FORM
#undef FORM64
  return table;
}

}  // namespace

const std::vector<Form>& forms() {
  static const std::vector<Form> table = build();
  return table;
}

const OpFacts& facts(Op op) {
  static const OpFacts table[] = {
#define OP(name, pipe, latency, stall) {#name, Pipe::k##pipe, Latency::k##latency, stall},
#define FORM(op, letter, pattern, mask, text)
#define FORM64(op, letter, pattern, mask, text)
#include "isa/opcodes.inc"
#undef OP
#undef FORM
#undef FORM64
  };
  return table[static_cast<size_t>(op)];
}

Mod mod_named(std::string_view name) {
  const auto& rows = mod_rows();
  for (size_t i = 0; i < rows.size(); ++i) {
    if (name == rows[i].name) return static_cast<Mod>(i);
  }
  throw std::logic_error("isa/opcodes.inc names an unknown field '" + std::string(name) + "'");
}

const std::vector<const char*>& mod_names(Mod mod) {
  return mod_rows()[static_cast<size_t>(mod)].names;
}

uint8_t registers_of(std::string_view size_name) {
  if (size_name.find("128") != std::string_view::npos) return 4;
  if (size_name.find("96") != std::string_view::npos) return 3;
  return size_name.find("64") != std::string_view::npos ? 2 : 1;
}

const char* pipe_name(Pipe pipe) {
  static const char* const names[kPipes] = {
      "fmai", "fxu",     "double", "half",   "tensor",  "fmai_fxu", "multiply", "wide_multiply",
      "xu",   "shuffle", "shared", "global", "special", "branch",   "front_end"};
  return names[static_cast<size_t>(pipe)];
}

}  // namespace shflsim::isa
