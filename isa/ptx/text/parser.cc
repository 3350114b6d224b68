// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "isa/base/bounded.h"
#include "isa/base/faults.h"
#include "isa/base/text_cursor.h"
#include "isa/ptx/text/operands.h"
#include "isa/ptx/text/syntax.h"

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

/// The architectures that the PTX ISA has had until version 9.0.
bool is_architecture(uint64_t number) {
  static const std::set<uint64_t> all = {10, 11, 12, 13,  20,  21,  30,  32,  35, 37, 50,
                                         52, 53, 60, 61,  62,  70,  72,  75,  80, 86, 87,
                                         88, 89, 90, 100, 101, 103, 110, 120, 121};
  return all.count(number) != 0;
}

std::string stem_of(const std::string& file) {
  const std::string name = file.substr(file.rfind('/') + 1);
  return name.substr(0, name.find('.'));
}

/// Throws InputError for unknown directives outside of functions.
void check_directives(const std::vector<Statement>& statements) {
  for (const Statement& each : statements) {
    if (each.opcode[0] == '.' && !is_table(each))
      throw InputError(each.where,
                       "the directive '" + each.opcode +
                           "' is not supported here; expected a variable or a function");
  }
}

class Parser : private OperandReader {
 public:
  Parser(const SourceText& source, bool (*is_opcode)(const std::string& name))
      : OperandReader(Cursor(tokens_of(source.file, std::string(source.text)))),
        is_opcode_(is_opcode) {
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
    if (!fragment_.body.empty()) {
      if (!module_.functions.empty()) check_directives(fragment_.body);
      module_.functions.push_back(std::move(fragment_));
    }
    for (size_t i = 0; i < module_.functions.size(); ++i) {
      if (module_.functions[i].is_device) module_.devices.emplace(module_.functions[i].name, i);
    }
    resolve_aliases();
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
    if (at_.take_word(".alias")) return read_alias();
    if (at_.peek().kind == TokenKind::kName && kLinkage.count(at_.peek().text) != 0) {
      at_.take();
      return;
    }
    if (at_.take_word(".const")) return add_data(module_.constants, kMostConstantBytes);
    if (at_.take_word(".global")) return add_data(module_.globals, kMostVariableBytes);
    if (at_.is_word(".file") || at_.is_word(".section")) return skip_debug();
    read_body_item(fragment_);
  }

  void read_version() {
    const Position where = at_.peek().where;
    const Token token = at_.take();
    if (token.kind != TokenKind::kFloat)
      throw InputError(where, "no version; expected one such as 6.4");
    constexpr uint64_t kMost = 1000;
    const std::string_view text = token.text;
    const std::string_view minor = leading_name(text.substr(text.find('.') + 1));
    module_.version =
        static_cast<unsigned>(bounded_number(leading_name(text), kMost, "a version", where) * 10 +
                              bounded_number(minor, kMost, "a version", where));
  }

  void read_target() {
    const Position where = at_.peek().where;
    const std::string name = at_.take_name("an architecture such as sm_50");
    const bool known = name.compare(0, 3, "sm_") == 0 && name.size() > 3;
    const std::string digits =
        known ? name.substr(3, name.find_first_not_of("0123456789", 3) - 3) : "";
    const uint64_t target = whole_number(digits).value_or(0);
    if (!is_architecture(target))
      throw InputError(where, "'" + name + "' is no architecture; expected one such as sm_50");
    module_.target = static_cast<unsigned>(target);
    while (at_.take_symbol(",")) at_.take_name("an option of .target");
  }

  void read_address_size() {
    const Position where = at_.peek().where;
    if (at_.take_integer("64") != 64) throw InputError(where, "another address size; expected 64");
  }

