// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <set>

#include "isa/ptx/lower.h"
#include "isa/ptx/syntax.h"
#include "isa/ptx/token.h"

namespace shflsim::isa::ptx {
namespace {

using TokenKind = Token::Kind;

std::vector<std::string> split_at_dots(const std::string& name) {
  std::vector<std::string> parts(1);
  for (const char c : name) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string stem_of(const std::string& file) {
  const std::string name = file.substr(file.rfind('/') + 1);
  return name.substr(0, name.find('.'));
}

uint32_t aligned(uint32_t offset, uint32_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

class Parser {
 public:
  explicit Parser(const SourceText& source) : tokens_(tokens_of(source.file, source.text)) {
    module_.file = source.file;
    fragment_.name = stem_of(source.file);
    fragment_.is_fragment = true;
  }

  Module read() {
    while (peek().kind != TokenKind::kEnd) top_level();
    if (!fragment_.body.empty()) module_.functions.push_back(std::move(fragment_));
    if (module_.functions.empty()) fail("no instruction in it; expected PTX code");
    return std::move(module_);
  }

 private:
  const Token& peek(size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  bool is_symbol(const char* text, size_t ahead = 0) const {
    return peek(ahead).kind == TokenKind::kSymbol && peek(ahead).text == text;
  }
  bool is_name(const char* text) const {
    return peek().kind == TokenKind::kName && peek().text == text;
  }
  bool take_symbol(const char* text) {
    if (!is_symbol(text)) return false;
    ++at_;
    return true;
  }
  bool take_word(const char* text) {
    if (!is_name(text)) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void fail(const std::string& what) const { throw InputError(peek().where, what); }
  [[noreturn]] void fail_here(const std::string& expected) const {
    fail("'" + peek().text + "' cannot stand here; expected " + expected);
  }
  void expect(const char* symbol) {
    if (!take_symbol(symbol)) fail_here(std::string("'") + symbol + "'");
  }
  std::string take_name(const std::string& expected) {
    if (peek().kind != TokenKind::kName) fail_here(expected);
    return tokens_[at_++].text;
  }
  uint64_t take_integer(const std::string& expected) {
    if (peek().kind != TokenKind::kInteger) fail_here(expected);
    return tokens_[at_++].value;
  }

  void top_level() {
    static const std::set<std::string> kLinkage = {".visible", ".extern", ".weak", ".common"};
    if (take_word(".version")) return read_version();
    if (take_word(".target")) return read_target();
    if (take_word(".address_size")) return read_address_size();
    if (take_word(".entry") || take_word(".func")) return read_function();
    if (peek().kind == TokenKind::kName && kLinkage.count(peek().text) != 0) {
      ++at_;
      return;
    }
    if (is_name(".file") || is_name(".section")) return skip_debug();
    read_body_item(fragment_);
  }

  void read_version() {
    const Position where = peek().where;
    const Token token = tokens_[at_++];
    if (token.kind != TokenKind::kFloat)
      throw InputError(where, "no version; expected one such as 6.4");
    const size_t dot = token.text.find('.');
    module_.version = static_cast<unsigned>(std::atoi(token.text.c_str()) * 10 +
                                            std::atoi(token.text.c_str() + dot + 1));
  }

  void read_target() {
    const Position where = peek().where;
    const std::string name = take_name("an architecture such as sm_50");
    const bool known = name.compare(0, 3, "sm_") == 0 && std::atoi(name.c_str() + 3) > 0;
    if (!known)
      throw InputError(where, "'" + name + "' is no architecture; expected one such as sm_50");
    module_.target = static_cast<unsigned>(std::atoi(name.c_str() + 3));
    while (take_symbol(",")) take_name("an option of .target");
  }

  void read_address_size() {
    const Position where = peek().where;
    if (take_integer("64") != 64) throw InputError(where, "another address size; expected 64");
  }

  /// Debug information: .file and .loc to the end of the line, .section with its braces.
  void skip_debug() {
    const unsigned line = peek().where.line;
    const bool section = is_name(".section");
    while (peek().kind != TokenKind::kEnd &&
           (section ? !is_symbol("}") : peek().where.line == line)) {
      ++at_;
    }
    if (section) take_symbol("}");
  }

  void read_function() {
    Function function;
    function.shared = fragment_.shared;  // what stands outside of functions is there for all
    function.shared_bytes = fragment_.shared_bytes;
    if (is_symbol("(")) {
      Function results;
      read_parameters(results);
    }
    function.name = take_name("the name of a kernel");
    if (is_symbol("(")) read_parameters(function);
    while (!is_symbol("{") && !is_symbol(";")) skip_attribute();
    if (take_symbol(";")) return;
    expect("{");
    for (unsigned depth = 1; depth > 0;) {
      if (peek().kind == TokenKind::kEnd) fail("the kernel has no end; expected '}'");
      if (take_symbol("{")) {
        ++depth;
      } else if (take_symbol("}")) {
        --depth;
      } else {
        read_body_item(function);
      }
    }
    module_.functions.push_back(std::move(function));
  }

  /// .maxntid 256, 1, 1 and its like, which do not change what the code does.
  void skip_attribute() {
    const std::string name = take_name("'{'");
    if (name[0] != '.') fail_here("'{' or a performance directive");
    while (peek().kind == TokenKind::kInteger || is_symbol(",")) ++at_;
  }

  void read_parameters(Function& function) {
    expect("(");
    while (!take_symbol(")")) {
      if (!take_word(".param")) fail_here("'.param' or ')'");
      add_variable(function.parameters, &function.parameter_bytes);
      if (!is_symbol(")")) expect(",");
    }
  }

  /// .align 4 .b8 name[128] behind its state space.
  void add_variable(std::map<std::string, Variable>& variables, uint32_t* end) {
    uint32_t alignment = 0;
    if (take_word(".align")) alignment = static_cast<uint32_t>(take_integer("an alignment"));
    Variable variable;
    variable.type = take_type();
    while (take_word(".ptr") || take_word(".global") || take_word(".shared") ||
           take_word(".const")) {
    }
    if (take_word(".align")) take_integer("an alignment");
    const Position where = peek().where;
    const std::string name = take_name("a name");
    uint64_t count = 1;
    while (take_symbol("[")) {
      count *= is_symbol("]") ? 0 : take_integer("a number of elements");
      expect("]");
    }
    const uint32_t size = std::max(1u, variable.type.bits / 8);
    if (count > (1u << 20))
      throw InputError(where, "'" + name + "' is too large; expected 2^20 elements at most");
    variable.bytes = static_cast<uint32_t>(count) * size;
    variable.offset = aligned(*end, std::max(alignment, size));
    if (!variables.emplace(name, variable).second) {
      throw InputError(where, "'" + name + "' is declared twice; expected a new name");
    }
    *end = variable.offset + variable.bytes;
  }

  Type take_type() {
    const std::string name = take_name("a type such as .u32");
    const Type type = name[0] == '.' ? type_named(name.substr(1)) : Type{};
    if (type.bits == 0) {
      --at_;
      fail_here("a type such as .u32");
    }
    return type;
  }

  void read_registers(Function& function) {
    const Type type = take_type();
    do {
      const std::string name = take_name("the name of a register");
      uint64_t count = 0;
      if (take_symbol("<")) {
        count = take_integer("a number of registers");
        if (count > 65536) fail("more registers than there can be; expected 65536 at most");
        expect(">");
      } else {
        function.registers[name] = type;
      }
      for (uint64_t i = 0; i < count; ++i) function.registers[name + std::to_string(i)] = type;
    } while (take_symbol(","));
    expect(";");
  }

  void read_body_item(Function& function) {
    if (take_word(".reg")) return read_registers(function);
    if (take_word(".shared")) {
      add_variable(function.shared, &function.shared_bytes);
      return expect(";");
    }
    if (is_name(".loc")) return skip_debug();
    if (take_word(".pragma")) {
      while (!is_symbol(";") && peek().kind != TokenKind::kEnd) ++at_;
      return expect(";");
    }
    if (peek().kind == TokenKind::kName && peek().text[0] == '.') return read_directive(function);
    read_statement(function);
  }

  /// What is not understood becomes a statement of no operands, so that it only matters where its
  /// function is asked for.
  void leave_unread(Function& function, Statement statement) {
    while (!is_symbol(";") && peek().kind != TokenKind::kEnd) ++at_;
    expect(";");
    function.body.push_back(std::move(statement));
  }

  void read_directive(Function& function) {
    Statement statement;
    statement.where = peek().where;
    statement.opcode = take_name("a directive");
    static const std::set<std::string> kVariables = {".global", ".const"};
    if (kVariables.count(statement.opcode) == 0 || !function.is_fragment) {
      return leave_unread(function, std::move(statement));
    }
    // Variables of the file: a kernel that names one finds no register of that name.
    while (!is_symbol(";") && peek().kind != TokenKind::kEnd) ++at_;
    expect(";");
  }

  void read_statement(Function& function) {
    Statement statement;
    statement.where = peek().where;
    if (peek().kind == TokenKind::kName && is_symbol(":", 1)) {
      statement.label = take_name("a label");
      expect(":");
      function.body.push_back(std::move(statement));
      return;
    }
    if (take_symbol("@")) {
      statement.guard_negate = take_symbol("!");
      statement.guard = take_name("the predicate of a guard");
    }
    statement.where = peek().where;
    statement.parts = split_at_dots(take_name("an instruction"));
    statement.opcode = statement.parts.front();
    statement.parts.erase(statement.parts.begin());
    if (!is_opcode(statement.opcode)) return leave_unread(function, std::move(statement));
    if (!is_symbol(";")) read_operands(statement);
    expect(";");
    function.body.push_back(std::move(statement));
  }

  void read_operands(Statement& statement) {
    do {
      statement.operands.push_back(read_operand());
    } while (take_symbol(","));
  }

  Operand read_operand() {
    Operand operand;
    operand.where = peek().where;
    if (take_symbol("[")) {
      read_address(operand);
    } else if (take_symbol("{")) {
      operand.kind = Operand::Kind::kVector;
      do {
        operand.elements.push_back(read_operand());
      } while (take_symbol(","));
      expect("}");
    } else if (peek().kind == TokenKind::kName || is_symbol("!")) {
      operand.negate = take_symbol("!");
      operand.name = take_name("a predicate");
      if (take_symbol("|")) operand.second = take_name("the predicate that receives 'in range'");
    } else {
      read_number(operand);
    }
    return operand;
  }

  void read_number(Operand& operand) {
    const bool minus = take_symbol("-");
    const Token& token = peek();
    switch (token.kind) {
      case TokenKind::kInteger: operand.kind = Operand::Kind::kInteger; break;
      case TokenKind::kFloat: operand.kind = Operand::Kind::kFloat; break;
      case TokenKind::kFloatBits: operand.kind = Operand::Kind::kFloatBits; break;
      default: fail_here("a register, a number or '['");
    }
    operand.value = static_cast<int64_t>(minus ? 0 - token.value : token.value);
    operand.real = minus ? -token.real : token.real;
    ++at_;
  }

  void read_address(Operand& operand) {
    operand.kind = Operand::Kind::kAddress;
    if (peek().kind == TokenKind::kName) operand.name = take_name("a register");
    take_symbol("+");
    if (!is_symbol("]")) {
      const bool minus = take_symbol("-");
      const uint64_t offset = take_integer("an offset");
      operand.value = static_cast<int64_t>(minus ? 0 - offset : offset);
    }
    expect("]");
  }

  std::vector<Token> tokens_;
  size_t at_ = 0;
  Module module_;
  Function fragment_;
};

}  // namespace

Type type_named(const std::string& name) {
  static const std::map<std::string, Type> types = {
      {"u8", {'u', 8}},   {"u16", {'u', 16}}, {"u32", {'u', 32}}, {"u64", {'u', 64}},
      {"s8", {'s', 8}},   {"s16", {'s', 16}}, {"s32", {'s', 32}}, {"s64", {'s', 64}},
      {"b8", {'b', 8}},   {"b16", {'b', 16}}, {"b32", {'b', 32}}, {"b64", {'b', 64}},
      {"f16", {'f', 16}}, {"f32", {'f', 32}}, {"f64", {'f', 64}}, {"pred", {'p', 1}},
  };
  const auto type = types.find(name);
  return type == types.end() ? Type{} : type->second;
}

Module parse(const SourceText& source) { return Parser(source).read(); }

}  // namespace shflsim::isa::ptx
