// SPDX-License-Identifier: Apache-2.0
#include "model/chip/turns.h"

#include <algorithm>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <utility>

namespace shflsim::model {
namespace {

using boost::context::fiber;

/// Bytes of an SM's stack (assumed; executing an instruction takes some KiB).
constexpr size_t kStackBytes = size_t{256} << 10;

size_t leaves_for(size_t sms) {
  size_t leaves = 1;
  while (leaves < sms) leaves *= 2;
  return leaves;
}

}  // namespace

Turns::Turns(const std::vector<SmProgress>& progress, std::function<void(unsigned sm)> run)
    : progress_(progress),
      run_(std::move(run)),
      leaves_(leaves_for(progress.size())),
      keys_(2 * leaves_, ~uint64_t{0}),
      stacks_(progress.size()) {
  for (unsigned sm = 0; sm < stacks_.size(); ++sm) make_stack(sm);
}

/// Ends the runs that wait, so that their stacks are unwound.
Turns::~Turns() {
  is_over_ = true;
  for (unsigned sm = 0; sm < stacks_.size(); ++sm) enter(sm);
}

void Turns::make_stack(unsigned sm) {
  put(sm, kNever);
  boost::context::protected_fixedsize_stack allocator(kStackBytes);
  const boost::context::stack_context stack = allocator.allocate();
  stacks_[sm].ways.set_stack(stack.sp, stack.size);
  stacks_[sm].fiber =
      fiber(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack),
            allocator, [this, sm](fiber&& chip) {
              chip_ = std::move(chip);
              stacks_[sm].ways.has_entered();
              run_on_stack(sm);
              stacks_[sm].ways.will_end();
              return std::move(chip_);
            });
}

void Turns::put(unsigned sm, Cycle cycle) {
  size_t node = leaves_ + sm;
  keys_[node] = std::min(cycle, kMost) << kSmBits | sm;
  while ((node /= 2) != 0) keys_[node] = std::min(keys_[2 * node], keys_[2 * node + 1]);
}

void Turns::run_on_stack(unsigned sm) {
  Stack& stack = stacks_[sm];
  while (!is_over_) {
    try {
      run_(sm);
    } catch (...) {
      stack.failure = std::current_exception();
    }
    put(sm, progress_[sm].due);
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
  stacks_[sm].ways.will_leave();
  chip_ = std::move(chip_).resume();
  stacks_[sm].ways.has_entered();
}

void Turns::pause(unsigned sm) {
  leave(sm);
  if (is_over_) throw Ended();
}

void Turns::resume() {
  const unsigned sm = first();
  const std::exception_ptr& failure = stacks_[sm].failure;
  if (failure == nullptr) enter(sm);
  if (failure != nullptr && first() == sm) std::rethrow_exception(failure);
}

}  // namespace shflsim::model
