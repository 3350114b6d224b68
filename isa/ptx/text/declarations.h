// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

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

  Type take_type();
  /// A number with its sign.
  void read_number(Operand& operand);
  /// `.align 4 .b8 name[128]` behind its state space, which has room for `most` bytes; `end` is
  /// where the next variable may stand.
  const Variable& add_variable(std::map<std::string, Variable>& variables, uint32_t* end,
                               uint64_t most);
  /// A variable of the file behind .const or .global, with what it is set to.
  void add_data(Data& data, uint64_t most);
  /// The registers behind .reg.
  void read_registers(Function& function);
  /// Gives a function the registers of its rows that its code names.
  void settle_registers(Function& function);

  Cursor at_;

 private:
  uint32_t take_alignment();
  uint64_t take_count();
  void set_data(Data& data, size_t size, size_t end, size_t* at);

  RegisterRows rows_;  ///< rows of the function that is being read
  unsigned depth_ = 0;
};

}  // namespace shflsim::isa::ptx
