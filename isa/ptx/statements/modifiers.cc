// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "isa/ptx/statements/lowering.h"

namespace shflsim::isa::ptx {

bool Modifiers::take(const std::string& name) { return !take_one_of({name}).empty(); }

std::string Modifiers::take_one_of(const std::vector<std::string>& names) {
  known_.insert(known_.end(), names.begin(), names.end());
  for (size_t i = 0; i < statement_.parts.size(); ++i) {
    if (taken_.count(i) != 0) continue;
    const std::string& part = statement_.parts[i];
    if (std::find(names.begin(), names.end(), part) == names.end()) continue;
    taken_.insert(i);
    return part;
  }
  return "";
}

Type Modifiers::take_type() {
  known_.insert(known_.end(), {"b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"});
  for (size_t i = 0; i < statement_.parts.size(); ++i) {
    const Type type = type_named(statement_.parts[i]);
    if (taken_.count(i) != 0 || type.bits == 0) continue;
    taken_.insert(i);
    return type;
  }
  finish();
  throw InputError(statement_.where,
                   "'" + statement_.opcode + "' without a type; expected one such as .b32");
}

void Modifiers::finish() const {
  Position where = statement_.where;
  where.column += static_cast<unsigned>(statement_.opcode.size());
  for (size_t i = 0; i < statement_.parts.size(); ++i) {
    if (taken_.count(i) == 0) {
      throw InputError(where, "'" + statement_.opcode + "' has no '." + statement_.parts[i] + "'" +
                                  suggestion(statement_.parts[i], known_));
    }
    where.column += static_cast<unsigned>(statement_.parts[i].size()) + 1;
  }
}

}  // namespace shflsim::isa::ptx
