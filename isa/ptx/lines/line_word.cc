// SPDX-License-Identifier: Apache-2.0
// Encodes lines with the rows of the opcode table that have the line's operation.
#include "isa/ptx/lines/line_word.h"

#include <algorithm>
#include <cstring>

#include "isa/base/bits.h"

namespace shflsim::isa::ptx {
namespace {

using TokenType = isa::Token::Type;
using Kind = Term::Kind;

constexpr uint8_t kBaseRegister = 8;  ///< field of an address's register
constexpr uint64_t kGuardNegated = 8;
const std::vector<uint8_t> kZeros;  ///< no numbers: all are 0

/// The field's value for an operand that is left out of the text.
uint64_t usual_field(const isa::Token& token) {
  switch (token.type) {
    case TokenType::kModifier: {
      const std::vector<const char*>& names = mod_names(token.names);
      size_t i = 0;
      while (i < names.size() && (names[i] == nullptr || *names[i] != '\0')) ++i;
      return i;
    }
    case TokenType::kPredicate: return kPT;
    case TokenType::kRegister: return kRZ;
    default: return static_cast<uint64_t>(token.immediate.usual);
  }
}

/// Puts a line's operands into the word of a row.
class WordWriter {
 public:
  WordWriter(const Line& line, const Placement& placement, bool takes_all_numbers = false)
      : line_(line), placement_(placement), takes_all_numbers_(takes_all_numbers) {}

  std::optional<uint64_t> run(const Operation::Row& row) {
    const Form& form = *row.form;
    row_ = &row;
    word_ = row.word;
    next_ = 0;
    has_carry_ = has_target_ = false;
    for (size_t i = row.operands; i < form.tokens.size(); ++i) {
      if (!put(form.tokens[i])) return std::nullopt;
    }
    const bool is_complete = next_ == line_.terms.size() && line_.sets_cc == has_carry_ &&
                             has_target_ == (line_.target >= 0 || !line_.callee.empty());
    if (!is_complete || !((word_ ^ form.pattern) & form.mask).none()) return std::nullopt;
    return put_guard(form) ? std::optional<uint64_t>(word_.low) : std::nullopt;
  }

 private:
  bool put_guard(const Form& form) {
    if (!form.guarded) return line_.guard < 0;
    const uint64_t number = line_.guard < 0 ? kPT : number_of(line_.guard);
    const uint64_t guard = number | (line_.guard_negate ? kGuardNegated : 0);
    word_ = with_field(word_, form_table(Arch::kSm50).guard_position, 4, guard);
    return true;
  }

  unsigned number_of(int id) const {
    const auto at = static_cast<size_t>(id);
    return at < placement_.numbers.size() ? placement_.numbers[at] : 0;
  }

  void put_bit(uint8_t position) {
    if (position != isa::Token::kNoBit) word_ = with_field(word_, position, 1, 1);
  }

  bool put(const isa::Token& token) {
    switch (token.type) {
      case TokenType::kLiteral: return token.literal.find_first_not_of(", ") == std::string::npos;
      case TokenType::kGroup: return put_group(token);
      case TokenType::kModifier: return false;  // after an operand, where lines have no modifiers
      case TokenType::kCarry:
        has_carry_ = line_.sets_cc;
        if (has_carry_) put_bit(token.position);
        return true;
      case TokenType::kTarget: return put_target(token);
      default: return next_ < line_.terms.size() && put_operand(token, line_.terms[next_++]);
    }
  }

  bool put_group(const isa::Token& group) {
    const size_t next = next_;
    const Word word = word_;
    for (const isa::Token& token : group.children) {
      if (put(token)) continue;
      next_ = next;
      word_ = word;
      leave_out(group);
      break;
    }
    return true;
  }

  void leave_out(const isa::Token& group) {
    for (const isa::Token& token : group.children) {
      const bool has_field = token.type == TokenType::kModifier || token.role != Role::kCount;
      if (has_field) word_ = with_value(token, word_, usual_field(token));
    }
  }

