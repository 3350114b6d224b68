// SPDX-License-Identifier: Apache-2.0
#include "isa/families/amd_parts.h"

#include <fmt/format.h>

namespace shflsim::isa {
namespace {

const LaneCost kPermlaneCost = {8, "4 to 8 cycles (an estimate: nobody measured it)"};

/// "op_sel:[fi,bound_ctrl]".
uint32_t op_sel(const LaneText& text, size_t index) {
  if (index >= text.operands()) return 0;
  const auto bits = text.keyed_list(text.operand(index), "op_sel", 2, 1);
  if (!bits) text.reject(text.operand(index), "expected op_sel:[0,0] to op_sel:[1,1]");
  return (*bits)[0] | (*bits)[1] << 1;
}

std::string permlane16_text(const AmdMachine& machine, const std::vector<uint32_t>& words) {
  const uint32_t operation = words[0] >> 16;
  const bool crosses = operation == machine.permlanex16;
  if (machine.permlane16 == 0 || (operation != machine.permlane16 && !crosses)) return "";
  const uint32_t first = words[1] & 0x1ff;
  const std::string second = amd_scalar_text(words[1] >> 9 & 0x1ff);
  const std::string third = amd_scalar_text(words[1] >> 18 & 0x1ff);
  if (words[1] >> 27 != 0 || second.empty() || third.empty() || first < kAmdVector) return "";
  if ((words[0] & 0xe700) != 0) return "";
  const uint32_t bits = words[0] >> 11 & 3;
  return fmt::format("v_permlane{}16_b32 v{}, v{}, {}, {}{}", crosses ? "x" : "", words[0] & 0xff,
                     first - kAmdVector, second, third,
                     bits == 0 ? "" : fmt::format(" op_sel:[{},{}]", bits & 1, bits >> 1));
}

std::string halves_text(const AmdMachine& machine, const AmdVop1Word& word) {
  const auto text = [&](const char* name) {
    return fmt::format("{} v{}, v{}", name, word.result, word.source);
  };
  if (!word.is_valid) return "";
  if (word.operation == kPermlane64 && machine.has_permlane64) return text("v_permlane64_b32");
  if (!machine.has_swaps) return "";
  if (word.operation == kSwap16) return text("v_permlane16_swap_b32");
  return word.operation == kSwap32 ? text("v_permlane32_swap_b32") : "";
}

}  // namespace

LaneInstruction read_permlane16(const AmdMachine& machine, const LaneText& text,
                                const LaneContext& context) {
  text.expect(4, 5);
  const bool crosses = text.operation() == "v_permlanex16_b32";
  const uint32_t result = text.register_number(text.operand(0), "v", 255);
  const uint32_t source = text.register_number(text.operand(1), "v", 255);
  const uint32_t low = text.uniform(text.operand(2), context);
  const uint32_t high = text.uniform(text.operand(3), context);
  const uint32_t bits = op_sel(text, 4);
  LaneMove move(context.lanes);
  for (unsigned lane = 0; lane < move.lanes; ++lane) {
    const uint32_t places = lane % 16 < 8 ? low : high;
    const unsigned from = (lane / 16 ^ unsigned{crosses}) * 16 + (places >> 4 * (lane % 8) & 15);
    if (has_bit(context.active, lane))
      move.source[0][lane] = amd_source(from, context, (bits & 2) != 0, (bits & 1) != 0);
  }
  const uint32_t operation =
      (crosses ? machine.permlanex16 : machine.permlane16) << 16 | bits << 11 | result;
  return {fmt::format("{} v{}, v{}, {}, {}{}", text.operation(), result, source,
                      text.operand(2).text, text.operand(3).text,
                      bits == 0 ? "" : fmt::format(" op_sel:[{},{}]", bits & 1, bits >> 1)),
          {operation, (kAmdVector + source) | amd_scalar_field(text, text.operand(2)) << 9 |
                          amd_scalar_field(text, text.operand(3)) << 18},
          {move},
          kPermlaneCost};
}

LaneInstruction read_halves(const LaneText& text, const LaneContext& context) {
  text.expect(2, 2);
  const uint32_t result = text.register_number(text.operand(0), "v", 255);
  const uint32_t source = text.register_number(text.operand(1), "v", 255);
  const std::string& name = text.operation();
  const bool is_swap = name != "v_permlane64_b32";
  const unsigned far = is_swap && name == "v_permlane16_swap_b32" ? 16 : 32;
  LaneMove move(context.lanes);
  move.results = move.operands = is_swap ? 2 : 1;
  for (unsigned lane = 0; lane < move.lanes && move.lanes > 32; ++lane) {
    if (!has_bit(context.active, lane)) continue;
    if (!is_swap) move.source[0][lane] = LaneSource::of(lane ^ 32);
    const bool upper = (lane & far) != 0;
    // The upper part of the first register and the lower part of the second change places.
    if (is_swap && has_bit(context.active, lane ^ far))
      move.source[upper ? 0 : 1][lane] = LaneSource::of(lane ^ far, upper ? 1 : 0);
  }
  const uint32_t operation = !is_swap ? kPermlane64 : far == 16 ? kSwap16 : kSwap32;
  return {fmt::format("{} v{}, v{}", name, result, source),
          {amd_vop1(operation, result, kAmdVector + source)},
          {move},
          kPermlaneCost};
}

std::string permlane_instruction_text(const AmdMachine& machine,
                                      const std::vector<uint32_t>& words) {
  return words.size() == 1 ? halves_text(machine, AmdVop1Word(words[0]))
                           : permlane16_text(machine, words);
}

LaneCandidate permlane_candidate(const LaneMove& wanted, bool crosses) {
  uint32_t places[2] = {};
  for (unsigned lane = 0; lane < 16; ++lane) {
    const LaneSource& from = wanted.source[0][lane];
    if (from.is_lane()) places[lane / 8] |= uint32_t{from.lane % 16u} << 4 * (lane % 8);
  }
  LaneCandidate candidate{fmt::format("v_permlane{}16_b32 v0, v1, s2, s3", crosses ? "x" : "")};
  candidate.registers["s2"].assign(wanted.lanes, places[0]);
  candidate.registers["s3"].assign(wanted.lanes, places[1]);
  return candidate;
}

}  // namespace shflsim::isa
