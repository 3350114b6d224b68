// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/mio/mio.h"

namespace shflsim::model {

struct PipelinedUnitParams {
  explicit PipelinedUnitParams(std::string unit) : section(std::move(unit)) {}

  std::string section;  ///< config section and unit name: "special_function", "global_memory"
  uint32_t latency = 0;
  uint32_t interval = 0;
  uint32_t constant_latency = 0;   ///< special registers: of LDC, in place of `latency`
  uint32_t reduction_latency = 0;  ///< special functions: of REDUX and MATCH, in place of `latency`
  uint32_t queued = 0;

  void list(ParameterList& out) {
    out.number((section + ".latency").c_str(), &latency, 1, 4096, "cycles",
               "start to the result's use");
    out.number((section + ".interval").c_str(), &interval, 1, 256, "cycles",
               "from one warp instruction to the next");
  }
};

/// A unit that takes a warp instruction every `interval` cycles and is done with each after
/// `latency`: special functions and conversions (one a sub-partition), special registers, and
/// global memory as it looks to one SM whose loads all take the same time.
class PipelinedUnit : public sc_core::sc_module, public MioUnit {
 public:
  /// `instances`: 1, or one for each sub-partition.
  PipelinedUnit(const sc_core::sc_module_name& name, const PipelinedUnitParams& params,
                unsigned instances);

  Cycle free_from(unsigned sub_partition, Cycle now) const override;
  MioCompletion start(unsigned sub_partition, const MioRequest& request, Cycle now) override;
  uint32_t hold(const MioRequest& request, Cycle now) override;
  UnitStats stats() const;

 private:
  const PipelinedUnitParams params_;
  std::vector<Cycle> free_;
  uint64_t busy_ = 0;
  uint64_t operations_ = 0;
};

}  // namespace shflsim::model
