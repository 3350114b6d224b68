// SPDX-License-Identifier: Apache-2.0
#include "isa/codec/form.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "isa/base/bits.h"
#include "isa/base/text_cursor.h"
#include "isa/codec/form_template.h"

namespace shflsim::isa {
namespace {

struct ModRow {
  std::string_view name;
  std::vector<const char*> names;
};

const std::vector<ModRow>& mod_rows() {
  static const std::vector<ModRow> rows = {
#define MOD(name, ...) {#name, {__VA_ARGS__}},
#include "isa/codec/modifiers.inc"
#undef MOD
  };
  return rows;
}

Word bit(uint8_t position) { return position == Token::kNoBit ? Word() : field_mask(position, 1); }

Word place(uint8_t position, uint8_t width) {
  return position == Token::kNoBit ? Word() : field_mask(position, width);
}

Word address_bits(const AddressFields& address) {
  return place(address.base, 8) | place(address.uniform, address.uniform_width) |
         bit(address.uniform_flag) | bit(address.descriptor_flag) | bit(address.shown_flag) |
         bit(address.wide_flag) | place(address.scale, 2);
}

Word used_bits(const std::vector<Token>& tokens) {
  Word used;
  for (const Token& token : tokens) used = used | bits_of(token) | used_bits(token.children);
  return used;
}

constexpr unsigned kSm70Guard = 12;

/// The columns of a row of isa/codec/sm70_opcodes.inc.
struct Sm70Row {
  Op op;
  unsigned first, last;  ///< architectures
  uint64_t opcode;
  std::string_view forms;
  std::string_view bits;
  const char* text;
};

const Sm70Row kSm70Rows[] = {
#define OP(...)
#define FORM(op, first, last, opcode, forms, bits, text) \
  {Op::kSm70_##op, first, last, 0x##opcode, forms, bits, text},
#include "isa/codec/sm70_opcodes.inc"
#undef OP
#undef FORM
};

uint64_t take_number(std::string_view* text) {
  const size_t digits = std::min(text->find_first_not_of("0123456789"), text->size());
  const uint64_t value = std::strtoull(std::string(text->substr(0, digits)).c_str(), nullptr, 10);
  text->remove_prefix(digits);
  return value;
}

/// Reads "74=0 64.8~255 87?": bit 74 is 0 in every word of the row; bits 71:64 are 255 by default;
/// bit 87 has no known effect.
void set_bits(std::string_view bits, Form* form) {
  while (!bits.empty()) {
    const auto position = static_cast<unsigned>(take_number(&bits));
    unsigned width = 1;
    if (bits.front() == '.') {
      bits.remove_prefix(1);
      width = static_cast<unsigned>(take_number(&bits));
    }
    const char kind = bits.front();
    bits.remove_prefix(1);
    if (kind == '?') {
      form->idle = form->idle | field_mask(position, width);
    } else {
      form->pattern = with_field(form->pattern, position, width, take_number(&bits));
    }
    if (kind == '=') form->mask = form->mask | field_mask(position, width);
    if (!bits.empty()) bits.remove_prefix(1);
  }
}

/// One form of a row; a ^ before its text means a uniform guard.
Form sm70_form(const Sm70Row& row, const char* letter, unsigned architecture) {
  Form form{};
  form.op = row.op;
  form.letter = letter;
  const bool has_form = *letter != '\0';
  form.pattern = has_form ? row.opcode | static_cast<uint64_t>(*letter - '0') << 9 : row.opcode;
  form.mask = field_mask(0, 12);
  set_bits(row.bits, &form);
  if (*letter == '6' || *letter == '7') {
    form.pattern = with_field(form.pattern, 91, 1, 1);
    form.mask = form.mask | field_mask(91, 1);
  }
  form.text = row.text;
  form.uniform_guard = *form.text == '^';
  if (form.uniform_guard) ++form.text;
  form.tokens = read_sm70_template(form, architecture);
  form.unnamed = ~(form.mask | used_bits(form.tokens) | field_mask(kSm70Guard, 4) |
                   field_mask(kControlPosition, kControlBits));
  return form;
}

std::vector<Form> sm70_forms(unsigned architecture) {
  static const char* const letters[] = {"", "1", "2", "3", "4", "5", "6", "7"};
  std::vector<Form> table;
  for (const Sm70Row& row : kSm70Rows) {
    if (architecture < row.first || architecture > row.last) continue;
    if (row.forms.empty()) table.push_back(sm70_form(row, letters[0], architecture));
    for (const char digit : row.forms) {
      if (digit >= '6' && !has_uniform(architecture)) continue;
      table.push_back(sm70_form(row, letters[digit - '0'], architecture));
    }
  }
  return table;
}

std::vector<Form> maxwell_forms() {
  std::vector<Form> table;
  const auto add = [&table](Op op, const char* letter, uint64_t pattern, uint64_t mask,
                            const char* text) {
    Form form{};
    form.op = op;
    form.letter = letter;
    form.pattern = pattern;
    form.mask = mask;
    const bool repeats = *text == '\0';
    form.text = repeats ? table.back().text : text;
    form.guarded = repeats ? table.back().guarded : *text != '!';
    if (*form.text == '!') ++form.text;
    form.tokens = read_template(form);
    const Word guard = form.guarded ? field_mask(16, 4) : Word();
    form.reserved = ~(form.mask | used_bits(form.tokens) | guard) & Word(~uint64_t{0});
    table.push_back(std::move(form));
  };
#define OP(...)
#define FORM(op, letter, pattern, mask, text) \
  add(Op::k##op, #letter, 0x##pattern##000000000000, 0x##mask##000000000000, text);
#define FORM64(op, letter, pattern, mask, text) \
  add(Op::k##op, #letter, 0x##pattern, 0x##mask, text);
#include "isa/codec/opcodes.inc"
#undef OP
#undef FORM
#undef FORM64
  return table;
}

/// Enters the row under each value of the opcode's bits that its words can have.
void add_row(uint16_t row, FormTable* table) {
  const Form& form = table->forms[row];
  const uint64_t free = ~field(form.mask, table->opcode_position, 12) & 0xFFF;
  const uint64_t fixed = field(form.pattern, table->opcode_position, 12) & ~free;
  uint64_t chosen = 0;
  do {
    table->by_opcode[fixed | chosen].push_back(row);
    chosen = (chosen - free) & free;  // the next subset of the free bits
  } while (chosen != 0);
}

FormTable make_table(Arch arch) {
  const bool is_maxwell = family_of(arch) == Family::kMaxwell;
  FormTable table{arch,
                  is_maxwell ? 16 : kSm70Guard,
                  is_maxwell ? 52u : 0u,
                  is_maxwell ? maxwell_forms() : sm70_forms(number_of(arch)),
                  {},
                  {}};
  for (size_t at = 0; at < table.forms.size(); ++at) {
    const auto row = static_cast<uint16_t>(at);
    add_row(row, &table);
    table.by_name[std::string(leading_name(table.forms[row].text))].push_back(row);
  }
  return table;
}

}  // namespace

const FormTable& form_table(Arch arch) {
  static std::array<std::once_flag, kArches> made;
  static std::array<std::unique_ptr<const FormTable>, kArches> tables;
  const auto i = static_cast<size_t>(arch);
  std::call_once(made[i], [&] { tables[i] = std::make_unique<const FormTable>(make_table(arch)); });
  return *tables[i];
}

IntegerRange range_of(const Token& token, const Word& word) {
  const bool is_signed =
      token.immediate.is_signed || (token.immediate.signed_bit != Token::kNoBit &&
                                    field(word, token.immediate.signed_bit, 1) != 0);
  const unsigned width = token.width + (token.immediate.sign_bit != Token::kNoBit ? 1u : 0u);
  // 32 bits may be written as a signed or an unsigned number.
  const bool is_either = is_signed && token.width == 32 && token.position == 32;
  const int64_t unit = int64_t{1} << token.shift;
  const int64_t low = is_signed ? -(int64_t{1} << (width - 1)) * unit : 0;
  const int64_t high = ((int64_t{1} << (is_signed && !is_either ? width - 1 : width)) - 1) * unit;
  return {low, high, unit};
}

Word bits_of(const Token& token) {
  Word used = place(token.position, static_cast<uint8_t>(token.width - token.high_width));
  if (token.high_width != 0) used = used | place(token.high_bit, token.high_width);
  for (const uint8_t position :
       {token.immediate.sign_bit, token.negate_bit, token.absolute_bit, token.invert_bit,
        token.wide_bit, token.immediate.signed_bit, token.uniform_bit}) {
    used = used | bit(position);
  }
  if (token.half_position != Token::kNoBit) {
    used = used | place(token.half_position, bits_for(mod_names(token.half_mod).size()));
  }
  if (token.bank_position != 0) used = used | place(token.bank_position, 5);
  return used | address_bits(token.address);
}

uint64_t raw_value(const Token& token, const Word& word) {
  const unsigned low_width = token.width - 0u - token.high_width;
  const uint64_t low = field(word, token.position, low_width);
  return token.high_width == 0 ? low
                               : low | field(word, token.high_bit, token.high_width) << low_width;
}

Word with_value(const Token& token, const Word& word, uint64_t value) {
  const unsigned low_width = token.width - 0u - token.high_width;
  const Word out = with_field(word, token.position, low_width, value);
  return token.high_width == 0
             ? out
             : with_field(out, token.high_bit, token.high_width, value >> low_width);
}

const OpFacts& facts(Op op) {
  static const OpFacts table[] = {
#define OP(name, pipe, kind, latency, stall) \
  {#name, Pipe::k##pipe, OpKind::k##kind, Latency::k##latency, stall},
#define FORM(op, letter, pattern, mask, text)
#define FORM64(op, letter, pattern, mask, text)
#include "isa/codec/opcodes.inc"
#undef OP
#undef FORM
#undef FORM64
#define OP(name, pipe, kind) {#name, Pipe::k##pipe, OpKind::k##kind, Latency::kFixed, 0},
#define FORM(op, first, last, opcode, forms, bits, text)
#include "isa/codec/sm70_opcodes.inc"
#undef OP
#undef FORM
  };
  return table[static_cast<size_t>(op)];
}

Mod mod_named(std::string_view name) {
  const auto& rows = mod_rows();
  for (size_t i = 0; i < rows.size(); ++i) {
    if (name == rows[i].name) return static_cast<Mod>(i);
  }
  throw std::logic_error("isa/codec/opcodes.inc names an unknown field '" + std::string(name) +
                         "'");
}

const std::vector<const char*>& mod_names(Mod mod) {
  return mod_rows()[static_cast<size_t>(mod)].names;
}

uint8_t registers_of(std::string_view size_name) {
  const auto has = [size_name](std::string_view part) {
    return size_name.find(part) != std::string_view::npos;
  };
  if (has("128") || has("16x8") || has("32x4") || size_name == ".4") return 4;
  if (has("96")) return 3;
  return has("64") || has("16x4") || has("32x2") || size_name == ".2" ? 2 : 1;
}

uint8_t registers_of(const Token& token, const Instruction& instruction) {
  if (token.count != 0) return token.count;
  return registers_of(mod_names(token.count_mod)[instruction[token.count_mod]]);
}

bool has_field(const Form& form, Mod mod) {
  return std::any_of(form.tokens.begin(), form.tokens.end(), [mod](const Token& token) {
    return token.type == Token::Type::kModifier && token.mod == mod;
  });
}

bool form_says(const Instruction& instruction, const char* words) {
  return std::strstr(forms(instruction.arch)[instruction.form].text, words) != nullptr;
}

const char* pipe_name(Pipe pipe) {
  static const char* const names[kPipes] = {
      "fmai", "fxu",     "double", "half",   "tensor",  "fmai_fxu", "multiply", "wide_multiply",
      "xu",   "shuffle", "shared", "global", "special", "branch",   "front_end"};
  return names[static_cast<size_t>(pipe)];
}

}  // namespace shflsim::isa
