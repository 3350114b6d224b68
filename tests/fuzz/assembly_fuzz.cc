// SPDX-License-Identifier: Apache-2.0
// The syntax of the manual and of the assemblers, recognised as in the program.
#include "isa/dialects/source.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/use_code.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shflsim;
  const isa::SourceText source{"input", std::string(fuzz::text_of(data, size))};
  for (const char* name : {"maxas", "cuasm", "manual"}) {
    if (!isa::Dialects::named(name).recognises(source)) continue;
    fuzz::use_text(name, source.text);
    return 0;
  }
  return 0;
}
