// SPDX-License-Identifier: Apache-2.0
// Functions that are not implemented: if they were absent, programs with calls would not start.
#include "runtime/api/call.h"

namespace shflsim::runtime {

#define MISSING(function) \
  SHFLSIM_API Error function() { return missing(#function); }
#include "runtime/api/missing.inc"
#undef MISSING

}  // namespace shflsim::runtime
