// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/ptx/statements/lowering.h"

namespace shflsim::isa::ptx {

/// Whether `count` elements of the type are one access, of 128 bits at most.
bool is_one_access(Type type, size_t count);
/// One access, by `operation` without a size, to all of a vector's elements.
void load_vector(Lowering& to, const std::string& operation, Type type,
                 const std::vector<Operand>& results, const Term& from);
void store_vector(Lowering& to, const std::string& operation, Type type,
                  const std::vector<Operand>& values, const Term& place);

/// The elements packed into words, the first lowest.
std::vector<Term> words_of(Lowering& to, Type type, const std::vector<Operand>& values);
/// Takes the element that begins at that bit out of registers side by side.
void take_element(Lowering& to, const Operand& result, Type type, const Term& row, unsigned bit);

/// The register that receives a load, a pair where the text names one for a narrower type.
Term loaded_register(Lowering& to, const Operand& result, Type type, bool* extends);
/// The upper word of a pair whose lower one holds a loaded value of the type.
void extend_upper(Lowering& to, const Term& d, Type type);

}  // namespace shflsim::isa::ptx
