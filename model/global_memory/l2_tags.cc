// SPDX-License-Identifier: Apache-2.0
#include "model/global_memory/l2_tags.h"

#include <algorithm>
#include <utility>

#include "model/global_memory/warp_access.h"

namespace shflsim::model {
namespace {

constexpr unsigned kAllSectors = (1u << kSectors) - 1;
constexpr uint64_t kLinesOfPage = 4096 / kLineBytes;
constexpr uint64_t kLinesOfPlace = 512 / kLineBytes;  // the driver's buffers begin at multiples
constexpr uint64_t kLinesOfChunk = (2 << 20) / kLineBytes;

/// At most one in this many lines may be dirty (measured: short in scripts/lab/hw/chip, reads of 17
/// and 35 MB over bytes that were written have 8 and 13 MB of these written back).
constexpr uint32_t kDirtyShare = 3;

uint64_t place(uint64_t line, bool is_copy) { return line << 1 | (is_copy ? 1 : 0); }

/// Returns when the awaited sectors among these are there; 0 if none is awaited.
Cycle ready_of(const L2Sets::Entry& entry, unsigned sectors) {
  return (entry.awaited & sectors) != 0 ? entry.ready : 0;
}

unsigned bits_of(unsigned sectors) { return static_cast<unsigned>(__builtin_popcount(sectors)); }

}  // namespace

L2Tags::L2Tags(uint32_t lines, unsigned halves, const Warm& warm)
    : halves_(halves),
      hash_(1, halves),
      warm_(warm),
      tags_(lines),
      most_dirty_(lines / kDirtyShare) {}

/// The line's entry at home, made if it is missing; nullptr in an L2 without lines.
L2Sets::Entry* L2Tags::at_home(uint64_t line) {
  L2Sets::Entry* known = tags_.find(place(line, false));
  if (known != nullptr) return known;
  const bool was_there = warm_.has_data && tags_.has_room(place(line, false)) && !is_restored(line);
  const uint64_t draw = 1023 - (mixed_bits(line / kLinesOfPage + 1) << 1 >> 54);  // 0 to 1023
  const bool has_copy = was_there && halves_ > 1 && draw * 100 < uint64_t{warm_.copies} << 10;
  if (has_copy) keep(line, kAllSectors);
  known = insert(place(line, false));
  if (known != nullptr) known->sectors = was_there ? kAllSectors : 0;
  return known;
}

bool L2Tags::is_restored(uint64_t line) const {
  return std::any_of(restored_.begin(), restored_.end(), [line](const Lines& lines) {
    return lines.first <= line && line < lines.end;
  });
}

/// Where the driver has put a buffer is known if it has been restored.
unsigned L2Tags::home(uint64_t line) const {
  for (const Placed& buffer : placed_) {
    const Lines& lines = buffer.lines;
    if (lines.first <= line && line < lines.end)
      return L2Hash::home_of_page((buffer.at + line - lines.first) / kLinesOfPage);
  }
  return hash_.home(line);
}

/// The half whose SM copies to the line. SMs of both halves copy, one KiB at a time (measured:
/// crossing.csv, a copy on the device). Where an SM of the line's own half writes, there is no copy
/// in the other half; this concerns half of the lines of each half.
unsigned L2Tags::restoring_half(uint64_t line, uint64_t first) const {
  if (halves_ == 1) return 0;
  if (warm_.restored_piece != 0) {
    const uint64_t piece = (line - first) / warm_.restored_piece;
    return piece == 0 ? 0 : mixed_bits(first + piece) >> 32 & 1;
  }
  const unsigned home = this->home(line);
  const uint64_t draw = mixed_bits(line / 8) ^ uint64_t { home } << 63;
  return (draw >> 32) * 50 < uint64_t{warm_.restored_far} << 32 ? home : 1 - home;
}

/// The driver places buffers of up to 2 MiB side by side, as many as fit into 2 MiB (measured:
/// homes.csv.gz of tests/data/h200/2026-11-30, all 674 buffers).
uint64_t L2Tags::take_room(uint64_t lines) {
  const uint64_t size = (lines + kLinesOfPlace - 1) / kLinesOfPlace * kLinesOfPlace;
  const uint64_t left = kLinesOfChunk - room_ % kLinesOfChunk;
  if (size > left) room_ += left;
  return std::exchange(room_, room_ + size);
}

void L2Tags::restore(uint64_t first, uint64_t lines) {
  constexpr uint64_t kElsewhere = uint64_t{1} << 48;
  for (const uint64_t from : {first, first + kElsewhere}) {
    restored_.push_back({from, from + lines});
    if (warm_.restored_piece == 0 || lines > kLinesOfChunk) continue;
    placed_.push_back({restored_.back(), take_room(lines)});
  }
  for (uint64_t line = first; line < first + lines; ++line) {
    const unsigned half = restoring_half(line, first);
    if (read(line + kElsewhere, kAllSectors, half).missing != 0)
      fill(line + kElsewhere, kAllSectors, {});
    write(line, kAllSectors, false, half);
  }
  written_back();
}

L2Sets::Entry* L2Tags::insert(uint64_t place, bool goes_first) {
  L2Sets::Entry evicted;
  L2Sets::Entry* const entry = tags_.insert(place, goes_first, &evicted);
  sectors_back_ += bits_of(evicted.dirty);
  return entry;
}

void L2Tags::make_dirty(L2Sets::Entry* entry, unsigned sectors) {
  if (entry->dirty == 0) dirty_.push_back(entry->line);
  entry->dirty |= sectors;
  if (dirty_.size() > most_dirty_) clean_oldest();
}

void L2Tags::clean_oldest() {
  L2Sets::Entry* const oldest = tags_.peek(dirty_.front());
  dirty_.pop_front();
  if (oldest == nullptr) return;
  sectors_back_ += bits_of(oldest->dirty);
  oldest->dirty = 0;
}

unsigned L2Tags::written_back() {
  const unsigned sectors = sectors_back_;
  sectors_back_ = 0;
  return sectors;
}

L2Sets::Entry* L2Tags::copy(uint64_t line) { return tags_.find(place(line, true)); }

void L2Tags::keep(uint64_t line, unsigned sectors, bool goes_first) {
  L2Sets::Entry* const known = copy(line);
  L2Sets::Entry* const entry = known == nullptr ? insert(place(line, true), goes_first) : known;
  if (entry != nullptr) entry->sectors |= sectors;
}

void L2Tags::await(L2Sets::Entry* entry, unsigned sectors, const Way& way) {
  if (entry->ready <= way.asked) entry->awaited = 0;
  entry->awaited |= sectors;
  entry->ready = std::max(entry->ready, way.ready);
}

L2Tags::Found L2Tags::read(uint64_t line, unsigned sectors, unsigned half) {
  const L2Sets::Entry* const home_has = at_home(line);
  if (home_has == nullptr) return {sectors, is_far(line, half), 0};
  const unsigned missing = sectors & ~home_has->sectors;
  const Cycle ready = ready_of(*home_has, sectors);
  if (!is_far(line, half)) return {missing, false, ready};
  const L2Sets::Entry* const here = copy(line);
  if (here != nullptr && (sectors & ~here->sectors) == 0)
    return {0, false, ready_of(*here, sectors)};
  keep(line, sectors);
  return {missing, true, ready};
}

void L2Tags::fill(uint64_t line, unsigned sectors, const Way& way) {
  L2Sets::Entry* const home_has = at_home(line);
  if (home_has == nullptr) return;
  home_has->sectors |= sectors;
  await(home_has, sectors, way);
}

void L2Tags::come(uint64_t line, unsigned sectors, const Way& way) {
  if (L2Sets::Entry* const here = copy(line)) await(here, sectors, way);
}

L2Tags::Found L2Tags::update(uint64_t line, unsigned sectors, unsigned half) {
  L2Sets::Entry* const home_has = at_home(line);
  if (home_has == nullptr) return {sectors, is_far(line, half), 0};
  const Found found{sectors & ~home_has->sectors, is_far(line, half), ready_of(*home_has, sectors)};
  make_dirty(home_has, sectors);
  if (halves_ > 1) tags_.drop(place(line, true));
  return found;
}

void L2Tags::write(uint64_t line, unsigned sectors, bool is_partial, unsigned half) {
  if (L2Sets::Entry* const home_has = at_home(line)) {
    home_has->sectors |= sectors;
    make_dirty(home_has, sectors);
  }
  if (halves_ == 1) return;
  if (!is_far(line, half)) return tags_.drop(place(line, true));
  if (!is_partial) keep(line, sectors, true);
}

}  // namespace shflsim::model
