// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "model/global_memory/tag_store.h"

namespace shflsim::model {

/// A hash: each bit of the result depends on all of the value.
uint64_t mixed_bits(uint64_t value);

/// What the L2 has. It may have two halves, each near half of the SMs: a hash chooses for each 4
/// KiB in which of them they are at home. A half looks up what its SMs ask for; what it does not
/// have it asks the home for, and keeps a copy. Data are written to their home. Writes from the
/// other half keep its copy, and leave one of sectors that are written whole; writes from the
/// home's half drop the copy (measured: scripts/lab/hw/chip, crossing.csv). Atomics are done at
/// home. A line that was written is written back where it has to go, or where too many others have
/// been written since. What is on its way from the DRAM or the other half is asked for once; others
/// that want it wait until it is there.
///
/// Where the L2 is warm, what is asked for the first time was there already, until the L2 is full:
/// at home, and for some of the memory as a copy in the other half: for all that earlier launches
/// have read, for half of what kernels and copies on the GPU have written.
class L2Tags {
 public:
  struct Found {
    unsigned missing = 0;  ///< bit for each sector that only the DRAM has
    bool is_far = false;   ///< whether the home was asked, beyond the half of the SM
    Cycle ready = 0;       ///< when what others have asked for is there
  };

  /// What it has before the launch.
  struct Warm {
    bool has_data = false;
    uint32_t copies = 0;  ///< pages with a copy in the other half, in percent
  };
  L2Tags(uint32_t lines, unsigned halves, const Warm& warm);

  /// The GPU has copied other lines of this number to these, from `first` on.
  void restore(uint64_t first, uint64_t lines);
  /// Sectors of a line, a bit each, for an SM at `half`. They are there from then on.
  Found read(uint64_t line, unsigned sectors, unsigned half);
  /// Sectors that an atomic needs, of which the home has the others. They are there from then on.
  Found update(uint64_t line, unsigned sectors, unsigned half);
  struct Way {
    Cycle asked = 0;
    Cycle ready = 0;
  };
  /// These sectors come from the DRAM to the line's home.
  void fill(uint64_t line, unsigned sectors, const Way& way);
  /// These sectors come from the home to the copy.
  void come(uint64_t line, unsigned sectors, const Way& way);
  /// The sectors are written, for an SM at `half`: some in part, or all whole.
  void write(uint64_t line, unsigned sectors, bool is_partial, unsigned half);
  /// Whether the line is at home in the other half.
  bool is_far(uint64_t line, unsigned half) const { return home(line) != half; }
  /// Sectors that were written back since this was asked last.
  unsigned written_back();

 private:
  static void await(TagStore::Entry* entry, unsigned sectors, const Way& way);

  static constexpr uint32_t kCandidates = 3;  ///< assumed as measured for the L1

  struct Lines {
    uint64_t first;
    uint64_t end;
  };
  unsigned home(uint64_t line) const;
  bool is_restored(uint64_t line) const;
  TagStore::Entry* at_home(uint64_t line);
  TagStore::Entry* insert(uint64_t place);
  void make_dirty(TagStore::Entry* entry, unsigned sectors);
  void clean_oldest();
  TagStore::Entry* copy(uint64_t line);
  void keep(uint64_t line, unsigned sectors);

  const unsigned halves_;
  const Warm warm_;
  TagStore tags_;                ///< by line, twice: at home and as a copy
  std::deque<uint64_t> dirty_;   ///< places of lines that were written, the oldest first
  const size_t most_dirty_;      ///< of these
  std::vector<Lines> restored_;  ///< were there only as far as they still are
  unsigned sectors_back_ = 0;    ///< written back and not yet told
};

}  // namespace shflsim::model
