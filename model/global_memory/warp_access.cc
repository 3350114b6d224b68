// SPDX-License-Identifier: Apache-2.0
#include "model/global_memory/warp_access.h"

#include <algorithm>

#include "isa/machine/asynchronous_row.h"
#include "model/global_memory/copy_writes.h"

namespace shflsim::model {
namespace {

constexpr uint32_t kWordBytes = 4;
constexpr unsigned kBanks = kLineBytes / kWordBytes;
constexpr unsigned kTagBanks = 4;
constexpr uint64_t kWordOfBytes = 0xF;
constexpr uint64_t kSectorOfBytes = 0xFFFFFFFF;

uint64_t sector_bytes(const LineTouch& touch, unsigned sector) {
  return touch.bytes[sector / 2] >> (sector % 2 * kSectorBytes) & kSectorOfBytes;
}

bool has_word(const LineTouch& touch, unsigned word) {
  return (touch.bytes[word / 16] >> (word % 16 * kWordBytes) & kWordOfBytes) != 0;
}

LineTouch& touch_of(uint64_t line, std::vector<LineTouch>* lines) {
  const auto known = std::find_if(lines->rbegin(), lines->rend(),
                                  [line](const LineTouch& each) { return each.line == line; });
  if (known != lines->rend()) return *known;
  lines->push_back({line, {}, 0});
  return lines->back();
}

void add(uint64_t address, uint32_t bytes, std::vector<LineTouch>* lines) {
  while (bytes != 0) {
    const auto offset = static_cast<uint32_t>(address % kLineBytes);
    const uint32_t in_half = std::min(bytes, 64 - offset % 64);
    touch_of(address / kLineBytes, lines).bytes[offset / 64] |= ((uint64_t{1} << in_half) - 1)
                                                                << offset % 64;
    address += in_half;
    bytes -= in_half;
  }
}

void add_lanes(const traces::LaneAddresses& addresses, isa::LaneMask lanes, uint32_t bytes,
               std::vector<LineTouch>* lines) {
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
    if ((lanes >> lane & 1u) != 0) add(addresses[lane], bytes, lines);
  }
}

/// The greatest number of lines that need a word of the same bank.
uint32_t passes(const std::vector<LineTouch>& lines) {
  std::array<uint32_t, kBanks> load{};
  for (const LineTouch& touch : lines) {
    for (unsigned word = 0; word < kBanks; ++word) load[word] += has_word(touch, word) ? 1 : 0;
  }
  return *std::max_element(load.begin(), load.end());
}

/// Passes if each half of the warp, or each quarter for more than 8 bytes per lane, accesses
/// separately.
uint32_t passes_of_parts(const traces::LaneAddresses& addresses, isa::LaneMask lanes,
                         uint32_t bytes) {
  const unsigned lanes_of_part = bytes <= 2 * kWordBytes ? isa::kLanes / 2 : isa::kLanes / 4;
  const isa::LaneMask first = (1u << lanes_of_part) - 1;
  uint32_t sum = 0;
  for (unsigned lane = 0; lane < isa::kLanes; lane += lanes_of_part) {
    std::vector<LineTouch> lines;
    add_lanes(addresses, lanes & first << lane, bytes, &lines);
    sum += passes(lines);
  }
  return sum;
}

/// XOR of all pairs of bits of the line's address, so that strides spread over the banks.
unsigned tag_bank(uint64_t line) {
  unsigned bank = 0;
  for (; line != 0; line /= kTagBanks) bank ^= line % kTagBanks;
  return bank;
}

uint32_t most_in_a_tag_bank(const std::vector<LineTouch>& lines) {
  std::array<uint32_t, kTagBanks> load{};
  for (const LineTouch& touch : lines) ++load[tag_bank(touch.line)];
  return *std::max_element(load.begin(), load.end());
}

/// Lanes on one word execute one after another, and so do sectors.
uint32_t add_steps_of_atomic(const traces::LaneAddresses& addresses, isa::LaneMask lanes,
                             std::vector<LineTouch>* lines) {
  std::array<uint64_t, isa::kLanes> sorted{};
  auto end = sorted.begin();
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
    if ((lanes >> lane & 1u) != 0) *end++ = addresses[lane];
  }
  std::sort(sorted.begin(), end);
  uint32_t steps = 0;
  uint32_t most = 0;
  uint32_t on_word = 0;
  const auto end_sector = [&](uint64_t last) {
    LineTouch& touch = touch_of(last / kLineBytes, lines);
    touch.atomic_steps += most;
    touch.atomic_most = std::max(touch.atomic_most, most);
    steps += most;
  };
  for (auto each = sorted.begin(); each != end; ++each) {
    const bool is_first = each == sorted.begin();
    const bool is_new_sector = is_first || *each / kSectorBytes != each[-1] / kSectorBytes;
    on_word = !is_first && *each == each[-1] ? on_word + 1 : 1;
    if (is_new_sector && !is_first) end_sector(each[-1]);
    most = is_new_sector ? on_word : std::max(most, on_word);
  }
  if (end != sorted.begin()) end_sector(end[-1]);
  return steps;
}

}  // namespace