  bool put_target(const isa::Token& token) {
    constexpr int64_t kReach = 1 << 23;
    has_target_ = true;
    const int64_t distance = placement_.target - placement_.address - 8;
    if (takes_all_numbers_) return true;
    if (placement_.target < 0 || distance < -kReach || distance >= kReach) return false;
    word_ = with_field(word_, token.position, token.width, static_cast<uint64_t>(distance));
    return true;
  }

  bool put_operand(const isa::Token& token, const Term& term) {
    const bool is_number = term.is(Kind::kNumber) || term.is(Kind::kFloat);
    if (is_number && term.has_sign()) return false;  // a number contains its sign
    return put_flags(token, term) && put_piece(token, term.piece) && put_bare(token, term);
  }

  bool put_flag(bool is_set, uint8_t position) {
    if (is_set) put_bit(position);
    return !is_set || position != isa::Token::kNoBit;
  }

  bool put_flags(const isa::Token& token, const Term& term) {
    return put_flag(term.negate, token.negate_bit) && put_flag(term.invert, token.invert_bit) &&
           put_flag(term.absolute, token.absolute_bit);
  }

  /// A piece may share its field with the operand's type; the type's name must not change.
  bool put_piece(const isa::Token& token, Piece piece) {
    if (token.half_position == isa::Token::kNoBit) return piece == Piece::kAll;
    const std::vector<const char*>& names = mod_names(token.half_mod);
    for (size_t i = 0; i < names.size(); ++i) {
      const bool is_named = names[i] != nullptr && std::strcmp(names[i], name_of_piece(piece)) == 0;
      if (!is_named || !keeps_type(token.half_position, i, names.size())) continue;
      word_ = with_field(word_, token.half_position, bits_for(names.size()), i);
      return true;
    }
    return false;
  }

  bool keeps_type(uint8_t position, size_t piece, size_t pieces) const {
    for (const Operation::Row::Modifier& type : row_->modifiers) {
      if (type.token->position != position) continue;
      const std::vector<const char*>& names = mod_names(type.token->names);
      const char* other = names[type.value / pieces * pieces + piece];
      return other != nullptr && std::strcmp(other, names[type.value]) == 0;
    }
    return true;
  }

  bool put_bare(const isa::Token& token, const Term& term) {
    switch (token.type) {
      case TokenType::kRegister: return put_register(token, term);
      case TokenType::kPair: return put_pair(token, term);
      case TokenType::kPredicate: return put_predicate(token, term);
      case TokenType::kInteger: return term.is(Kind::kNumber) && put_integer(token, term.value);
      case TokenType::kFloat: return term.is(Kind::kFloat) && put_float(token, term.value);
      case TokenType::kSpecial: return term.is(Kind::kSpecial) && put_raw(token, term.value);
      case TokenType::kConstant:
        return term.is(Kind::kConstant) && term.id < 0 && put_constant(token, term);
      case TokenType::kMemory: return term.is(Kind::kMemory) && put_address(token, term);
      case TokenType::kIndexed:
        return term.is(Kind::kConstant) && put_bank(token, term) && put_address(token, term);
      default: return false;  // no line has such operands
    }
  }

  bool put_raw(const isa::Token& token, int64_t value) {
    word_ = with_field(word_, token.position, token.width, static_cast<uint64_t>(value));
    return true;
  }

  bool put_register(const isa::Token& token, const Term& term) {
    const bool is_zero = term.is(Kind::kZero);
    if (!is_zero && (!term.is(Kind::kRegister) || term.width == 0)) return false;
    const unsigned number = is_zero ? kRZ : number_of(term.id) + term.part;
    if (token.never_rz && number == kRZ) return false;
    if (token.repeats && field(word_, token.position, token.width) != number) return false;
    return put_raw(token, number);
  }

  /// The register after those of operand B, which has no field.
  bool put_pair(const isa::Token& token, const Term& term) const {
    constexpr unsigned kOperandB = 20;
    if (!term.is(Kind::kRegister) || term.width == 0) return false;
    return number_of(term.id) + term.part == field(word_, kOperandB, 8) + count_of(token);
  }

