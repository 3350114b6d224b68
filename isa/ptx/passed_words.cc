// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/passed_words.h"

#include <algorithm>
#include <utility>

namespace shflsim::isa::ptx {
namespace {

using Kind = Operand::Kind;

class Passing {
 public:
  explicit Passing(Function* function) : function_(*function) {}

  void run() {
    for (Statement& statement : std::exchange(function_.body, {})) {
      if (is_access(statement)) {
        replace(std::move(statement));
      } else {
        function_.body.push_back(std::move(statement));
      }
    }
  }

 private:
  static bool loads(const Statement& access) { return access.opcode == "ld"; }
  static Operand& place_of(Statement& access) { return access.operands[loads(access) ? 1 : 0]; }
  static Operand& value_of(Statement& access) { return access.operands[loads(access) ? 0 : 1]; }

  bool is_access(Statement& statement) const {
    const bool is_param = (loads(statement) || statement.opcode == "st") &&
                          !statement.parts.empty() && statement.parts[0] == "param" &&
                          statement.operands.size() == 2;
    if (!is_param) return false;
    const Operand& place = place_of(statement);
    return place.kind == Kind::kAddress && function_.call_parameters.count(place.name) != 0;
  }

  void replace(Statement access) {
    const Operand value = value_of(access);
    const size_t count = value.elements.size();
    const bool is_vector = access.parts.size() == 3 && value.kind == Kind::kVector &&
                           access.parts[1] == "v" + std::to_string(count);
    if (is_vector) access.parts.erase(access.parts.begin() + 1);
    const Type type = type_named(access.parts.back());
    const bool is_plain = is_vector || value.kind != Kind::kVector;
    if (access.parts.size() != 2 || type.bits < 8 || !is_plain) {
      throw InputError(access.where,
                       "this access to an argument is not supported; expected numbers");
    }
    for (size_t i = 0; i < std::max<size_t>(count, 1); ++i) {
      Statement one = access;
      if (is_vector) value_of(one) = value.elements[i];
      place_of(one).value += static_cast<int64_t>(i * type.bits / 8);
      become_move(&one, type);
      function_.body.push_back(std::move(one));
    }
  }

  void become_move(Statement* access, Type type) {
    Operand& word = place_of(*access);
    word.name = name_of(*access, word, type);
    word.kind = Kind::kName;
    word.value = 0;
    access->opcode = type.bits < 32 ? "cvt" : "mov";
    if (type.bits >= 32) {
      access->parts = {access->parts.back()};
    } else {
      const std::string sign = type.is_signed() ? "s" : "u";
      access->parts = {sign + "32", sign + std::to_string(type.bits)};
    }
  }

  /// The register that holds the word. What one side writes in two the other cannot read as one.
  std::string name_of(const Statement& access, const Operand& word, Type type) {
    const Type held = {'b', std::max(type.bits, 32u)};
    std::string name =
        word.name + "+" + std::to_string(word.value) + "." + std::to_string(held.bits);
    auto& words = function_.passed[word.name];
    PassedWord& known = words.emplace(word.value, PassedWord{type, name}).first->second;
    if (known.name != name) {
      throw InputError(access.where,
                       "an argument or a result is written and read as numbers of "
                       "different sizes; expected the same on both sides of a call");
    }
    if (type.bits > known.type.bits) known.type = type;
    function_.registers[name] = held;
    return name;
  }

  Function& function_;
};

}  // namespace

void pass_in_registers(Function* function) { Passing(function).run(); }

}  // namespace shflsim::isa::ptx
