// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "model/core/awaited_fill.h"
#include "model/core/cycle.h"
#include "model/core/module.h"
#include "model/core/parameter.h"
#include "model/global_memory/dram_channels.h"
#include "model/global_memory/fair_shares.h"
#include "model/global_memory/l2_hash.h"
#include "model/global_memory/l2_tags.h"
#include "model/global_memory/outstanding.h"
#include "model/global_memory/slice_fills.h"
#include "model/global_memory/warp_access.h"

namespace shflsim::model {

struct ChipMemoryParams {
  uint32_t chip_bytes = 0;
  uint32_t dram_refresh = 0;
  uint32_t dram_refresh_interval = 0;
  uint32_t dram_writes = 0;
  uint32_t dram_burst = 0;
  uint32_t l2_capacity = 0;
  uint32_t l2_warm = 0;
  uint32_t l2_copies = 0;
  uint32_t l2_restored = 0;
  uint32_t l2_restored_far = 0;
  uint32_t l2_restored_piece = 0;
  uint32_t l2_requests = 0;
  uint32_t l2_slices = 0;
  uint32_t l2_misses = 0;
  uint32_t gpc_reads = 0;
  uint32_t gpc_writes = 0;
  uint32_t cpcs = 1;
  uint32_t far_latency = 0;
  uint32_t atomic_word = 0;
  uint32_t fence_turn = 0;
  uint32_t line_write = 0;

  void list(ParameterList& out);

 private:
  void list_dram(ParameterList& out);
};

constexpr unsigned kSmsOfTpc = 2;  ///< SMs of a TPC have neighbouring numbers (published: GH100)

/// Groups of SMs. TPCs belong to the GPCs in turn, and the TPCs of a GPC to its CPCs in turn.
struct SmGroups {
  size_t gpcs = 1;
  size_t cpcs_of_gpc = 1;

  size_t gpc(unsigned sm) const { return sm / kSmsOfTpc % gpcs; }
  /// Row of the SM's TPC in its GPC.
  size_t row(unsigned sm) const { return sm / kSmsOfTpc / gpcs; }
  size_t cpc(unsigned sm) const { return row(sm) % cpcs_of_gpc; }
  size_t cpcs() const { return gpcs * cpcs_of_gpc; }
  /// Number of its CPC among all of the chip.
  size_t cpc_of_chip(unsigned sm) const { return gpc(sm) + cpc(sm) * gpcs; }
};

/// An SM's request for sectors of one line, sent to the memory of the chip.
struct LineRequest {
  unsigned sm = 0;
  uint64_t line = 0;          ///< byte address / 128
  unsigned sectors = 0;       ///< the requested sectors, one bit each
  bool is_partial = false;    ///< some sectors are written only in part
  Cycle leaves = 0;           ///< first cycle in which the request may leave the SM
  bool is_scattered = false;  ///< one sector, for a warp that accesses several lines
};

/// Where accesses of an SM went: to the half of the L2 at the SM, or to the other one.
enum class Reached : uint8_t { kNothing, kNear, kFar };

/// The memory of the chip, seen from an SM. Calls must be in order of time.
class MemoryPort : public virtual sc_core::sc_interface {
 public:
  struct Fetched {
    Cycle starts = 0;         ///< cycle in which the request passes; its latency counts from then
    uint32_t dram_bytes = 0;  ///< bytes read from the DRAM because the L2 does not have them
    bool is_far = false;      ///< the request goes to the line's home in the other half of the L2
    int distance =
        0;  ///< cycles that the way to the slice and back takes beyond its mean; L2Distance
    AwaitedFill fill{};  ///< data from the DRAM, if the L2 has slices
  };
  struct Updated {
    Cycle starts = 0;  ///< cycle in which the first atomic starts
    bool is_far = false;
    Cycle there = 0;  ///< cycle in which data that the L2 does not have start to pass, if later
    uint32_t dram_bytes = 0;
    int distance = 0;
  };

