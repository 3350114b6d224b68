// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "model/core/cycle.h"
#include "model/core/module.h"

namespace shflsim::model {

/// The memory of the chip, seen from an SM.
class MemoryPort : public virtual sc_core::sc_interface {
 public:
  /// The cycle in which an access that comes at `now` starts to pass. Calls are in order of time.
  virtual Cycle take(Cycle now) = 0;
};

/// The memory that the SMs of a chip share, as its bandwidth looks to them: their warp instructions
/// pass one after the other, each a 128-byte line. Time is counted in bytes that could have passed
/// since cycle 0, so that a rate need not divide a line.
class ChipMemory : public Module, public MemoryPort {
 public:
  ChipMemory(const sc_core::sc_module_name& name, uint32_t bytes_per_cycle)
      : Module(name), bytes_per_cycle_(bytes_per_cycle) {}

  const char* kind() const override { return "ChipMemory"; }
  const char* hardware() const override { return "memory behind all SMs, as a bandwidth"; }
  const char* section() const override { return "global_memory"; }

  Cycle take(Cycle now) override {
    const uint64_t start = std::max(now * bytes_per_cycle_, free_);
    free_ = start + kLineBytes;
    return (start + bytes_per_cycle_ - 1) / bytes_per_cycle_;
  }

 private:
  static constexpr uint64_t kLineBytes = 128;

  const uint64_t bytes_per_cycle_;
  uint64_t free_ = 0;
};

}  // namespace shflsim::model
