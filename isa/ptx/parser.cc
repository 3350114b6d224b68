// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>

#include "isa/faults.h"
#include "isa/ptx/cursor.h"
#include "isa/ptx/lower.h"
#include "isa/ptx/syntax.h"

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
  explicit Parser(const SourceText& source) : at_(tokens_of(source.file, source.text)) {
    module_.file = source.file;
    fragment_.name = stem_of(source.file);
    fragment_.is_fragment = true;
  }

  Module read() {
    while (!at_.at_end()) {
      if (faults_.any() && (at_.take_symbol("{") || at_.take_symbol("}"))) continue;
      or_recover([this] { top_level(); });
    }
    faults_.raise();
    if (!fragment_.body.empty()) module_.functions.push_back(std::move(fragment_));
    if (module_.functions.empty()) at_.fail("no instruction in it; expected PTX code");
    return std::move(module_);
  }

 private:
  template <class Read>
  void or_recover(Read read) {
    const size_t start = at_.place();
    if (!faults_.hold(read)) at_.recover(start);
  }

  void top_level() {
    static const std::set<std::string> kLinkage = {".visible", ".extern", ".weak", ".common"};
    if (at_.take_word(".version")) return read_version();
    if (at_.take_word(".target")) return read_target();
    if (at_.take_word(".address_size")) return read_address_size();
    if (at_.take_word(".entry")) return read_function(false);
    if (at_.take_word(".func")) return read_function(true);
    if (at_.peek().kind == TokenKind::kName && kLinkage.count(at_.peek().text) != 0) {
      at_.take();
      return;
    }
    if (at_.take_word(".const")) return add_data(module_.constants);
    if (at_.take_word(".global")) return add_data(module_.globals);
    if (at_.is_word(".file") || at_.is_word(".section")) return skip_debug();
    read_body_item(fragment_);
  }

  void read_version() {
    const Position where = at_.peek().where;
    const Token token = at_.take();
    if (token.kind != TokenKind::kFloat)
      throw InputError(where, "no version; expected one such as 6.4");
    const size_t dot = token.text.find('.');
    module_.version = static_cast<unsigned>(std::atoi(token.text.c_str()) * 10 +
                                            std::atoi(token.text.c_str() + dot + 1));
  }

  void read_target() {
    const Position where = at_.peek().where;
    const std::string name = at_.take_name("an architecture such as sm_50");
    const bool known = name.compare(0, 3, "sm_") == 0 && std::atoi(name.c_str() + 3) > 0;
    if (!known)
      throw InputError(where, "'" + name + "' is no architecture; expected one such as sm_50");
    module_.target = static_cast<unsigned>(std::atoi(name.c_str() + 3));
    while (at_.take_symbol(",")) at_.take_name("an option of .target");
  }

  void read_address_size() {
    const Position where = at_.peek().where;
    if (at_.take_integer("64") != 64) throw InputError(where, "another address size; expected 64");
  }

  /// Debug information: .file and .loc to the end of the line, .section with its braces.
  void skip_debug() {
    const unsigned line = at_.peek().where.line;
    const bool section = at_.is_word(".section");
    while (at_.peek().kind != TokenKind::kEnd &&
           (section ? !at_.is_symbol("}") : at_.peek().where.line == line)) {
      at_.take();
    }
    if (section) at_.take_symbol("}");
  }

  void read_function(bool is_device) {
    Function function;
    function.is_device = is_device;
    function.shared = fragment_.shared;  // what stands outside of functions is there for all
    function.shared_bytes = fragment_.shared_bytes;
    uint32_t result_bytes = 0;
    if (at_.is_symbol("(")) read_parameters(function.results, &result_bytes);
    function.name = at_.take_name("the name of a kernel");
    if (at_.is_symbol("(")) read_parameters(function.parameters, &function.parameter_bytes);
    while (!at_.is_symbol("{") && !at_.is_symbol(";")) skip_attribute();
    if (at_.take_symbol(";")) return;
    at_.expect("{");
    std::vector<size_t> scopes = {0};
    while (!scopes.empty()) {
      if (at_.at_end()) at_.fail("the kernel has no end; expected '}'");
      if (at_.take_symbol("{")) {
        scopes.push_back(function.body.size());
      } else if (at_.take_symbol("}")) {
        if (scopes.size() > 1) close_scope(function, scopes.back());
        scopes.pop_back();
      } else {
        or_recover([&] { read_body_item(function); });
      }
    }
    module_.functions.push_back(std::move(function));
  }

  /// Labels of inner braces, whose first statement this is, get names of their own.
  void close_scope(Function& function, size_t first) {
    std::map<std::string, std::string> names;
    const std::string suffix = "#" + std::to_string(++scopes_closed_);
    for (size_t i = first; i < function.body.size(); ++i) {
      const std::string& label = function.body[i].label;
      if (!label.empty()) names[label] = label + suffix;
    }
    for (size_t i = first; i < function.body.size(); ++i) rename(function.body[i], names);
  }

  /// .maxntid 256, 1, 1 and its like, which do not change what the code does.
  void skip_attribute() {
    const std::string name = at_.take_name("'{'");
    if (name[0] != '.') at_.fail_here("'{' or a performance directive");
    while (at_.peek().kind == TokenKind::kInteger || at_.is_symbol(",")) at_.take();
  }

  void read_parameters(std::map<std::string, Variable>& parameters, uint32_t* bytes) {
    at_.expect("(");
    while (!at_.take_symbol(")")) {
      if (!at_.take_word(".param")) at_.fail_here("'.param' or ')'");
      add_variable(parameters, bytes);
      if (!at_.is_symbol(")")) at_.expect(",");
    }
  }

  /// .align 4 .b8 name[128] behind its state space.
  const Variable& add_variable(std::map<std::string, Variable>& variables, uint32_t* end) {
    uint32_t alignment = 0;
    if (at_.take_word(".align"))
      alignment = static_cast<uint32_t>(at_.take_integer("an alignment"));
    Variable variable;
    variable.type = take_type();
    while (at_.take_word(".ptr") || at_.take_word(".global") || at_.take_word(".shared") ||
           at_.take_word(".const")) {
    }
    if (at_.take_word(".align")) at_.take_integer("an alignment");
    const Position where = at_.peek().where;
    const std::string name = at_.take_name("a name");
    uint64_t count = 1;
    while (at_.take_symbol("[")) {
      count *= at_.is_symbol("]") ? 0 : at_.take_integer("a number of elements");
      at_.expect("]");
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
    return variables.at(name);
  }

  /// A variable of the file behind .const or .global, with what it is set to.
  void add_data(Data& data) {
    uint32_t end = static_cast<uint32_t>(data.bytes.size());
    const Variable& variable = add_variable(data.variables, &end);
    data.bytes.resize(end);
    size_t at = variable.offset;
    if (at_.take_symbol("=")) set_data(data, variable.type.bits / 8, end, &at);
    at_.expect(";");
  }

  void set_data(Data& data, size_t size, size_t end, size_t* at) {
    if (at_.take_symbol("{")) {
      do {
        if (!at_.is_symbol("}")) set_data(data, size, end, at);
      } while (at_.take_symbol(","));
      return at_.expect("}");
    }
    if (*at + size > end) at_.fail("more values than the variable has elements");
    if (at_.is_any_word()) {
      const bool generic = at_.take_word("generic") && at_.take_symbol("(");
      data.addresses.push_back({*at, at_.take_name("the name of a variable")});
      if (generic) at_.expect(")");
    } else {
      Operand value;
      read_number(value);
      const uint64_t bits = bits_of(value, static_cast<unsigned>(size) * 8);
      std::memcpy(data.bytes.data() + *at, &bits, size);
    }
    *at += size;
  }

  Type take_type() {
    const std::string name = at_.peek().text;
    const Type type = name[0] == '.' ? type_named(name.substr(1)) : Type{};
    if (type.bits == 0) at_.fail_here("a type such as .u32");
    at_.take();
    return type;
  }

  void read_registers(Function& function) {
    const Type type = take_type();
    do {
      const std::string name = at_.take_name("the name of a register");
      uint64_t count = 0;
      if (at_.take_symbol("<")) {
        count = at_.take_integer("a number of registers");
        if (count > 65536) at_.fail("more registers than there can be; expected 65536 at most");
        at_.expect(">");
      } else {
        function.registers[name] = type;
      }
      for (uint64_t i = 0; i < count; ++i) function.registers[name + std::to_string(i)] = type;
    } while (at_.take_symbol(","));
    at_.expect(";");
  }

  /// What a call passes; its size shows where it is written and read.
  void read_call_parameter(Function& function) {
    std::map<std::string, Variable> one;
    uint32_t bytes = 0;
    add_variable(one, &bytes);
    function.call_parameters.insert(one.begin()->first);
    at_.expect(";");
  }

  void read_body_item(Function& function) {
    if (at_.take_word(".reg")) return read_registers(function);
    if (at_.take_word(".shared")) {
      add_variable(function.shared, &function.shared_bytes);
      return at_.expect(";");
    }
    if (at_.take_word(".local")) {
      add_variable(function.local, &function.local_bytes);
      return at_.expect(";");
    }
    if (at_.take_word(".param")) return read_call_parameter(function);
    if (at_.is_word(".loc")) return skip_debug();
    if (at_.take_word(".pragma")) {
      at_.skip_to(";");
      return at_.expect(";");
    }
    if (at_.peek().kind == TokenKind::kName && at_.peek().text[0] == '.')
      return read_directive(function);
    read_statement(function);
  }

  /// What is not understood becomes a statement of no operands, so that it only matters where its
  /// function is asked for.
  void leave_unread(Function& function, Statement statement) {
    at_.skip_to(";");
    at_.expect(";");
    function.body.push_back(std::move(statement));
  }

  void read_directive(Function& function) {
    Statement statement;
    statement.where = at_.peek().where;
    statement.opcode = at_.take_name("a directive");
    leave_unread(function, std::move(statement));
  }

  void read_statement(Function& function) {
    Statement statement;
    statement.where = at_.peek().where;
    if (at_.peek().kind == TokenKind::kName && at_.is_symbol(":", 1)) {
      statement.label = at_.take_name("a label");
      at_.expect(":");
      function.body.push_back(std::move(statement));
      return;
    }
    if (at_.take_symbol("@")) {
      statement.guard_negate = at_.take_symbol("!");
      statement.guard = at_.take_name("the predicate of a guard");
    }
    statement.where = at_.peek().where;
    statement.parts = split_at_dots(at_.take_name("an instruction"));
    statement.opcode = statement.parts.front();
    statement.parts.erase(statement.parts.begin());
    if (!is_opcode(statement.opcode)) return leave_unread(function, std::move(statement));
    if (!at_.is_symbol(";")) read_operands(statement);
    at_.expect(";");
    function.body.push_back(std::move(statement));
  }

  void read_operands(Statement& statement) {
    do {
      statement.operands.push_back(read_operand());
    } while (at_.take_symbol(","));
  }

  Operand read_operand() {
    Operand operand;
    operand.where = at_.peek().where;
    if (at_.take_symbol("[")) {
      read_address(operand);
    } else if (at_.take_symbol("{")) {
      read_list(operand, "}");
    } else if (at_.take_symbol("(")) {
      read_list(operand, ")");
    } else if (at_.peek().kind == TokenKind::kName || at_.is_symbol("!")) {
      operand.negate = at_.take_symbol("!");
      operand.name = at_.take_name("a predicate");
      if (at_.take_symbol("|"))
        operand.second = at_.take_name("the predicate that receives 'in range'");
    } else {
      read_number(operand);
    }
    return operand;
  }

  void read_list(Operand& operand, const char* end) {
    operand.kind = Operand::Kind::kVector;
    if (at_.take_symbol(end)) return;
    do {
      operand.elements.push_back(read_operand());
    } while (at_.take_symbol(","));
    at_.expect(end);
  }

  void read_number(Operand& operand) {
    const bool minus = at_.take_symbol("-");
    const Token& token = at_.peek();
    switch (token.kind) {
      case TokenKind::kInteger: operand.kind = Operand::Kind::kInteger; break;
      case TokenKind::kFloat: operand.kind = Operand::Kind::kFloat; break;
      case TokenKind::kFloatBits: operand.kind = Operand::Kind::kFloatBits; break;
      default: at_.fail_here("a register, a number or '['");
    }
    operand.value = static_cast<int64_t>(minus ? 0 - token.value : token.value);
    operand.real = minus ? -token.real : token.real;
    at_.take();
  }

  void read_address(Operand& operand) {
    operand.kind = Operand::Kind::kAddress;
    if (at_.peek().kind == TokenKind::kName) operand.name = at_.take_name("a register");
    at_.take_symbol("+");
    if (!at_.is_symbol("]")) {
      const bool minus = at_.take_symbol("-");
      const uint64_t offset = at_.take_integer("an offset");
      operand.value = static_cast<int64_t>(minus ? 0 - offset : offset);
    }
    at_.expect("]");
  }

  Cursor at_;
  Module module_;
  Function fragment_;
  unsigned scopes_closed_ = 0;
  Faults faults_;
};

}  // namespace

Module parse(const SourceText& source) { return Parser(source).read(); }

}  // namespace shflsim::isa::ptx
