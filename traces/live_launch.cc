// SPDX-License-Identifier: Apache-2.0
#include "traces/live_launch.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "isa/base/input_error.h"
#include "isa/code/launch_layout.h"
#include "isa/codec/form.h"
#include "isa/machine/asynchronous_row.h"
#include "traces/recorder.h"

namespace shflsim::traces {
namespace {

/// Successive waits for phases that may be given up while nothing else happens.
constexpr unsigned kMostGivenUp = 10000;

/// Steps that are executed ahead at a time; enough to make the cost of a part small per step.
constexpr unsigned kStepsAhead = 256;

}  // namespace

/// Executes the steps of one warp.
class LiveLaunch::Cursor final : public StepCursor {
 public:
  Cursor(LiveLaunch& launch, uint32_t block, uint32_t warp)
      : launch_(launch), block_(block), warp_(warp) {}
  ~Cursor() override { launch_.leave(block_, warp_); }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  /// Delivers the steps that are executed ahead, and the next step, which is not.
  bool advance(WarpTrace* part) override {
    part->steps.clear();
    part->addresses.clear();
    launch_.part_ = part;
    running().run_ahead(block_, warp_, kStepsAhead);
    const isa::SteppedLaunch::Next next = running().next(block_, warp_);
    if (next.is_done) return !part->steps.empty();
    if (!next.is_private || next.waits)
      part->steps.push_back({next.index, next.lanes, Step::kPending});
    return true;
  }

  /// Executes the last step of the part.
  bool perform(uint64_t now, WarpTrace* part) override {
    const isa::SteppedLaunch::Next next = running().next(block_, warp_);
    Step& front = part->steps.back();
    const bool is_same = front.index == next.index;
    front.index = next.index;
    front.lanes = next.lanes;
    if (next.waits) running().fail_if_stuck();
    if (next.waits || !is_same) return false;
    part->steps.pop_back();
    if (next.reaches_others && launch_.events_ != nullptr)
      launch_.events_->will_reach_others(launch_.index_of(block_, warp_), now);
    launch_.part_ = part;
    launch_.clock_.cycle = now;
    running().step(block_, warp_);
    return true;
  }

  bool is_held() const override { return launch_.running_->next(block_, warp_).is_held; }

 private:
  isa::SteppedLaunch& running() { return *launch_.running_; }

