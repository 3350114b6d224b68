// SPDX-License-Identifier: Apache-2.0
#include "model/global_memory/l2_tags.h"

#include <algorithm>

namespace shflsim::model {
namespace {

constexpr unsigned kAllSectors = (1u << kSectors) - 1;
constexpr uint64_t kLinesOfPage = 4096 / kLineBytes;

/// Marsaglia's xorshift64*: each bit of the result depends on all of the page.
uint64_t mixed(uint64_t page) {
  page ^= page >> 12;
  page ^= page << 25;
  page ^= page >> 27;
  return page * 0x2545F4914F6CDD1D;
}

uint64_t place(uint64_t line, bool is_copy) { return line << 1 | (is_copy ? 1 : 0); }

}  // namespace

L2Tags::L2Tags(uint32_t lines, unsigned halves, const Warm& warm)
    : halves_(halves), warm_(warm), tags_(lines, kCandidates) {}

/// The hash of a chip is not known. With this one the first pages of device memory are far from SM
/// 0, as they were from the SMs on which atomics were measured (fences.csv, timed/h100.csv).
unsigned L2Tags::home(uint64_t line) const {
  return halves_ == 1 ? 0 : static_cast<unsigned>(mixed(line / kLinesOfPage + 2) >> 63);
}

/// The line's sectors at home; nullptr in an L2 of no lines.
unsigned* L2Tags::at_home(uint64_t line) {
  TagStore::Entry* known = tags_.find(place(line, false));
  if (known != nullptr) return &known->sectors;
  const bool was_there = warm_.has_data && !tags_.is_full();
  const uint64_t draw = 1023 - (mixed(line / kLinesOfPage + 1) << 1 >> 54);  // 0 to 1023
  const bool has_copy = was_there && halves_ > 1 && draw * 100 < uint64_t{warm_.copies} << 10;
  if (has_copy) keep(line, kAllSectors);
  known = tags_.insert(place(line, false));
  if (known == nullptr) return nullptr;
  known->sectors = was_there ? kAllSectors : 0;
  return &known->sectors;
}

TagStore::Entry* L2Tags::copy(uint64_t line) { return tags_.find(place(line, true)); }

void L2Tags::keep(uint64_t line, unsigned sectors) {
  TagStore::Entry* const known = copy(line);
  TagStore::Entry* const entry = known == nullptr ? tags_.insert(place(line, true)) : known;
  if (entry != nullptr) entry->sectors |= sectors;
}

L2Tags::Found L2Tags::read(uint64_t line, unsigned sectors, unsigned half) {
  unsigned* const home_has = at_home(line);
  if (home_has == nullptr) return {sectors, is_far(line, half)};
  const unsigned missing = sectors & ~*home_has;
  if (!is_far(line, half)) return {missing, false};
  const TagStore::Entry* const here = copy(line);
  if (here != nullptr && (sectors & ~here->sectors) == 0) return {};
  keep(line, sectors);
  return {missing, true};
}

void L2Tags::fill(uint64_t line, unsigned sectors) {
  if (unsigned* const home_has = at_home(line)) *home_has |= sectors;
}

void L2Tags::write(uint64_t line, unsigned sectors, bool is_partial, unsigned half) {
  unsigned* const home_has = at_home(line);
  if (home_has != nullptr) *home_has |= sectors;
  if (halves_ == 1) return;
  if (!is_far(line, half)) return tags_.drop(place(line, true));
  if (!is_partial) keep(line, sectors);
}

}  // namespace shflsim::model
