// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "isa/ptx/text/cursor.h"
#include "isa/ptx/text/syntax.h"

namespace shflsim::isa::ptx {

/// Registers as .reg declares them: by name, or a row, %r<100> for %r0 to %r99. The registers of a
/// row are made when their names occur, so that a long row costs nothing.
class RegisterRows {
 public:
  static constexpr uint64_t kMost = 65536;  ///< registers of a row

  bool empty() const { return rows_.empty(); }
  void add(const std::string& base, uint64_t count, Type type);
  /// The type of the register of that name; 0 bits where no row has it.
  Type type_of(const std::string& name) const;

 private:
  struct Row {
    Type type;
    uint64_t count = 0;
  };
  std::map<std::string, Row> rows_;  ///< by name without its number
};

/// Reads declarations of variables and registers, and checks their sizes against the room that
/// there is. Throws InputError at the word that is wrong.
class DeclarationReader {
 protected:
  explicit DeclarationReader(Cursor cursor) : at_(std::move(cursor)) {}
  virtual ~DeclarationReader() = default;

  Type take_type();
  /// `.align 4 .b8 name[128]` behind its state space, which has room for `most` bytes; `end` is
  /// where the next variable may stand.
  const Variable& add_variable(std::map<std::string, Variable>& variables, uint32_t* end,
                               uint64_t most);
  /// Adds several variables, to the ';'.
  void add_variables(std::map<std::string, Variable>& variables, uint32_t* end, uint64_t most);
  /// Variables behind .const or .global, with what they are set to, to the ';'.
  void add_data(Data& data, uint64_t most);
  void skip_attributes();
  /// Behind .alias: "name, function;".
  void read_alias();
  /// Gives the functions their own names where the code has others.
  void resolve_aliases();
  /// The registers behind .reg.
  void read_registers(Function& function);
  /// Gives a function the registers of its rows that its code names.
  void settle_registers(Function& function);

  /// The registers that make up one declared as .v2 or .v4; none for other names.
  std::vector<std::string> parts_of(const std::string& name) const;
  /// "v.x" for "v.r", where v is such a register; other names as they are.
  std::string named_by_place(const std::string& name) const;
  void forget_vectors() { vectors_.clear(); }
  /// What makes a name that the text may use again one of its own.
  std::string next_suffix() { return "#" + std::to_string(++suffixes_); }
  /// What the module calls a variable that the text calls so at this place.
  virtual std::string resolved(const std::string& name) const = 0;

  Module module_;
  Cursor at_;
  /// Receives names of their own for variables that are read, by those of the text; null: they
  /// keep theirs.
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
  std::map<std::string, std::string> aliases_;  ///< functions that other names stand for
  unsigned suffixes_ = 0;
  std::vector<uint64_t> dimensions_;  ///< dimensions of the last variable
};

}  // namespace shflsim::isa::ptx
