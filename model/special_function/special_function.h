// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/core/parameter.h"
#include "model/mio/pipelined_unit.h"

namespace shflsim::model {

struct SpecialFunctionParams {
  uint32_t latency = 0;
  uint32_t interval = 0;
  uint32_t reduction_latency = 0;
  uint32_t queued = 0;

  void list(ParameterList& out) {
    out.number("special_function.latency", &latency, 1, 4096, "cycles",
               "start to the result's use");
    out.number("special_function.interval", &interval, 1, 256, "cycles",
               "from one warp instruction to the next");
    out.number("special_function.reduction_latency", &reduction_latency, 1, 4096, "cycles",
               "REDUX, MATCH: start to the result's use");
    out.flag("special_function.queued", &queued,
             "special functions wait in the MIO queue; else they issue once the unit is free");
  }
};

/// Special functions and conversions, and where there are any the reductions over a warp's lanes:
/// one unit a sub-partition.
class SpecialFunction : public PipelinedUnit {
 public:
  SpecialFunction(const sc_core::sc_module_name& name, const SpecialFunctionParams& params)
      : PipelinedUnit(name, params.interval, kSubPartitions), params_(params) {}

  const char* kind() const override { return "SpecialFunction"; }
  const char* hardware() const override { return "special function units, one a sub-partition"; }
  const char* section() const override { return "special_function"; }

 private:
  uint32_t latency_of(const Facts& facts) const override {
    return facts.is_reduction ? params_.reduction_latency : params_.latency;
  }

  const SpecialFunctionParams params_;
};

}  // namespace shflsim::model
