// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/input_error.h"

namespace shflsim::isa {

/// The names of registers and constants in a maxas text:
///   <REGISTER_MAPPING>            <CONSTANT_MAPPING>
///     0-3, 8 : x, y<0-3>            blockDimX : c[0x0][0x8]
///     4-9    ~ a, b               </CONSTANT_MAPPING>
///   </REGISTER_MAPPING>
/// After ~, maxas assigns registers so that few reads conflict in a bank; here the names get them
/// in order. Text in <COMMENT> is skipped.
class MaxasNames {
 public:
  /// Reads a line of a block; false if the line is outside all blocks. Throws InputError.
  bool take(std::string_view line, const Position& where);
  /// Throws InputError if a block has no end.
  void check_closed() const;

  /// Number of the register with this name; -1 if there is none.
  int register_named(std::string_view name) const;
  std::vector<std::string> registers() const;
  /// The text with names of constants and sums of products (4x<2*64 + 8>) replaced by their values.
  std::string replaced_in(std::string_view text) const;

 private:
  void read_registers(std::string_view line, const Position& where);
  void read_constant(std::string_view line, const Position& where);
  void add_register(const std::string& name, int number, const Position& where);
  std::string constants_in(std::string_view text) const;

  std::string block_;  ///< name of the block that the lines are in; empty outside
  Position begin_;     ///< where it begins
  std::map<std::string, int, std::less<>> registers_;
  std::set<std::string>
      short_names_;  ///< short names of the first of several names: "xy" for x<0-3>y
  std::map<std::string, std::string, std::less<>> constants_;
};

}  // namespace shflsim::isa
