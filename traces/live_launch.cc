// SPDX-License-Identifier: Apache-2.0
#include "traces/live_launch.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "isa/base/input_error.h"
#include "isa/code/launch_layout.h"
#include "isa/codec/form.h"
#include "isa/machine/asynchronous_row.h"
#include "isa/machine/block.h"
#include "traces/recorder.h"

namespace shflsim::traces {
namespace {

/// Successive waits for phases that may be given up while nothing else happens.
constexpr unsigned kMostGivenUp = 10000;

/// Steps that are executed ahead at a time; enough to make the cost of a part small per step.
constexpr unsigned kStepsAhead = 256;

size_t index_of(const isa::Launch& launch, uint32_t block, uint32_t warp) {
  return size_t{block} * launch.warps_per_block() + warp;
}

}  // namespace

/// Receives what is executed on one SM.
class LiveLaunch::OnSm final : public isa::StepObserver, private isa::LaunchEvents {
 public:
  OnSm(LiveLaunch& launch, const WarpPlace& place)
      : launch_(launch),
        maps_(launch.maps_[place.maps]),
        activity_(launch.program_.code.size()),
        state_(launch.running_->add_sm({*this, &clock_, &activity_})) {
    clock_.mhz = launch.clock_mhz_;
    clock_.events = launch.events_ == nullptr ? nullptr : this;
    if (launch.asks_bits_) activity_.ask(place.sm);
  }

  isa::SmState& state() { return state_; }
  const isa::BitActivity& activity() const { return activity_; }
  uint64_t now() const { return clock_.cycle; }
  void set_now(uint64_t cycle) { clock_.cycle = cycle; }
  /// The destination of steps.
  void deliver_to(WarpTrace* part) { part_ = part; }
  /// Copies are over at once from now on.
  void end_time() { clock_.events = nullptr; }

 private:
  void on_step(const isa::ExecutedStep& step) override {
    if (launch_.teller_.recorder() != nullptr) launch_.tell_recorder(step);
    Step done{step.index, step.lanes, Step::kNone};
    if (step.lane_map != nullptr) done.payload = maps_.index_of(*step.lane_map);
    const bool copies = launch_.program_.code[step.index].op == isa::Op::kSm70_LDGSTS;
    if (const LaneAddresses* const row = copies ? row_of(step) : step.addresses; row != nullptr) {
      done.payload = static_cast<uint32_t>(part_->addresses.size());
      part_->addresses.push_back(*row);
    }
    part_->steps.push_back(done);
  }
  void on_undefined_use(const isa::UndefinedUse& use) override { launch_.on_undefined_use(use); }
  void on_block_end(uint32_t block) override { launch_.on_block_end(block); }
  void copy_began(const isa::BulkCopy& copy) override {
    launch_.blocks_[copy.block].given_up = 0;
    isa::BulkCopy numbered = copy;
    numbered.number = launch_.copies_++;
    if (!copy.receivers.empty()) {
      const std::lock_guard<std::mutex> lock(launch_.mutex_);
      launch_.under_way_[numbered.number] = numbered;
    }
    const size_t warp = index_of(launch_.launch_, copy.block, copy.warp);
    launch_.events_->copy_began(warp, numbered, clock_.cycle);
  }
  void released(uint32_t block, uint32_t warp) override {
    launch_.teller_.settle(block, warp, true);
    launch_.blocks_[block].given_up = 0;
    if (launch_.events_ == nullptr) return;
    launch_.events_->released(index_of(launch_.launch_, block, warp), clock_.cycle);
  }

