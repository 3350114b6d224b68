// SPDX-License-Identifier: Apache-2.0
#include "isa/families/amd.h"

#include <fmt/format.h>

#include "isa/base/input_error.h"
#include "isa/families/amd_parts.h"

namespace shflsim::isa {

std::vector<std::string> amd_operations(const AmdMachine& machine) {
  std::vector<std::string> names = {"v_mov_b32_dpp",   "ds_swizzle_b32", "ds_permute_b32",
                                    "ds_bpermute_b32", "v_readlane_b32", "v_readfirstlane_b32",
                                    "v_writelane_b32"};
  if (machine.permlane16 != 0) {
    names.emplace_back("v_permlane16_b32");
    names.emplace_back("v_permlanex16_b32");
  }
  if (machine.has_permlane64) names.emplace_back("v_permlane64_b32");
  if (machine.has_swaps) {
    names.emplace_back("v_permlane16_swap_b32");
    names.emplace_back("v_permlane32_swap_b32");
  }
  return names;
}

LaneInstruction read_amd(const AmdMachine& machine, const LaneText& text,
                         const LaneContext& context) {
  const std::string& name = text.operation();
  if (name == "v_mov_b32_dpp") return read_dpp(machine, text, context);
  if (name == "ds_swizzle_b32") return read_swizzle(machine, text, context);
  if (name == "ds_permute_b32" || name == "ds_bpermute_b32")
    return read_ds_permute(machine, text, context);
  if (name == "v_readlane_b32") return read_lane(machine, text, context);
  if (name == "v_readfirstlane_b32") return read_first_lane(text, context);
  if (name == "v_writelane_b32") return read_write_lane(machine, text, context);
  if (name == "v_permlane16_b32" || name == "v_permlanex16_b32")
    return read_permlane16(machine, text, context);
  return read_halves(text, context);
}

std::vector<LaneCandidate> amd_candidates(const AmdMachine& machine, const LaneMove& wanted) {
  std::vector<LaneCandidate> list;
  for (const uint32_t code : dpp_codes()) {
    if (!has_dpp_code(machine, code)) continue;
    const std::string text = "v_mov_b32_dpp v0, v1 " + dpp_text(machine, code);
    list.push_back({text});
    list.push_back({text + " bound_ctrl:1"});
  }
  for (uint32_t flip = 1; flip < 32; ++flip)
    list.push_back({fmt::format("ds_swizzle_b32 v0, v1 offset:{}", 0x1f | flip << 10)});
  for (uint32_t lane = 0; lane < wanted.lanes; ++lane)
    list.push_back({fmt::format("v_readlane_b32 s0, v1, {}", lane)});
  if (machine.has_permlane64) list.push_back({"v_permlane64_b32 v0, v1"});
  if (machine.has_swaps) {
    list.push_back({"v_permlane16_swap_b32 v0, v1"});
    list.push_back({"v_permlane32_swap_b32 v0, v1"});
  }
  for (const bool crosses : {false, true}) {
    if (machine.permlane16 != 0) list.push_back(permlane_candidate(wanted, crosses));
  }
  LaneCandidate pull{"ds_bpermute_b32 v0, v2, v1"};
  std::vector<uint32_t>& addresses = pull.registers["v2"];
  for (unsigned lane = 0; lane < wanted.lanes; ++lane)
    addresses.push_back(4u *
                        (wanted.source[0][lane].is_lane() ? wanted.source[0][lane].lane : lane));
  list.push_back(pull);
  return list;
}

std::string amd_text_of(const AmdMachine& machine, const std::vector<uint32_t>& words) {
  const auto readers = {scalar_instruction_text, permlane_instruction_text, ds_instruction_text,
                        dpp_instruction_text};
  for (const auto& text_of : readers) {
    std::string text = words.size() == 1 || words.size() == 2 ? text_of(machine, words) : "";
    if (!text.empty()) return text;
  }
  throw InputError("no word of a lane instruction of this machine; expected one of DPP, DS or VOP");
}

}  // namespace shflsim::isa