  /// Accepts an access with unknown addresses; returns the cycle in which it starts to pass.
  virtual Cycle take(Cycle now) = 0;
  /// Requests sectors.
  virtual Fetched fetch(const LineRequest& request, Cycle now) = 0;
  /// Writes sectors to the L2; returns the cycle in which the L2 has accepted them.
  virtual Cycle write(const LineRequest& request, Cycle now) = 0;
  struct Update {
    uint32_t steps = 0;    ///< WarpAccess::atomic_steps, which run one after another
    bool returns = false;  ///< the atomics return a value
  };
  virtual Updated update(const LineRequest& request, const Update& update, Cycle now) = 0;
  /// A fence leaves an SM; returns the cycle in which the last slice has passed it.
  virtual Cycle fence(Cycle now) { return now; }
  /// Cycles for which a slice has kept these data back.
  virtual Cycle lateness(const AwaitedFill& /*fill*/, Cycle /*now*/) { return 0; }
  /// The SM accesses this line, as far as fences are concerned.
  virtual void note(unsigned /*sm*/, uint64_t /*line*/) {}
  /// The farthest of the lines noted since the last call.
  virtual Reached reached(unsigned /*sm*/) { return Reached::kNothing; }
  /// Bytes that the L2 has written back because of the SM's accesses since the last call.
  virtual uint32_t written_back(unsigned /*sm*/) { return 0; }
};

/// The memory that the SMs of a chip share: an L2 (L2Tags) and the DRAM, of which each slice of the
/// L2 has a channel. A channel is a bandwidth that reads and write-backs share. Times are in
/// requests and bytes that could have passed since cycle 0, so that a rate need not divide a line.
/// An access without addresses takes the DRAM the time of a line. All slices of the L2 together
/// accept a number of requests per cycle. Reads and writes run side by side and delay each other a
/// little (measured: scripts/lab/hw/chip, also for the cost of each request). A hash of the address
/// (L2Hash) selects a slice, which serves its requests in order; lines of a busy slice arrive much
/// later than others (measured: tests/data/h100/2026-11-26, streams.csv). Data from the DRAM or the
/// other half are also written to the L2; other requests for them wait until they are there. Data
/// from the DRAM go on to the SM when the slice has written them, which its other writes may delay
/// (measured: states of adam_step, copy_wide and transpose_tile with empty caches). Reads of a
/// slice wait behind those that wait for its channel (measured: gather_words and embedding_bag,
/// whose tables are read again while they come; writes do not wait so: last_block_sum). A request
/// to the other half is served in a slice of each half. A request for sectors that the same GPC has
/// just requested joins that request, unless they are scattered (measured: gathers.csv). Waiting
/// GPCs get equal shares, up to a bound, of requests for more than one sector: SMs of a large GPC
/// are served last (measured: gpc_writes, reads of the SMs of a GPC). Waiting CPCs get equal shares
/// of the writes of their GPC (measured: slices, ends.csv.gz), of the reads of a slice (measured:
/// tests/data/h200/2026-11-30, read_ends.csv.gz) and of its atomics (measured:
/// tests/data/h200/2026-11-28). Atomics of a slice run one after another; reads of a line wait for
/// its atomics (measured: all SMs the same lines, histogram_hot) and writes, and reads of a slice
/// for the atomics of their CPC that wait there (measured: histogram.csv). What one half has just
/// written is visible in the other half later (measured: words, same place).
class ChipMemory : public Module, public MemoryPort {
 public:
  /// `dram_later`: cycles from the cycle in which a request to the DRAM passes until the L2 has the
  /// data.
  ChipMemory(const sc_core::sc_module_name& name, const ChipMemoryParams& params, unsigned gpcs = 1,
             Cycle dram_later = 0);

  const char* kind() const override { return "ChipMemory"; }
  const char* hardware() const override { return "memory behind all SMs: L2 and DRAM"; }
  const char* section() const override { return "global_memory"; }

  /// Models a copy of these bytes from elsewhere on the GPU before the launch. Must be called
  /// before the first access.
  void restore(uint64_t address, uint64_t bytes);

  Cycle take(Cycle now) override { return dram_.pass(dram_.next(), kLineBytes, now, now); }
  Fetched fetch(const LineRequest& request, Cycle now) override;
  Cycle write(const LineRequest& request, Cycle now) override;
  Updated update(const LineRequest& request, const Update& update, Cycle now) override;
  Cycle fence(Cycle now) override;
  Cycle lateness(const AwaitedFill& fill, Cycle now) override;
  void note(unsigned sm, uint64_t line) override;
  Reached reached(unsigned sm) override {
    return std::exchange(of_sm_[sm % kSms].reached, Reached::kNothing);
  }
  uint32_t written_back(unsigned sm) override {
    return std::exchange(of_sm_[sm % kSms].written_back, 0);
  }

