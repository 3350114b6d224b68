// SPDX-License-Identifier: Apache-2.0
#include "isa/families/amd_parts.h"

#include <fmt/format.h>

#include <algorithm>

namespace shflsim::isa {
namespace {

// nod-ai's shark-ai, "AMDGPU kernel optimization guide": cycles on MI300, wait included.
const LaneCost kLdsCost = {50,
                           "about 50 cycles on MI300 (nod-ai, AMDGPU kernel optimization guide)"};

/// The offset of "swizzle(MODE,...)" in the assembler's five modes.
uint32_t swizzle_offset(const LaneText& text, const LaneToken& token) {
  if (token.text.back() != ')') text.reject(token, "no end of swizzle(; expected ')'");
  const std::string inner = token.text.substr(15, token.text.size() - 16);
  const size_t comma = std::min(inner.find(','), inner.size());
  const std::string mode = inner.substr(0, comma);
  const std::string rest = comma < inner.size() ? inner.substr(comma + 1) : "";
  if (mode == "BITMASK_PERM" && rest.size() == 7) {
    uint32_t keep = 0, set = 0, flip = 0;
    for (unsigned bit = 0; bit < 5; ++bit) {
      const char c = rest[5 - bit];
      if (c != '0' && c != '1' && c != 'p' && c != 'i')
        text.reject(token, "a mask of other letters; expected five of 0, 1, p and i in quotes");
      keep |= uint32_t{c == 'p' || c == 'i'} << bit;
      set |= uint32_t{c == '1'} << bit;
      flip |= uint32_t{c == 'i'} << bit;
    }
    return keep | set << 5 | flip << 10;
  }
  const auto numbers = [&](size_t count, uint32_t most) {
    return *text.keyed_list({mode + ":[" + rest + "]", token.column}, mode, count, most);
  };
  const auto power = [&](uint32_t size, uint32_t most) {
    if (size < 2 || size > most || (size & (size - 1)) != 0)
      text.reject(token,
                  fmt::format("groups of {}; expected a power of two from 2 to {}", size, most));
    return size;
  };
  if (mode == "QUAD_PERM") {
    const auto lanes = numbers(4, 3);
    return 0x8000 | lanes[0] | lanes[1] << 2 | lanes[2] << 4 | lanes[3] << 6;
  }
  if (mode == "SWAP") return 0x1f | power(2 * numbers(1, 16)[0], 32) / 2 << 10;
  if (mode == "REVERSE") return 0x1f | (power(numbers(1, 32)[0], 32) - 1) << 10;
  if (mode == "BROADCAST") {
    const auto sizes = numbers(2, 32);
    const uint32_t size = power(sizes[0], 32);
    if (sizes[1] >= size) text.reject(token, "a lane outside its group; expected one within it");
    return (0x1f & ~(size - 1)) | sizes[1] << 5;
  }
  text.reject(token,
              "'" + mode + "'; expected QUAD_PERM, BITMASK_PERM, BROADCAST, SWAP or REVERSE");
}

/// The offset in operand `index`, 0 if there is none.
uint32_t offset_of(const LaneText& text, size_t index) {
  if (index >= text.operands()) return 0;
  const LaneToken& token = text.operand(index);
  if (token.text.rfind("offset:swizzle(", 0) == 0 && text.operation() == "ds_swizzle_b32")
    return swizzle_offset(text, token);
  const auto offset = text.keyed(token, "offset", 0, 65535);
  if (!offset) text.reject(token, "'" + token.text + "'; expected offset:N");
  return *offset;
}

std::vector<uint32_t> ds_words(const AmdMachine& machine, uint32_t operation, uint32_t offset,
                               uint32_t address, uint32_t data, uint32_t result) {
  return {0xd8000000 | operation << machine.ds_shift | offset, address | data << 8 | result << 24};
}

}  // namespace

unsigned swizzle_source(uint32_t offset, unsigned lane) {
  const unsigned low = lane & 31;
  const unsigned keep = offset & 31;
  unsigned source = ((low & keep) | (offset >> 5 & 31)) ^ (offset >> 10 & 31);
  if (offset >= 0xe000) {  // the exchanges of a fast Fourier transform
    unsigned reversed = 0;
    for (unsigned bit = 0; bit < 5; ++bit) reversed |= (low >> bit & 1) << (4 - bit);
    source = keep == 31 ? low : reversed >> __builtin_popcount(keep) | (low & keep);
  } else if (offset >= 0xc000) {  // rotation of the lane bits outside `keep`
    const unsigned turn = offset >> 5 & 31;
    const unsigned turned = (offset >> 10 & 1) != 0 ? low - turn : low + turn;
    source = (low & keep) | (turned & 31 & ~keep);
  } else if (offset >= 0x8000) {
    source = (low & ~3u) | (offset >> 2 * (low & 3) & 3);
  }
  return (lane & 32) | source;
}

LaneInstruction read_swizzle(const AmdMachine& machine, const LaneText& text,
                             const LaneContext& context) {
  text.expect(2, 3);
  const uint32_t result = text.register_number(text.operand(0), "v", 255);
  const uint32_t source = text.register_number(text.operand(1), "v", 255);
  const uint32_t offset = offset_of(text, 2);
  LaneMove move(context.lanes);
  for (unsigned lane = 0; lane < move.lanes; ++lane) {
    if (has_bit(context.active, lane))
      move.source[0][lane] = amd_source(swizzle_source(offset, lane), context, true, false);
  }
  return {fmt::format("ds_swizzle_b32 v{}, v{} offset:{}", result, source, offset),
          ds_words(machine, machine.swizzle, offset, source, 0, result),
          {move},
          kLdsCost};
}

LaneInstruction read_ds_permute(const AmdMachine& machine, const LaneText& text,
                                const LaneContext& context) {
  text.expect(3, 4);
  const bool pulls = text.operation() == "ds_bpermute_b32";
  const uint32_t result = text.register_number(text.operand(0), "v", 255);
  const uint32_t address = text.register_number(text.operand(1), "v", 255);
  const uint32_t data = text.register_number(text.operand(2), "v", 255);
  const uint32_t offset = offset_of(text, 3);
  const std::vector<uint32_t> addresses = text.values(text.operand(1), context);
  LaneMove move(context.lanes);
  const unsigned reach = machine.permutes_halves ? 32 : move.lanes;
  for (unsigned lane = 0; lane < move.lanes; ++lane) {
    if (has_bit(context.active, lane)) move.source[0][lane] = LaneSource::zero();
  }
  for (unsigned lane = 0; lane < move.lanes; ++lane) {
    const unsigned other = (addresses[lane] + offset) / 4 % reach + lane / reach * reach;
    if (!has_bit(context.active, lane) || !has_bit(context.active, other)) continue;
    move.source[0][pulls ? lane : other] = LaneSource::of(pulls ? other : lane);
  }
  const uint32_t operation = pulls ? machine.bpermute : machine.permute;
  return {fmt::format("{} v{}, v{}, v{}{}", text.operation(), result, address, data,
                      offset == 0 ? "" : fmt::format(" offset:{}", offset)),
          ds_words(machine, operation, offset, address, data, result),
          {move},
          kLdsCost};
}

std::string ds_instruction_text(const AmdMachine& machine, const std::vector<uint32_t>& words) {
  if (words.size() != 2) return "";
  const uint32_t operation = words[0] >> machine.ds_shift & 0xff;
  const uint32_t offset = words[0] & 0xffff;
  const uint32_t address = words[1] & 0xff;
  const uint32_t data = words[1] >> 8 & 0xff;
  const uint32_t result = words[1] >> 24;
  if (ds_words(machine, operation, offset, address, data, result) != words) return "";
  if (operation == machine.swizzle && data == 0)
    return fmt::format("ds_swizzle_b32 v{}, v{} offset:{}", result, address, offset);
  if (operation != machine.permute && operation != machine.bpermute) return "";
  return fmt::format("ds_{}permute_b32 v{}, v{}, v{}{}", operation == machine.permute ? "" : "b",
                     result, address, data, offset == 0 ? "" : fmt::format(" offset:{}", offset));
}

}  // namespace shflsim::isa
