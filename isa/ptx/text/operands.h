// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "isa/ptx/text/declarations.h"

namespace shflsim::isa::ptx {

/// Operands that a statement may have besides registers, numbers, vectors and addresses.
struct OperandForms {
  bool lists = false;  ///< lists in '(' and ')'
  bool sums = false;   ///< variables plus numbers
};

/// Reads the operands of statements. Throws InputError at the wrong word.
class OperandReader : protected DeclarationReader {
 protected:
  using DeclarationReader::DeclarationReader;

  /// Reads the operands of a statement of this function, which are separated by commas.
  std::vector<Operand> read_operands(const Function& function, OperandForms forms);

  /// Reads the labels or functions of a table; "N<3>" is N0, N1, N2.
  std::vector<Operand> read_names();

 private:
  Operand read_operand();
  void read_named(Operand& operand);
  void read_element(Operand& operand);
  void read_list(Operand& operand, const char* end);
  void read_address(Operand& operand);

  const Function* function_ = nullptr;
  OperandForms forms_;
  unsigned depth_ = 0;  ///< nesting depth of brackets
};

}  // namespace shflsim::isa::ptx
