// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isa/families/lane_family.h"

namespace shflsim::isa {

/// Lane operations of AMD's machines: DPP, the permutes of the LDS unit and the moves between
/// vector and scalar registers (docs/lanes.md). Each generation states which operations it has and
/// their opcodes; tests compare the opcodes with llvm-mc's.
struct AmdMachine {
  unsigned ds_shift = 17;  ///< place of the opcode in a DS word
  uint32_t swizzle = 0x3d;
  uint32_t permute = 0x3e;
  uint32_t bpermute = 0x3f;
  uint32_t readlane = 0xd289;  ///< the upper half of a VOP3 word
  uint32_t writelane = 0xd28a;
  uint32_t permlane16 = 0;  ///< 0: the machine lacks it
  uint32_t permlanex16 = 0;
  bool has_wave_shifts = true;     ///< wave_shl, wave_rol, wave_shr, wave_ror, row_bcast
  bool has_row_broadcast = false;  ///< row_newbcast
  bool has_dpp8 = false;           ///< DPP8, row_share, row_xmask, fi
  bool has_permlane64 = false;
  bool has_swaps = false;
  bool permutes_halves = false;  ///< ds_(b)permute of a 64-lane wave stays within each half
};

/// RDNA, whose generations have different words of v_permlane16 and v_permlanex16.
constexpr AmdMachine rdna_machine(uint32_t permlane16, uint32_t permlanex16) {
  AmdMachine its;
  its.ds_shift = 18;
  its.swizzle = 0x35;
  its.permute = 0xb2;
  its.bpermute = 0xb3;
  its.readlane = 0xd760;
  its.writelane = 0xd761;
  its.permlane16 = permlane16;
  its.permlanex16 = permlanex16;
  its.has_wave_shifts = false;
  its.has_dpp8 = true;
  its.permutes_halves = true;
  return its;
}

/// The names of the machine's operations.
std::vector<std::string> amd_operations(const AmdMachine& machine);
LaneInstruction read_amd(const AmdMachine& machine, const LaneText& text,
                         const LaneContext& context);
std::vector<LaneCandidate> amd_candidates(const AmdMachine& machine, const LaneMove& wanted);
std::string amd_text_of(const AmdMachine& machine, const std::vector<uint32_t>& words);

/// Adds the family of a machine.
template <const AmdMachine& machine>
bool add_amd(const char* name, const char* help, const std::vector<unsigned>& lane_counts) {
  return LaneFamilies::add(
      {name, help, lane_counts, amd_operations(machine),
       [](const LaneText& text, const LaneContext& context) {
         return read_amd(machine, text, context);
       },
       [](const LaneMove& wanted) { return amd_candidates(machine, wanted); },
       [](const std::vector<uint32_t>& words) { return amd_text_of(machine, words); }});
}

/// Source lane of a DPP control code in a wave of `lanes` lanes; none if that lane does not exist.
std::optional<unsigned> dpp_source(uint32_t code, unsigned lane, unsigned lanes);
/// Source lane of ds_swizzle_b32.
unsigned swizzle_source(uint32_t offset, unsigned lane);
/// All 341 control codes of AMD's machines, in ascending order; and whether a machine has a code.
const std::vector<uint32_t>& dpp_codes();
bool has_dpp_code(const AmdMachine& machine, uint32_t code);
/// `row_shr:1`, `quad_perm:[0,1,2,3]`.
std::string dpp_text(const AmdMachine& machine, uint32_t code);

}  // namespace shflsim::isa
