// SPDX-License-Identifier: Apache-2.0
// Listings of cuobjdump and nvdisasm for sm_50 and for sm_70 and later.
#include "isa/dialects/source.h"
#include "isa/dialects/verify.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/use_code.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shflsim;
  const isa::SourceText source{"input", std::string(fuzz::text_of(data, size))};
  if (isa::Dialects::named("cuobjdump").recognises(source)) {
    fuzz::use_text("cuobjdump", source.text);
    return 0;
  }
  if (isa::Dialects::named("sm70_listing").recognises(source)) {
    fuzz::use_timed_text("sm70_listing", source.text);
    return 0;
  }
  fuzz::use_text("listing", source.text);
  fuzz::try_input([&] { isa::verify_listing(source); });
  return 0;
}
