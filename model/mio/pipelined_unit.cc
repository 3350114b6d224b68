// SPDX-License-Identifier: Apache-2.0
#include "model/mio/pipelined_unit.h"

#include <algorithm>

namespace shflsim::model {

PipelinedUnit::PipelinedUnit(const sc_core::sc_module_name& name, uint32_t interval,
                             unsigned instances)
    : Unit(name), interval_(interval), free_(instances) {}

Cycle PipelinedUnit::free_from(unsigned sub_partition, Cycle now) const {
  return std::max(now, free_[sub_partition % free_.size()]);
}

uint64_t PipelinedUnit::held_from(Cycle end) const {
  uint64_t held = 0;
  for (const Cycle free : free_) held += cycles_behind(end, free);
  return held;
}

MioCompletion PipelinedUnit::start(unsigned sub_partition, const MioRequest& request, Cycle now) {
  const uint32_t interval = interval_of(*request.facts);
  free_[sub_partition % free_.size()] = now + interval;
  count(interval);
  MioCompletion completion;
  // An instruction without a result is done when it has left.
  completion.result = now + (request.facts->is_store ? interval : latency_of(request));
  return completion;
}

}  // namespace shflsim::model