  LiveLaunch& launch_;
  LaneMapTable& maps_;
  isa::LaunchClock clock_;
  isa::BitActivity activity_;
  isa::SmState& state_;
  WarpTrace* part_ = nullptr;
};

/// Executes the steps of one warp.
class LiveLaunch::Cursor final : public StepCursor {
 public:
  Cursor(LiveLaunch& launch, isa::Block& block, uint32_t warp)
      : launch_(launch),
        running_(*launch.running_),
        block_(block),
        sm_(static_cast<OnSm&>(block.sm->observer)),
        warp_(warp) {}
  ~Cursor() override { launch_.leave(block_, warp_); }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  /// Delivers the steps that are executed ahead, and the next step, which is not.
  bool advance(WarpTrace* part) override {
    part->steps.clear();
    part->addresses.clear();
    sm_.deliver_to(part);
    running_.run_ahead(block_, warp_, kStepsAhead);
    const isa::SteppedLaunch::Next next = running_.next(block_, warp_);
    if (next.is_done) return !part->steps.empty();
    if (!next.is_private || next.waits)
      part->steps.push_back({next.index, next.lanes, Step::kPending});
    return true;
  }

  /// Executes the last step of the part.
  bool perform(uint64_t now, WarpTrace* part) override {
    const isa::SteppedLaunch::Next next = running_.next(block_, warp_);
    Step& front = part->steps.back();
    const bool is_same = front.index == next.index;
    front.index = next.index;
    front.lanes = next.lanes;
    if (next.waits) running_.fail_if_stuck(block_);
    if (next.waits || !is_same) return false;
    part->steps.pop_back();
    if (next.reaches_others && launch_.events_ != nullptr)
      launch_.events_->will_reach_others(index_of(launch_.launch_, block_.index, warp_), now);
    sm_.deliver_to(part);
    sm_.set_now(now);
    running_.step(block_, warp_);
    return true;
  }

  bool is_held() const override { return running_.next(block_, warp_).is_held; }

