// SPDX-License-Identifier: Apache-2.0
// Cubins, and fat binaries with cubins in them.
#include "isa/dialects/source.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/use_code.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shflsim;
  const std::string_view bytes = fuzz::text_of(data, size);
  const bool is_elf = bytes.substr(0, 4) == "\177ELF";
  fuzz::use_text(is_elf ? "cubin" : "fatbin", bytes);
  return 0;
}
