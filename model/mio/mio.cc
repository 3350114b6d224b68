// SPDX-License-Identifier: Apache-2.0
#include "model/mio/mio.h"

#include <algorithm>
#include <limits>

namespace shflsim::model {

MioQueue::MioQueue(const sc_core::sc_module_name& name, const MioParams& params)
    : sc_module(name), params_(params), ring_(params.queue_depth) {}

void MioQueue::push(const MioRequest& request, Cycle now) {
  ring_[(first_ + size_) % params_.queue_depth] = request;
  ++size_;
  ++operations_;
  if (request.facts->pipe == isa::Pipe::kGlobal) ++global_;
  if (size_ == 1) collect(std::max(now, head_ready_));
}

void MioQueue::pop(Cycle now) {
  if (head().facts->pipe == isa::Pipe::kGlobal) --global_;
  first_ = (first_ + 1) % params_.queue_depth;
  --size_;
  if (size_ != 0) collect(now);
}

void MioQueue::collect(Cycle now) {
  const uint32_t cycles =
      params_.collect_base + params_.collect_operand * head().facts->footprint.operand_count;
  head_ready_ = std::max(now, head().issued + params_.issue_latency) + cycles;
  busy_ += cycles;
}

bool UnitArbiter::evaluate(Cycle now) {
  bool progress = false;
  for (unsigned i = 0; i < kSubPartitions; ++i)
    progress |= grant((first_ + i) % kSubPartitions, now);
  if (progress) first_ = (first_ + 1) % kSubPartitions;
  return progress;
}

bool UnitArbiter::grant(unsigned sub_partition, Cycle now) {
  MioQueue& queue = *queues_[sub_partition];
  if (queue.empty() || queue.head_ready() > now) return false;
  const MioRequest request = queue.head();
  MioUnit& target = unit_of(request);
  if (target.free_from(sub_partition, now) > now) return false;
  back[sub_partition]->sources_read(request, now + queue.read_release());
  MioCompletion completion = target.start(sub_partition, request, now);
  completion.started = now;
  back[sub_partition]->completed(request, completion);
  queue.pop(now);
  return true;
}

Cycle UnitArbiter::next_change(Cycle now) const {
  Cycle next = std::numeric_limits<Cycle>::max();
  for (unsigned s = 0; s < kSubPartitions; ++s) {
    const MioQueue& queue = *queues_[s];
    if (queue.empty()) continue;
    const Cycle from = std::max(queue.head_ready(), now + 1);
    next = std::min(next, unit[static_cast<size_t>(queue.head().facts->pipe)]->free_from(s, from));
  }
  return next;
}

}  // namespace shflsim::model
