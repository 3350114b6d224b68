// SPDX-License-Identifier: Apache-2.0
#include "isa/families/amd.h"

namespace shflsim::isa {
namespace {

const AmdMachine& gcn_machine() {
  static const AmdMachine machine = [] {
    AmdMachine its;
    return its;
  }();
  return machine;
}

LaneInstruction read_gcn(const LaneText& text, const LaneContext& context) {
  return read_amd(gcn_machine(), text, context);
}
std::vector<LaneCandidate> gcn_candidates(const LaneMove& wanted) {
  return amd_candidates(gcn_machine(), wanted);
}
std::string gcn_text(const std::vector<uint32_t>& words) {
  return amd_text_of(gcn_machine(), words);
}

const bool gcn_registered = LaneFamilies::add({"gcn",
                                               "AMD GCN 5: gfx900 to gfx906",
                                               {64},
                                               amd_operations(gcn_machine()),
                                               read_gcn,
                                               gcn_candidates,
                                               gcn_text});

}  // namespace
}  // namespace shflsim::isa
