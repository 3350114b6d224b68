// SPDX-License-Identifier: Apache-2.0
// PTX, read and lowered.
#include "tests/fuzz/harness.h"
#include "tests/fuzz/use_code.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  shflsim::fuzz::use_text("ptx", shflsim::fuzz::text_of(data, size));
  return 0;
}
