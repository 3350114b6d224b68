// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "isa/ptx/text/cursor.h"
#include "isa/ptx/text/syntax.h"

namespace shflsim::isa::ptx {

/// Rows of registers that .reg declares: %r<100> for %r0 to %r99. The registers of a row are made
/// when their names occur, so that a long row costs nothing.
class RegisterRows {
 public:
  static constexpr uint64_t kMost = 65536;  ///< registers of a row

  bool empty() const { return rows_.empty(); }
  void add(const std::string& base, uint64_t count, Type type);
  /// The type of the register with this name; 0 bits if no row has it.
  Type type_of(const std::string& name) const;

 private:
  struct Row {
    Type type;
    uint64_t count = 0;
  };
  std::map<std::string, Row> rows_;  ///< by name without its number
};

/// Reads declarations of variables and registers, and checks their sizes against the available
/// space. Throws InputError at the wrong word.
class DeclarationReader {
 protected:
  explicit DeclarationReader(Cursor cursor) : at_(std::move(cursor)) {}
  virtual ~DeclarationReader() = default;

  Type take_type();
  /// Reads a parameter, `.align 4 .b8 name[128]`, after its state space; `end` is the offset at
  /// which the next one may begin.
  Variable& add_parameter(std::map<std::string, Variable>& variables, uint32_t* end);
  /// Adds variables up to the ';', in a state space that has room for `most` bytes.
  void add_variables(std::map<std::string, Variable>& variables, uint32_t* end, uint64_t most);
  /// Reads the variables after .const or .global, with their initial values, up to the ';'.
  void add_data(Data& data, uint64_t most);
  void skip_attributes();
  /// Reads the text after .alias: "name, function;".
  void read_alias();
  /// Replaces aliases of functions in the code by the functions' names.
  void resolve_aliases();
  /// Reads the registers after .reg.
  void read_registers(Function& function);
  /// Adds to a function the registers of its rows that its code names.
  void settle_registers(Function& function);

  /// The registers of a vector register declared as .v2 or .v4; none for other names.
  std::vector<std::string> parts_of(const std::string& name) const;
  /// "v.x" for "v.r", if v is a vector register; other names are returned unchanged.
  std::string named_by_place(const std::string& name) const;
  void forget_vectors() { vectors_.clear(); }
  /// A suffix that makes a name unique.
  std::string next_suffix() { return "#" + std::to_string(++suffixes_); }
  /// The module's name of a variable that has this name in the text at this place.
  virtual std::string resolved(const std::string& name) const = 0;

  Module module_;
  Cursor at_;
  /// Receives unique names for variables that are read, by their names in the text; null: names
  /// are kept.
  std::map<std::string, std::string>* own_names_ = nullptr;

 private:
  uint32_t take_alignment();
  unsigned take_vector();
  std::vector<uint64_t> take_dimensions();
  Variable take_form();
  Variable& add_named(std::map<std::string, Variable>& variables, uint32_t* end, uint64_t most,
                      Variable variable);
  std::string own_name(const std::string& name);
  void declare(Function& function, const std::string& name, Type type, unsigned count);

  RegisterRows rows_;                        ///< rows of the function that is being read
  std::map<std::string, unsigned> vectors_;  ///< number of elements of each of its vector registers
  std::map<std::string, std::string> aliases_;  ///< functions, by alias
  unsigned suffixes_ = 0;
  std::vector<uint64_t> dimensions_;  ///< dimensions of the last variable
};

}  // namespace shflsim::isa::ptx
