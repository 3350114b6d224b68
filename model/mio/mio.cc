// SPDX-License-Identifier: Apache-2.0
#include "model/mio/mio.h"

#include <algorithm>

namespace shflsim::model {

MioQueue::MioQueue(const sc_core::sc_module_name& name, const MioParams& params)
    : sc_module(name), params_(params), ring_(params.queue_depth) {}

void MioQueue::push(const MioRequest& request, Cycle now) {
  const uint32_t behind = first_ + size_;
  ring_[behind < params_.queue_depth ? behind : behind - params_.queue_depth] = request;
  ++size_;
  ++operations_;
  if (request.facts->pipe == isa::Pipe::kGlobal) ++global_;
  if (size_ != 1) return;
  collect(std::max(now, head_ready_));
  arbiter_->head_came(sub_partition_, now);
}

void MioQueue::pop(Cycle now) {
  if (head().facts->pipe == isa::Pipe::kGlobal) --global_;
  if (++first_ == params_.queue_depth) first_ = 0;
  --size_;
  if (size_ != 0) collect(now);
}

void MioQueue::collect(Cycle now) {
  const uint32_t cycles =
      params_.collect_base + params_.collect_operand * head().facts->footprint.operand_count;
  head_ready_ = std::max(now, head().issued + params_.issue_latency) + cycles;
  busy_ += cycles;
}

bool UnitArbiter::serve(Cycle now) {
  bool progress = false;
  for (unsigned i = 0; i < kSubPartitions; ++i) {
    const unsigned s = (first_ + i) % kSubPartitions;
    if (head_due_[s] > now) continue;
    head_due_[s] = unit_of(queues_[s]->head()).free_from(s, now);
    if (head_due_[s] > now) continue;
    grant(s, now);
    progress = true;
  }
  if (progress) first_ = (first_ + 1) % kSubPartitions;
  due_ = *std::min_element(head_due_.begin(), head_due_.end());
  return progress;
}

void UnitArbiter::grant(unsigned sub_partition, Cycle now) {
  MioQueue& queue = *queues_[sub_partition];
  const MioRequest& request = queue.head();
  MioReturn& to = *back[sub_partition].operator->();
  to.sources_read(request, now + queue.read_release());
  MioCompletion completion = unit_of(request).start(sub_partition, request, now);
  completion.started = now;
  to.completed(request, completion);
  queue.pop(now);
  to.left_queue();
  note_head(sub_partition, now);
}

void UnitArbiter::note_head(unsigned sub_partition, Cycle now) {
  const MioQueue& queue = *queues_[sub_partition];
  head_due_[sub_partition] = queue.empty() ? kNever : std::max(queue.head_ready(), now + 1);
}

void UnitArbiter::head_came(unsigned sub_partition, Cycle now) {
  note_head(sub_partition, now);
  due_ = std::min(due_, head_due_[sub_partition]);
}

}  // namespace shflsim::model
