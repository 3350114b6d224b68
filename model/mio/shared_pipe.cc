// SPDX-License-Identifier: Apache-2.0
#include "model/mio/shared_pipe.h"

#include <algorithm>
#include <tuple>

#include "model/core/slot_mask.h"

namespace shflsim::model {
namespace {

constexpr uint32_t bit(unsigned place) { return 1u << place; }

/// The beats of an operation, but for those of operands that it sends ahead.
uint32_t beats_of(const Operation& operation, MioUnit& target) {
  return operation.has_passes ? 1 : target.beats(operation.request);
}

/// From the beat of a global-memory instruction to the release of its sources.
Cycle release_of(const MioRequest& request, const MioParams& params) {
  const bool is_generic = request.facts->op == isa::Op::kSm70_ATOM;
  return params.global_release + (is_generic ? params.generic_release : 0);
}

/// Notes what is behind the pipe for an operation of `target`.
void note_way(Operation* operation, MioUnit& target, bool has_places) {
  const MioRequest& request = operation->request;
  operation->has_passes = has_places && target.passes(request) != 0;
  operation->goes_on =
      operation->has_passes || (has_places && request.facts->pipe == isa::Pipe::kGlobal);
  operation->takes_pass = has_places && !operation->goes_on;
}

/// The buffers of `wanting` in the order in which they are asked, from sub-partition `first` on.
uint32_t in_turn(uint32_t wanting, unsigned first) {
  constexpr uint32_t kAll = (1u << kSubPartitions) - 1;
  const auto turned = [first](uint32_t of) { return (of | of << kSubPartitions) >> first & kAll; };
  const uint32_t others = turned(wanting >> kSubPartitions);
  return turned(wanting & kAll) | others << kSubPartitions;
}

/// Of two requests the one with the lesser turn goes first: the address of a store to global memory
/// that found the reader idle, then what waits for longest, where all other requests wait since
/// `others`; of equal ones the data of a store.
std::tuple<bool, Cycle, bool> turn_of(const Operation& operation, Cycle others) {
  if (!operation.request.is_global_store()) return {true, others, true};
  return {operation.sends_data || !operation.is_first, operation.ready, !operation.sends_data};
}

/// True if another operation goes before a shuffle that asks for a beat since `asked`.
bool stands_back(const Operation& operation, Cycle asked, uint32_t patience, Cycle now) {
  return operation.request.facts->pipe == isa::Pipe::kShuffle && asked + patience > now;
}

/// True for the data of a store to global memory and a beat of another operation.
bool alternate(const Operation& one, const Operation& other) {
  const auto is_store = [](const Operation& each) { return each.request.is_global_store(); };
  return is_store(one) != is_store(other) && one.sends_data != other.sends_data;
}

/// By how much the sources of a store are released later than those of a load, unless its data has
/// waited for a place.
Cycle store_later(const Operation& operation, const AccessPasses& passes, Cycle most) {
  const Cycle place = passes.place_from(0);
  const Cycle waited = place == kNever || place < operation.ready ? 0 : place - operation.ready;
  return most - std::min(most, waited);
}

/// A request lets go of its sources.
void release_sources(const RequestWatch* watch, MioReturn& back, unsigned sub_partition,
                     const MioRequest& request, Cycle cycle) {
  if (watch != nullptr) watch->sources_read(sub_partition, request, cycle);
  back.sources_read(request, cycle);
}

/// True if the load of a constant of another head is older than this one. Not inlined, so that
/// other requests stay fast.
template <class Heads>
[[gnu::noinline]] bool waits_for_constant(const Heads& heads, uint32_t headed,
                                          const MioRequest& request) {
  bool is_later = false;
  for_each_slot(headed, [&](unsigned s) {
    const MioRequest& other = *heads[s].request;
    is_later |= other.facts->is_constant_load() && other.issued < request.issued;
  });
  return is_later;
}

}  // namespace
SharedPipe::SharedPipe(const sc_core::sc_module_name& name, const MioParams& params)
    : MioArbiter(name), params_(params), passes_(params.passes, params.beat_interval) {
  for (Operations& buffer : buffers_) buffer.ring.resize(std::max(1u, params.buffer_operands));
}

/// When the queue's head can be read. If it comes in the cycle in which the reader has just read
/// the last register, it does not pass the queue by. A load of a constant waits for its unit, and a
/// cycle more if another sub-partition's load has waited longer.
[[gnu::always_inline]] inline Cycle SharedPipe::arrival_of(unsigned sub_partition) const {
  const MioRequest& request = *heads_[sub_partition].request;
  const Cycle head = request.issued + request.late + params_.issue_latency;
  if (request.facts->is_constant_load()) {
    const Cycle ready = head + params_.collect_operand;
    const Cycle free = unit_of(request).free_for(request, sub_partition, ready);
    const bool is_later = waits_for_constant(heads_, headed_, request);
    return free - params_.collect_operand + (is_later ? 1 : 0);
  }
  const bool passes_by = head != readers_[sub_partition].next_read;
  return passes_by || needs_no_reader(request, params_) ? head : head + params_.handover;
}

/// First cycle for the queue's head if the sub-partition's reader is idle.
inline Cycle SharedPipe::head_from(unsigned sub_partition, Cycle now) const {
  return std::max({arrival_of(sub_partition), readers_[sub_partition].next_read, now + 1});
}

bool SharedPipe::evaluate_due(Cycle now) {
  bool progress = move(now);
  for_each_slot(reading_ | headed_ | special_, [&](unsigned s) {
    const bool waits = ((reading_ | special_) & bit(s)) == 0 && arrival_of(s) > now;
    if (!waits && read_from(s, now) <= now) progress |= read(s, now);
  });
  // What reads nothing is there in time for a beat.
  if (came_at_once_) progress |= move(now);
  came_at_once_ = false;
  due_.set(next_change(now));
  return progress;
}

/// Grants a beat and a pass. Where they exclude each other, they go first in turn.
bool SharedPipe::move(Cycle now) {
  const auto pass = [&] {
    return passes_.wait() && passes_.grant(now, [&](unsigned s, const MioRequest& request) {
      start(s, request, now);
    });
  };
  const bool has_passed = !passes_.was_pass() && pass();
  const bool has_granted = wanting_ != 0 && free_ <= now && grant(now);
  const bool has_left = passes_.wait() && passes_.leave(now, [&](unsigned s, const MioRequest& r) {
    start(s, r, now);
  });
  return has_passed || pass() || has_granted || has_left;
}

/// Grants a beat to the request whose turn it is, of those that may have one.
bool SharedPipe::grant(Cycle now) {
  const auto others_wait_since = [&] {
    Cycle since = kNever;
    for_each_slot(wanting_, [&](unsigned b) {
      const Operation& each = buffers_[b].front();
      if (!each.request.is_global_store()) since = std::min(since, each.ready);
    });
    return since;
  };
  const bool by_time = passes_.was_full();
  const bool data_first = data_first_ && free_ == now;
  const auto turn = [&](unsigned b) {
    const unsigned s = b % kSubPartitions;
    const Operation& each = buffers_[b].front();
    const Cycle asked = std::max(each.ready, next_beat_[s]);
    return std::tuple(stands_back(each, asked, params_.shuffle_patience, now), last_beat_[s]);
  };
  const auto goes_first = [&](unsigned b, unsigned best) {
    const Operation& one = buffers_[b].front();
    const Operation& other = buffers_[best].front();
    if (!by_time && alternate(one, other)) return one.sends_data == data_first;
    const bool stores = one.request.is_global_store() || other.request.is_global_store();
    const bool by_turn = params_.shuffle_patience != 0 && !stores;
    if (by_turn) return turn(b) < turn(best);
    const Cycle others = others_wait_since();
    return turn_of(one, others) < turn_of(other, others);
  };
  unsigned place = kBuffers;
  for (uint32_t asked = in_turn(wanting_, first_); asked != 0; asked &= asked - 1) {
    const auto i = static_cast<unsigned>(__builtin_ctz(asked));
    const unsigned s = (first_ + i) % kSubPartitions;
    const unsigned each = s + (i < kSubPartitions ? 0 : kSubPartitions);
    if (beat_from(each, now) > now) continue;
    if (place != kBuffers && !goes_first(each, place)) continue;
    place = each;
  }
  if (place == kBuffers) return false;
  first_ = (place + 1) % kSubPartitions;
  last_beat_[place % kSubPartitions] = now;
  send(place, now);
  return true;
}

/// First cycle from `from` on that the passes leave to the operation's next beat: the last one
/// needs a place if the operation goes on behind it. Otherwise it goes instead of a pass, when the
/// sub-partition's passes are over.
inline Cycle SharedPipe::beside_passes(const Operation& operation, unsigned sub_partition,
                                       Cycle from) const {
  const bool is_last = operation.beats == 1 && operation.complete;
  if (operation.goes_on && is_last) return passes_.place_from(from);
  if (!operation.takes_pass) return from;
  const bool may_go = passes_.size(sub_partition) == 0;
  return may_go ? std::max(from, passes_.free_from(sub_partition)) : kNever;
}

/// First cycle from `now` on in which the unit accepts the buffer's next beat.
Cycle SharedPipe::beat_from(unsigned place, Cycle now) const {
  const unsigned sub_partition = place % kSubPartitions;
  const Operation& first = buffers_[place].front();
  Cycle from = std::max({next_beat_[sub_partition], first.ready, now});
  from = beside_passes(first, sub_partition, from);
  const bool goes_on = first.goes_on || from == kNever;
  return goes_on ? from : unit_of(first.request).free_for(first.request, sub_partition, from);
}

void SharedPipe::send(unsigned place, Cycle now) {
  const unsigned sub_partition = place % kSubPartitions;
  Operations& buffer = buffers_[place];
  Operation& operation = buffer.front();
  const MioRequest& request = operation.request;
  MioUnit& target = unit_of(request);
  --operation.beats;
  if (!operation.sends_data) next_beat_[sub_partition] = now + params_.beat_interval;
  if (operation.beats != 0) operation.ready = now + params_.beat_interval;
  data_first_ = !operation.sends_data;
  operation.sends_data = request.is_global_store();
  free_ = now + target.hold(request, now);
  const bool is_last = operation.beats == 0 && operation.complete;
  if (is_last && params_.passes.loads == 0) free_ = std::max(free_, target.make_room(request, now));
  if (operation.takes_pass) passes_.take(sub_partition, now, free_);
  if (!is_last) {
    note_beats(place);
    if (!operation.has_passes) target.took_beat(sub_partition);
    return;
  }
  const bool is_store = request.is_global_store() && target.beats(request) > 1;
  const Cycle later = is_store ? store_later(operation, passes_, params_.store_release) : 0;
  if (request.facts->pipe == isa::Pipe::kGlobal)
    release_sources(watch, back_to(sub_partition), sub_partition, request,
                    now + release_of(request, params_) + later);
  else if (operation.goes_on)
    release_sources(watch, back_to(sub_partition), sub_partition, request,
                    now + params_.read_release);
  if (operation.goes_on)
    passes_.enter(sub_partition, request, target, operation.words, now);
  else
    start(sub_partition, request, now);
  buffer.pop();
  note_beats(place);
}

/// Starts a request whose last beat or pass is granted.
void SharedPipe::start(unsigned sub_partition, const MioRequest& request, Cycle now) {
  MioUnit& target = unit_of(request);
  // The unit counts from the first of its beats; the last one is granted now.
  const Cycle first = now - (target.beats(request) - 1);
  if (watch != nullptr)
    watch->entered(sub_partition, request, Stage::kUnit, request.facts->is_store ? now : first);
  const MioCompletion completion = target.start(sub_partition, request, first);
  back_to(sub_partition).completed(request, completion);
}

void SharedPipe::note_beats(unsigned place) {
  const Operations& buffer = buffers_[place];
  const bool wants = buffer.size != 0 && buffer.front().beats != 0;
  wanting_ = wants ? wanting_ | bit(place) : wanting_ & ~bit(place);
}

/// An empty buffer accepts an operation of any size. Operations of shared memory, shuffles and
/// stores of several beats are read ahead, if there is any room; but a store behind another one
/// from the beat of its data on.
bool SharedPipe::has_room(unsigned sub_partition) const {
  const Operations& buffer = buffers_[sub_partition];
  if (buffer.size == 0) return true;
  if (buffer.front().has_passes) return false;
  const MioRequest& head = *heads_[sub_partition].request;
  const bool stores = head.facts->is_store && unit_of(head).beats(head) > 1;
  if (stores && buffer.back().request.is_global_store()) return false;
  const bool is_ahead =
      head.facts->pipe == isa::Pipe::kShared || head.facts->pipe == isa::Pipe::kShuffle || stores;
  return is_ahead && buffer.operands < params_.buffer_operands;
}

bool SharedPipe::read(unsigned sub_partition, Cycle now) {
  Reader& reader = readers_[sub_partition];
  if (reads_special(sub_partition, now)) {
    read_special(sub_partition, now);
    return true;
  }
  if ((reading_ & bit(sub_partition)) == 0 && !take_head(sub_partition, now)) return false;
  if (reader.words != 0) {
    // Readers that wait for room for words have turns.
    const auto waits = [&](unsigned s) {
      return (reading_ & bit(s)) != 0 && readers_[s].words != 0 && readers_[s].next_read <= now;
    };
    unsigned first = first_reader_;
    while (first != sub_partition && !waits(first)) first = (first + 1) % kSubPartitions;
    if (first != sub_partition || passes_.words_from(reader.words, now) > now) return false;
    passes_.take_words(reader.words, now);
    reader.words = 0;
    first_reader_ = (sub_partition + 1) % kSubPartitions;
  }
  const bool reads_none = reader.plan.reads_nothing;
  came_at_once_ |= reads_none;
  const Cycle ready = now + (reads_none ? 0 : params_.collect_operand - (reader.is_early ? 1 : 0));
  if (!reads_none) take_port(sub_partition, reader.request, reader.operand, ready);
  operand_done(sub_partition, ready);
  return true;
}

/// Takes the head of the queue to be read; returns false if it cannot.
bool SharedPipe::take_head(unsigned sub_partition, Cycle now) {
  MioHead& head = heads_[sub_partition];
  if (head.request == nullptr) return false;
  const Cycle arrival = arrival_of(sub_partition);
  if (arrival > now || !has_room(sub_partition)) return false;
  Reader& reader = readers_[sub_partition];
  reader.request = *head.request;
  reader.plan = plans_.of(reader.request, params_);
  if (!reader.request.has_lanes) reader.plan = reader.plan.for_lanes_of(reader.request, params_);
  reader.operand = 0;
  reader.words = reader.plan.words;
  const bool is_store = reader.request.is_global_store();
  if (is_store && unit_of(reader.request).beats(reader.request) < 2) reader.plan.ahead = 0;
  reader.next_read = now;
  reader.is_first = is_store && arrival == now;
  reader.is_early = arrival == now && is_early(reader.request, params_);
  reading_ |= bit(sub_partition);
  head = queue_of(sub_partition).pop(now);
  if (head.request == nullptr) headed_ &= ~bit(sub_partition);
  back_to(sub_partition).left_queue();
  if (watch != nullptr) {
    watch->left_queue(sub_partition, reader.request, now);
    watch->entered(sub_partition, reader.request, Stage::kOperands, now);
  }
  return true;
}

/// First cycle from `now` on in which the reader reads on; kNever if it waits for a pass.
Cycle SharedPipe::read_from(unsigned sub_partition, Cycle now) const {
  const Reader& reader = readers_[sub_partition];
  const Cycle from = std::max(reader.next_read, now);
  const bool waits = (reading_ & bit(sub_partition)) != 0 && reader.words != 0;
  return waits ? passes_.words_from(reader.words, from) : from;
}

/// The register of the request at this place is collected at `ready`.
void SharedPipe::take_port(unsigned sub_partition, const MioRequest& request, uint32_t place,
                           Cycle ready) {
  collected_[sub_partition] += params_.collect_operand;
  if (params_.port == 0 || request.facts->footprint.read_count == 0) return;
  banks[sub_partition]->take_port(register_at(*request.facts, place).index, ready + params_.port);
}

/// A special function is read before the next operand of the queue.
bool SharedPipe::reads_special(unsigned sub_partition, Cycle now) const {
  if ((special_ & bit(sub_partition)) == 0 || special_from(sub_partition) > now) return false;
  const Reader& reader = readers_[sub_partition];
  if ((reading_ & bit(sub_partition)) != 0)
    return register_at(*reader.request.facts, reader.operand).is_first;
  const MioRequest* const head = heads_[sub_partition].request;
  return head == nullptr || !is_early(*head, params_) || arrival_of(sub_partition) != now;
}

void SharedPipe::read_special(unsigned sub_partition, Cycle now) {
  std::vector<MioRequest>& waiting = specials_[sub_partition];
  const MioRequest request = waiting.front();
  waiting.erase(waiting.begin());
  if (waiting.empty()) special_ &= ~bit(sub_partition);
  Cycle ready = now;
  for (uint32_t place = 0; place < registers_of(request); ++place)
    take_port(sub_partition, request, place, ready += params_.collect_operand);
  readers_[sub_partition].next_read = ready;
  if (watch != nullptr) watch->entered(sub_partition, request, Stage::kUnit, ready);
  const Cycle issue = now - params_.issue_latency;  // of one that need not wait
  MioUnit& target = unit_of(request);
  const MioCompletion completion = target.start(sub_partition, request, issue);
  const Cycle released = target.released(sub_partition);
  release_sources(watch, back_to(sub_partition), sub_partition, request,
                  std::max(released, ready + params_.read_release));
  back_to(sub_partition).completed(request, completion);
}

/// First cycle in which the oldest special function may be read.
Cycle SharedPipe::special_from(unsigned sub_partition) const {
  const MioRequest& first = specials_[sub_partition].front();
  return std::max(first.issued + first.late + params_.issue_latency,
                  unit_of(first).operands_from(sub_partition));
}

/// The request takes room in the buffer `place`.
Operation& SharedPipe::start_operation(unsigned place, const MioRequest& request,
                                       const ReadPlan& plan) {
  Operation& operation = buffers_[place].push(request, plan.operands, plan.words);
  note_way(&operation, unit_of(request), params_.passes.places != 0);
  return operation;
}

void SharedPipe::operand_done(unsigned sub_partition, Cycle ready) {
  Reader& reader = readers_[sub_partition];
  const ReadPlan& plan = reader.plan;
  const MioRequest& request = reader.request;
  reader.next_read = ready;
  const uint32_t read = ++reader.operand;
  const bool reads_on = read < plan.registers && !plan.reads_nothing;
  if (!reads_on) reading_ &= ~bit(sub_partition);
  // Some operations send beats ahead of their last register.
  const bool sends = plan.ahead != 0 && read >= plan.ahead && read + plan.joined < plan.registers;
  if (reads_on && !sends) return;
  if (request.facts->is_constant_load()) return go_past(sub_partition, ready);
  const bool has_started = plan.ahead != 0 && read > plan.ahead;
  Operation& operation =
      has_started ? buffers_[sub_partition].back() : start_operation(sub_partition, request, plan);
  const bool is_store = request.is_global_store();
  operation.is_first = reader.is_first;
  if (operation.beats == 0)
    operation.ready = is_store && has_started ? std::max(next_beat_[sub_partition], ready) : ready;
  operation.beats += reads_on ? 1 : beats_of(operation, unit_of(request));
  if (!reads_on && is_store && has_started) --operation.beats;
  if (!reads_on && plan.splits && !has_started) ++operation.beats;
  operation.complete = !reads_on;
  note_beats(sub_partition);
  if (!operation.complete) return;
  if (watch != nullptr) watch->entered(sub_partition, request, Stage::kReady, ready);
  // What accesses global memory or goes on releases its sources in its beat.
  if (request.facts->pipe != isa::Pipe::kGlobal && !operation.goes_on)
    release_sources(watch, back_to(sub_partition), sub_partition, request,
                    ready + params_.read_release);
}

/// A load of a constant takes no beat of the pipe.
void SharedPipe::go_past(unsigned sub_partition, Cycle ready) {
  const MioRequest& request = readers_[sub_partition].request;
  if (watch != nullptr) watch->entered(sub_partition, request, Stage::kReady, ready);
  release_sources(watch, back_to(sub_partition), sub_partition, request,
                  ready + params_.read_release);
  start(sub_partition, request, ready);
}

Cycle SharedPipe::next_change(Cycle now) const {
  Cycle next = kNever;
  for_each_slot(reading_, [&](unsigned s) { next = std::min(next, read_from(s, now + 1)); });
  for_each_slot(special_, [&](unsigned s) {
    next = std::min(next, std::max({special_from(s), readers_[s].next_read, now + 1}));
  });
  for_each_slot(headed_ & ~reading_, [&](unsigned s) {
    if (has_room(s)) next = std::min(next, head_from(s, now));
  });
  for_each_slot(next == now + 1 ? 0 : wanting_,
                [&](unsigned b) { next = std::min(next, beat_from(b, std::max(free_, now + 1))); });
  if (next != now + 1 && passes_.wait()) next = std::min(next, passes_.due(now + 1));
  return next;
}

void SharedPipe::head_came(unsigned sub_partition, const MioHead& head, Cycle now) {
  heads_[sub_partition] = head;
  headed_ |= bit(sub_partition);
  due_.make_earlier(head_from(sub_partition, now));
}

/// The request takes the time to its unit that it would take through an empty queue.
void SharedPipe::came_apart(unsigned sub_partition, const MioRequest& request, Cycle now) {
  if (request.facts->pipe == isa::Pipe::kXu) {
    specials_[sub_partition].push_back(request);
    special_ |= bit(sub_partition);
    unit_of(request).announce(sub_partition);
    return due_.make_earlier(std::max(special_from(sub_partition), now + 1));
  }
  const Cycle ready = now + params_.issue_latency + params_.collect_operand;
  if (request.facts->passes_pipe()) {
    MioUnit& target = unit_of(request);
    const Cycle start = target.free_for(request, sub_partition, ready);
    release_sources(watch, back_to(sub_partition), sub_partition, request,
                    ready + params_.read_release);
    return back_to(sub_partition).completed(request, target.start(sub_partition, request, start));
  }
  const unsigned place = kSubPartitions + sub_partition;
  Operation& operation = start_operation(place, request, plans_.of(request, params_));
  operation.beats = beats_of(operation, unit_of(request));
  operation.words = 0;
  operation.complete = true;
  operation.ready = ready;
  note_beats(place);
  if (watch != nullptr) watch->entered(sub_partition, request, Stage::kReady, ready);
  if (!operation.goes_on)
    release_sources(watch, back_to(sub_partition), sub_partition, request,
                    ready + params_.read_release);
  due_.make_earlier(ready);
}

}  // namespace shflsim::model
