// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/text/expression.h"

#include "isa/base/bounded.h"
#include "isa/lanes/lane_map.h"

namespace shflsim::isa::ptx {
namespace {

using TokenKind = Token::Kind;

constexpr unsigned kBits = 64;

/// The value of a part of an expression. An integer is kept as 64 bits, which are signed for
/// kSigned.
struct Constant {
  enum class Kind : uint8_t { kSigned, kUnsigned, kFloat, kSingle };  // kSingle: bits, 0f...
  Kind kind = Kind::kSigned;
  uint64_t bits = 0;
  double real = 0;

  bool is_integer() const { return kind == Kind::kSigned || kind == Kind::kUnsigned; }
  bool is_signed() const { return kind == Kind::kSigned; }
  int64_t number() const { return static_cast<int64_t>(bits); }
};

Constant truth_of(bool holds) { return {Constant::Kind::kSigned, holds ? 1u : 0u, 0}; }

/// The precedence of a binary operator; 0 for other text.
int strength_of(const Token& token) {
  static const std::map<std::string, int> table = {
      {"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5},  {"==", 6},
      {"!=", 6}, {"<", 7},  {"<=", 7}, {">", 7},  {">=", 7}, {"<<", 8},
      {">>", 8}, {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
  const auto found = table.find(token.text);
  return token.kind != TokenKind::kSymbol || found == table.end() ? 0 : found->second;
}
constexpr int kShift = 8;

template <class Number>
bool compares(const std::string& name, Number a, Number b) {
  if (name == "<") return a < b;
  if (name == "<=") return a <= b;
  if (name == ">") return a > b;
  if (name == ">=") return a >= b;
  return (name == "==") == (a == b);
}

/// Shifts by the lowest six bits of `by`, as ptxas does; a signed number keeps its sign.
uint64_t shifted(bool left, const Constant& a, uint64_t by) {
  by %= kBits;
  if (left) return a.bits << by;
  return a.is_signed() && a.number() < 0 ? ~(~a.bits >> by) : a.bits >> by;
}

class Expression {
 public:
  Expression(Cursor* at, std::string expected) : at_(*at), expected_(std::move(expected)) {}

  /// An expression with or without '?'.
  Constant whole() {
    const Position where = at_.peek().where;
    const Nesting level(&depth_, "an expression", where);
    const Constant condition = binary(1);
    if (!at_.take_symbol("?")) return condition;
    const bool holds = is_true(condition, where);
    Constant yes = whole();
    at_.expect(":");
    Constant no = whole();
    if (yes.is_integer() != no.is_integer())
      throw InputError(where, "'?' between an integer and a float; expected two of a kind");
    if (!yes.is_signed() || !no.is_signed()) make_unsigned(&yes, &no);
    return holds ? yes : no;
  }

  /// An expression of operators with at least this precedence.
  Constant binary(int least) {
    Constant left = unary();
    for (int strength = strength_of(at_.peek()); strength >= least && strength != 0;
         strength = strength_of(at_.peek())) {
      const Token& sign = at_.take();
      const Constant right = binary(strength + 1);
      left = combined(sign, left, right);
    }
    return left;
  }

 private:
  static void make_unsigned(Constant* a, Constant* b) {
    if (!a->is_integer() || !b->is_integer()) return;
    a->kind = b->kind = Constant::Kind::kUnsigned;
  }

  static bool is_true(const Constant& value, const Position& where) {
    if (!value.is_integer()) throw InputError(where, "a float as a condition; expected an integer");
    return value.bits != 0;
  }

  Constant unary() {
    const Nesting level(&depth_, "an expression", at_.peek().where);
    const Token& sign = at_.peek();
    for (const char* known : {"+", "-", "!", "~"}) {
      if (at_.take_symbol(known)) return signed_by(sign, unary());
    }
    return at_.is_symbol("(") ? in_brackets() : primary();
  }

  static Constant signed_by(const Token& sign, Constant value) {
    if (sign.text == "+") return value;
    if (sign.text == "!") return truth_of(!is_true(value, sign.where));
    if (sign.text == "~") {
      if (!value.is_integer()) throw InputError(sign.where, "'~' of a float; expected an integer");
      return {Constant::Kind::kUnsigned, ~value.bits, 0};
    }
    constexpr uint64_t kSignOfSingle = uint64_t{1} << 31;
    value.bits = value.is_integer() ? 0 - value.bits : value.bits ^ kSignOfSingle;
    value.real = -value.real;
    return value;
  }

  /// (expression), or a cast.
  Constant in_brackets() {
    at_.expect("(");
    const Position where = at_.peek().where;
    const bool to_signed = at_.take_word(".s64");
    if (!to_signed && !at_.take_word(".u64")) {
      const Constant inner = whole();
      at_.expect(")");
      return inner;
    }
    at_.expect(")");
    Constant value = unary();
    if (!value.is_integer()) throw InputError(where, "a cast of a float; expected an integer");
    value.kind = to_signed ? Constant::Kind::kSigned : Constant::Kind::kUnsigned;
    return value;
  }

  Constant primary() {
    if (at_.take_word("WARP_SZ")) return {Constant::Kind::kSigned, kLanes, 0};
    const Token& token = at_.peek();
    Constant value;
    value.bits = token.value;
    value.real = token.real;
    switch (token.kind) {
      case TokenKind::kInteger:
        value.kind = token.is_unsigned ? Constant::Kind::kUnsigned : Constant::Kind::kSigned;
        break;
      case TokenKind::kFloat: value.kind = Constant::Kind::kFloat; break;
      case TokenKind::kFloatBits: value.kind = Constant::Kind::kSingle; break;
      default: at_.fail_here(expected_);
    }
    at_.take();
    return value;
  }

  static Constant combined(const Token& sign, Constant a, Constant b) {
    if (a.is_integer() && b.is_integer()) return of_integers(sign, a, b);
    if (a.kind == Constant::Kind::kFloat && b.kind == Constant::Kind::kFloat)
      return of_floats(sign, a.real, b.real);
    throw InputError(sign.where, "'" + sign.text +
                                     "' between numbers of two kinds, or of one written in 0f; "
                                     "expected two integers or two floats");
  }

  static Constant of_floats(const Token& sign, double a, double b) {
    const int strength = strength_of(sign);
    if (strength == strength_of_comparison(sign)) return truth_of(compares(sign.text, a, b));
    Constant result{Constant::Kind::kFloat, 0, 0};
    switch (sign.text[0]) {
      case '+': result.real = a + b; break;
      case '-': result.real = a - b; break;
      case '*': result.real = a * b; break;
      case '/': result.real = a / b; break;
      default: throw InputError(sign.where, "'" + sign.text + "' of floats; expected integers");
    }
    return result;
  }

  /// The precedence of a comparison operator (==, !=, < and so on); 0 for other operators.
  static int strength_of_comparison(const Token& sign) {
    const int strength = strength_of(sign);
    return strength == kShift - 1 || strength == kShift - 2 ? strength : 0;
  }

  static Constant of_integers(const Token& sign, Constant a, Constant b) {
    if (sign.text == "<<" || sign.text == ">>") {
      return {a.kind, shifted(sign.text == "<<", a, b.bits), 0};
    }
    if (sign.text == "&&") return truth_of(a.bits != 0 && b.bits != 0);
    if (sign.text == "||") return truth_of(a.bits != 0 || b.bits != 0);
    const bool both_signed = a.is_signed() && b.is_signed();
    if (strength_of_comparison(sign) != 0) {
      return truth_of(both_signed ? compares(sign.text, a.number(), b.number())
                                  : compares(sign.text, a.bits, b.bits));
    }
    const auto kind = both_signed ? Constant::Kind::kSigned : Constant::Kind::kUnsigned;
    return {kind, arithmetic(sign, a, b, both_signed), 0};
  }

  static uint64_t arithmetic(const Token& sign, const Constant& a, const Constant& b,
                             bool both_signed) {
    switch (sign.text[0]) {
      case '+': return a.bits + b.bits;
      case '-': return a.bits - b.bits;
      case '*': return a.bits * b.bits;
      case '&': return a.bits & b.bits;
      case '|': return a.bits | b.bits;
      case '^': return a.bits ^ b.bits;
      default: break;
    }
    if (b.bits == 0) throw InputError(sign.where, "a division by 0; expected another divisor");
    if (sign.text == "%") return a.bits % b.bits;  // unsigned, even if the numbers are signed
    if (!both_signed) return a.bits / b.bits;
    if (b.number() == -1) return 0 - a.bits;
    return static_cast<uint64_t>(a.number() / b.number());
  }

  Cursor& at_;
  std::string expected_;
  unsigned depth_ = 0;
};

}  // namespace

bool is_at_constant(const Cursor& at) {
  switch (at.peek().kind) {
    case TokenKind::kInteger:
    case TokenKind::kFloat:
    case TokenKind::kFloatBits: return true;
    case TokenKind::kSymbol: break;
    default: return at.is_word("WARP_SZ");
  }
  if (at.is_symbol("!")) return at.peek(1).kind != TokenKind::kName;
  return at.is_symbol("(") || at.is_symbol("+") || at.is_symbol("-") || at.is_symbol("~");
}

void read_constant(Cursor* at, const std::string& expected, Operand* operand, Ending ending) {
  Expression expression(at, expected);
  const Constant value =
      ending == Ending::kAny ? expression.whole() : expression.binary(kShift + 1);
  operand->kind = value.is_integer()                     ? Operand::Kind::kInteger
                  : value.kind == Constant::Kind::kFloat ? Operand::Kind::kFloat
                                                         : Operand::Kind::kFloatBits;
  operand->value = value.number();
  operand->real = value.real;
}

uint64_t read_count(Cursor* at, const std::string& expected, Ending ending) {
  const Position where = at->peek().where;
  Operand operand;
  read_constant(at, expected, &operand, ending);
  if (operand.kind != Operand::Kind::kInteger)
    throw InputError(where, "a float; expected " + expected);
  return static_cast<uint64_t>(operand.value);
}

}  // namespace shflsim::isa::ptx
