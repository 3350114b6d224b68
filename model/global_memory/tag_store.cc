// SPDX-License-Identifier: Apache-2.0
#include "model/global_memory/tag_store.h"

namespace shflsim::model {
namespace {

/// Marsaglia's xorshift64, with the shifts 13, 7 and 17.
uint64_t next_draw(uint64_t state) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^ state << 17;
}

}  // namespace

TagStore::Entry* TagStore::find(uint64_t line) {
  const auto known = where_.find(line);
  if (known == where_.end()) return nullptr;
  Entry& entry = entries_[known->second];
  entry.used = ++uses_;
  return &entry;
}

TagStore::Entry* TagStore::insert(uint64_t line) {
  if (lines_ == 0) return nullptr;
  size_t at = entries_.size();
  if (at == lines_) {
    at = victim();
    where_.erase(entries_[at].line);
  } else {
    entries_.emplace_back();
  }
  where_[line] = at;
  entries_[at] = {line, 0, 0, ++uses_};
  return &entries_[at];
}

void TagStore::drop(uint64_t line) {
  const auto known = where_.find(line);
  if (known == where_.end()) return;
  const size_t at = known->second;
  where_.erase(known);
  if (at + 1 != entries_.size()) {
    entries_[at] = entries_.back();
    where_[entries_[at].line] = at;
  }
  entries_.pop_back();
}

size_t TagStore::victim() {
  size_t oldest = 0;
  for (uint32_t i = 0; i < candidates_; ++i) {
    draw_ = next_draw(draw_);
    const size_t at = draw_ % entries_.size();
    if (i == 0 || entries_[at].used < entries_[oldest].used) oldest = at;
  }
  return oldest;
}

}  // namespace shflsim::model
