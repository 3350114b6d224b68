// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/core/parameter.h"
#include "model/core/unit.h"
#include "model/global_memory/chip_memory.h"
#include "model/mio/mio_ports.h"

namespace shflsim::model {

struct GlobalMemoryParams {
  uint32_t latency = 0;
  uint32_t interval = 0;
  uint32_t l1_hit_rate = 0;
  uint32_t l1_latency = 0;
  uint32_t l1_interval = 0;
  uint32_t store_buffer = 0;
  uint32_t store_drain = 0;
  uint32_t full_interval = 0;
  uint32_t chip_bytes = 0;

  void list(ParameterList& out);
};

/// Global memory as it looks to one SM. The L1 has a share of the loads, which are spread evenly
/// over all: which addresses are asked for is not looked at. The others all take the same time,
/// once the memory of the chip has let them pass. Stores leave through a buffer that drains at a
/// fixed rate; behind a full one they take longer.
class GlobalMemory : public Unit, public MioUnit {
 public:
  GlobalMemory(const sc_core::sc_module_name& name, const GlobalMemoryParams& params);

  const char* kind() const override { return "GlobalMemory"; }
  const char* hardware() const override { return "global memory: L1 and store buffer"; }
  const char* section() const override { return "global_memory"; }

  sc_core::sc_port<MemoryPort> chip;  ///< behind the L1

  Cycle free_from(unsigned sub_partition, Cycle now) const override;
  MioCompletion start(unsigned sub_partition, const MioRequest& request, Cycle now) override;
  uint32_t hold(const MioRequest& request, Cycle now) override;

 private:
  uint64_t held_from(Cycle end) const override { return cycles_behind(end, free_); }
  bool hits(const MioRequest& request) const;
  uint32_t interval_of(const MioRequest& request) const;

  const GlobalMemoryParams params_;
  Cycle free_ = 0;
  Cycle drained_ = 0;  ///< when all stores taken so far have left the buffer
  uint32_t owed_ = 0;  ///< hits that are due, in hundredths
};

}  // namespace shflsim::model
