// SPDX-License-Identifier: Apache-2.0
#include "isa/families/amd.h"

namespace shflsim::isa {
namespace {

const AmdMachine& rdna2_machine() {
  static const AmdMachine machine = [] {
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
  }();
  return machine;
}

LaneInstruction read_rdna2(const LaneText& text, const LaneContext& context) {
  return read_amd(rdna2_machine(), text, context);
}
std::vector<LaneCandidate> rdna2_candidates(const LaneMove& wanted) {
  return amd_candidates(rdna2_machine(), wanted);
}
std::string rdna2_text(const std::vector<uint32_t>& words) {
  return amd_text_of(rdna2_machine(), words);
}

const bool rdna2_registered = LaneFamilies::add({"rdna2",
                                                 "AMD RDNA 1 and 2: gfx1010 to gfx1036",
                                                 {32, 64},
                                                 amd_operations(rdna2_machine()),
                                                 read_rdna2,
                                                 rdna2_candidates,
                                                 rdna2_text});

}  // namespace
}  // namespace shflsim::isa
