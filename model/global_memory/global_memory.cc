// SPDX-License-Identifier: Apache-2.0
#include "model/global_memory/global_memory.h"

#include <algorithm>

namespace shflsim::model {
namespace {

constexpr uint32_t kEveryLoad = 100;  // percent

}  // namespace

void GlobalMemoryParams::list(ParameterList& out) {
  out.number("global_memory.latency", &latency, 1, 4096, "cycles",
             "start to the result's use, of what the L1 does not have");
  out.number("global_memory.interval", &interval, 1, 256, "cycles",
             "from one warp instruction to the next");
  out.number("global_memory.l1_hit_rate", &l1_hit_rate, 0, 100, "percent",
             "of the loads, that the L1 has");
  out.number("global_memory.l1_latency", &l1_latency, 1, 4096, "cycles",
             "start to the result's use, of what the L1 has");
  out.number("global_memory.l1_interval", &l1_interval, 1, 256, "cycles",
             "from a load that the L1 has to the next warp instruction");
  out.number("global_memory.store_buffer", &store_buffer, 0, 4096, "warp instructions",
             "stores that wait to leave the SM; 0: no limit");
  out.number("global_memory.store_drain", &store_drain, 0, 256, "cycles",
             "from one store that leaves the buffer to the next");
  out.number("global_memory.full_interval", &full_interval, 1, 256, "cycles",
             "from one store to the next instruction while the buffer is full");
  out.number("global_memory.chip_bytes", &chip_bytes, 1, 65536, "bytes per cycle",
             "that the memory delivers to all SMs together; a warp instruction takes 128");
}

GlobalMemory::GlobalMemory(const sc_core::sc_module_name& name, const GlobalMemoryParams& params)
    : Unit(name), chip("chip"), params_(params) {}

Cycle GlobalMemory::free_from(unsigned /*sub_partition*/, Cycle now) const {
  return std::max(now, free_);
}

MioCompletion GlobalMemory::start(unsigned /*sub_partition*/, const MioRequest& request,
                                  Cycle now) {
  const uint32_t interval = interval_of(request);
  free_ = now + interval;
  count(interval);
  MioCompletion completion;
  if (request.facts->is_store) {
    chip->take(now);
    completion.result = now + interval;  // done with once it has left: nothing waits for it
  } else if (hits(request)) {
    owed_ = owed_ + params_.l1_hit_rate - kEveryLoad;
    completion.result = now + params_.l1_latency;
  } else {
    owed_ += params_.l1_hit_rate;
    completion.result = chip->take(now) + params_.latency;
  }
  return completion;
}

bool GlobalMemory::hits(const MioRequest& request) const {
  return !request.facts->is_store && owed_ + params_.l1_hit_rate >= kEveryLoad;
}

uint32_t GlobalMemory::interval_of(const MioRequest& request) const {
  return hits(request) ? params_.l1_interval : params_.interval;
}

/// A guarded store is taken for one of a few lanes, which does not fill the buffer.
uint32_t GlobalMemory::hold(const MioRequest& request, Cycle now) {
  const bool buffered = request.facts->is_store && !request.facts->is_guarded;
  if (!buffered || params_.store_buffer == 0) return interval_of(request);
  drained_ = std::max(drained_, now) + params_.store_drain;
  const Cycle capacity = Cycle{params_.store_buffer} * params_.store_drain;
  return drained_ - now > capacity ? params_.full_interval : params_.interval;
}

}  // namespace shflsim::model
