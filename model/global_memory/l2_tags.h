// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "model/global_memory/l2_hash.h"
#include "model/global_memory/l2_sets.h"

namespace shflsim::model {

/// The contents of the L2. It may have two halves, each near half of the SMs; a hash chooses the
/// home half of each 4 KiB (L2Hash). A half looks up the requests of its SMs. It requests missing
/// data from their home and keeps a copy. Data are written to their home. A write from the other
/// half keeps that half's copy, and makes one of sectors that are written whole; a write from the
/// home's half drops the copy (measured: scripts/lab/hw/chip, crossing.csv). Atomics are done at
/// home. A dirty line is written back when it is evicted, or when too many other lines have been
/// written since. Sectors on their way from the DRAM or the other half are requested once; other
/// requests for them wait.
///
/// If the L2 is warm, data are present at their first access until the L2 is full: at home, and for
/// a share of the pages as a copy in the other half (all pages that earlier launches have read,
/// half of the pages that kernels and copies on the GPU have written).
class L2Tags {
 public:
  struct Found {
    unsigned missing = 0;  ///< one bit per sector that only the DRAM has
    bool is_far = false;   ///< the home in the other half was asked
    Cycle ready = 0;       ///< cycle in which data that others have requested are there
  };

  /// Contents of the L2 before the launch.
  struct Warm {
    bool has_data = false;
    uint32_t copies = 0;        ///< percentage of pages with a copy in the other half
    uint32_t restored_far = 0;  ///< percentage of restored lines without one, for an SM
    uint32_t restored_piece =
        0;  ///< least lines that an SM copies together; 0: as restored_far has it
  };
  L2Tags(uint32_t lines, unsigned halves, const Warm& warm);

  /// Models a copy of as many other lines to these lines, from `first` on, by the GPU.
  void restore(uint64_t first, uint64_t lines);
  /// Looks up sectors of a line, one bit each, for an SM at `half`; fill() adds missing ones.
  Found read(uint64_t line, unsigned sectors, unsigned half);
  /// The same for an atomic at the home: the sectors become dirty, and the copy is dropped.
  Found update(uint64_t line, unsigned sectors, unsigned half);
  struct Way {
    Cycle asked = 0;
    Cycle ready = 0;
  };
  /// Adds sectors to the line's home, which they reach from the DRAM.
  void fill(uint64_t line, unsigned sectors, const Way& way);
  /// Marks sectors of the copy as on their way from the home.
  void come(uint64_t line, unsigned sectors, const Way& way);
  /// Writes the sectors for an SM at `half`. `is_partial`: some of them are written only in part.
  void write(uint64_t line, unsigned sectors, bool is_partial, unsigned half);
  /// True if the line's home is the other half.
  bool is_far(uint64_t line, unsigned half) const { return home(line) != half; }
  /// Returns the number of sectors written back since the last call.
  unsigned written_back();

 private:
  static void await(L2Sets::Entry* entry, unsigned sectors, const Way& way);

  struct Lines {
    uint64_t first;
    uint64_t end;
  };
  /// A buffer, and where the driver has put it.
  struct Placed {
    Lines lines;
    uint64_t at;  ///< its first line
  };
  bool is_restored(uint64_t line) const;
  unsigned home(uint64_t line) const;
  uint64_t take_room(uint64_t lines);
  unsigned restoring_half(uint64_t line, uint64_t first) const;
  L2Sets::Entry* at_home(uint64_t line);
  L2Sets::Entry* insert(uint64_t place, bool goes_first = false);
  void make_dirty(L2Sets::Entry* entry, unsigned sectors);
  void clean_oldest();
  L2Sets::Entry* copy(uint64_t line);
  void keep(uint64_t line, unsigned sectors, bool goes_first = false);

  const unsigned halves_;
  const L2Hash hash_;
  const Warm warm_;
  L2Sets tags_;                  ///< two places per line: at home and as a copy
  std::deque<uint64_t> dirty_;   ///< places of lines that were written, the oldest first
  const size_t most_dirty_;      ///< most lines in dirty_
  std::vector<Lines> restored_;  ///< warm data do not include these lines
  std::vector<Placed> placed_;   ///< buffers side by side, each with the one it is restored from
  uint64_t room_ = 0;            ///< the first line behind these
  unsigned sectors_back_ = 0;    ///< sectors written back since the last call of written_back()
};

}  // namespace shflsim::model
