// SPDX-License-Identifier: Apache-2.0
#include "model/math/math_pipes.h"

namespace shflsim::model {

MathPipes::MathPipes(const sc_core::sc_module_name& name, const MathParams& params)
    : Module(name),
      interval_{params.fmai_interval,     params.fxu_interval,    params.double_interval,
                params.half_interval,     params.tensor_interval, 0,
                params.multiply_interval, params.wide_interval},
      has_light_(params.light_pipe != 0) {}

void MathPipes::freeze(Cycle now, Cycle cycles) {
  const auto hold = [=](Cycle* free) { *free += *free > now ? cycles : 0; };
  hold(&free_[kFxu]);
  if (others_free_ > now) {
    for (size_t pipe = kFxu + 1; pipe < isa::kMathPipes; ++pipe) hold(&free_[pipe]);
    others_free_ += cycles;
  }
  if (has_light_) {
    hold(&light_);
    hold(&heavy_);
    note_light();
  } else {
    hold(&free_[kFmai]);
  }
  note_shared();
}

}  // namespace shflsim::model
