// SPDX-License-Identifier: Apache-2.0
#include "isa/base/faults.h"

#include <algorithm>
#include <tuple>

namespace shflsim {
namespace {

bool is_before(const Fault& a, const Fault& b) {
  return std::tie(a.where.file, a.where.line, a.where.column) <
         std::tie(b.where.file, b.where.line, b.where.column);
}

}  // namespace

void Faults::add(const InputError& error) {
  for (const Fault& fault : error.faults()) {
    first_.insert(std::upper_bound(first_.begin(), first_.end(), fault, is_before), fault);
    if (first_.size() <= kMostTold) continue;
    first_.pop_back();
    ++untold_;
  }
  untold_ += error.untold();
}

void Faults::raise() const {
  if (any()) throw InputError(first_, untold_);
}

}  // namespace shflsim
