// SPDX-License-Identifier: Apache-2.0
// Sweep files, and the grid and conditions that they make.
#include "sweep/grid.h"
#include "tests/fuzz/harness.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shflsim;
  const fuzz::MemoryFile file(fuzz::text_of(data, size));
  sweep::is_spec(file.path());
  fuzz::try_input([&] {
    const sweep::Spec spec = sweep::read_spec(file.path());
    const sweep::Grid grid({{"a.sass", "a", "gm107"}, {"b.sass", "b", "gh100"}}, {}, spec);
    for (const size_t number : {size_t{0}, grid.size() - 1}) grid.at(number);
  });
  return 0;
}
