// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "isa/families/amd.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kRow = 16;  ///< lanes of a row

/// Source lane of a code within a row; none if it is outside the row.
std::optional<unsigned> place_in_row(uint32_t code, unsigned place) {
  const unsigned count = code & 15;
  switch (code >> 4) {
    case 0x10: return place + count < kRow ? std::optional(place + count) : std::nullopt;
    case 0x11: return place >= count ? std::optional(place - count) : std::nullopt;
    case 0x12: return (place + kRow - count) % kRow;
    case 0x14: return place ^ (count == 0 ? 15u : 7u);
    case 0x15: return count;
    default: return place ^ count;
  }
}

/// Codes that move lanes along the whole wave.
std::optional<unsigned> lane_of_wave(uint32_t code, unsigned lane, unsigned lanes) {
  switch (code) {
    case 0x130: return lane + 1 < lanes ? std::optional(lane + 1) : std::nullopt;
    case 0x134: return (lane + 1) % lanes;
    case 0x138: return lane > 0 ? std::optional(lane - 1) : std::nullopt;
    case 0x13c: return (lane + lanes - 1) % lanes;
    case 0x142: return lane >= kRow ? std::optional(lane / kRow * kRow - 1) : std::nullopt;
    default: return lane >= 32 ? std::optional(31u) : std::nullopt;
  }
}

bool is_of_wave(uint32_t code) { return code >> 4 == 0x13 || code == 0x142 || code == 0x143; }

/// A spelling "NAME:N" of the codes base + N.
struct DppName {
  const char* name;
  uint32_t base;
  uint32_t least, most;
};
constexpr DppName kDppNames[] = {{"row_shl", 0x100, 1, 15}, {"row_shr", 0x110, 1, 15},
                                 {"row_ror", 0x120, 1, 15}, {"row_xmask", 0x160, 0, 15},
                                 {"wave_shl", 0x12f, 1, 1}, {"wave_rol", 0x133, 1, 1},
                                 {"wave_shr", 0x137, 1, 1}, {"wave_ror", 0x13b, 1, 1}};

}  // namespace

std::optional<unsigned> dpp_source(uint32_t code, unsigned lane, unsigned lanes) {
  if (code < 0x100) return (lane & ~3u) | (code >> 2 * (lane & 3) & 3);
  if (is_of_wave(code)) return lane_of_wave(code, lane, lanes);
  const std::optional<unsigned> place = place_in_row(code, lane % kRow);
  return place ? std::optional(lane / kRow * kRow + *place) : std::nullopt;
}

const std::vector<uint32_t>& dpp_codes() {
  static const std::vector<uint32_t> codes = [] {
    std::vector<uint32_t> all;
    for (uint32_t code = 0; code < 0x170; ++code) {
      const bool is_shift = code >= 0x100 && code < 0x130 && (code & 15) != 0;
      const bool is_single = code == 0x130 || code == 0x134 || code == 0x138 || code == 0x13c;
      if (code < 0x100 || is_shift || is_single || (code >= 0x140 && code <= 0x143) ||
          code >= 0x150)
        all.push_back(code);
    }
    return all;
  }();
  return codes;
}

bool has_dpp_code(const AmdMachine& machine, uint32_t code) {
  if (is_of_wave(code)) return machine.has_wave_shifts;
  if (code >> 4 == 0x15) return machine.has_row_broadcast || machine.has_dpp8;
  return code >> 4 != 0x16 || machine.has_dpp8;
}

std::string dpp_text(const AmdMachine& machine, uint32_t code) {
  if (code < 0x100) {
    return fmt::format("quad_perm:[{},{},{},{}]", code & 3, code >> 2 & 3, code >> 4 & 3,
                       code >> 6 & 3);
  }
  if (code == 0x140) return "row_mirror";
  if (code == 0x141) return "row_half_mirror";
  if (code == 0x142 || code == 0x143) return fmt::format("row_bcast:{}", code == 0x142 ? 15 : 31);
  if (code >> 4 == 0x15)
    return fmt::format("{}:{}", machine.has_dpp8 ? "row_share" : "row_newbcast", code & 15);
  for (const DppName& name : kDppNames) {
    if (code >= name.base + name.least && code <= name.base + name.most)
      return fmt::format("{}:{}", name.name, code - name.base);
  }
  return "";
}

}  // namespace shflsim::isa
