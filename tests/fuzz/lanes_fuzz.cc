// SPDX-License-Identifier: Apache-2.0
// Lane profiles, gzip or plain.
#include "tests/fuzz/harness.h"
#include "traces/lane_profile.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shflsim;
  const fuzz::MemoryFile file(fuzz::text_of(data, size));
  fuzz::try_input([&] { traces::text_of(traces::read_lane_profile(file.path())); });
  return 0;
}
