// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <systemc>

#include "isa/instruction.h"
#include "model/core/parameter.h"
#include "model/run_result.h"

namespace shflsim::model {

struct MathParams {
  uint32_t fmai_interval = 0;
  uint32_t fxu_interval = 0;
  uint32_t double_interval = 0;

  void list(ParameterList& out) {
    out.number("math.fmai_interval", &fmai_interval, 1, 64, "cycles",
               "a warp instruction holds the multiply-add pipe so long");
    out.number("math.fxu_interval", &fxu_interval, 1, 64, "cycles",
               "a warp instruction holds the fixed-point pipe so long");
    out.number("math.double_interval", &double_interval, 1, 128, "cycles",
               "a warp instruction holds the double-precision pipe so long");
  }
};

/// Math pipes of one sub-partition. An operation that both pipes can do takes the one that has been
/// free for longest.
class MathPipes : public sc_core::sc_module {
 public:
  enum Unit : unsigned { kFmai, kFxu, kDouble, kUnits };

  MathPipes(const sc_core::sc_module_name& name, const MathParams& params);

  /// First cycle from `now` on in which an operation of this pipe class may issue.
  Cycle free_from(isa::Pipe pipe, Cycle now) const;
  void start(isa::Pipe pipe, Cycle now);

  uint64_t busy(Unit unit) const { return busy_[unit]; }
  uint64_t operations(Unit unit) const { return operations_[unit]; }

 private:
  Unit choose(isa::Pipe pipe) const;

  const std::array<uint32_t, kUnits> interval_;
  std::array<Cycle, kUnits> free_{};
  std::array<uint64_t, kUnits> busy_{};
  std::array<uint64_t, kUnits> operations_{};
};

}  // namespace shflsim::model