 private:
  /// Table sizes: SMs, slices and lines that are distinguished. Assumed: more than are in use at a
  /// time.
  static constexpr size_t kSms = 1024;
  static constexpr size_t kUpdated = 4096;
  static constexpr size_t kWatched = 4096;
  static constexpr size_t kAsked = 16384;

  /// When the paths to the slices have passed all earlier requests, in tenths of requests.
  struct Way {
    std::vector<uint64_t> by_gpc;    ///< for requests of more than one sector
    std::vector<FairShares> by_cpc;  ///< the same, by GPC
    uint64_t least = 0;              ///< lower bound of the GPCs that share it, in hundredths
    uint64_t passed = 0;             ///< atomics of all GPCs, which no single slice limits
    std::vector<uint64_t> by_slice;
    std::vector<FairQueue> shares;  ///< reads: by slice, among all CPCs; else empty
  };
  /// The last write to the lines that share an entry of written_.
  struct Written {
    uint64_t line = 0;
    unsigned half = 0;
    Cycle at = 0;       ///< cycle in which the last write is done; 0: no write
    Cycle updated = 0;  ///< cycle in which reads may pass the writes and atomics on the line
  };
  /// The last request of a GPC for the lines that share an entry of asked_.
  struct Asked {
    uint64_t line = 0;
    size_t gpc = 0;
    unsigned sectors = 0;
    Cycle starts = 0;
    Cycle until = 0;      ///< before this cycle, requests of the GPC for these sectors join it
    unsigned others = 0;  ///< number of requests that have joined
  };
  int distance(unsigned sm, uint64_t line) const;
  Asked& asked_by(const LineRequest& request) {
    return asked_[(request.line * groups_.gpcs + groups_.gpc(request.sm)) % kAsked];
  }
  bool joins(const LineRequest& request, Cycle now);
  Way way_of(unsigned gpcs, size_t cpcs, uint64_t line_tenths, uint32_t gpc_bytes) const;
  Cycle open_from(size_t slice, unsigned sm, Cycle now) const;
  Cycle serve(Way* way, size_t slice, uint64_t tenths, Cycle now) const;
  Cycle serve_read(const LineRequest& request, size_t slice, uint64_t tenths, Cycle now);
  Cycle serve_write(size_t slice, uint64_t tenths, Cycle now);
  Cycle serve_gpc(Way* way, const LineRequest& request, uint64_t tenths, Cycle now) const;
  Cycle fetch_far(const LineRequest& request, uint64_t tenths, bool is_there, Cycle now);
  Cycle serve_all(uint64_t tenths, Cycle now);
  struct FromDram {
    Cycle passes = 0;  ///< cycle in which the data start to pass the channel
    AwaitedFill fill;
    uint32_t bytes = 0;
  };
  FromDram from_dram(const LineRequest& request, unsigned sectors, Cycle now);
  void write_back(unsigned sm, Cycle now);
  void note_written(uint64_t line, unsigned half, Cycle taken);
  Cycle seen_from(const LineRequest& request, unsigned half, Cycle now) const;

  const uint32_t sectors_of_burst_;
  const unsigned halves_;
  const SmGroups groups_;
  const Cycle crossing_;             ///< one way from one half of the L2 to the other
  const Cycle dram_later_;           ///< time from a request to the DRAM until the L2 has the data
  const uint64_t tenths_per_cycle_;  ///< tenths of requests; 0: no limit
  const size_t slices_;
  const L2Hash hash_;
  const uint64_t hundredths_per_step_;
  const uint64_t hundredths_per_fence_;
  const Cycle line_write_;
  L2Tags l2_;
  Way reads_;
  Way writes_;                     ///< writes and atomics
  std::vector<SliceFills> fills_;  ///< by slice
  uint64_t fenced_ = 0;            ///< when all fences have passed, in hundredths of cycles
  /// What an SM's accesses have done since it asked.
  struct OfSm {
    Reached reached = Reached::kNothing;
    uint32_t written_back = 0;  ///< bytes
  };
  std::vector<OfSm> of_sm_;  ///< each SM uses only its own
  std::vector<Written> written_;
  std::vector<Asked> asked_;
  std::vector<FairShares> updated_;  ///< atomics of a slice, in hundredths of cycles
  DramChannels dram_;                ///< by slice
  /// Sectors that wait for a slice's channel, and when so few do that the slice takes reads.
  struct Misses {
    Outstanding sectors;
    Cycle room = 0;
  };
  std::vector<Misses> misses_;  ///< empty: the room is not limited
};

}  // namespace shflsim::model
