// SPDX-License-Identifier: Apache-2.0
#include "model/mio/mio_queue.h"

#include <algorithm>
#include <cassert>

namespace shflsim::model {

MioQueue::MioQueue(const sc_core::sc_module_name& name, const MioParams& params,
                   unsigned sub_partition)
    : Unit(name),
      arbiter("arbiter"),
      params_(params),
      sub_partition_(sub_partition),
      collects_(params.arbitration != "shared_pipe"),
      ring_(params.queue_depth),
      free_from_(params.queue_depth) {}

void MioQueue::push(const MioRequest& request, Cycle now) {
  assert(room_from_ <= now && "an instruction issues where the queue has room");
  ring_[place(size_)] = request;
  free_from_[place(size_)] = kNever;
  ++size_;
  if (request.facts->pipe == isa::Pipe::kGlobal) ++global_;
  room_from_ = free_from_[place(size_)];
  if (size_ != 1) return;
  arbiter->head_came(sub_partition_, collect(std::max(now, head_ready_)), now);
}

/// Delays what is on its way to the operand reader.
[[gnu::noinline]] void MioQueue::delay(Cycle now, Cycle cycles) {
  for (uint32_t i = 0; i < size_; ++i) params_.delay(&ring_[place(i)], now, cycles);
  if (has_passed_) arbiter->stop(sub_partition_, now, cycles);
}

MioHead MioQueue::pop(Cycle now) {
  assert(size_ != 0 && "an empty queue has no head");
  if (ring_[first_].facts->pipe == isa::Pipe::kGlobal) --global_;
  free_from_[first_] = now + params_.place_back;
  if (++first_ == params_.queue_depth) first_ = 0;
  --size_;
  room_from_ = free_from_[place(size_)];
  return size_ == 0 ? MioHead{} : collect(now);
}

/// The head starts to collect its operands.
MioHead MioQueue::collect(Cycle now) {
  const MioRequest& head = ring_[first_];
  const uint32_t operands = head.facts->footprint.read_count;
  const uint32_t cycles = collects_ ? params_.collect_base + params_.collect_operand * operands : 0;
  head_ready_ = std::max(now, head.issued + params_.issue_latency) + cycles;
  count(cycles);
  return {&head, head_ready_};
}

}  // namespace shflsim::model