  /// Skips debug information: .file and .loc to the end of the line, .section with its braces.
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
    function.shared = fragment_.shared;  // variables outside of functions are visible to all
    function.shared_bytes = fragment_.shared_bytes;
    skip_attributes();
    if (at_.is_symbol("(")) read_parameters(function.results, &function.result_bytes);
    function.name = at_.take_name("the name of a kernel");
    if (at_.is_symbol("(")) read_parameters(function.parameters, &function.parameter_bytes);
    while (!at_.is_symbol("{") && !at_.is_symbol(";")) read_attribute(&function);
    if (at_.take_symbol(";")) return;
    at_.expect("{");
    read_body(function);
    module_.functions.push_back(std::move(function));
  }

  void read_body(Function& function) {
    scopes_.assign(1, {});
    forget_vectors();
    while (!scopes_.empty()) {
      if (at_.at_end()) at_.fail("the kernel has no end; expected '}'");
      if (at_.take_symbol("{")) {
        bounded(scopes_.size(), kMostNesting, "a depth of braces", at_.peek().where);
        scopes_.push_back({function.body.size(),
                           std::exchange(function.registers, {}),
                           std::exchange(function.call_parameters, {}),
                           {}});
      } else if (at_.take_symbol("}")) {
        if (scopes_.size() > 1) {
          close_scope(function, scopes_.back());
        } else {
          for (Statement& each : function.body) rename(each, scopes_.back().variables);
        }
        scopes_.pop_back();
      } else {
        or_recover([&] { read_body_item(function); });
      }
    }
    settle_registers(function);
  }

  std::string resolved(const std::string& name) const override {
    for (size_t i = scopes_.size(); i-- > 0;) {
      const auto own = scopes_[i].variables.find(name);
      if (own != scopes_[i].variables.end()) return own->second;
    }
    return name;
  }

  /// Reads a variable whose name the file, a function or outer braces may also have.
  template <class Read>
  void with_own_names(bool is_needed, Read read) {
    own_names_ = is_needed && !scopes_.empty() ? &scopes_.back().variables : nullptr;
    try {
      read();
    } catch (const InputError&) {
      own_names_ = nullptr;
      throw;
    }
    own_names_ = nullptr;
  }

  /// True if a body's variables may have the names of variables of the file.
  bool hides() const {
    return scopes_.size() > 1 || !fragment_.shared.empty() || !module_.constants.bytes.empty() ||
           !module_.globals.bytes.empty();
  }

  bool read_variables(Function& function) {
    if (at_.take_word(".shared")) {
      with_own_names(hides(), [&] {
        add_variables(function.shared, &function.shared_bytes, kMostSharedBytes);
      });
    } else if (at_.take_word(".local")) {
      with_own_names(
          hides(), [&] { add_variables(function.local, &function.local_bytes, kMostLocalBytes); });
    } else if (at_.take_word(".const")) {
      with_own_names(true, [&] { add_data(module_.constants, kMostConstantBytes); });
    } else if (at_.take_word(".global")) {
      with_own_names(true, [&] { add_data(module_.globals, kMostVariableBytes); });
    } else {
      return false;
    }
    return true;
  }

  /// Inner braces: their first statement, and the declarations around them.
  struct Scope {
    size_t first = 0;
    std::map<std::string, Type> outer;
    std::set<std::string> outer_parameters;
    std::map<std::string, std::string> variables;  ///< unique names, by the names in the text
  };

  /// Gives labels, registers and call parameters in inner braces unique names, since they may hide
  /// outer ones.
  void close_scope(Function& function, Scope& scope) {
    std::map<std::string, std::string> names = std::move(scope.variables);
    const std::string suffix = next_suffix();
    for (const auto& [name, type] : function.registers) {
      names[name] = name + suffix;
      scope.outer[name + suffix] = type;
    }
    function.registers = std::move(scope.outer);
    for (const std::string& name : function.call_parameters) {
      names[name] = name + suffix;
      scope.outer_parameters.insert(name + suffix);
    }
    function.call_parameters = std::move(scope.outer_parameters);
    const size_t first = scope.first;
    for (size_t i = first; i < function.body.size(); ++i) {
      const std::string& label = function.body[i].label;
      if (!label.empty()) names[label] = label + suffix;
    }
    for (size_t i = first; i < function.body.size(); ++i) rename(function.body[i], names);
  }

  /// Reads .maxntid 256, 1, 1 and .reqntid, and skips others, which do not change what code does.
  void read_attribute(Function* function) {
    if (at_.is_word(".attribute")) return skip_attributes();
    const std::string name = at_.take_name("'{'");
    if (name[0] != '.') at_.fail_here("'{' or a performance directive");
    uint64_t product = 1;
    while (at_.peek().kind == TokenKind::kInteger || at_.is_symbol(",")) {
      const Token& each = at_.take();
      if (each.kind == TokenKind::kInteger) product = product_of(product, each.value);
    }
    if (name == ".maxntid" || name == ".reqntid")
      function->most_threads = static_cast<uint32_t>(std::min<uint64_t>(product, ~0u));
  }

  void read_parameters(std::map<std::string, Variable>& parameters, uint32_t* bytes) {
    at_.expect("(");
    while (!at_.take_symbol(")")) {
      const bool is_register = at_.take_word(".reg");
      if (!is_register && !at_.take_word(".param")) at_.fail_here("'.param', '.reg' or ')'");
      const Position where = at_.peek().where;
      Variable& parameter = add_parameter(parameters, bytes);
      parameter.is_register = is_register;
      if (is_register && parameter.type.kind == 'p')
        throw InputError(where, "a predicate as a parameter; expected a type such as .u32");
      if (!at_.is_symbol(")")) at_.expect(",");
    }
  }

  /// Reads parameters of calls; their accesses determine the sizes of their words.
  void read_call_parameters(Function& function) {
    std::map<std::string, Variable> all;
    uint32_t bytes = 0;
    add_variables(all, &bytes, kMostConstantBytes);
    for (const auto& [name, variable] : all) function.call_parameters.insert(name);
  }

  void read_body_item(Function& function) {
    if (at_.take_word(".reg")) return read_registers(function);
    if (read_variables(function)) return;
    if (at_.take_word(".param")) return read_call_parameters(function);
    if (at_.is_word(".loc")) return skip_debug();
    if (at_.take_word(".pragma")) {
      at_.skip_to(";");
      return at_.expect(";");
    }
    if (at_.peek().kind == TokenKind::kName && at_.peek().text[0] == '.')
      return read_directive(function);
    read_statement(function);
  }

  /// An unknown statement is kept without operands, so that it is an error only if its function is
  /// used.
  void leave_unread(Function& function, Statement statement) {
    at_.skip_to(";");
    at_.expect(";");
    function.body.push_back(std::move(statement));
  }

  void read_directive(Function& function) {
    Statement statement;
    statement.where = at_.peek().where;
    statement.opcode = at_.take_name("a directive");
    if (!is_table(statement)) return leave_unread(function, std::move(statement));
    if (statement.opcode == kCallPrototype) {
      statement.signature = read_prototype();
    } else {
      statement.operands = read_names();
    }
    at_.expect(";");
    function.body.push_back(std::move(statement));
  }

  /// Reads "(results) _ (parameters) .noreturn"; returns its index in the module's signatures.
  int read_prototype() {
    Signature signature;
    if (at_.is_symbol("(")) read_parameters(signature.results, &signature.result_bytes);
    at_.take_name("'_'");
    if (at_.is_symbol("(")) read_parameters(signature.parameters, &signature.parameter_bytes);
    at_.take_word(".noreturn");
    module_.signatures.push_back(std::move(signature));
    return static_cast<int>(module_.signatures.size()) - 1;
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
    if (!is_opcode_(statement.opcode)) return leave_unread(function, std::move(statement));
    const bool takes_sums = statement.opcode == "mov" || statement.opcode == "cvta";
    if (!at_.is_symbol(";"))
      statement.operands = read_operands(function, {statement.opcode == "call", takes_sums});
    if (statement.opcode[0] == 'v' && statement.opcode != "vote") split_parts(statement);
    at_.expect(";");
    function.body.push_back(std::move(statement));
  }

  /// Splits the operands of video instructions, which name parts of registers: %r1.b2.
  static void split_parts(Statement& statement) {
    static const std::set<std::string> kParts = {"b0", "b1", "b2", "b3", "h0", "h1"};
    for (Operand& operand : statement.operands) {
      const size_t dot = operand.name.rfind('.');
      if (dot == std::string::npos || kParts.count(operand.name.substr(dot + 1)) == 0) continue;
      operand.part = operand.name.substr(dot + 1);
      operand.name.resize(dot);
    }
  }

  Function fragment_;
  std::vector<Scope> scopes_;  ///< open scopes
  bool (*is_opcode_)(const std::string& name);
  Faults faults_;
};

}  // namespace

Module parse(const SourceText& source, bool (*is_opcode)(const std::string& name)) {
  return Parser(source, is_opcode).read();
}

}  // namespace shflsim::isa::ptx
