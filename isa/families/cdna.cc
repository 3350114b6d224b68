// SPDX-License-Identifier: Apache-2.0
#include "isa/families/amd.h"

namespace shflsim::isa {
namespace {

const AmdMachine& cdna_machine() {
  static const AmdMachine machine = [] {
    AmdMachine its;
    its.has_row_broadcast = true;
    its.has_swaps = true;
    return its;
  }();
  return machine;
}

LaneInstruction read_cdna(const LaneText& text, const LaneContext& context) {
  return read_amd(cdna_machine(), text, context);
}
std::vector<LaneCandidate> cdna_candidates(const LaneMove& wanted) {
  return amd_candidates(cdna_machine(), wanted);
}
std::string cdna_text(const std::vector<uint32_t>& words) {
  return amd_text_of(cdna_machine(), words);
}

const bool cdna_registered = LaneFamilies::add({"cdna",
                                                "AMD CDNA 2 to 4: gfx90a, gfx942; the swaps gfx950",
                                                {64},
                                                amd_operations(cdna_machine()),
                                                read_cdna,
                                                cdna_candidates,
                                                cdna_text});

}  // namespace
}  // namespace shflsim::isa
