// SPDX-License-Identifier: Apache-2.0
#include "isa/families/amd.h"

namespace shflsim::isa {
namespace {

constexpr AmdMachine with_permlane64(AmdMachine its) {
  its.has_permlane64 = true;
  return its;
}

constexpr AmdMachine kRdna = with_permlane64(rdna_machine(0xd65b, 0xd65c));

const bool rdna_registered =
    add_amd<kRdna>("rdna", "AMD RDNA 3 and 4: gfx1100 to gfx1201", {32, 64});

}  // namespace
}  // namespace shflsim::isa
