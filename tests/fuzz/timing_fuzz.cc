// SPDX-License-Identifier: Apache-2.0
// The CSV files of `accuracy`, gzip or plain.
#include "cli/launch/timing_file.h"
#include "tests/fuzz/harness.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shflsim;
  const fuzz::MemoryFile file(fuzz::text_of(data, size));
  fuzz::try_input([&] { cli::read_timing_file(file.path()); });
  fuzz::try_input([&] { cli::read_bases_file(file.path()); });
  return 0;
}
