// SPDX-License-Identifier: Apache-2.0
#include "model/math/math_pipes.h"

namespace shflsim::model {

MathPipes::MathPipes(const sc_core::sc_module_name& name, const MathParams& params)
    : Module(name), interval_{params.fmai_interval,     params.fxu_interval,
                              params.double_interval,   params.half_interval,
                              params.tensor_interval,   0,
                              params.multiply_interval, params.wide_interval} {}

void MathPipes::freeze(Cycle now, Cycle cycles) {
  for (size_t pipe = 0; pipe < isa::kMathPipes; ++pipe) {
    if (free_[pipe] > now) free_[pipe] += cycles;
  }
  note_shared();
}

}  // namespace shflsim::model
