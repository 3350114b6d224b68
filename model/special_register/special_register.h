// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

#include "model/core/parameter.h"
#include "model/mio/pipelined_unit.h"

namespace shflsim::model {

struct SpecialRegisterParams {
  uint32_t latency = 0;
  uint32_t interval = 0;
  uint32_t cluster_latency = 0;
  uint32_t uniform_latency = 0;
  uint32_t constant_latency = 0;
  uint32_t constant_register = 0;
  uint32_t constant_address = 0;
  uint32_t constant_interval = 0;

  void list(ParameterList& out) {
    out.number("special_register.latency", &latency, 1, 4096, "cycles",
               "time from the start to the use of the result");
    out.number("special_register.cluster_latency", &cluster_latency, 0, 4096, "cycles",
               "the same for SR_CgaCtaId; 0: as others");
    out.number("special_register.interval", &interval, 1, 256, "cycles",
               "time between two warp instructions");
    out.number("special_register.uniform_latency", &uniform_latency, 1, 4096, "cycles",
               "time from the start to the use of the result in a uniform register");
    out.number("special_register.constant_latency", &constant_latency, 1, 4096, "cycles",
               "LDC: time from the start to the use of the result");
    out.number("special_register.constant_register", &constant_register, 0, 256, "cycles",
               "LDC: further time with an address in a register");
    out.number("special_register.constant_address", &constant_address, 0, 256, "cycles",
               "LDC: further time for each further distinct address");
    out.number("special_register.constant_interval", &constant_interval, 0, 256, "cycles",
               "LDC: time for each further distinct address in which the sub-partition starts no "
               "other LDC");
  }
};

/// Reads of special registers and, over the same path, of constants by address: one unit per SM.
class SpecialRegister : public PipelinedUnit {
 public:
  SpecialRegister(const sc_core::sc_module_name& name, const SpecialRegisterParams& params)
      : PipelinedUnit(name, params.interval, 1), params_(params) {}

  const char* kind() const override { return "SpecialRegister"; }
  const char* hardware() const override { return "reads of special registers and constants"; }
  const char* section() const override { return "special_register"; }

  /// A constant does not wait for special registers, nor they for it.
  Cycle free_for(const MioRequest& request, unsigned sub_partition, Cycle now) const override {
    const bool is_constant = request.facts->is_constant_load();
    return is_constant ? std::max(now, constants_free_) : free_from(sub_partition, now);
  }
  MioCompletion start(unsigned sub_partition, const MioRequest& request, Cycle now) override {
    if (!request.facts->is_constant_load())
      return PipelinedUnit::start(sub_partition, request, now);
    const Cycle accepted = std::max(now, constants_free_);
    constants_free_ = accepted + params_.interval;
    count(params_.interval);
    MioCompletion completion;
    completion.result = accepted + latency_of(request);
    if (request.payload == MioRequest::kNone) return completion;
    const Cycle start =
        std::max({accepted, request.issued + request.payload, loaded_[sub_partition]});
    loaded_[sub_partition] = start + params_.constant_interval * (request.wavefronts - 1);
    completion.result += start - accepted;
    return completion;
  }

 private:
  uint32_t latency_of(const MioRequest& request) const override {
    if (request.facts->is_to_uniform()) return params_.uniform_latency;
    if (request.facts->reads_cluster && params_.cluster_latency != 0)
      return params_.cluster_latency;
    if (!request.facts->is_constant_load()) return params_.latency;
    const bool has_register = request.facts->footprint.read_count != 0;
    return params_.constant_latency + (has_register ? params_.constant_register : 0) +
           params_.constant_address * (request.wavefronts - 1);
  }

  const SpecialRegisterParams params_;
  Cycle constants_free_ = 0;                    ///< first cycle in which the next LDC is accepted
  std::array<Cycle, kSubPartitions> loaded_{};  ///< first cycle in which the next LDC may start
};

}  // namespace shflsim::model
