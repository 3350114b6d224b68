// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

#include "model/core/parameter.h"
#include "model/mio/pipelined_unit.h"
#include "model/special_function/pass_calendar.h"

namespace shflsim::model {

struct SpecialFunctionParams {
  uint32_t latency = 0;
  uint32_t interval = 0;
  uint32_t wide_latency = 0;
  uint32_t wide_interval = 0;
  uint32_t reduction_latency = 0;
  uint32_t reduction_beats = 0;
  uint32_t match_latency = 0;
  uint32_t match_value = 0;
  uint32_t match_predicate = 0;
  uint32_t predicate_interval = 0;
  uint32_t queued = 0;
  uint32_t lead = 0;
  uint32_t next_operands = 0;
  uint32_t release = 0;

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
    out.number("special_function.reduction_beats", &reduction_beats, 0, 16, "beats",
               "REDUX, MATCH: beats of the shared pipe, which leads to one unit of the SM; 0: the "
               "special function unit executes them");
    out.number("special_function.match_latency", &match_latency, 1, 4096, "cycles",
               "32-bit MATCH: time from the start to the use of the result; a 64-bit MATCH takes 4 "
               "cycles more");
    out.number("special_function.match_value", &match_value, 0, 256, "cycles",
               "MATCH.ANY: time from one distinct value to the next; 2 cycles more for 64 bits");
    out.number("special_function.match_predicate", &match_predicate, 0, 256, "cycles",
               "MATCH.ALL: time from the result until the predicate is ready");
    out.number("special_function.predicate_interval", &predicate_interval, 0, 256, "cycles",
               "MATCH.ALL: time between two predicates of a sub-partition");
    out.flag("special_function.queued", &queued,
             "1: special functions wait in the MIO queue; 0: they issue when the unit is free");
    out.number("special_function.lead", &lead, 0, 64, "cycles",
               "time from the issue to the start if operations do not wait in the MIO queue; an "
               "operation issues while one other has not left the unit. 0: while none has");
    out.number("special_function.next_operands", &next_operands, 0, 64, "cycles",
               "time from the start of an operation until the reader of the shared pipe takes the "
               "operands of the next one. 0: they are read beside that reader");
    out.number("special_function.release", &release, 0, 64, "cycles",
               "time from the start of an operation until its sources are released. 0: they are "
               "released as those of the reader are");
  }
};

/// Special functions and conversions: one unit per sub-partition. Reductions over a warp's lanes,
/// if the chip has them: one unit for all sub-partitions, behind the queues.
class SpecialFunction : public PipelinedUnit {
 public:
  SpecialFunction(const sc_core::sc_module_name& name, const SpecialFunctionParams& params)
      : PipelinedUnit(name, params.interval, kSubPartitions), params_(params) {}

  const char* kind() const override { return "SpecialFunction"; }
  const char* hardware() const override { return "special function units, one a sub-partition"; }
  const char* section() const override { return "special_function"; }

  Cycle free_from(unsigned sub_partition, Cycle now) const override {
    if (params_.lead == 0) return PipelinedUnit::free_from(sub_partition, now);
    const Left& left = left_[sub_partition];
    if (left.expected > 1) return now + 1;
    return std::max(now, left.expected == 0 ? left.before : left.last);
  }
  void announce(unsigned sub_partition) override { ++left_[sub_partition].expected; }
  Cycle operands_from(unsigned sub_partition) const override {
    const Cycle started = left_[sub_partition].started;
    return started == 0 ? 0 : started + params_.next_operands;
  }
  Cycle released(unsigned sub_partition) const override {
    return params_.release == 0 ? 0 : left_[sub_partition].started + params_.release;
  }
  void stand_still(unsigned sub_partition) override {
    delay(sub_partition, 1);
    ++left_[sub_partition].last;
  }
  Cycle free_for(const MioRequest& request, unsigned sub_partition, Cycle now) const override {
    return is_shared(request) ? now : free_from(sub_partition, now);
  }
  uint32_t beats(const MioRequest& request) override {
    return is_shared(request) ? params_.reduction_beats : 1;
  }
  uint32_t hold(const MioRequest& request, Cycle now) override {
    return is_shared(request) ? 1 : PipelinedUnit::hold(request, now);
  }
  MioCompletion start(unsigned sub_partition, const MioRequest& request, Cycle now) override {
    if (is_shared(request)) return reduce(sub_partition, request, now);
    const Cycle start = PipelinedUnit::free_from(sub_partition, now);
    const MioCompletion completion = PipelinedUnit::start(sub_partition, request, start);
    if (request.payload != MioRequest::kNone) delay(sub_partition, request.payload);
    Left& left = left_[sub_partition];
    left = {left.last, PipelinedUnit::free_from(sub_partition, 0) + params_.lead,
            start + params_.lead, left.expected - std::min(1u, left.expected)};
    return completion;
  }

 private:
  /// When the last operation and the one before it leave the unit.
  struct Left {
    Cycle before = 0;
    Cycle last = 0;
    Cycle started = 0;      ///< start of the last operation; 0: none
    uint32_t expected = 0;  ///< operations that have issued and not started
  };

  bool is_shared(const MioRequest& request) const {
    return params_.reduction_beats != 0 && request.facts->is_reduction();
  }
  /// Each distinct value of MATCH takes the unit once; the values of several warps take turns.
  MioCompletion reduce(unsigned sub_partition, const MioRequest& request, Cycle now) {
    count(params_.reduction_beats * request.wavefronts);
    passes_.forget(now);
    Cycle last = passes_.book(now);
    for (uint32_t value = 1; value < request.wavefronts; ++value)
      last = passes_.book(last + value_time(*request.facts));
    const Cycle result = last + first_value(*request.facts);
    if (request.facts->footprint.predicates_written == 0) return {result};
    Cycle& predicate = predicates_[sub_partition];
    predicate = std::max(predicate + params_.predicate_interval, result + params_.match_predicate);
    return {predicate};
  }
  uint32_t latency_of(const MioRequest& request) const override {
    const Facts& facts = *request.facts;
    if (facts.is_reduction())
      return first_value(facts) + value_time(facts) * (request.wavefronts - 1);
    const bool is_wide = facts.converts_wide && params_.wide_latency != 0;
    return is_wide ? params_.wide_latency : params_.latency;
  }
  uint32_t interval_of(const Facts& facts) const override {
    const uint32_t own = facts.converts_wide ? params_.wide_interval : 0;
    return own != 0 ? own : params_.interval;
  }
  uint32_t first_value(const Facts& facts) const {
    if (facts.match_words == 0) return params_.reduction_latency;
    return params_.match_latency + (facts.match_words > 1 ? kWideMatch : 0);
  }
  uint32_t value_time(const Facts& facts) const {
    return params_.match_value + (facts.match_words > 1 ? kWideValue : 0);
  }

  /// Measured: match_any_long_1 to match_any_long_32, docs/sources.md.
  static constexpr uint32_t kWideMatch = 4;
  static constexpr uint32_t kWideValue = 2;

  const SpecialFunctionParams params_;
  std::array<Left, kSubPartitions> left_{};         ///< by sub-partition
  std::array<Cycle, kSubPartitions> predicates_{};  ///< when the last of MATCH.ALL is ready
  PassCalendar passes_{params_.reduction_beats};    ///< of the unit for reductions
};

}  // namespace shflsim::model