  LiveLaunch& launch_;
  const uint32_t block_;
  const uint32_t warp_;
};

LiveLaunch::LiveLaunch(const isa::Program& program, const isa::Launch& launch,
                       isa::DeviceMemory& memory, isa::MachineOptions options)
    : program_(program),
      launch_(launch),
      activity_(program.code.size()),
      options_(std::move(options)),
      memory_(memory) {
  check_warps(launch);
  if (!memory.is_mapped()) initial_ = memory;
  options_.clock = &clock_;
  options_.activity = &activity_;
  restart(memory_);
}

void LiveLaunch::restart(isa::DeviceMemory& memory) {
  findings_ = {};
  activity_ = isa::BitActivity(program_.code.size());
  under_way_.clear();
  open_waits_.clear();
  running_.reset();
  running_ = std::make_unique<isa::SteppedLaunch>(program_, launch_, memory,
                                                  static_cast<isa::StepObserver&>(*this), options_);
  left_.assign(launch_.blocks(), static_cast<uint32_t>(launch_.warps_per_block()));
}

void LiveLaunch::begin_run(uint32_t clock_mhz, RunEvents* events, bool asks_bits) const {
  auto& self = const_cast<LiveLaunch&>(*this);
  self.events_ = events;
  self.clock_ = {0, clock_mhz, events == nullptr ? nullptr : &self};
  if (!std::exchange(self.is_first_, false)) {
    self.options_.print = {};
    self.again_ = initial_.value();
    self.restart(self.again_);
  }
  if (asks_bits) self.activity_.ask();
}

std::unique_ptr<StepCursor> LiveLaunch::open_at(size_t warp, const WarpPlace& place) const {
  auto& self = const_cast<LiveLaunch&>(*this);
  const uint64_t warps = launch_.warps_per_block();
  const auto block = static_cast<uint32_t>(warp / warps);
  const auto number = static_cast<uint32_t>(warp % warps);
  self.has_begun_ = true;
  if (!running_->has_started(block)) self.running_->start(block);
  self.running_->place(block, number, isa::WarpPlace{place.sm, place.slot});
  return std::make_unique<Cursor>(self, block, number);
}

/// A run that ends early leaves warps that are not done.
void LiveLaunch::leave(uint32_t block, uint32_t warp) {
  if (running_->next(block, warp).is_done && --left_[block] == 0) running_->end(block);
}

size_t LiveLaunch::index_of(uint32_t block, uint32_t warp) const {
  return size_t{block} * launch_.warps_per_block() + warp;
}

void LiveLaunch::copy_began(const isa::BulkCopy& copy) {
  given_up_ = 0;
  isa::BulkCopy numbered = copy;
  numbered.number = copies_++;
  if (!copy.receivers.empty()) under_way_[numbered.number] = numbered;
  events_->copy_began(index_of(copy.block, copy.warp), numbered, clock_.cycle);
}

/// Tells the recorder whether the phase that this warp waited for has ended.
void LiveLaunch::settle_wait(size_t warp, bool ended) {
  const auto found = open_waits_.find(warp);
  if (found == open_waits_.end()) return;
  OpenWait& wait = found->second;
  for (uint64_t& word : wait.row) {
    auto said = isa::BarrierWord::unpacked(word);
    if (!said.has_value()) continue;
    said->kind = ended ? isa::BarrierWord::Kind::kOver : isa::BarrierWord::Kind::kGivenUp;
    word = said->packed();
  }
  wait.step.asynchronous = &wait.row;
  recorder_->on_step(wait.step);
  open_waits_.erase(found);
}

/// Copies the addresses of a wait, which belong to the block and are lost with its next step.
void LiveLaunch::tell_recorder(const isa::ExecutedStep& step) {
  const bool checks = step.asynchronous != nullptr &&
                      isa::facts(program_.code[step.index].op).kind == isa::OpKind::kSharedCheck;
  if (!checks || !running_->next(step.block, step.warp).is_held) return recorder_->on_step(step);
  OpenWait& wait = open_waits_[index_of(step.block, step.warp)];
  wait.step = step;
  wait.step.addresses = nullptr;
  wait.row.fill(0);
  for (unsigned lane = 0; lane < isa::kLanes; ++lane)
    if ((step.lanes >> lane & 1) != 0) wait.row[lane] = (*step.asynchronous)[lane];
}

void LiveLaunch::released(uint32_t block, uint32_t warp) {
  settle_wait(index_of(block, warp), !is_giving_up_);
  given_up_ = 0;
  if (events_ != nullptr) events_->released(index_of(block, warp), clock_.cycle);
}

void LiveLaunch::end_copy(const isa::BulkCopy& copy, uint64_t now) const {
  auto& self = const_cast<LiveLaunch&>(*this);
  self.clock_.cycle = now;
  self.under_way_.erase(copy.number);
  self.running_->end_copy(copy);
}

void LiveLaunch::give_up(size_t warp, uint64_t now) const {
  auto& self = const_cast<LiveLaunch&>(*this);
  self.clock_.cycle = now;
  const uint64_t warps = launch_.warps_per_block();
  const auto block = static_cast<uint32_t>(warp / warps);
  const auto number = static_cast<uint32_t>(warp % warps);
  if (++self.given_up_ > kMostGivenUp) self.running_->fail_at_phase(block, number);
  const unsigned so_far = given_up_;
  self.is_giving_up_ = true;
  self.running_->give_up(block, number);
  self.is_giving_up_ = false;
  self.given_up_ = so_far;
}

void LiveLaunch::finish() const {
  auto& self = const_cast<LiveLaunch&>(*this);
  self.part_ = nullptr;
  self.events_ = nullptr;
  while (!self.open_waits_.empty()) self.settle_wait(self.open_waits_.begin()->first, false);
  self.clock_.events = nullptr;
  for (const auto& [number, copy] : std::exchange(self.under_way_, {})) running_->end_copy(copy);
  running_->give_up_all();
  self.running_->finish();
}

void LiveLaunch::on_undefined_use(const isa::UndefinedUse& use) {
  findings_.add(use);
  if (recorder_ != nullptr) recorder_->on_undefined_use(use);
}

void LiveLaunch::on_block_end(uint32_t block) {
  if (recorder_ != nullptr) recorder_->on_block_end(block);
}

void LiveLaunch::on_step(const isa::ExecutedStep& step) {
  if (recorder_ != nullptr) tell_recorder(step);
  if (part_ == nullptr) {
    ++clock_.cycle;
    return;
  }
  Step done{step.index, step.lanes, Step::kNone};
  if (step.lane_map != nullptr) done.payload = maps_.index_of(*step.lane_map);
  if (step.addresses != nullptr) {
    done.payload = static_cast<uint32_t>(part_->addresses.size());
    part_->addresses.push_back(*step.addresses);
  }
  part_->steps.push_back(done);
}

namespace {

/// True for instructions that access shared memory; a kernel of unknown size uses it only by these.
bool reads_or_writes_shared(const isa::Instruction& instruction) {
  const isa::OpFacts& of = isa::facts(instruction.op);
  return of.pipe == isa::Pipe::kShared && of.kind != isa::OpKind::kBarrier &&
         of.kind != isa::OpKind::kBarrierState;
}

}  // namespace

uint32_t LiveLaunch::shared_bytes() const {
  const uint32_t declared = program_.shared_bytes + launch_.shared_bytes;
  const auto& code = program_.code;
  const bool is_open =
      declared == 0 && std::any_of(code.begin(), code.end(), reads_or_writes_shared);
  if (!is_open) return declared;
  isa::DeviceMemory memory = initial_.value_or(isa::DeviceMemory());
  isa::MachineOptions options = options_;
  options.clock = nullptr;
  options.activity = nullptr;
  options.print = {};
  isa::StepObserver nobody;
  try {
    return isa::execute(program_, launch_, memory, nobody, options).shared_bytes;
  } catch (const InputError&) {  // the timed run reports the reason, if it occurs
    return isa::LaunchLayout::kMostStaticShared;
  }
}

Trace live_trace(const isa::Program& program, const isa::Launch& launch,
                 std::shared_ptr<const LiveLaunch> live) {
  Trace trace = empty_trace(program, launch);
  trace.shared_bytes = live->shared_bytes();
  trace.source = std::move(live);
  return trace;
}

std::vector<BufferPlace> LiveLaunch::buffers() const {
  std::vector<BufferPlace> found;
  const std::vector<uint8_t>& words = launch_.parameters;
  for (size_t at = 0; at + sizeof(uint64_t) <= words.size(); at += sizeof(uint64_t)) {
    uint64_t address = 0;
    std::memcpy(&address, &words[at], sizeof address);
    uint64_t offset = 0;
    const isa::Storage* const storage = memory_.find(address, 1, &offset);
    if (storage != nullptr && offset == 0) found.push_back({address, storage->size()});
  }
  return found;
}

std::vector<BufferPlace> buffers_of(const Trace& trace) {
  const auto* const live = dynamic_cast<const LiveLaunch*>(trace.source.get());
  return live == nullptr ? std::vector<BufferPlace>() : live->buffers();
}

}  // namespace shflsim::traces
