// SPDX-License-Identifier: Apache-2.0
#include "isa/families/amd.h"

namespace shflsim::isa {
namespace {

constexpr AmdMachine rdna_machine() {
  AmdMachine its;
  its.ds_shift = 18;
  its.swizzle = 0x35;
  its.permute = 0xb2;
  its.bpermute = 0xb3;
  its.readlane = 0xd760;
  its.writelane = 0xd761;
  its.permlane16 = 0xd65b;
  its.permlanex16 = 0xd65c;
  its.has_wave_shifts = false;
  its.has_dpp8 = true;
  its.permutes_halves = true;
  its.has_permlane64 = true;
  return its;
}

constexpr AmdMachine kRdna = rdna_machine();

const bool rdna_registered =
    add_amd<kRdna>("rdna", "AMD RDNA 3 and 4: gfx1100 to gfx1201", {32, 64});

}  // namespace
}  // namespace shflsim::isa
