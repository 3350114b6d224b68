// SPDX-License-Identifier: Apache-2.0
#include "model/chip/turns.h"

#include <algorithm>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <chrono>
#include <utility>

namespace shflsim::model {
namespace {

using boost::context::fiber;

constexpr uint64_t kNoKey = ~uint64_t{0};

/// Bytes of an SM's stack (assumed; executing an instruction takes some KiB).
constexpr size_t kStackBytes = size_t{256} << 10;

size_t leaves_for(size_t sms) {
  size_t leaves = 1;
  while (leaves < sms) leaves *= 2;
  return leaves;
}

/// A thread that has nothing to do. It asks again soon at first, and then seldom.
class Idle {
 public:
  void wait() {
    constexpr unsigned kSoon = 1000;
    constexpr std::chrono::microseconds kSeldom(100);
    if (++times_ < kSoon)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(kSeldom);
  }
  void end() { times_ = 0; }

 private:
  unsigned times_ = 0;
};

}  // namespace

Turns::Turns(const std::vector<SmProgress>& progress, std::vector<SmClock>& clocks,
             TurnTakers& takers, unsigned threads)
    : progress_(progress),
      clocks_(clocks),
      takers_(takers),
      threads_(threads),
      leaves_(leaves_for(progress.size())),
      keys_(2 * leaves_, kNoKey),
      stacks_(progress.size()) {
  for (unsigned sm = 0; sm < stacks_.size(); ++sm) make_stack(sm);
}

/// Ends the runs that wait, so that their stacks are unwound.
Turns::~Turns() {
  {
    const auto locked = lock();
    is_over_ = true;
  }
  for (std::thread& helper : helpers_) helper.join();
  for (unsigned sm = 0; sm < stacks_.size(); ++sm) enter(sm);
}

void Turns::make_stack(unsigned sm) {
  boost::context::protected_fixedsize_stack allocator(kStackBytes);
  const boost::context::stack_context stack = allocator.allocate();
  stacks_[sm].ways.set_stack(stack.sp, stack.size);
  stacks_[sm].fiber =
      fiber(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack),
            allocator, [this, sm](fiber&& thread) {
              stacks_[sm].thread = std::move(thread);
              stacks_[sm].ways.has_entered();
              run_on_stack(sm);
              stacks_[sm].ways.will_end();
              return std::move(stacks_[sm].thread);
            });
}

void Turns::put(unsigned sm, uint64_t key) {
  size_t node = leaves_ + sm;
  keys_[node] = key;
  while ((node /= 2) != 0) keys_[node] = std::min(keys_[2 * node], keys_[2 * node + 1]);
}

/// The least key that a running SM may still use, without this one.
uint64_t Turns::least_running(unsigned but) const {
  uint64_t least = kNoKey;
  for (const unsigned sm : running_)
    if (sm != but)
      least = std::min(least, key(sm, clocks_[sm].now.load(std::memory_order_acquire)));
  return least;
}

/// First cycle in which a block may start.
Cycle Turns::start() {
  if (!is_start_known_) start_ = takers_.first_start(started_);
  is_start_known_ = true;
  return start_;
}

/// True if all that other SMs may still use in their turns is later.
bool Turns::may_go(unsigned sm, Cycle now) {
  const auto locked = lock();
  const uint64_t own = key(sm, now);
  return own < keys_[1] && now < start() && own < least_running(sm);
}

/// Starts the blocks that are next; true if there were any.
bool Turns::start_due_blocks() {
  const Cycle now = start();
  if (now >= until_ || now > cycle_of(std::min(keys_[1], least_running(kNobody)))) return false;
  try {
    for (const unsigned sm : takers_.start_blocks(now)) put(sm, key(sm, progress_[sm].due));
  } catch (...) {
    failure_ = std::current_exception();
  }
  started_ = now + 1;
  is_start_known_ = false;
  return failure_ == nullptr;
}

/// The cycle before which an SM stops that is due: the next in which it may start a block.
Cycle Turns::end_of_run(unsigned sm) {
  return std::min(until_, takers_.start_of(sm, std::max(progress_[sm].due, started_)));
}

