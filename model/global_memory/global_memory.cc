// SPDX-License-Identifier: Apache-2.0
#include "model/global_memory/global_memory.h"

#include <algorithm>

namespace shflsim::model {

void GlobalMemoryParams::list(ParameterList& out) {
  out.number("global_memory.latency", &latency, 1, 4096, "cycles", "start to the result's use");
  out.number("global_memory.interval", &interval, 1, 256, "cycles",
             "from one warp instruction to the next");
  out.number("global_memory.store_buffer", &store_buffer, 0, 4096, "warp instructions",
             "stores that wait to leave the SM; 0: no limit");
  out.number("global_memory.store_drain", &store_drain, 0, 256, "cycles",
             "from one store that leaves the buffer to the next");
  out.number("global_memory.full_interval", &full_interval, 1, 256, "cycles",
             "from one store to the next instruction while the buffer is full");
  out.number("global_memory.chip_bytes", &chip_bytes, 1, 65536, "bytes per cycle",
             "that the memory delivers to all SMs together; a warp instruction takes 128");
}

GlobalMemory::GlobalMemory(const sc_core::sc_module_name& name, const GlobalMemoryParams& params,
                           ChipMemory& chip)
    : sc_module(name), params_(params), chip_(chip) {}

Cycle GlobalMemory::free_from(unsigned /*sub_partition*/, Cycle now) const {
  return std::max(now, free_);
}

MioCompletion GlobalMemory::start(unsigned /*sub_partition*/, const MioRequest& request,
                                  Cycle now) {
  free_ = now + params_.interval;
  busy_ += params_.interval;
  ++operations_;
  MioCompletion completion;
  // A store is done with once it has left: nothing waits for its result.
  const Cycle passes = chip_.take(now);
  completion.result = request.facts->is_store ? now + params_.interval : passes + params_.latency;
  return completion;
}

/// A guarded store is taken for one of a few lanes, which does not fill the buffer.
uint32_t GlobalMemory::hold(const MioRequest& request, Cycle now) {
  const bool buffered = request.facts->is_store && !request.facts->is_guarded;
  if (!buffered || params_.store_buffer == 0) return params_.interval;
  drained_ = std::max(drained_, now) + params_.store_drain;
  const Cycle capacity = Cycle{params_.store_buffer} * params_.store_drain;
  return drained_ - now > capacity ? params_.full_interval : params_.interval;
}

}  // namespace shflsim::model