 private:
  LiveLaunch& launch_;
  isa::SteppedLaunch& running_;
  isa::Block& block_;
  OnSm& sm_;
  const uint32_t warp_;
};

LiveLaunch::LiveLaunch(const isa::Program& program, const isa::Launch& launch,
                       isa::DeviceMemory& memory, isa::MachineOptions options)
    : program_(program), launch_(launch), options_(std::move(options)), memory_(memory) {
  check_warps(launch);
  if (!memory.is_mapped()) initial_ = memory;
  restart(memory_);
}

LiveLaunch::~LiveLaunch() = default;

void LiveLaunch::restart(isa::DeviceMemory& memory) {
  findings_ = {};
  under_way_.clear();
  teller_.clear();
  running_.reset();
  sms_.clear();
  running_ = std::make_unique<isa::SteppedLaunch>(program_, launch_, memory,
                                                  static_cast<isa::StepObserver&>(*this), options_);
  blocks_.assign(launch_.blocks(), {static_cast<uint32_t>(launch_.warps_per_block()), 0});
}

void LiveLaunch::begin_run(uint32_t clock_mhz, RunEvents* events, bool asks_bits) const {
  auto& self = const_cast<LiveLaunch&>(*this);
  self.events_ = events;
  self.clock_mhz_ = clock_mhz;
  self.asks_bits_ = asks_bits;
  if (std::exchange(self.is_first_, false)) return;
  self.options_.print = {};
  self.again_ = initial_.value();
  self.restart(self.again_);
}

const std::vector<isa::LaneMap>& LiveLaunch::maps_of(uint32_t list) const {
  auto& self = const_cast<LiveLaunch&>(*this);
  while (list >= maps_.size()) self.maps_.emplace_back();
  return maps_[list].maps();
}

LiveLaunch::OnSm& LiveLaunch::on_sm(const WarpPlace& place) {
  if (place.sm >= sms_.size()) sms_.resize(place.sm + 1);
  if (sms_[place.sm] == nullptr) sms_[place.sm] = std::make_unique<OnSm>(*this, place);
  return *sms_[place.sm];
}

std::unique_ptr<StepCursor> LiveLaunch::open_at(size_t warp, const WarpPlace& place) const {
  auto& self = const_cast<LiveLaunch&>(*this);
  const uint64_t warps = launch_.warps_per_block();
  const auto index = static_cast<uint32_t>(warp / warps);
  const auto number = static_cast<uint32_t>(warp % warps);
  self.has_begun_ = true;
  if (!running_->has_started(index)) self.running_->start(index, self.on_sm(place).state());
  isa::Block& block = *running_->running(index);
  isa::SteppedLaunch::place(block, number, isa::WarpPlace{place.sm, place.slot});
  return std::make_unique<Cursor>(self, block, number);
}

/// A run that ends early leaves warps that are not done.
void LiveLaunch::leave(isa::Block& block, uint32_t warp) {
  const uint32_t index = block.index;
  if (running_->next(block, warp).is_done && --blocks_[index].left == 0) running_->end(index);
}

std::shared_ptr<const isa::BitActivity> LiveLaunch::bit_activity() const {
  auto all = std::make_shared<isa::BitActivity>(program_.code.size());
  for (const auto& sm : sms_)
    if (sm != nullptr) all->add(sm->activity());
  return all;
}

void LiveLaunch::tell_recorder(const isa::ExecutedStep& step) {
  const bool checks = step.asynchronous != nullptr &&
                      isa::facts(program_.code[step.index].op).kind == isa::OpKind::kSharedCheck;
  const bool is_held = checks && running_->next(*running_->running(step.block), step.warp).is_held;
  is_held ? teller_.keep_wait(step) : teller_.tell(step);
}

void LiveLaunch::end_copy(const isa::BulkCopy& copy, uint64_t now) const {
  auto& self = const_cast<LiveLaunch&>(*this);
  for (const isa::BulkCopy::Receiver& receiver : copy.receivers) {
    const isa::Block* const block = running_->running(receiver.block);
    if (block != nullptr) static_cast<OnSm&>(block->sm->observer).set_now(now);
  }
  {
    const std::lock_guard<std::mutex> lock(self.mutex_);
    self.under_way_.erase(copy.number);
  }
  self.running_->end_copy(copy);
}

void LiveLaunch::give_up(size_t warp, uint64_t now) const {
  auto& self = const_cast<LiveLaunch&>(*this);
  const uint64_t warps = launch_.warps_per_block();
  const auto index = static_cast<uint32_t>(warp / warps);
  const auto number = static_cast<uint32_t>(warp % warps);
  isa::Block& block = *running_->running(index);
  static_cast<OnSm&>(block.sm->observer).set_now(now);
  const unsigned so_far = ++self.blocks_[index].given_up;
  if (so_far > kMostGivenUp) self.running_->fail_at_phase(block, number);
  self.teller_.settle(index, number, false);
  isa::SteppedLaunch::give_up(block, number);
  self.blocks_[index].given_up = so_far;
}

void LiveLaunch::finish() const {
  auto& self = const_cast<LiveLaunch&>(*this);
  self.events_ = nullptr;
  self.teller_.settle_all();
  self.rest_ = {0, clock_mhz_, nullptr};
  for (const auto& sm : sms_) {
    if (sm == nullptr) continue;
    sm->end_time();
    self.rest_.cycle = std::max(rest_.cycle, sm->now());
  }
  for (const auto& [number, copy] : std::exchange(self.under_way_, {})) running_->end_copy(copy);
  running_->give_up_all();
  self.running_->finish(&rest_);
  self.sms_.clear();
}

void LiveLaunch::on_undefined_use(const isa::UndefinedUse& use) {
  const std::lock_guard<std::mutex> lock(mutex_);
  findings_.add(use);
  if (teller_.recorder() != nullptr) teller_.recorder()->on_undefined_use(use);
}

void LiveLaunch::on_block_end(uint32_t block) {
  if (teller_.recorder() != nullptr) teller_.recorder()->on_block_end(block);
}

void LiveLaunch::on_step(const isa::ExecutedStep& step) {
  if (teller_.recorder() != nullptr) tell_recorder(step);
  ++rest_.cycle;
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
