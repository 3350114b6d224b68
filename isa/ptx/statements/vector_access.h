// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/ptx/statements/lowering.h"

namespace shflsim::isa::ptx {

/// True if `count` elements of the type are one access of at most 128 bits.
bool is_one_access(Type type, size_t count);
/// Emits one access to all elements of a vector; `operation` is without a size.
void load_vector(Lowering& to, const std::string& operation, Type type,
                 const std::vector<Operand>& results, const Term& from);
void store_vector(Lowering& to, const std::string& operation, Type type,
                  const std::vector<Operand>& values, const Term& place);

/// The elements packed into words, the first element lowest.
std::vector<Term> words_of(Lowering& to, Type type, const std::vector<Operand>& values);
/// Extracts the element that begins at `bit` from consecutive registers.
void take_element(Lowering& to, const Operand& result, Type type, const Term& row, unsigned bit);

/// The register that receives a load; a pair if the text uses one for a narrower type.
Term loaded_register(Lowering& to, const Operand& result, Type type, bool* extends);
/// Sets the upper word of a pair whose lower word holds a loaded value of the type.
void extend_upper(Lowering& to, const Term& d, Type type);

}  // namespace shflsim::isa::ptx
