// SPDX-License-Identifier: Apache-2.0
#include "model/math/math_pipes.h"

#include <algorithm>

namespace shflsim::model {

MathPipes::MathPipes(const sc_core::sc_module_name& name, const MathParams& params)
    : sc_module(name),
      interval_{params.fmai_interval, params.fxu_interval, params.double_interval,
                params.half_interval} {}

size_t MathPipes::choose(MathUnit wanted) const {
  if (wanted != MathUnit::kEither) return static_cast<size_t>(wanted);
  const size_t fmai = static_cast<size_t>(MathUnit::kFmai);
  const size_t fxu = static_cast<size_t>(MathUnit::kFxu);
  return free_[fmai] <= free_[fxu] ? fmai : fxu;
}

Cycle MathPipes::free_from(MathUnit wanted, Cycle now) const {
  return std::max(now, free_[choose(wanted)]);
}

void MathPipes::start(MathUnit wanted, Cycle now) {
  const size_t unit = choose(wanted);
  free_[unit] = now + interval_[unit];
  busy_[unit] += interval_[unit];
  ++operations_[unit];
}

void MathPipes::freeze(Cycle now, Cycle cycles) {
  for (Cycle& free : free_) {
    if (free > now) free += cycles;
  }
}

}  // namespace shflsim::model
