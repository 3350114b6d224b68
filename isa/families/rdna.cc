// SPDX-License-Identifier: Apache-2.0
#include "isa/families/amd.h"

namespace shflsim::isa {
namespace {

const AmdMachine& rdna_machine() {
  static const AmdMachine machine = [] {
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
  }();
  return machine;
}

LaneInstruction read_rdna(const LaneText& text, const LaneContext& context) {
  return read_amd(rdna_machine(), text, context);
}
std::vector<LaneCandidate> rdna_candidates(const LaneMove& wanted) {
  return amd_candidates(rdna_machine(), wanted);
}
std::string rdna_text(const std::vector<uint32_t>& words) {
  return amd_text_of(rdna_machine(), words);
}

const bool rdna_registered = LaneFamilies::add({"rdna",
                                                "AMD RDNA 3 and 4: gfx1100 to gfx1201",
                                                {32, 64},
                                                amd_operations(rdna_machine()),
                                                read_rdna,
                                                rdna_candidates,
                                                rdna_text});

}  // namespace
}  // namespace shflsim::isa
