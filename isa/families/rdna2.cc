// SPDX-License-Identifier: Apache-2.0
#include "isa/families/amd.h"

namespace shflsim::isa {
namespace {

constexpr AmdMachine rdna2_machine() {
  AmdMachine its;
  its.ds_shift = 18;
  its.swizzle = 0x35;
  its.permute = 0xb2;
  its.bpermute = 0xb3;
  its.readlane = 0xd760;
  its.writelane = 0xd761;
  its.permlane16 = 0xd777;
  its.permlanex16 = 0xd778;
  its.has_wave_shifts = false;
  its.has_dpp8 = true;
  its.permutes_halves = true;
  return its;
}

constexpr AmdMachine kRdna2 = rdna2_machine();

const bool rdna2_registered =
    add_amd<kRdna2>("rdna2", "AMD RDNA 1 and 2: gfx1010 to gfx1036", {32, 64});

}  // namespace
}  // namespace shflsim::isa
