// SPDX-License-Identifier: Apache-2.0
#include "isa/base/access_records.h"

#include <algorithm>

namespace shflsim::isa {

uint16_t AccessRecords::in_piece(const AccessedBytes& bytes, uint64_t piece) {
  const uint64_t begin = piece * kPiece;
  const uint64_t first = std::max(bytes.offset, begin) - begin;
  const uint64_t end = std::min(bytes.offset + bytes.count, begin + kPiece) - begin;
  return static_cast<uint16_t>((1u << end) - (1u << first));
}

void AccessRecords::note(Access access, const AccessedBytes& bytes) {
  has_global_ = has_global_ || bytes.rank == AccessedBytes::kGlobal;
  for (uint64_t piece = bytes.offset / kPiece; piece <= last_of(bytes); ++piece) {
    std::vector<Access>& all = pieces_[key_of(bytes.rank, piece)];
    access.bytes = in_piece(bytes, piece);
    Access* same = nullptr;
    for (Access& each : all) {
      if (each.agent != access.agent || each.writes != access.writes || each.adds != access.adds)
        continue;
      if (each.count == access.count)
        same = &each;
      else
        each.bytes = static_cast<uint16_t>(each.bytes & ~access.bytes);
    }
    if (same != nullptr) {
      same->bytes = static_cast<uint16_t>(same->bytes | access.bytes);
      continue;
    }
    all.erase(
        std::remove_if(all.begin(), all.end(), [](const Access& each) { return each.bytes == 0; }),
        all.end());
    all.push_back(access);
  }
}

}  // namespace shflsim::isa
