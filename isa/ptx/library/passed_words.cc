// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/library/passed_words.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "isa/ptx/lines/convention.h"

namespace shflsim::isa::ptx {
namespace {

using Kind = Operand::Kind;

bool loads(const Statement& access) { return access.opcode == "ld"; }
Operand& place_of(Statement& access) { return access.operands[loads(access) ? 1 : 0]; }
const Operand& place_of(const Statement& access) { return access.operands[loads(access) ? 1 : 0]; }
const Operand& value_of(const Statement& access) { return access.operands[loads(access) ? 0 : 1]; }

/// True if the statement reads or writes .param memory by a name.
bool is_access(const Statement& statement) {
  return (loads(statement) || statement.opcode == "st") && !statement.parts.empty() &&
         statement.parts[0] == "param" && statement.operands.size() == 2 &&
         place_of(statement).kind == Kind::kAddress;
}

/// The count and type of the numbers that an access moves; nullopt for accesses of other forms.
std::optional<std::pair<size_t, Type>> numbers_of(const Statement& access) {
  const Operand& value = value_of(access);
  const Type type = type_named(access.parts.back());
  const size_t count = value.elements.size();
  const bool is_vector = access.parts.size() == 3 && value.kind == Kind::kVector &&
                         access.parts[1] == "v" + std::to_string(count);
  const bool is_plain = access.parts.size() == 2 && value.kind != Kind::kVector;
  if (type.bits < 8 || (!is_plain && !is_vector)) return std::nullopt;
  return std::pair(std::max<size_t>(count, 1), type);
}

unsigned held_bits(Type type) { return std::max(type.bits, 32u); }

class RegisterArguments {
 public:
  explicit RegisterArguments(Function* function) : function_(*function) {}

  void run() {
    for (Statement& statement : std::exchange(function_.body, {})) {
      if (is_access(statement) && is_passed(place_of(statement).name)) {
        replace(std::move(statement));
      } else {
        function_.body.push_back(std::move(statement));
      }
    }
  }

 private:
  bool is_passed(const std::string& name) const {
    if (function_.call_parameters.count(name) != 0) return true;
    const bool is_own = function_.parameters.count(name) != 0 || function_.results.count(name) != 0;
    return function_.is_device && is_own && function_.in_memory.count(name) == 0;
  }

  void replace(Statement access) {
    const auto numbers = numbers_of(access);
    if (!numbers) {
      throw InputError(access.where,
                       "this access to an argument is not supported; expected numbers");
    }
    const auto& [count, type] = *numbers;
    const Operand value = value_of(access);
    const bool is_vector = access.parts.size() == 3;
    if (is_vector) access.parts.erase(access.parts.begin() + 1);
    for (size_t i = 0; i < count; ++i) {
      Statement one = access;
      if (is_vector) one.operands[loads(one) ? 0 : 1] = value.elements[i];
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

  /// The register that holds the word. Throws InputError if two accesses to it differ in size.
  std::string name_of(const Statement& access, const Operand& word, Type type) {
    const Type held = {'b', held_bits(type)};
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

/// True if a function only reads and writes words of its argument or result, and if these words do
/// not overlap.
bool is_of_words(const Function& function, const std::string& name, const Variable& variable) {
  std::map<int64_t, unsigned> bits;  // width of each word in bits, by offset
  for (const Statement& statement : function.body) {
    bool names_it = false;
    for_each_name(statement, [&](const std::string& each) { names_it = names_it || each == name; });
    if (!names_it) continue;
    if (!is_access(statement) || place_of(statement).name != name) return false;
    const auto numbers = numbers_of(statement);
    if (!numbers) return false;
    for (size_t i = 0; i < numbers->first; ++i) {
      const int64_t offset =
          place_of(statement).value + static_cast<int64_t>(i * numbers->second.bits / 8);
      unsigned& known = bits[offset];
      if (known != 0 && held_bits({'b', known}) != held_bits(numbers->second)) return false;
      known = std::max(known, numbers->second.bits);
    }
  }
  int64_t end = 0;
  for (const auto& [offset, size] : bits) {
    if (offset < end) return false;
    end = offset + size / 8;
  }
  return end <= int64_t{variable.bytes};
}

}  // namespace

void pass_in_registers(Function* function) { RegisterArguments(function).run(); }

std::set<std::string> passed_in_memory(const Function& function) {
  std::set<std::string> names;
  for (const auto* passed : {&function.parameters, &function.results}) {
    const bool are_of_words =
        std::all_of(passed->begin(), passed->end(), [&function](const auto& each) {
          return !is_in_registers(each.second) || is_of_words(function, each.first, each.second);
        });
    for (const auto& [name, variable] : *passed) {
      if (!are_of_words || !is_in_registers(variable)) names.insert(name);
    }
  }
  return names;
}

}  // namespace shflsim::isa::ptx
