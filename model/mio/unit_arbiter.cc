// SPDX-License-Identifier: Apache-2.0
#include "model/mio/unit_arbiter.h"

#include <algorithm>

namespace shflsim::model {

void UnitArbiter::end_of_elaboration() {
  MioArbiter::end_of_elaboration();
  for (size_t i = 0; i < unit.size(); ++i) {
    for (unsigned s = 0; s < kSubPartitions && unit[i].size() != 0; ++s)
      kept_free_[i][s] = unit[i]->kept_free(s);
  }
}

bool UnitArbiter::evaluate_due(Cycle now) {
  bool progress = false;
  for (unsigned i = 0; i < kSubPartitions; ++i) {
    const unsigned s = (first_ + i) % kSubPartitions;
    if (head_due_[s] > now) continue;
    const Cycle* const kept = head_free_[s];
    head_due_[s] = kept != nullptr ? *kept : head_unit_[s]->free_from(s, now);
    if (head_due_[s] > now) continue;
    grant(s, now);
    progress = true;
  }
  if (progress) first_ = (first_ + 1) % kSubPartitions;
  due_.set(std::min({head_due_[0], head_due_[1], head_due_[2], head_due_[3]}));
  return progress;
}

void UnitArbiter::grant(unsigned sub_partition, Cycle now) {
  const MioRequest& request = *heads_[sub_partition].request;
  MioReturn& to = back_to(sub_partition);
  to.sources_read(request, now + read_release_);
  const MioCompletion completion = head_unit_[sub_partition]->start(sub_partition, request, now);
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
  head_due_[sub_partition] = kNever;
  if (head.request == nullptr) return;
  head_due_[sub_partition] = std::max(head.ready, now + 1);
  head_unit_[sub_partition] = &unit_of(*head.request);
  head_free_[sub_partition] =
      kept_free_[static_cast<size_t>(head.request->facts->pipe)][sub_partition];
}

void UnitArbiter::head_came(unsigned sub_partition, const MioHead& head, Cycle now) {
  note_head(sub_partition, head, now);
  due_.make_earlier(head_due_[sub_partition]);
  if (watch != nullptr) watch->came_to_head(sub_partition, head, now);
}

}  // namespace shflsim::model
