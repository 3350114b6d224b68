// SPDX-License-Identifier: Apache-2.0
#include "isa/families/amd.h"

namespace shflsim::isa {
namespace {

constexpr AmdMachine cdna_machine() {
  AmdMachine its;
  its.has_row_broadcast = true;
  its.has_swaps = true;
  return its;
}

constexpr AmdMachine kCdna = cdna_machine();

const bool cdna_registered =
    add_amd<kCdna>("cdna", "AMD CDNA 2 to 4: gfx90a, gfx942; the swaps gfx950", {64});

}  // namespace
}  // namespace shflsim::isa