/// An SM that waits, or that has failed, may only go on in its turn.
bool Turns::may_run(unsigned sm) {
  const uint64_t own = keys_[leaves_ + sm];
  if (cycle_of(own) >= until_) return false;
  if (!stacks_[sm].is_waiting && stacks_[sm].failure == nullptr)
    return progress_[sm].due < end_of_run(sm);
  return own == keys_[1] && cycle_of(own) < start() && own < least_running(kNobody);
}

/// The SM to run next: the first, or if it has to wait for a running one, the first that need not.
unsigned Turns::choose() {
  if (failure_ != nullptr) return kNobody;
  while (start_due_blocks()) continue;
  const unsigned first = sm_of(keys_[1]);
  if (failure_ != nullptr || cycle_of(keys_[1]) >= until_) return kNobody;
  if (may_run(first)) return first;
  unsigned chosen = kNobody;
  uint64_t least = kNoKey;
  for (unsigned sm = 0; sm < stacks_.size(); ++sm) {
    if (keys_[leaves_ + sm] >= least || !may_run(sm)) continue;
    chosen = sm;
    least = keys_[leaves_ + sm];
  }
  return chosen;
}

void Turns::begin(unsigned sm) {
  if (!stacks_[sm].is_waiting) stacks_[sm].until = end_of_run(sm);
  clocks_[sm].is_running = true;
  running_.push_back(sm);
  put(sm, kNoKey);
}

void Turns::end(unsigned sm) {
  const Stack& stack = stacks_[sm];
  clocks_[sm].is_running = false;
  running_.erase(std::find(running_.begin(), running_.end(), sm));
  put(sm, key(sm, stack.is_waiting ? stack.wants : progress_[sm].due));
  if (!stack.is_waiting) is_start_known_ = false;
}

/// Runs an SM until it waits for its turn or returns; false if none may run now.
bool Turns::run_one(std::unique_lock<std::mutex>& locked) {
  const unsigned sm = choose();
  if (sm == kNobody) return false;
  failure_ = stacks_[sm].failure;
  if (failure_ != nullptr) return false;
  begin(sm);
  if (threads_ != 1) locked.unlock();
  enter(sm);
  if (threads_ != 1) locked.lock();
  end(sm);
  return true;
}

void Turns::run_until(Cycle until) {
  auto locked = lock();
  until_ = until;
  while (helpers_.size() + 1 < threads_) helpers_.emplace_back([this] { help(); });
  work(locked, [this] { return running_.empty(); });
  if (failure_ != nullptr) std::rethrow_exception(failure_);
}

/// What the other threads do.
void Turns::help() {
  auto locked = lock();
  work(locked, [this] { return is_over_; });
}

/// Runs SMs until there is none to run and the work is over.
void Turns::work(std::unique_lock<std::mutex>& locked, const std::function<bool()>& is_over) {
  Idle idle;
  while (true) {
    if (run_one(locked)) {
      idle.end();
      continue;
    }
    if (is_over()) return;
    locked.unlock();
    idle.wait();
    locked.lock();
  }
}

Cycle Turns::next() {
  const auto locked = lock();
  return std::min(cycle_of(keys_[1]), start());
}

void Turns::run_on_stack(unsigned sm) {
  while (!is_over_) {
    try {
      takers_.run(sm, stacks_[sm].until);
    } catch (...) {
      stacks_[sm].failure = std::current_exception();
    }
    if (!is_over_) leave(sm);
  }
}

void Turns::enter(unsigned sm) {
  Stack& stack = stacks_[sm];
  stack.ways.will_enter();
  stack.fiber = std::move(stack.fiber).resume();
  stack.ways.has_left();
}

void Turns::leave(unsigned sm) {
  Stack& stack = stacks_[sm];
  stack.ways.will_leave();
  stack.thread = std::move(stack.thread).resume();
  stack.ways.has_entered();
}

void Turns::pause(unsigned sm, Cycle now) {
  Stack& stack = stacks_[sm];
  stack.wants = now;
  stack.is_waiting = true;
  leave(sm);
  stack.is_waiting = false;
  if (is_over_) throw Ended();
}

}  // namespace shflsim::model
