// SPDX-License-Identifier: Apache-2.0
#include "model/mio/pipelined_unit.h"

#include <algorithm>

namespace shflsim::model {

PipelinedUnit::PipelinedUnit(const sc_core::sc_module_name& name, const PipelinedUnitParams& params,
                             unsigned instances)
    : sc_module(name), params_(params), free_(instances) {}

Cycle PipelinedUnit::free_from(unsigned sub_partition, Cycle now) const {
  return std::max(now, free_[sub_partition % free_.size()]);
}

MioCompletion PipelinedUnit::start(unsigned sub_partition, const MioRequest& request, Cycle now) {
  free_[sub_partition % free_.size()] = now + params_.interval;
  busy_ += params_.interval;
  ++operations_;
  MioCompletion completion;
  // A store is done with once it has left: nothing waits for its result.
  uint32_t latency = params_.latency;
  if (request.facts->is_constant_load) latency = params_.constant_latency;
  if (request.facts->is_reduction) latency = params_.reduction_latency;
  completion.result = now + (request.facts->is_store ? params_.interval : latency);
  return completion;
}

uint32_t PipelinedUnit::hold(const MioRequest& request, Cycle /*now*/) {
  return request.facts->is_constant_load ? 1 : params_.interval;
}

UnitStats PipelinedUnit::stats() const {
  return {params_.section, static_cast<uint32_t>(free_.size()), busy_, operations_};
}

}  // namespace shflsim::model
