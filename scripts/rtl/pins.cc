// SPDX-License-Identifier: Apache-2.0
// The pins of a Verilated shuffle network as a C function, so that `shflsim rtl --check` can load
// any of them. Compiled by scripts/rtl/verilated.py with what Verilator makes of the Verilog.
#include <type_traits>

#include "Vmodule.h"

namespace {

template <class Pin>
void set(Pin& pin, const uint32_t* words) {
  if constexpr (std::is_integral_v<Pin>) {
    pin = static_cast<Pin>(words[0] | (uint64_t{words[1]} << 32u));
  } else {
    for (size_t word = 0; word < sizeof(pin) / sizeof(uint32_t); ++word) pin[word] = words[word];
  }
}

}  // namespace

extern "C" void shuffle_clock_edge(const uint32_t* in, const uint32_t* ctl, const uint32_t* we,
                                   uint32_t* out) {
  static Vmodule module;
  set(module.in, in);
  set(module.ctl, ctl);
  set(module.we, we);
  module.clk = 1;
  module.eval();
  module.clk = 0;
  module.eval();
  for (size_t word = 0; word < sizeof(module.out) / sizeof(uint32_t); ++word) {
    out[word] = module.out[word];
  }
}
