// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/device/stream.h"

namespace shflsim::runtime {

/// A part of a variable, as source or destination of a copy.
struct SymbolPart {
  const void* variable;
  size_t offset;  ///< bytes
  size_t size;
};
Work copying_to(const SymbolPart& part, const void* from, int kind);
Work copying_from(const SymbolPart& part, void* to, int kind);

}  // namespace shflsim::runtime
