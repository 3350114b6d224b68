// SPDX-License-Identifier: Apache-2.0
#include "isa/families/amd.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/input_error.h"
#include "isa/families/amd_parts.h"

namespace shflsim::isa {
namespace {

const LaneCost kPermlaneCost = {8, "4 to 8 cycles (an estimate: nobody measured it)"};

/// A field of a source: v5, s3, or a number from 0 to 63.
uint32_t scalar_field(const LaneText& text, const LaneToken& token) {
  if (token.text[0] == 's') return text.register_number(token, "s", kAmdMostScalar);
  return kAmdInlineZero + text.number(token, 0, 63);
}

std::vector<uint32_t> vop3(uint32_t operation, uint32_t result, uint32_t first, uint32_t second,
                           uint32_t third = 0) {
  return {operation << 16 | result, first | second << 9 | third << 18};
}

LaneMove everywhere(unsigned lanes, unsigned source) {
  LaneMove move(lanes);
  for (unsigned lane = 0; lane < lanes; ++lane) move.source[0][lane] = LaneSource::of(source);
  return move;
}

/// The result is a scalar register, which every lane may then read.
LaneInstruction read_lane(const AmdMachine& machine, const LaneText& text,
                          const LaneContext& context) {
  text.expect(3, 3);
  const uint32_t result = text.register_number(text.operand(0), "s", kAmdMostScalar);
  const uint32_t source = text.register_number(text.operand(1), "v", 255);
  const uint32_t select = scalar_field(text, text.operand(2));
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
  const uint32_t value = scalar_field(text, text.operand(1));
  const uint32_t select = scalar_field(text, text.operand(2));
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

/// "op_sel:[fi,bound_ctrl]".
uint32_t op_sel(const LaneText& text, size_t index) {
  if (index >= text.operands()) return 0;
  const auto bits = text.keyed_list(text.operand(index), "op_sel", 2, 1);
  if (!bits) text.reject(text.operand(index), "expected op_sel:[0,0] to op_sel:[1,1]");
  return (*bits)[0] | (*bits)[1] << 1;
}

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
          {operation, (kAmdVector + source) | scalar_field(text, text.operand(2)) << 9 |
                          scalar_field(text, text.operand(3)) << 18},
          {move},
          kPermlaneCost};
}

/// v_permlane64 (the halves of the wave) and the exchanges of two registers.
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

std::string field_text(uint32_t field) {
  if (field >= kAmdInlineZero && field < kAmdInlineZero + 64)
    return fmt::format("{}", field - kAmdInlineZero);
  return field <= kAmdMostScalar ? fmt::format("s{}", field) : "";
}

std::string vop3_text(const AmdMachine& machine, const std::vector<uint32_t>& words) {
  if (words.size() != 2) return "";
  const uint32_t operation = words[0] >> 16;
  const uint32_t result = words[0] & 0xff;
  const uint32_t first = words[1] & 0x1ff;
  const std::string second = field_text(words[1] >> 9 & 0x1ff);
  const std::string third = field_text(words[1] >> 18 & 0x1ff);
  if (words[1] >> 27 != 0 || second.empty()) return "";
  const bool plain = (words[0] & 0xff00) == 0 && words[1] >> 18 == 0;
  if (operation == machine.readlane && plain && first >= kAmdVector && result <= kAmdMostScalar)
    return fmt::format("v_readlane_b32 s{}, v{}, {}", result, first - kAmdVector, second);
  if (operation == machine.writelane && plain && !field_text(first).empty())
    return fmt::format("v_writelane_b32 v{}, {}, {}", result, field_text(first), second);
  const bool crosses = operation == machine.permlanex16;
  if (machine.permlane16 == 0 || (operation != machine.permlane16 && !crosses)) return "";
  if (third.empty() || first < kAmdVector || (words[0] & 0xe700) != 0) return "";
  const uint32_t bits = words[0] >> 11 & 3;
  return fmt::format("v_permlane{}16_b32 v{}, v{}, {}, {}{}", crosses ? "x" : "", result,
                     first - kAmdVector, second, third,
                     bits == 0 ? "" : fmt::format(" op_sel:[{},{}]", bits & 1, bits >> 1));
}

std::string vop1_text(const AmdMachine& machine, uint32_t word) {
  const uint32_t operation = word >> 9 & 0xff;
  const uint32_t source = word & 0x1ff;
  const uint32_t result = word >> 17 & 0xff;
  if (word >> 25 != kAmdVop1 >> 25 || source < kAmdVector) return "";
  const auto text = [&](const char* name, char letter) {
    return fmt::format("{} {}{}, v{}", name, letter, result, source - kAmdVector);
  };
  if (operation == kReadFirst && result <= kAmdMostScalar) return text("v_readfirstlane_b32", 's');
  if (operation == kPermlane64 && machine.has_permlane64) return text("v_permlane64_b32", 'v');
  if (!machine.has_swaps) return "";
  if (operation == kSwap16) return text("v_permlane16_swap_b32", 'v');
  return operation == kSwap32 ? text("v_permlane32_swap_b32", 'v') : "";
}

/// v_permlane16 or x16 with the selects that give what row 0 wants; a lane without a wish selects
/// 0.
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

}  // namespace

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
  std::string text;
  if (words.size() == 1) text = vop1_text(machine, words[0]);
  if (text.empty() && words.size() == 2 && words[0] >> 26 == 0x36)
    text = ds_instruction_text(machine, words);
  if (text.empty()) text = vop3_text(machine, words);
  if (text.empty() && words.size() == 2 && words[0] >> 25 == kAmdVop1 >> 25 &&
      (words[0] >> 9 & 0xff) == kMove)
    text = dpp_instruction_text(machine, words);
  if (text.empty())
    throw InputError(
        "no word of a lane instruction of this machine; expected one of DPP, DS or VOP");
  return text;
}

}  // namespace shflsim::isa
