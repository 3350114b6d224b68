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
  uint32_t l2_restored = 0;
  uint32_t l2_requests = 0;
  uint32_t l2_slices = 0;
  uint32_t gpc_reads = 0;
  uint32_t gpc_writes = 0;
  uint32_t far_latency = 0;
  uint32_t atomic_word = 0;

  void list(ParameterList& out);
};

constexpr unsigned kSmsOfTpc = 2;  ///< SMs of a TPC have neighbouring numbers (published: GH100)

/// What an SM asks of a line in the memory of the chip.
struct LineRequest {
  unsigned sm = 0;
  uint64_t line = 0;          ///< byte address / 128
  unsigned sectors = 0;       ///< a bit each
  bool is_partial = false;    ///< some are written in part
  Cycle leaves = 0;           ///< not before this cycle does it leave the SM
  bool is_scattered = false;  ///< a sector of one of several lines that the warp wants
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
    Cycle there = 0;  ///< the cycle in which what the L2 does not have starts to pass, if later
    uint32_t dram_bytes = 0;
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
/// bandwidth, which reads and write-backs share. The slices of the L2 together take a number of
/// requests a cycle, reads beside writes, which delay each other a little (measured:
/// scripts/lab/hw/chip, which see for what a request costs). What comes from the DRAM or the other
/// half is written to the L2 as well; others that ask for it meanwhile
/// wait until it is there. Each slice serves what a hash of the address sends it, in
/// order: where one has much to do, some lines come much later than others (measured:
/// tests/data/h100/2026-11-26, streams.csv). Requests of a GPC for what another SM of it has just
/// asked for go there with that one, but for those of scattered sectors (measured: gathers.csv). Of
/// requests of more than a sector GPCs that wait get equal shares, each with an upper bound, so
/// that the SMs of a large one are served last (measured: gpc_writes, and reads of the SMs of a
/// GPC; chase_rings has no such shares of single sectors). What comes from the other half is asked
/// for twice. Atomics in one slice follow each other, and reads them; each KiB is in two slices,
/// 256 bytes in turn (measured: all SMs the same lines, histogram_hot). What one half has just
/// written, the other sees later (measured: words, in the same place). Time is counted in requests
/// and bytes that could have passed since cycle 0, so that a rate need not divide a line. Accesses
/// without addresses take a line's time of the DRAM each.
class ChipMemory : public Module, public MemoryPort {
 public:
  /// `dram_later`: cycles from where a request to the DRAM passes until the L2 has what it asks
  /// for.
  ChipMemory(const sc_core::sc_module_name& name, const ChipMemoryParams& params, unsigned gpcs = 1,
             Cycle dram_later = 0);

  const char* kind() const override { return "ChipMemory"; }
  const char* hardware() const override { return "memory behind all SMs: L2 and DRAM"; }
  const char* section() const override { return "global_memory"; }

  /// These bytes have been copied from elsewhere on the GPU before the launch. To be called before
  /// the first access.
  void restore(uint64_t address, uint64_t bytes);

  Cycle take(Cycle now) override { return pass(kLineBytes, now, now); }
  Fetched fetch(const LineRequest& request, Cycle now) override;
  Cycle write(const LineRequest& request, Cycle now) override;
  Updated update(const LineRequest& request, const Update& update, Cycle now) override;

 private:
  /// Slices, and lines, told apart; assumed, more than are updated or watched at a time.
  static constexpr size_t kUpdated = 4096;
  static constexpr size_t kWatched = 4096;
  static constexpr size_t kAsked = 16384;

  /// When the ways to the slices have passed what came before, in tenths of requests.
  struct Way {
    std::vector<uint64_t> by_gpc;  ///< of requests of more than a sector
    uint64_t least = 0;            ///< GPCs that could use it at a time, in hundredths
    uint64_t passed = 0;           ///< atomics of all GPCs, which no slice limits
    std::vector<uint64_t> by_slice;
  };
  /// What was written last of the lines that share a place.
  struct Written {
    uint64_t line = 0;
    unsigned half = 0;
    Cycle at = 0;       ///< 0: none
    Cycle updated = 0;  ///< when the atomics on it are done
  };
  /// What a GPC asked for last of the lines that share a place.
  struct Asked {
    uint64_t line = 0;
    size_t gpc = 0;
    unsigned sectors = 0;
    Cycle starts = 0;
    Cycle until = 0;      ///< others of the GPC that ask for these sectors are served with it
    unsigned others = 0;  ///< so many have been
  };
  size_t gpc_of(unsigned sm) const { return sm / kSmsOfTpc % reads_.by_gpc.size(); }
  Asked& asked_by(const LineRequest& request) {
    return asked_[(request.line * reads_.by_gpc.size() + gpc_of(request.sm)) % kAsked];
  }
  bool joins(const LineRequest& request, Cycle now);
  Way way_of(unsigned gpcs, uint64_t line_tenths, uint32_t gpc_bytes) const;
  Cycle serve(Way* way, size_t slice, uint64_t tenths, Cycle now) const;
  Cycle serve_gpc(Way* way, const LineRequest& request, uint64_t tenths, Cycle now) const;
  Cycle fetch_far(const LineRequest& request, uint64_t tenths, bool is_there, Cycle now);
  Cycle serve_all(uint64_t tenths, Cycle now);
  size_t slice_of(uint64_t line, unsigned half) const;
  Cycle pass(uint64_t bytes, Cycle now, Cycle leaves);
  Cycle from_dram(const LineRequest& request, unsigned sectors, Cycle now, uint32_t* bytes);
  void write_back(Cycle now);
  Cycle seen_from(const LineRequest& request, unsigned half, Cycle now) const;
  unsigned half_of(unsigned sm) const;
  unsigned bursts(unsigned sectors) const;

  const uint64_t bytes_per_cycle_;
  const uint32_t sectors_of_burst_;
  const unsigned halves_;
  const Cycle crossing_;             ///< from half to half, one way
  const Cycle dram_later_;           ///< from a request to the DRAM until the L2 has it
  const uint64_t tenths_per_cycle_;  ///< of requests; 0: as many as there are
  const size_t slices_;
  const uint64_t hundredths_per_step_;
  L2Tags l2_;
  Way reads_;
  Way writes_;  ///< and atomics
  std::vector<Written> written_;
  std::vector<Asked> asked_;
  std::vector<uint64_t> updated_;  ///< when a slice's last atomic is done, in hundredths of cycles
  uint64_t free_ = 0;              ///< when the DRAM is, in bytes that could have passed
};

}  // namespace shflsim::model
