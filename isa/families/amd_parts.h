// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isa/families/amd.h"

namespace shflsim::isa {

constexpr uint32_t kAmdVector = 0x100;     ///< first vector register in a source field
constexpr uint32_t kAmdInlineZero = 128;   ///< source field of the constant 0
constexpr uint32_t kAmdMostScalar = 105;   ///< last scalar register
constexpr uint32_t kAmdVop1 = 0x7e000000;  ///< bits of every VOP1 word
enum AmdVop1 : uint32_t {
  kMove = 1,
  kReadFirst = 2,
  kSwap16 = 0x59,
  kSwap32 = 0x5a,
  kPermlane64 = 0x67
};

constexpr uint32_t amd_vop1(uint32_t operation, uint32_t result, uint32_t source) {
  return kAmdVop1 | result << 17 | operation << 9 | source;
}

/// A word of one vector register's operation.
struct AmdVop1Word {
  explicit AmdVop1Word(uint32_t word)
      : operation(word >> 9 & 0xff), result(word >> 17 & 0xff), source(word & 0xff) {
    is_valid = word >> 25 == kAmdVop1 >> 25 && (word & kAmdVector) != 0;
  }
  uint32_t operation = 0;
  uint32_t result = 0;
  uint32_t source = 0;  ///< vector register
  bool is_valid = false;
};

/// What a lane receives from a lane that may not exist or not execute: then 0 where `zero`, else it
/// is not written. `fetch_inactive`: lanes that do not execute are read all the same.
inline LaneSource amd_source(std::optional<unsigned> source, const LaneContext& context, bool zero,
                             bool fetch_inactive) {
  if (source && (fetch_inactive || has_bit(context.active, *source)))
    return LaneSource::of(*source);
  return zero ? LaneSource::zero() : LaneSource{};
}

LaneInstruction read_dpp(const AmdMachine& machine, const LaneText& text,
                         const LaneContext& context);
LaneInstruction read_swizzle(const AmdMachine& machine, const LaneText& text,
                             const LaneContext& context);
LaneInstruction read_ds_permute(const AmdMachine& machine, const LaneText& text,
                                const LaneContext& context);
LaneInstruction read_lane(const AmdMachine& machine, const LaneText& text,
                          const LaneContext& context);
LaneInstruction read_first_lane(const LaneText& text, const LaneContext& context);
LaneInstruction read_write_lane(const AmdMachine& machine, const LaneText& text,
                                const LaneContext& context);
LaneInstruction read_permlane16(const AmdMachine& machine, const LaneText& text,
                                const LaneContext& context);
/// v_permlane64 (the halves of the wave) and the exchanges of two registers.
LaneInstruction read_halves(const LaneText& text, const LaneContext& context);
/// v_permlane16 or x16 with the selects that give what row 0 wants; a lane without a wish selects
/// 0.
LaneCandidate permlane_candidate(const LaneMove& wanted, bool crosses);

/// A field of a source: s3, or a number from 0 to 63; and its text, "" where it is neither.
uint32_t amd_scalar_field(const LaneText& text, const LaneToken& token);
std::string amd_scalar_text(uint32_t field);

/// Text of one or two words, "" where they are no such instruction of this machine.
std::string scalar_instruction_text(const AmdMachine& machine, const std::vector<uint32_t>& words);
std::string permlane_instruction_text(const AmdMachine& machine,
                                      const std::vector<uint32_t>& words);
std::string dpp_instruction_text(const AmdMachine& machine, const std::vector<uint32_t>& words);
std::string ds_instruction_text(const AmdMachine& machine, const std::vector<uint32_t>& words);

}  // namespace shflsim::isa
