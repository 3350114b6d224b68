// SPDX-License-Identifier: Apache-2.0
#include "model/mio/unit_arbiter.h"

#include <algorithm>

namespace shflsim::model {

bool UnitArbiter::evaluate_due(Cycle now) {
  bool progress = false;
  for (unsigned i = 0; i < kSubPartitions; ++i) {
    const unsigned s = (first_ + i) % kSubPartitions;
    if (head_due_[s] > now) continue;
    head_due_[s] = unit_of(*heads_[s].request).free_from(s, now);
    if (head_due_[s] > now) continue;
    grant(s, now);
    progress = true;
  }
  if (progress) first_ = (first_ + 1) % kSubPartitions;
  due_ = *std::min_element(head_due_.begin(), head_due_.end());
  return progress;
}

void UnitArbiter::grant(unsigned sub_partition, Cycle now) {
  const MioRequest& request = *heads_[sub_partition].request;
  MioReturn& to = back_to(sub_partition);
  to.sources_read(request, now + read_release_);
  const MioCompletion completion = unit_of(request).start(sub_partition, request, now);
  const MioHead next = queue_of(sub_partition).pop(now);
  if (watch != nullptr) {
    watch->sources_read(sub_partition, request, now + read_release_);
    watch->granted(sub_partition, request, next, now);
  }
  to.completed(request, completion);
  note_head(sub_partition, next, now);
  to.left_queue();
}

void UnitArbiter::note_head(unsigned sub_partition, const MioHead& head, Cycle now) {
  heads_[sub_partition] = head;
  head_due_[sub_partition] = head.request == nullptr ? kNever : std::max(head.ready, now + 1);
}

void UnitArbiter::head_came(unsigned sub_partition, const MioHead& head, Cycle now) {
  note_head(sub_partition, head, now);
  due_ = std::min(due_, head_due_[sub_partition]);
  if (watch != nullptr) watch->came_to_head(sub_partition, head, now);
}

}  // namespace shflsim::model
