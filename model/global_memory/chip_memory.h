// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/core/cycle.h"
#include "model/core/module.h"
#include "model/core/parameter.h"
#include "model/global_memory/tag_store.h"

namespace shflsim::model {

struct ChipMemoryParams {
  uint32_t chip_bytes = 0;
  uint32_t l2_capacity = 0;
  uint32_t l2_warm = 0;
  uint32_t l2_requests = 0;
  uint32_t atomic_word = 0;

  void list(ParameterList& out);
};

/// The memory of the chip, seen from an SM. Calls are in order of time.
class MemoryPort : public virtual sc_core::sc_interface {
 public:
  struct Fetched {
    Cycle starts = 0;  ///< the cycle in which it starts to pass
    bool from_dram = false;
  };

  /// An access of unknown addresses arrives at `now`; returns the cycle in which it starts to pass.
  virtual Cycle take(Cycle now) = 0;
  /// Requests sectors of a line, of which the L2 has all or none.
  virtual Fetched fetch(uint64_t line, unsigned sectors, Cycle now) = 0;
  /// Sectors are written to a line in the L2, whole or some in part; returns the cycle in which it
  /// has taken them.
  virtual Cycle write(uint64_t line, unsigned sectors, bool is_partial, Cycle now) = 0;
  /// Atomics on sectors of a line, of so many steps (WarpAccess::atomic_steps), which follow each
  /// other; returns the cycle in which the first one starts.
  virtual Cycle update(uint64_t line, unsigned sectors, uint32_t steps, Cycle now) = 0;
};

/// The memory that the SMs of a chip share: an L2, whose tags are of whole lines, and behind it the
/// DRAM, modelled as a bandwidth. The slices of the L2 together take a number of requests a cycle:
/// two sectors that are read are one, as is each sector that is written as a whole; a sector that
/// is written in part is two (measured: scripts/lab/hw/chip), and so is one with atomics. Atomics
/// on one line follow each other. Write-backs of the L2 are not counted. Time is counted in
/// requests and bytes that could have passed since cycle 0, so that a rate need not divide a line.
/// Accesses without addresses take a line's time of the DRAM each.
class ChipMemory : public Module, public MemoryPort {
 public:
  ChipMemory(const sc_core::sc_module_name& name, const ChipMemoryParams& params);

  const char* kind() const override { return "ChipMemory"; }
  const char* hardware() const override { return "memory behind all SMs: L2 and DRAM"; }
  const char* section() const override { return "global_memory"; }

  Cycle take(Cycle now) override { return pass(kLineBytes, now); }
  Fetched fetch(uint64_t line, unsigned sectors, Cycle now) override;
  Cycle write(uint64_t line, unsigned sectors, bool is_partial, Cycle now) override;
  Cycle update(uint64_t line, unsigned sectors, uint32_t steps, Cycle now) override;

 private:
  static constexpr size_t kUpdated =
      4096;  ///< lines told apart; assumed, more than are updated at a time

  Cycle request(uint64_t requests, Cycle now);
  Cycle pass(uint64_t bytes, Cycle now);
  bool is_in_l2(uint64_t line);

  const uint64_t bytes_per_cycle_;
  const bool is_warm_;
  const uint64_t requests_per_cycle_;  ///< 0: as many as there are
  const uint64_t hundredths_per_step_;
  TagStore l2_;
  uint64_t requested_ = 0;         ///< when the slices are free, in requests
  std::vector<uint64_t> updated_;  ///< when a line's last atomic is done, in hundredths of cycles
  uint64_t free_ = 0;
};

}  // namespace shflsim::model
