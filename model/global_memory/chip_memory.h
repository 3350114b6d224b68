// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/core/cycle.h"
#include "model/core/module.h"
#include "model/core/parameter.h"
#include "model/global_memory/l2_tags.h"

namespace shflsim::model {

struct ChipMemoryParams {
  uint32_t chip_bytes = 0;
  uint32_t dram_burst = 0;
  uint32_t l2_capacity = 0;
  uint32_t l2_warm = 0;
  uint32_t l2_copies = 0;
  uint32_t l2_requests = 0;
  uint32_t far_latency = 0;
  uint32_t atomic_word = 0;

  void list(ParameterList& out);
};

constexpr unsigned kSmsOfTpc = 2;  ///< SMs of a TPC have neighbouring numbers (published: GH100)

/// What an SM asks of a line in the memory of the chip.
struct LineRequest {
  unsigned sm = 0;
  uint64_t line = 0;        ///< byte address / 128
  unsigned sectors = 0;     ///< a bit each
  bool is_partial = false;  ///< some are written in part
};

/// The memory of the chip, seen from an SM. Calls are in order of time.
class MemoryPort : public virtual sc_core::sc_interface {
 public:
  struct Fetched {
    Cycle starts = 0;         ///< the cycle in which it starts to pass
    uint32_t dram_bytes = 0;  ///< that the L2 does not have
    bool is_far = false;      ///< it is in the other half of the L2, or was asked for there
  };
  struct Updated {
    Cycle starts = 0;  ///< the cycle in which the first atomic starts
    bool is_far = false;
  };

  /// An access of unknown addresses arrives at `now`; returns the cycle in which it starts to pass.
  virtual Cycle take(Cycle now) = 0;
  /// Requests sectors.
  virtual Fetched fetch(const LineRequest& request, Cycle now) = 0;
  /// Sectors are written to the L2; returns the cycle in which it has taken them.
  virtual Cycle write(const LineRequest& request, Cycle now) = 0;
  struct Update {
    uint32_t steps = 0;    ///< WarpAccess::atomic_steps, which follow each other
    bool returns = false;  ///< a value
  };
  virtual Updated update(const LineRequest& request, const Update& update, Cycle now) = 0;
};

/// The memory that the SMs of a chip share: an L2 (L2Tags), and behind it the DRAM, modelled as a
/// bandwidth. The slices of the L2 together take a number of requests a cycle, reads beside writes,
/// which delay each other a little (measured: scripts/lab/hw/chip, which see for what a request
/// costs). What comes from the other half is asked for twice. Atomics in one slice follow each
/// other; each KiB is in two slices, 256 bytes in turn (measured: all SMs the same lines; assumed
/// for atomics). Write-backs of the L2 are not counted. Time is counted in requests and bytes that
/// could have passed since cycle 0, so that a rate need not divide a line. Accesses without
/// addresses take a line's time of the DRAM each.
class ChipMemory : public Module, public MemoryPort {
 public:
  ChipMemory(const sc_core::sc_module_name& name, const ChipMemoryParams& params);

  const char* kind() const override { return "ChipMemory"; }
  const char* hardware() const override { return "memory behind all SMs: L2 and DRAM"; }
  const char* section() const override { return "global_memory"; }

  Cycle take(Cycle now) override { return pass(kLineBytes, now); }
  Fetched fetch(const LineRequest& request, Cycle now) override;
  Cycle write(const LineRequest& request, Cycle now) override;
  Updated update(const LineRequest& request, const Update& update, Cycle now) override;

 private:
  static constexpr size_t kUpdated =
      4096;  ///< slices told apart; assumed, more than are updated at a time

  /// When a way to the slices has passed what came before, in tenths of requests.
  struct Way {
    uint64_t passed = 0;
  };
  Cycle serve(Way* way, uint64_t tenths, Cycle now) const;
  Cycle pass(uint64_t bytes, Cycle now);
  unsigned half_of(unsigned sm) const;
  unsigned bursts(unsigned sectors) const;

  const uint64_t bytes_per_cycle_;
  const uint32_t sectors_of_burst_;
  const unsigned halves_;
  const uint64_t tenths_per_cycle_;  ///< of requests; 0: as many as there are
  const uint64_t hundredths_per_step_;
  L2Tags l2_;
  Way reads_;
  Way writes_;                     ///< and atomics
  std::vector<uint64_t> updated_;  ///< when a slice's last atomic is done, in hundredths of cycles
  uint64_t free_ = 0;
};

}  // namespace shflsim::model
