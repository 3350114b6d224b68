// SPDX-License-Identifier: Apache-2.0
#include "model/mio/shared_pipe.h"

#include <algorithm>

namespace shflsim::model {
namespace {

/// Room that a request takes.
uint32_t operands_of(const MioRequest& request) {
  return std::max(1u, uint32_t{request.facts->footprint.read_count});
}

}  // namespace

SharedPipe::SharedPipe(const sc_core::sc_module_name& name, const MioParams& params)
    : MioArbiter(name), params_(params) {
  for (Buffer& buffer : buffers_) buffer.ring.resize(std::max(1u, params.buffer_operands));
}

bool SharedPipe::evaluate_due(Cycle now) {
  bool progress = free_ <= now && grant(now);
  for (unsigned s = 0; s < kSubPartitions; ++s) {
    const Reader& reader = readers_[s];
    const bool has_work = reader.reading || heads_[s].request != nullptr;
    if (has_work && reader.next_read <= now) progress |= read(s, now);
  }
  due_ = next_change(now);
  return progress;
}

bool SharedPipe::grant(Cycle now) {
  for (unsigned i = 0; i < kSubPartitions; ++i) {
    const unsigned s = (first_ + i) % kSubPartitions;
    if (!buffers_[s].wants_beat() || beat_from(s, now) > now) continue;
    send(s, now);
    first_ = (s + 1) % kSubPartitions;
    return true;
  }
  return false;
}

/// First cycle from `now` on in which the sub-partition's unit takes the next beat.
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
  if (operation.beats != 0 || !operation.complete) return target.took_beat(sub_partition);
  // The unit counts from the first beat of its own; the last one is granted now.
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
  buffer.first = (buffer.first + 1) % static_cast<uint32_t>(buffer.ring.size());
  --buffer.size;
}

/// An empty buffer takes an operation of any size. Behind another, only shared memory's are read
/// ahead, as far as they have room.
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
  const bool idle = !reader.reading && reader.next_read <= now;
  if (idle && head.request != nullptr && head.request->issued + params_.issue_latency <= now &&
      has_room(sub_partition)) {
    reader = Reader{};
    reader.request = *head.request;
    reader.reading = true;
    reader.next_read = now;
    head = queue_of(sub_partition).pop(now);
    back_to(sub_partition).left_queue();
    if (watch != nullptr) {
      watch->left_queue(sub_partition, reader.request, now);
      watch->entered(sub_partition, reader.request, Stage::kOperands, now);
    }
  }
  if (!reader.reading || reader.next_read > now) return false;
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
  reader.reading = reader.operand < request.facts->footprint.read_count;
  // The first beat of a split SHFL goes ahead of its last operand, where that is not its first.
  const bool splits = is_split(request);
  const bool is_last_but_one = splits && reader.operand + 1 == params_.split_operands;
  if (reader.reading && !is_last_but_one) return;
  const bool has_started = splits && !is_last_but_one && params_.split_operands > 1;
  if (!has_started) start_operation(sub_partition);
  Operation& operation = buffers_[sub_partition].back();
  operation.ready = ready;
  if (splits && !has_started) ++operation.beats;
  if (!reader.reading) operation.beats += unit_of(request).beats(request);
  operation.complete = !reader.reading;
  if (watch != nullptr && operation.complete) {
    watch->entered(sub_partition, request, Stage::kReady, ready);
    if (request.facts->pipe != isa::Pipe::kGlobal)
      watch->sources_read(sub_partition, request, ready + params_.read_release);
  }
  // A global-memory instruction lets go of its sources in its beat.
  if (operation.complete && request.facts->pipe != isa::Pipe::kGlobal)
    back_to(sub_partition).sources_read(request, ready + params_.read_release);
}

bool SharedPipe::is_split(const MioRequest& request) const {
  return params_.split_operands != 0 && request.facts->pipe == isa::Pipe::kShuffle &&
         request.facts->footprint.read_count >= params_.split_operands;
}

Cycle SharedPipe::next_change(Cycle now) const {
  Cycle next = kNever;
  for (unsigned s = 0; s < kSubPartitions; ++s) {
    const Reader& reader = readers_[s];
    if (reader.reading) next = std::min(next, std::max(reader.next_read, now + 1));
    if (next == now + 1) return next;
    if (buffers_[s].wants_beat()) next = std::min(next, beat_from(s, std::max(free_, now + 1)));
    if (reader.reading || heads_[s].request == nullptr || !has_room(s)) continue;
    next = std::min(next, head_from(s, now));
  }
  return next;
}

void SharedPipe::head_came(unsigned sub_partition, const MioHead& head, Cycle now) {
  heads_[sub_partition] = head;
  due_ = std::min(due_, head_from(sub_partition, now));
}

/// Where the sub-partition's reader is idle.
Cycle SharedPipe::head_from(unsigned sub_partition, Cycle now) const {
  const Cycle head = heads_[sub_partition].request->issued + params_.issue_latency;
  return std::max({head, readers_[sub_partition].next_read, now + 1});
}

}  // namespace shflsim::model
