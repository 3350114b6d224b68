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
  for (size_t pipe = 0; pipe < isa::kMathPipes; ++pipe) {
    if (free_[pipe] > now) free_[pipe] += cycles;
  }
  for (Cycle* each : {&light_, &heavy_}) {
    if (*each > now) *each += cycles;
  }
  if (has_light_) note_light();
  note_shared();
}

}  // namespace shflsim::model
