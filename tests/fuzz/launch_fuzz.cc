// SPDX-License-Identifier: Apache-2.0
// Launch files, and the launch line of code in the manual's syntax.
#include "cli/launch/launch_file.h"
#include "cli/launch/launch_line.h"
#include "tests/fuzz/harness.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shflsim;
  const fuzz::MemoryFile file(fuzz::text_of(data, size));
  fuzz::try_input([&] { cli::read_launch_file(file.path()); });
  fuzz::try_input([&] { cli::with_launch_line({}, file.path()); });
  return 0;
}
