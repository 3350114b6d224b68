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
/// Texts of a v_mov_b32_dpp and of a DS word, "" where they are none of this machine's.
std::string dpp_instruction_text(const AmdMachine& machine, const std::vector<uint32_t>& words);
std::string ds_instruction_text(const AmdMachine& machine, const std::vector<uint32_t>& words);

}  // namespace shflsim::isa
