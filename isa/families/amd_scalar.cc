// SPDX-License-Identifier: Apache-2.0
#include "isa/families/amd_parts.h"

#include <fmt/format.h>

namespace shflsim::isa {
namespace {

std::vector<uint32_t> vop3(uint32_t operation, uint32_t result, uint32_t first, uint32_t second) {
  return {operation << 16 | result, first | second << 9};
}

LaneMove everywhere(unsigned lanes, unsigned source) {
  LaneMove move(lanes);
  for (unsigned lane = 0; lane < lanes; ++lane) move.source[0][lane] = LaneSource::of(source);
  return move;
}

}  // namespace

uint32_t amd_scalar_field(const LaneText& text, const LaneToken& token) {
  if (token.text[0] == 's') return text.register_number(token, "s", kAmdMostScalar);
  return kAmdInlineZero + text.number(token, 0, 63);
}

std::string amd_scalar_text(uint32_t field) {
  if (field >= kAmdInlineZero && field < kAmdInlineZero + 64)
    return fmt::format("{}", field - kAmdInlineZero);
  return field <= kAmdMostScalar ? fmt::format("s{}", field) : "";
}

/// The result is a scalar register, which every lane may then read.
LaneInstruction read_lane(const AmdMachine& machine, const LaneText& text,
                          const LaneContext& context) {
  text.expect(3, 3);
  const uint32_t result = text.register_number(text.operand(0), "s", kAmdMostScalar);
  const uint32_t source = text.register_number(text.operand(1), "v", 255);
  const uint32_t select = amd_scalar_field(text, text.operand(2));
  const unsigned lane = text.uniform(text.operand(2), context) % context.lanes;
  return {fmt::format("v_readlane_b32 s{}, v{}, {}", result, source, text.operand(2).text),
          vop3(machine.readlane, result, kAmdVector + source, select),
          {everywhere(context.lanes, lane)},
          {}};
}

LaneInstruction read_first_lane(const LaneText& text, const LaneContext& context) {
  text.expect(2, 2);
  const uint32_t result = text.register_number(text.operand(0), "s", kAmdMostScalar);
  const uint32_t source = text.register_number(text.operand(1), "v", 255);
  unsigned first = 0;
  while (first + 1 < context.lanes && !has_bit(context.active, first)) ++first;
  if (!has_bit(context.active, first)) first = 0;
  return {fmt::format("v_readfirstlane_b32 s{}, v{}", result, source),
          {amd_vop1(kReadFirst, result, kAmdVector + source)},
          {everywhere(context.lanes, first)},
          {}};
}

/// The scalar is an operand that all lanes hold; the lane that is written takes its own.
LaneInstruction read_write_lane(const AmdMachine& machine, const LaneText& text,
                                const LaneContext& context) {
  text.expect(3, 3);
  const uint32_t result = text.register_number(text.operand(0), "v", 255);
  const uint32_t value = amd_scalar_field(text, text.operand(1));
  const uint32_t select = amd_scalar_field(text, text.operand(2));
  const bool two = value < kAmdInlineZero && select < kAmdInlineZero && value != select;
  if (two && !machine.has_dpp8)
    text.reject(text.operand(2),
                "a second scalar register; expected one, or a machine from GFX10 on");
  const unsigned lane = text.uniform(text.operand(2), context) % context.lanes;
  LaneMove move(context.lanes);
  move.source[0][lane] = LaneSource::of(lane);
  return {fmt::format("v_writelane_b32 v{}, {}, {}", result, text.operand(1).text,
                      text.operand(2).text),
          vop3(machine.writelane, result, value, select),
          {move},
          {}};
}

std::string scalar_instruction_text(const AmdMachine& machine, const std::vector<uint32_t>& words) {
  const uint32_t result = words[0] & 0xff;
  if (words.size() == 1) {
    const AmdVop1Word word(words[0]);
    const bool reads_first = word.is_valid && word.operation == kReadFirst;
    return reads_first && word.result <= kAmdMostScalar
               ? fmt::format("v_readfirstlane_b32 s{}, v{}", word.result, word.source)
               : "";
  }
  const uint32_t first = words[1] & 0x1ff;
  const std::string second = amd_scalar_text(words[1] >> 9 & 0x1ff);
  if ((words[0] & 0xff00) != 0 || words[1] >> 18 != 0 || second.empty()) return "";
  const uint32_t operation = words[0] >> 16;
  if (operation == machine.readlane && first >= kAmdVector && result <= kAmdMostScalar)
    return fmt::format("v_readlane_b32 s{}, v{}, {}", result, first - kAmdVector, second);
  if (operation == machine.writelane && !amd_scalar_text(first).empty())
    return fmt::format("v_writelane_b32 v{}, {}, {}", result, amd_scalar_text(first), second);
  return "";
}

}  // namespace shflsim::isa
