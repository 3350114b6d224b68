// SPDX-License-Identifier: Apache-2.0
// What is missing says so: without it, a program that only might call it would not start.
#include "runtime/api/call.h"

namespace shflsim::runtime {

#define MISSING(function) \
  SHFLSIM_API Error function() { return missing(#function); }
#include "runtime/api/missing.inc"
#undef MISSING

}  // namespace shflsim::runtime
