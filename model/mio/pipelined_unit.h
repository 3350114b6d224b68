// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/core/module.h"
#include "model/core/stats.h"
#include "model/mio/mio_ports.h"

namespace shflsim::model {

/// A unit that takes a warp instruction every `interval` cycles, and is done with each after a
/// latency that its kind has.
class PipelinedUnit : public Module, public MioUnit {
 public:
  Cycle free_from(unsigned sub_partition, Cycle now) const override;
  MioCompletion start(unsigned sub_partition, const MioRequest& request, Cycle now) override;
  uint32_t hold(const MioRequest& /*request*/, Cycle /*now*/) override { return interval_; }
  UnitStats stats() const;

 protected:
  /// `instances`: 1, or one for each sub-partition.
  PipelinedUnit(const sc_core::sc_module_name& name, uint32_t interval, unsigned instances);

  /// Start to the result's use.
  virtual uint32_t latency_of(const Facts& facts) const = 0;

 private:
  const uint32_t interval_;
  std::vector<Cycle> free_;
  uint64_t busy_ = 0;
  uint64_t operations_ = 0;
};

}  // namespace shflsim::model
