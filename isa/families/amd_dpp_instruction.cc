// SPDX-License-Identifier: Apache-2.0
#include "isa/families/amd_parts.h"

#include <fmt/format.h>

namespace shflsim::isa {
namespace {

// nod-ai's shark-ai, "AMDGPU kernel optimization guide": cycles on MI300, wait included.
const LaneCost kDppCost = {8, "4 to 12 cycles on MI300 (nod-ai, AMDGPU kernel optimization guide)"};

/// DPP's modifiers.
struct Dpp {
  std::optional<uint32_t> code;
  std::optional<uint32_t> eight;  ///< DPP8's lane selects
  uint32_t row_mask = 15, bank_mask = 15;
  bool bound_ctrl = false, fi = false;
};

class DppReader {
 public:
  DppReader(const AmdMachine& machine, const LaneText& text) : machine_(machine), text_(text) {}

  Dpp dpp() {
    for (size_t index = 2; index < text_.operands(); ++index) take(text_.operand(index));
    if (!dpp_.code && !dpp_.eight)
      text_.reject("no DPP control; expected one such as row_shr:1 behind the registers");
    return dpp_;
  }

 private:
  void take(const LaneToken& token) {
    if (const auto select = text_.keyed_list(token, "dpp8", 8, 7)) {
      if (!machine_.has_dpp8) text_.reject(token, "DPP8; expected a machine from GFX10 on");
      uint32_t bits = 0;
      for (size_t lane = 0; lane < 8; ++lane) bits |= (*select)[lane] << 3 * lane;
      dpp_.eight = bits;
    } else if (const auto rows = text_.keyed(token, "row_mask", 0, 15)) {
      dpp_.row_mask = *rows;
    } else if (const auto banks = text_.keyed(token, "bank_mask", 0, 15)) {
      dpp_.bank_mask = *banks;
    } else if (text_.keyed(token, "bound_ctrl", 0, 1)) {
      dpp_.bound_ctrl = true;  // as llvm-mc reads it, :0 and :1 are the same set bit
    } else if (const auto fi = text_.keyed(token, "fi", 0, 1)) {
      if (!machine_.has_dpp8) text_.reject(token, "fi; expected a machine from GFX10 on");
      dpp_.fi = *fi != 0;
    } else {
      take_code(token);
    }
  }
  void take_code(const LaneToken& token) {
    const auto& codes = dpp_codes();
    const auto quad = text_.keyed_list(token, "quad_perm", 4, 3);
    for (const uint32_t code : codes) {
      const bool is_quad =
          quad && code == ((*quad)[0] | (*quad)[1] << 2 | (*quad)[2] << 4 | (*quad)[3] << 6);
      if (!is_quad && dpp_text(machine_, code) != token.text) continue;
      if (!has_dpp_code(machine_, code))
        text_.reject(token, "'" + token.text +
                                "' is unknown to this machine; expected one of its "
                                "own DPP controls (docs/lanes.md)");
      dpp_.code = code;
      return;
    }
    text_.reject(token, "'" + token.text +
                            "'; expected a DPP control, such as row_shr:1, or "
                            "row_mask, bank_mask, bound_ctrl");
  }

  const AmdMachine& machine_;
  const LaneText& text_;
  Dpp dpp_;
};

std::string dpp_suffix(const AmdMachine& machine, const Dpp& dpp) {
  std::string text;
  if (dpp.eight) {
    text = " dpp8:[";
    for (unsigned lane = 0; lane < 8; ++lane)
      text += fmt::format("{}{}", lane == 0 ? "" : ",", *dpp.eight >> 3 * lane & 7);
    return text + "]" + (dpp.fi ? " fi:1" : "");
  }
  return fmt::format(" {} row_mask:0x{:x} bank_mask:0x{:x}{}{}", dpp_text(machine, *dpp.code),
                     dpp.row_mask, dpp.bank_mask, dpp.bound_ctrl ? " bound_ctrl:1" : "",
                     dpp.fi ? " fi:1" : "");
}

std::vector<uint32_t> dpp_words(const Dpp& dpp, uint32_t result, uint32_t source) {
  if (dpp.eight) return {amd_vop1(kMove, result, dpp.fi ? 0xea : 0xe9), source | *dpp.eight << 8};
  return {amd_vop1(kMove, result, 0xfa), source | *dpp.code << 8 | uint32_t{dpp.fi} << 18 |
                                             uint32_t{dpp.bound_ctrl} << 19 | dpp.bank_mask << 24 |
                                             dpp.row_mask << 28};
}

LaneMove dpp_move(const Dpp& dpp, const LaneContext& context) {
  LaneMove move(context.lanes);
  for (unsigned lane = 0; lane < move.lanes; ++lane) {
    const bool masked =
        (dpp.row_mask >> lane / 16 & 1) == 0 || (dpp.bank_mask >> lane / 4 % 4 & 1) == 0;
    if (!has_bit(context.active, lane) || masked) continue;
    const auto source = dpp.eight ? std::optional((lane & ~7u) | (*dpp.eight >> 3 * (lane & 7) & 7))
                                  : dpp_source(*dpp.code, lane, move.lanes);
    // DPP8 has no bound_ctrl: a lane that does not execute reads as 0.
    const bool zero = dpp.bound_ctrl || dpp.eight;
    move.source[0][lane] = amd_source(source, context, zero, dpp.fi);
  }
  return move;
}

}  // namespace

LaneInstruction read_dpp(const AmdMachine& machine, const LaneText& text,
                         const LaneContext& context) {
  text.expect(3, 8);
  const uint32_t result = text.register_number(text.operand(0), "v", 255);
  const uint32_t source = text.register_number(text.operand(1), "v", 255);
  const Dpp dpp = DppReader(machine, text).dpp();
  return {fmt::format("v_mov_b32_dpp v{}, v{}{}", result, source, dpp_suffix(machine, dpp)),
          dpp_words(dpp, result, source),
          {dpp_move(dpp, context)},
          kDppCost};
}

std::string dpp_instruction_text(const AmdMachine& machine, const std::vector<uint32_t>& words) {
  if (words.size() != 2) return "";
  const uint32_t source = words[0] & 0x1ff;
  Dpp dpp;
  dpp.fi = source == 0xea || (source == 0xfa && (words[1] >> 18 & 1) != 0);
  if (source == 0xfa) {
    dpp.code = words[1] >> 8 & 0x1ff;
    dpp.bound_ctrl = (words[1] >> 19 & 1) != 0;
    dpp.bank_mask = words[1] >> 24 & 15;
    dpp.row_mask = words[1] >> 28;
    if (dpp_text(machine, *dpp.code).empty() || !has_dpp_code(machine, *dpp.code)) return "";
  } else if (source == 0xe9 || source == 0xea) {
    dpp.eight = words[1] >> 8;
  } else {
    return "";
  }
  if ((dpp.fi || dpp.eight) && !machine.has_dpp8) return "";
  const uint32_t result = words[0] >> 17 & 0xff;
  if (dpp_words(dpp, result, words[1] & 0xff) != words) return "";
  return fmt::format("v_mov_b32_dpp v{}, v{}{}", result, words[1] & 0xff, dpp_suffix(machine, dpp));
}

}  // namespace shflsim::isa
