// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/text/declarations.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "isa/base/bounded.h"
#include "isa/ptx/text/expression.h"
#include "isa/ptx/text/initial_values.h"
#include "isa/ptx/text/refused.h"

namespace shflsim::isa::ptx {
namespace {

constexpr uint64_t kMostAlignment = 1024;  // bytes; ptxas itself chooses at most 128

uint64_t aligned(uint64_t offset, uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

}  // namespace

void RegisterRows::add(const std::string& base, uint64_t count, Type type) {
  Row& row = rows_[base];
  row = {type, std::max(row.count, count)};
}

Type RegisterRows::type_of(const std::string& name) const {
  for (size_t at = name.size(); at > 1; --at) {
    if (std::isdigit(static_cast<unsigned char>(name[at - 1])) == 0) break;
    const bool is_padded = name[at - 1] == '0' && at < name.size();
    const auto row = rows_.find(name.substr(0, at - 1));
    if (is_padded || row == rows_.end()) continue;
    if (whole_number(name.substr(at - 1)).value_or(kMost) < row->second.count)
      return row->second.type;
  }
  return {};
}

Type DeclarationReader::take_type() {
  const std::string name = at_.peek().text;
  Type type = name[0] == '.' ? type_named(name.substr(1)) : Type{};
  // Handles; statements that use them are refused.
  if (name == ".texref" || name == ".samplerref" || name == ".surfref") type = {'b', 64};
  if (type.bits == 0) {
    const std::string why = name[0] == '.' ? why_type_refused(name.substr(1)) : "";
    if (!why.empty()) at_.fail("the type '" + name + "' is not supported: " + why);
    at_.fail_here("a type such as .u32");
  }
  at_.take();
  return type;
}

uint32_t DeclarationReader::take_alignment() {
  if (!at_.take_word(".align")) return 1;
  const Position where = at_.peek().where;
  const uint64_t alignment = read_count(&at_, "an alignment");
  bounded(alignment, kMostAlignment, ".align", where);
  if (alignment == 0 || (alignment & (alignment - 1)) != 0)
    throw InputError(where, "an alignment that is no power of two; expected one such as 16");
  return static_cast<uint32_t>(alignment);
}

/// The dimensions of an array: "[2][3]" is 2 and 3, "[]" is 0.
std::vector<uint64_t> DeclarationReader::take_dimensions() {
  std::vector<uint64_t> dimensions;
  while (at_.take_symbol("[")) {
    dimensions.push_back(at_.is_symbol("]") ? 0 : read_count(&at_, "a number of elements"));
    at_.expect("]");
  }
  return dimensions;
}

/// Skips .attribute(.managed) and similar, which do not change what the code does.
void DeclarationReader::skip_attributes() {
  while (at_.take_word(".attribute")) {
    at_.expect("(");
    for (unsigned open = 1; open != 0; at_.take()) {
      if (at_.at_end()) at_.fail_here("')'");
      open += at_.is_symbol("(") ? 1 : 0;
      open -= at_.is_symbol(")") ? 1 : 0;
    }
  }
}

void DeclarationReader::read_alias() {
  const std::string alias = at_.take_name("a function");
  at_.expect(",");
  aliases_[alias] = at_.take_name("a function");
  at_.expect(";");
}

void DeclarationReader::resolve_aliases() {
  for (Function& function : module_.functions) {
    for (Statement& each : function.body) rename(each, aliases_);
  }
}

/// The number of elements by .v2 or .v4; 1 if neither is given.
unsigned DeclarationReader::take_vector() {
  return at_.take_word(".v2") ? 2 : at_.take_word(".v4") ? 4 : 1;
}

/// Reads the attributes and the type before a variable's name. A pointer's space and alignment are
/// those of its target.
Variable DeclarationReader::take_form() {
  skip_attributes();
  uint32_t alignment = take_alignment();
  skip_attributes();
  unsigned count = take_vector();
  Variable variable;
  variable.type = take_type();
  if (count == 1) count = take_vector();
  if (at_.take_word(".ptr")) {
    for (const char* space : {".global", ".shared", ".const", ".local"}) at_.take_word(space);
    take_alignment();
  } else {
    alignment = std::max(alignment, take_alignment());
  }
  variable.bytes = std::max(1u, variable.type.bits / 8) * count;
  variable.alignment = std::max(alignment, variable.bytes);
  return variable;
}

Variable& DeclarationReader::add_parameter(std::map<std::string, Variable>& variables,
                                           uint32_t* end) {
  return add_named(variables, end, kMostConstantBytes, take_form());
}

Variable& DeclarationReader::add_named(std::map<std::string, Variable>& variables, uint32_t* end,
                                       uint64_t most, Variable variable) {
  const Position where = at_.peek().where;
  std::string name = at_.take_name("a name");
  if (name == "_") name += std::to_string(variables.size());  // a parameter of a prototype
  name = own_name(name);
  dimensions_ = take_dimensions();
  uint64_t bytes = variable.bytes;
  for (const uint64_t dimension : dimensions_) bytes = product_of(bytes, dimension);
  const uint64_t offset = aligned(*end, variable.alignment);
  bounded(sum_of(offset, bytes), most, "'" + name + "' and what stands before it, in all", where,
          "bytes");
  variable.bytes = static_cast<uint32_t>(bytes);
  variable.offset = static_cast<uint32_t>(offset);
  if (!variables.emplace(name, variable).second) {
    throw InputError(where, "'" + name + "' is declared twice; expected a new name");
  }
  *end = variable.offset + variable.bytes;
  return variables.at(name);
}

void DeclarationReader::add_variables(std::map<std::string, Variable>& variables, uint32_t* end,
                                      uint64_t most) {
  const Variable form = take_form();
  do {
    add_named(variables, end, most, form);
  } while (at_.take_symbol(","));
  at_.expect(";");
}

void DeclarationReader::add_data(Data& data, uint64_t most) {
  const Variable form = take_form();
  ValuePlace place;
  place.size = std::max(1u, form.type.bits / 8);
  place.most = most;
  do {
    uint32_t end = static_cast<uint32_t>(data.bytes.size());
    Variable& variable = add_named(data.variables, &end, most, form);
    data.bytes.resize(end);
    if (!at_.take_symbol("=")) continue;
    place.offset = variable.offset;
    place.dimensions = dimensions_;
    if (form.bytes != place.size) place.dimensions.push_back(form.bytes / place.size);
    ValueReader values(&at_, &module_, &data, [this](const std::string& n) { return resolved(n); });
    variable.bytes = static_cast<uint32_t>(values.read(place) - place.offset);
  } while (at_.take_symbol(","));
  at_.expect(";");
}

std::string DeclarationReader::own_name(const std::string& name) {
  if (own_names_ == nullptr) return name;
  std::string& own = own_names_->emplace(name, "").first->second;
  if (own.empty()) own = name + next_suffix();
  return own;
}

void DeclarationReader::declare(Function& function, const std::string& name, Type type,
                                unsigned count) {
  if (count == 1) {
    vectors_.erase(name);
    function.registers[name] = type;
    return;
  }
  vectors_[name] = count;
  for (const std::string& part : parts_of(name)) function.registers[part] = type;
}

std::vector<std::string> DeclarationReader::parts_of(const std::string& name) const {
  const auto vector = vectors_.find(name);
  std::vector<std::string> parts;
  for (unsigned i = 0; vector != vectors_.end() && i < vector->second; ++i) {
    parts.push_back(name + "." + "xyzw"[i]);
  }
  return parts;
}

std::string DeclarationReader::named_by_place(const std::string& name) const {
  static constexpr std::string_view kColours = "rgba";
  if (name.size() < 3 || name[name.size() - 2] != '.') return name;
  const size_t place = kColours.find(name.back());
  const std::vector<std::string> parts = parts_of(name.substr(0, name.size() - 2));
  return place < parts.size() ? parts[place] : name;
}

void DeclarationReader::read_registers(Function& function) {
  unsigned width = take_vector();
  const Type type = take_type();
  if (width == 1) width = take_vector();
  function.declares_registers = true;
  do {
    const Position where = at_.peek().where;
    const std::string name = at_.take_name("the name of a register");
    if (!at_.take_symbol("<")) {
      declare(function, name, type, width);
      continue;
    }
    const uint64_t count = read_count(&at_, "a number of registers", Ending::kBeforeComparison);
    bounded(count, RegisterRows::kMost, "a row", where, "registers");
    at_.expect(">");
    if (!function.is_fragment && width == 1) {
      rows_.add(name, count, type);
      continue;
    }
    // Each register of a fragment is kept, since it can be set and seen from outside.
    bounded(function.registers.size() + count * width, RegisterRows::kMost,
            function.is_fragment ? "code without a kernel" : "rows of vectors", where, "registers");
    for (uint64_t i = 0; i < count; ++i) declare(function, name + std::to_string(i), type, width);
  } while (at_.take_symbol(","));
  at_.expect(";");
}

void DeclarationReader::settle_registers(Function& function) {
  const RegisterRows rows = std::exchange(rows_, {});
  if (rows.empty()) return;
  for (const Statement& statement : function.body) {
    for_each_name(statement, [&](const std::string& name) {
      if (name.empty() || function.registers.count(name) != 0) return;
      const Type type = rows.type_of(name);
      if (type.bits != 0) function.registers[name] = type;
    });
  }
}

}  // namespace shflsim::isa::ptx