unsigned LineTouch::sector_mask() const {
  unsigned mask = 0;
  for (unsigned sector = 0; sector < kSectors; ++sector) {
    if (sector_bytes(*this, sector) != 0) mask |= 1u << sector;
  }
  return mask;
}

bool LineTouch::is_partial() const {
  for (unsigned sector = 0; sector < kSectors; ++sector) {
    const uint64_t touched = sector_bytes(*this, sector);
    if (touched != 0 && touched != kSectorOfBytes) return true;
  }
  return false;
}

void WarpAccess::coalesce(const traces::LaneAddresses& addresses, isa::LaneMask lanes,
                          uint32_t bytes, const AccessFacts& facts, uint64_t warp) {
  lines.clear();
  if (facts.is_local) {
    coalesce_local(addresses, lanes, bytes, warp);
  } else {
    add_lanes(addresses, lanes, bytes, &lines);
  }
  wavefronts = part_wavefronts = std::max(1u, passes(lines));
  if (bytes > kWordBytes && !facts.is_local)
    part_wavefronts = std::max(1u, passes_of_parts(addresses, lanes, bytes));
  if (bytes > 2 * kWordBytes) wavefronts = part_wavefronts;
  tag_cycles = std::max(1u, most_in_a_tag_bank(lines));
  sectors = partial_lines = 0;
  for (const LineTouch& touch : lines) {
    sectors += touch.sectors();
    partial_lines += touch.is_partial() ? 1 : 0;
  }
  atomic_steps =
      facts.kind == AccessKind::kAtomic ? add_steps_of_atomic(addresses, lanes, &lines) : 0;
}

void WarpAccess::coalesce_copies(const traces::LaneAddresses& row, isa::LaneMask lanes,
                                 uint32_t bytes, const AccessFacts& facts) {
  const traces::LaneAddresses from = isa::copied_from(row);
  for (unsigned lane = 0; lane < isa::kLanes; ++lane)
    if (from[lane] == 0) lanes &= ~(1u << lane);
  coalesce(from, lanes, bytes, facts, 0);
  copy_cycles = model::copy_cycles(row, lanes);
}

/// In local memory, word w of all lanes shares a line; each word has a line of its own.
void WarpAccess::coalesce_local(const traces::LaneAddresses& addresses, isa::LaneMask lanes,
                                uint32_t bytes, uint64_t warp) {
  constexpr uint64_t kLocal = uint64_t{1} << 63;
  constexpr unsigned kWarpShift = 40;  // a thread has at most 512 KiB, one line per word
  for (uint32_t part = 0; part < bytes; part += kWordBytes) {
    for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
      if ((lanes >> lane & 1u) == 0) continue;
      const uint64_t own = addresses[lane] + part;
      add(kLocal | warp << kWarpShift |
              (own / kWordBytes * kLineBytes + lane * kWordBytes + own % kWordBytes),
          std::min(bytes - part, kWordBytes), &lines);
    }
  }
}

}  // namespace shflsim::model
