// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

#include "model/core/parameter.h"
#include "model/mio/pipelined_unit.h"

namespace shflsim::model {

struct SpecialFunctionParams {
  uint32_t latency = 0;
  uint32_t interval = 0;
  uint32_t wide_latency = 0;
  uint32_t wide_interval = 0;
  uint32_t reduction_latency = 0;
  uint32_t reduction_interval = 0;
  uint32_t match_latency = 0;
  uint32_t match_value = 0;
  uint32_t match_interval = 0;
  uint32_t queued = 0;

  void list(ParameterList& out) {
    out.number("special_function.latency", &latency, 1, 4096, "cycles",
               "time from the start to the use of the result");
    out.number("special_function.interval", &interval, 1, 256, "cycles",
               "time between two warp instructions");
    out.number("special_function.wide_latency", &wide_latency, 0, 4096, "cycles",
               "conversions from 64 bits other than F2F: time from the start to the use of the "
               "result; 0: special_function.latency");
    out.number("special_function.wide_interval", &wide_interval, 0, 256, "cycles",
               "time from such a conversion to the next operation; 0: special_function.interval");
    out.number("special_function.reduction_latency", &reduction_latency, 1, 4096, "cycles",
               "REDUX: time from the start to the use of the result");
    out.number("special_function.reduction_interval", &reduction_interval, 0, 256, "cycles",
               "time from REDUX or MATCH to the next operation; 0: special_function.interval");
    out.number("special_function.match_latency", &match_latency, 1, 4096, "cycles",
               "32-bit MATCH: time from the start to the use of the result; a 64-bit MATCH takes 4 "
               "cycles more");
    out.number(
        "special_function.match_value", &match_value, 0, 256, "cycles",
        "MATCH.ANY: further time for each further distinct value; 2 cycles more for 64 bits");
    out.number("special_function.match_interval", &match_interval, 0, 256, "cycles",
               "MATCH.ANY: time for each further distinct value in which the sub-partition starts "
               "no other MATCH");
    out.flag("special_function.queued", &queued,
             "1: special functions wait in the MIO queue; 0: they issue when the unit is free");
  }
};

/// Special functions, conversions and, if the chip has them, reductions over a warp's lanes: one
/// unit per sub-partition.
class SpecialFunction : public PipelinedUnit {
 public:
  SpecialFunction(const sc_core::sc_module_name& name, const SpecialFunctionParams& params)
      : PipelinedUnit(name, params.interval, kSubPartitions), params_(params) {}

  const char* kind() const override { return "SpecialFunction"; }
  const char* hardware() const override { return "special function units, one a sub-partition"; }
  const char* section() const override { return "special_function"; }

  MioCompletion start(unsigned sub_partition, const MioRequest& request, Cycle now) override {
    MioCompletion completion = PipelinedUnit::start(sub_partition, request, now);
    if (request.payload != MioRequest::kNone) delay(sub_partition, request.payload);
    if (request.facts->match_words == 0) return completion;
    const Cycle start = std::max(matched_[sub_partition], now);
    matched_[sub_partition] = start + params_.match_interval * (request.wavefronts - 1);
    completion.result += start - now;
    return completion;
  }

 private:
  uint32_t latency_of(const MioRequest& request) const override {
    const Facts& facts = *request.facts;
    if (facts.match_words != 0) return match_latency(request);
    if (facts.is_reduction()) return params_.reduction_latency;
    const bool is_wide = facts.converts_wide && params_.wide_latency != 0;
    return is_wide ? params_.wide_latency : params_.latency;
  }
  uint32_t interval_of(const Facts& facts) const override {
    uint32_t own = 0;
    if (facts.is_reduction()) own = params_.reduction_interval;
    if (facts.converts_wide) own = params_.wide_interval;
    return own != 0 ? own : params_.interval;
  }
  uint32_t match_latency(const MioRequest& request) const {
    const bool is_wide = request.facts->match_words > 1;
    const uint32_t each = params_.match_value + (is_wide ? kWideValue : 0);
    return params_.match_latency + (is_wide ? kWideMatch : 0) + each * (request.wavefronts - 1);
  }

  /// Measured: match_any_long_1 to match_any_long_32, docs/sources.md.
  static constexpr uint32_t kWideMatch = 4;
  static constexpr uint32_t kWideValue = 2;

  const SpecialFunctionParams params_;
  std::array<Cycle, kSubPartitions> matched_{};  ///< first cycle in which the next MATCH may start
};

}  // namespace shflsim::model
