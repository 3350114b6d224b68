// SPDX-License-Identifier: Apache-2.0
#include "model/math/math_pipes.h"

#include <algorithm>

namespace shflsim::model {

MathPipes::MathPipes(const sc_core::sc_module_name& name, const MathParams& params)
    : sc_module(name),
      interval_{params.fmai_interval, params.fxu_interval, params.double_interval} {}

MathPipes::Unit MathPipes::choose(isa::Pipe pipe) const {
  switch (pipe) {
    case isa::Pipe::kFmai: return kFmai;
    case isa::Pipe::kFxu: return kFxu;
    case isa::Pipe::kDouble: return kDouble;
    default: return free_[kFmai] <= free_[kFxu] ? kFmai : kFxu;
  }
}

Cycle MathPipes::free_from(isa::Pipe pipe, Cycle now) const {
  return std::max(now, free_[choose(pipe)]);
}

void MathPipes::start(isa::Pipe pipe, Cycle now) {
  const Unit unit = choose(pipe);
  free_[unit] = now + interval_[unit];
  busy_[unit] += interval_[unit];
  ++operations_[unit];
}

}  // namespace shflsim::model
