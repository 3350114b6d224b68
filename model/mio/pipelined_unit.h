// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/core/unit.h"
#include "model/mio/mio_ports.h"

namespace shflsim::model {

/// A unit that accepts a warp instruction every `interval` cycles, and finishes each after a
/// latency that depends on its kind.
class PipelinedUnit : public Unit, public MioUnit {
 public:
  Cycle free_from(unsigned sub_partition, Cycle now) const override;
  MioCompletion start(unsigned sub_partition, const MioRequest& request, Cycle now) override;
  uint32_t hold(const MioRequest& /*request*/, Cycle /*now*/) override { return interval_; }

 protected:
  /// `instances`: 1, or one per sub-partition.
  PipelinedUnit(const sc_core::sc_module_name& name, uint32_t interval, unsigned instances);

  uint32_t instances() const override { return static_cast<uint32_t>(free_.size()); }
  uint64_t held_from(Cycle end) const override;
  /// Time from the start to the use of the result.
  virtual uint32_t latency_of(const MioRequest& request) const = 0;
  /// Cycles until the unit can take the next request.
  virtual uint32_t interval_of(const Facts& /*facts*/) const { return interval_; }
  /// The operation that has started takes longer.
  void delay(unsigned sub_partition, uint32_t cycles) {
    free_[sub_partition % free_.size()] += cycles;
    count(cycles);
  }

 private:
  const uint32_t interval_;
  std::vector<Cycle> free_;
};

}  // namespace shflsim::model
