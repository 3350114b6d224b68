// SPDX-License-Identifier: Apache-2.0
#include "model/mio/shared_pipe.h"

#include <algorithm>

#include "model/core/slot_mask.h"

namespace shflsim::model {
namespace {

/// Buffer room that a request needs.
uint32_t operands_of(const MioRequest& request) {
  return std::max(1u, uint32_t{request.facts->footprint.read_count});
}

}  // namespace

SharedPipe::SharedPipe(const sc_core::sc_module_name& name, const MioParams& params)
    : MioArbiter(name), params_(params) {
  for (Buffer& buffer : buffers_) buffer.ring.resize(std::max(1u, params.buffer_operands));
}

bool SharedPipe::evaluate_due(Cycle now) {
  bool progress = wanting_ != 0 && free_ <= now && grant(now);
  for_each_slot(reading_ | headed_, [&](unsigned s) {
    if (readers_[s].next_read <= now) progress |= read(s, now);
  });
  due_.set(next_change(now));
  return progress;
}

bool SharedPipe::grant(Cycle now) {
  for (unsigned i = 0; i < kSubPartitions; ++i) {
    const unsigned s = (first_ + i) % kSubPartitions;
    if ((wanting_ & bit(s)) == 0 || beat_from(s, now) > now) continue;
    send(s, now);
    first_ = (s + 1) % kSubPartitions;
    return true;
  }
  return false;
}

/// First cycle from `now` on in which the unit accepts the sub-partition's next beat.
Cycle SharedPipe::beat_from(unsigned sub_partition, Cycle now) const {
  const Buffer& buffer = buffers_[sub_partition];
  const Operation& first = buffer.front();
  return unit_of(first.request)
      .free_from(sub_partition, std::max({buffer.next_beat, first.ready, now}));
}

void SharedPipe::send(unsigned sub_partition, Cycle now) {
  Buffer& buffer = buffers_[sub_partition];
  Operation& operation = buffer.front();
  const MioRequest& request = operation.request;
  MioUnit& target = unit_of(request);
  --operation.beats;
  buffer.next_beat = now + params_.beat_interval;
  free_ = now + target.hold(request, now);
  if (operation.beats != 0 || !operation.complete) {
    note_beats(sub_partition);
    return target.took_beat(sub_partition);
  }
  // The unit counts from the first of its beats; the last one is granted now.
  const Cycle first = now - (target.beats(request) - 1);
  if (watch != nullptr) {
    watch->entered(sub_partition, request, Stage::kUnit, first);
    if (request.facts->pipe == isa::Pipe::kGlobal)
      watch->sources_read(sub_partition, request, now + params_.global_release);
  }
  const MioCompletion completion = target.start(sub_partition, request, first);
  if (request.facts->pipe == isa::Pipe::kGlobal)
    back_to(sub_partition).sources_read(request, now + params_.global_release);
  back_to(sub_partition).completed(request, completion);
  buffer.operands -= operands_of(request);
  buffer.pop();
  note_beats(sub_partition);
}

void SharedPipe::note_beats(unsigned sub_partition) {
  const Buffer& buffer = buffers_[sub_partition];
  const bool wants = buffer.size != 0 && buffer.front().beats != 0;
  wanting_ = wants ? wanting_ | bit(sub_partition) : wanting_ & ~bit(sub_partition);
}

/// An empty buffer accepts an operation of any size. Behind another operation, only operations of
/// shared memory are read ahead, if there is room.
bool SharedPipe::has_room(unsigned sub_partition) const {
  const Buffer& buffer = buffers_[sub_partition];
  if (buffer.size == 0) return true;
  const MioRequest& head = *heads_[sub_partition].request;
  return head.facts->pipe == isa::Pipe::kShared &&
         buffer.operands + operands_of(head) <= params_.buffer_operands;
}

bool SharedPipe::read(unsigned sub_partition, Cycle now) {
  Reader& reader = readers_[sub_partition];
  MioHead& head = heads_[sub_partition];
  if (!is_reading(sub_partition)) {
    if (head.request->issued + params_.issue_latency > now || !has_room(sub_partition))
      return false;
    reader = {*head.request, 0, 0, now};
    reading_ |= bit(sub_partition);
    head = queue_of(sub_partition).pop(now);
    if (!has_head(sub_partition)) headed_ &= ~bit(sub_partition);
    back_to(sub_partition).left_queue();
    if (watch != nullptr) {
      watch->left_queue(sub_partition, reader.request, now);
      watch->entered(sub_partition, reader.request, Stage::kOperands, now);
    }
  }
  if (reader.waited < params_.port_wait && bank_taken(sub_partition, now)) {
    ++reader.waited;
    ++collected_[sub_partition];
    return true;
  }
  collected_[sub_partition] += params_.collect_operand;
  operand_done(sub_partition, now + params_.collect_operand);
  return true;
}

bool SharedPipe::bank_taken(unsigned sub_partition, Cycle now) const {
  const Reader& reader = readers_[sub_partition];
  const isa::Footprint& footprint = reader.request.facts->footprint;
  return reader.operand < footprint.read_count &&
         banks[sub_partition]->bank_taken(footprint.reads[reader.operand].index, now);
}

void SharedPipe::start_operation(unsigned sub_partition) {
  Buffer& buffer = buffers_[sub_partition];
  ++buffer.size;
  buffer.back() = Operation{};
  buffer.back().request = readers_[sub_partition].request;
  buffer.operands += operands_of(buffer.back().request);
}

void SharedPipe::operand_done(unsigned sub_partition, Cycle ready) {
  Reader& reader = readers_[sub_partition];
  const MioRequest& request = reader.request;
  reader.waited = 0;
  reader.next_read = ready;
  ++reader.operand;
  const bool reads_on = reader.operand < request.facts->footprint.read_count;
  if (!reads_on) reading_ &= ~bit(sub_partition);
  // The first beat of a split SHFL precedes its last operand, unless that is its first.
  const bool splits = is_split(request);
  const bool is_last_but_one = splits && reader.operand + 1 == params_.split_operands;
  if (reads_on && !is_last_but_one) return;
  const bool has_started = splits && !is_last_but_one && params_.split_operands > 1;
  if (!has_started) start_operation(sub_partition);
  Operation& operation = buffers_[sub_partition].back();
  operation.ready = ready;
  if (splits && !has_started) ++operation.beats;
  if (!reads_on) operation.beats += unit_of(request).beats(request);
  operation.complete = !reads_on;
  note_beats(sub_partition);
  if (watch != nullptr && operation.complete) {
    watch->entered(sub_partition, request, Stage::kReady, ready);
    if (request.facts->pipe != isa::Pipe::kGlobal)
      watch->sources_read(sub_partition, request, ready + params_.read_release);
  }
  // A global-memory instruction releases its sources in its beat.
  if (operation.complete && request.facts->pipe != isa::Pipe::kGlobal)
    back_to(sub_partition).sources_read(request, ready + params_.read_release);
}

bool SharedPipe::is_split(const MioRequest& request) const {
  return params_.split_operands != 0 && request.facts->pipe == isa::Pipe::kShuffle &&
         request.facts->footprint.read_count >= params_.split_operands;
}

Cycle SharedPipe::next_change(Cycle now) const {
  Cycle next = kNever;
  for_each_slot(reading_, [&](unsigned s) {
    next = std::min(next, std::max(readers_[s].next_read, now + 1));
  });
  for_each_slot(headed_ & ~reading_, [&](unsigned s) {
    if (has_room(s)) next = std::min(next, head_from(s, now));
  });
  for_each_slot(next == now + 1 ? 0 : wanting_,
                [&](unsigned s) { next = std::min(next, beat_from(s, std::max(free_, now + 1))); });
  return next;
}

void SharedPipe::head_came(unsigned sub_partition, const MioHead& head, Cycle now) {
  heads_[sub_partition] = head;
  headed_ |= bit(sub_partition);
  due_.make_earlier(head_from(sub_partition, now));
}

/// First cycle for the queue's head if the sub-partition's reader is idle.
Cycle SharedPipe::head_from(unsigned sub_partition, Cycle now) const {
  const Cycle head = heads_[sub_partition].request->issued + params_.issue_latency;
  return std::max({head, readers_[sub_partition].next_read, now + 1});
}

}  // namespace shflsim::model