  unsigned count_of(const isa::Token& token) const {
    for (const Operation::Row::Modifier& size : row_->modifiers) {
      if (size.token->mod == token.count_mod)
        return registers_of(mod_names(size.token->names)[size.value]);
    }
    return token.count;
  }

  bool put_predicate(const isa::Token& token, const Term& term) {
    const bool is_true = term.is(Kind::kTrue);
    if (!is_true && (!term.is(Kind::kRegister) || term.width != 0)) return false;
    return put_raw(token, is_true ? kPT : number_of(term.id));
  }

  void put_signed(const isa::Token& token, int64_t value) {
    word_ = with_value(token, word_, static_cast<uint64_t>(value));
    if (token.immediate.sign_bit == isa::Token::kNoBit) return;
    word_ =
        with_field(word_, token.immediate.sign_bit, 1, static_cast<uint64_t>(value) >> token.width);
  }

  bool put_integer(const isa::Token& token, int64_t value) {
    const IntegerRange range = range_of(token, word_);
    if (!range.holds(value)) return takes_all_numbers_;
    put_signed(token, value / range.unit);
    return true;
  }

  /// A short immediate contains the upper 20 bits of a float.
  bool put_float(const isa::Token& token, int64_t bits) {
    const unsigned dropped = token.immediate.sign_bit == isa::Token::kNoBit ? 0 : 31u - token.width;
    if ((static_cast<uint64_t>(bits) & low_mask(dropped)) != 0) return false;
    put_signed(token, static_cast<int64_t>(static_cast<uint64_t>(bits) >> dropped));
    return true;
  }

  bool put_bank(const isa::Token& token, const Term& term) {
    constexpr unsigned kBankBits = 5;
    word_ = with_field(word_, token.bank_position, kBankBits, term.bank);
    return term.bank <= low_mask(kBankBits);
  }

  bool put_constant(const isa::Token& token, const Term& term) {
    const int64_t unit = int64_t{1} << token.shift;
    if (term.offset < -0x8000 || term.offset > 0xFFFF || term.offset % unit != 0) return false;
    return put_bank(token, term) && put_raw(token, term.offset / unit);
  }

  /// Without a register the offset is the address itself, which is unsigned.
  bool put_address(const isa::Token& token, const Term& term) {
    isa::Token offset = token;
    if (term.id < 0) offset.immediate.is_signed = token.type == TokenType::kIndexed;
    const uint64_t base = term.id < 0 ? kRZ : number_of(term.id) + term.part;
    word_ = with_field(word_, kBaseRegister, 8, base);
    return put_integer(offset, term.offset);
  }

  const Line& line_;
  const Placement& placement_;
  const bool takes_all_numbers_;  ///< accepts any number, also one that does not fit the word
  const Operation::Row* row_ = nullptr;
  Word word_;
  size_t next_ = 0;  ///< next operand
  bool has_carry_ = false;
  bool has_target_ = false;
};

}  // namespace

std::optional<uint64_t> word_of(const Line& line, const Placement& placement) {
  WordWriter writer(line, placement);
  for (const Operation::Row& row : line.operation.rows()) {
    const std::optional<uint64_t> word = writer.run(row);
    if (word) return word;
  }
  return std::nullopt;
}

bool has_word(const Line& line) { return word_of(line, {kZeros}).has_value(); }

bool has_form(const Line& line) {
  const std::vector<Operation::Row>& rows = line.operation.rows();
  const bool passes_words = !line.callee.empty() || line.op() == Op::kRET;
  if (rows.empty() || passes_words) return true;
  const Placement placement{kZeros};
  WordWriter writer(line, placement, true);
  return std::any_of(rows.begin(), rows.end(),
                     [&writer](const Operation::Row& row) { return writer.run(row).has_value(); });
}

const char* name_of_piece(Piece piece) {
  static constexpr const char* kNames[] = {"", ".H1", ".H0_H0", ".B1", ".B2", ".B3"};
  return kNames[static_cast<size_t>(piece)];
}

}  // namespace shflsim::isa::ptx
