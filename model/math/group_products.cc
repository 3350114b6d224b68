// SPDX-License-Identifier: Apache-2.0
#include "model/math/group_products.h"

#include <algorithm>

namespace shflsim::model {
namespace {

constexpr uint32_t kRowBytes = 32;  ///< bytes of a row of A, and of a column of B
constexpr uint32_t kRows = 64;

uint32_t divided_up(uint32_t value, uint32_t by) { return (value + by - 1) / by; }

}  // namespace

uint32_t GroupProducts::interval_of(const isa::GroupProduct& product) const {
  const uint32_t lines = product.columns + (product.is_shared ? kRows : 0);
  return std::max({divided_up(product.columns, params_.columns),
                   divided_up(kRowBytes * lines, params_.shared_bytes), params_.least_interval});
}

uint32_t GroupProducts::behind_start(const isa::GroupProduct& product) const {
  const uint32_t result = product.is_integer ? params_.integer_result : params_.result;
  return divided_up(product.columns, params_.columns) + result;
}

GroupProducts::Times GroupProducts::start(const isa::GroupProduct& product, Cycle now) {
  Times times;
  times.held = interval_of(product);
  const Cycle start = std::max(now + start_of(product), free_);
  if (start > free_) {
    gap_ = free_;
    begin_ = start;
  }
  free_ = start + times.held;
  times.result = start + behind_start(product);
  times.reads = start;
  times.reads_b = start + (product.is_shared ? kRowBytes * kRows / params_.shared_bytes : 0);
  times.has_read = times.reads_b + divided_up(kRowBytes * product.columns, params_.shared_bytes);
  starts_[count_++ % kMostQueued] = start;
  times.next = now + 1;
  if (count_ >= params_.queue)
    times.next = std::max(times.next, starts_[(count_ - params_.queue) % kMostQueued]);
  return times;
}

}  // namespace shflsim::model
